//! Reports of runs.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::checksum::Checksum;
use crate::digest::Digest;
use crate::folder::Index;
use crate::path::FilePath;
use crate::reason::Reason;
use crate::run::walk::SkippedEntries;
use crate::stat::FileStat;
use crate::state::FileState;

/// The number of files in each state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary(pub BTreeMap<FileState, u64>);

impl Summary {
    /// Returns the number of files in a state.
    #[must_use]
    pub fn count(&self, state: FileState) -> u64 {
        self.0.get(&state).copied().unwrap_or(0)
    }

    /// Adds files in a state.
    pub fn add(&mut self, state: FileState, count: u64) {
        if count > 0 {
            *self.0.entry(state).or_default() += count;
        }
    }

    /// Returns true if every file matches its record.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.0.keys().all(|state| *state == FileState::Ok)
    }
}

/// A fact about a file or a record that a person should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The path of the file, of a moved or absent folder, or of the record itself if it states no path.
    pub path: FilePath,
    pub state: FileState,
    /// The recorded or listed hash.
    pub expected: Option<Checksum>,
    /// The hash of the current contents.
    pub actual: Option<Checksum>,
    /// The current size in bytes; of a missing file, the recorded one.
    pub size: Option<u64>,
    /// The time of the last change, current or recorded like `size`.
    pub mtime: Option<Timestamp>,
    /// The new path of a file that moved.
    pub to: Option<FilePath>,
    /// The number of files that the finding covers, if more than one.
    pub files: Option<u64>,
    /// The reason why a file could not be read, or a record is unusable.
    pub reason: Option<Reason>,
}

impl Finding {
    /// Creates a finding with only a path and a state.
    #[must_use]
    pub fn new(path: FilePath, state: FileState) -> Self {
        Self {
            path,
            state,
            expected: None,
            actual: None,
            size: None,
            mtime: None,
            to: None,
            files: None,
            reason: None,
        }
    }

    pub(super) fn expecting(mut self, digest: Digest) -> Self {
        self.expected = Some(digest.into());
        self
    }

    pub(super) fn with_stat(mut self, stat: &FileStat) -> Self {
        self.size = Some(stat.size);
        self.mtime = stat.mtime();
        self
    }

    pub(crate) fn with_reason(mut self, reason: impl Into<Reason>) -> Self {
        self.reason = Some(reason.into());
        self
    }
}

pub trait RunObserver: Sync {
    /// Receives the progress in bytes, and returns true if the run continues. May wait, to pause the run.
    fn advance(&self, done: u64, total: u64) -> bool;
}

/// Ignores the progress.
impl RunObserver for () {
    fn advance(&self, _done: u64, _total: u64) -> bool {
        true
    }
}

/// The result of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// All findings except files that match their records, the gravest states first, then by path.
    pub findings: Vec<Finding>,
    /// The number of files in each state.
    pub summary: Summary,
    /// The entries that the walk skipped.
    pub skipped: SkippedEntries,
    /// The number of files that were read.
    pub files_read: u64,
    /// The number of files that were not read, because their size and times are unchanged. No state counts them.
    pub files_unread: u64,
    /// The number of bytes that were read.
    pub bytes_read: u64,
    /// The number of records that were written.
    pub written: u64,
    /// The number of these that replaced other contents: the files had changed. Each is a finding that the
    /// summary does not count.
    pub replaced: u64,
    /// True if the run was cancelled.
    pub is_cancelled: bool,
}

impl Report {
    pub(crate) fn add(&mut self, finding: Finding) {
        self.summary.add(finding.state, finding.files.unwrap_or(1));
        self.findings.push(finding);
    }

    /// Returns the places at which the report found the contents of a recorded file: its own new path, the new
    /// path of a file with the same contents, and new files.
    #[must_use]
    pub fn copies_of(&self, index: &Index, digest: Digest) -> Vec<FilePath> {
        let mut copies = Vec::new();
        for finding in &self.findings {
            if let Some(to) = &finding.to {
                let same = index
                    .within(&finding.path)
                    .filter(|(_, row)| row.digest == digest);
                copies.extend(same.filter_map(|(path, _)| path.moved(&finding.path, to)));
            } else if finding.state == FileState::New && finding.actual == Some(digest.into()) {
                copies.push(finding.path.clone());
            }
        }
        copies
    }

    pub(super) fn sort(&mut self) {
        self.findings
            .sort_by(|a, b| (a.state.rank(), &a.path).cmp(&(b.state.rank(), &b.path)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_sorted_by_severity_then_path() {
        let mut report = Report::default();
        for (path, state) in [
            ("/a", FileState::New),
            ("/b", FileState::Moved),
            ("/c", FileState::Missing),
            ("/d", FileState::Changed),
            ("/f", FileState::Corrupt),
            ("/e", FileState::Corrupt),
            ("/g", FileState::Altered),
        ] {
            report.add(Finding::new(FilePath::new(path).unwrap(), state));
        }
        report.sort();
        let sorted: Vec<_> = report
            .findings
            .iter()
            .map(|found| found.path.to_string())
            .collect();
        assert_eq!(sorted, ["/e", "/f", "/g", "/d", "/c", "/b", "/a"]);
    }
}
