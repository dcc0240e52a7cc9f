//! Comparison of files with hashes that are not their records: those of a list, or of the originals of a copy.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use rustix::fs::FileType;

use super::report::{Finding, Report};
use super::walk::{self, WalkOptions, WalkedFile};
use super::{RunError, RunObserver, pool};
use crate::access::{is_absent, kind_of};
use crate::checksum::Checksum;
use crate::contents::{ReadError, read_checksums};
use crate::folder::HashFolder;
use crate::lists::{List, ListedNames};
use crate::lossy;
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::stat::FileStat;
use crate::state::FileState;

/// A file and the hashes of which its contents must have one.
struct Expectation {
    path: FilePath,
    checksums: Vec<Checksum>,
    /// A remark for the report about a file with the expected contents.
    remark: Option<Reason>,
}

/// Compares the files of a list with its hashes. Relative names are resolved against `base`; if the check
/// `is_confined`, names that lead out of it are skipped. Nothing is written.
///
/// # Errors
/// [`RunError`]; problems of single files are in the report.
pub fn check_list(
    list: &List,
    base: &FilePath,
    is_confined: bool,
    observer: &dyn RunObserver,
) -> Result<Report, RunError> {
    let mut report = Report::default();
    let mut names = ListedNames::new(base, is_confined);
    let mut expectations = Vec::new();
    report.skipped.lines = (list.skipped).map(|line| (line.line, Reason::from(&line.reason)));
    for entry in &list.entries {
        match names.find(&entry.path) {
            Ok(file) => expectations.push(Expectation {
                path: file.path,
                checksums: entry.checksums().collect(),
                remark: file.is_other_form.then(other_form),
            }),
            Err(error) => {
                let line = (entry.line, Reason::from(&error));
                report.skipped.lines.push(line);
            }
        }
    }
    report.skipped.lines.sort();
    compare(expectations, &mut report, observer)?;
    Ok(report)
}

fn other_form() -> Reason {
    let text = "the list writes the name in another Unicode form";
    Reason::new(ReasonCode::OtherForm, text)
}

impl HashFolder {
    /// Compares the files of a copy with the records of the originals: a file, or a folder with everything in it.
    /// Every file is read, and nothing is written.
    ///
    /// # Errors
    /// [`RunError`]; problems of single files are in the report.
    pub fn verify_copy(
        &self,
        original: &FilePath,
        copy: &FilePath,
        options: &WalkOptions,
        observer: &dyn RunObserver,
    ) -> Result<Report, RunError> {
        let index = self.index()?;
        let mut report = Report::default();
        let mut expectations = Vec::new();
        let there = copy.stat();
        let files = index.within(original).count() as u64;
        if files == 0 {
            let text = format!("{original} has no records");
            let finding = Finding::new(copy.clone(), FileState::Missing);
            report.add(finding.with_reason(Reason::new(ReasonCode::NoRecord, text)));
            return Ok(report);
        }
        if there.as_ref().is_err_and(is_absent) && !index.rows.contains_key(original) {
            let mut finding = Finding::new(copy.clone(), FileState::RootAway);
            finding.files = Some(files);
            report.add(finding);
            return Ok(report);
        }
        for (path, row) in index.within(original) {
            let Some(path) = path.moved(original, copy) else {
                continue;
            };
            let at = if row.is_lossy {
                lossy::only_candidate(&path)?
            } else {
                None
            };
            expectations.push(Expectation {
                path: at.unwrap_or(path),
                checksums: vec![row.digest.into()],
                remark: None,
            });
        }
        if there.is_ok_and(|stat| kind_of(&stat) == FileType::Directory) {
            let expected = expectations.iter().map(|file| &file.path).collect();
            self.add_unexpected(copy, &expected, options, &mut report)?;
        }
        compare(expectations, &mut report, observer)?;
        Ok(report)
    }

    /// Reports the files in a copy that its original does not have, and the folders that can't be read.
    fn add_unexpected(
        &self,
        copy: &FilePath,
        expected: &BTreeSet<&FilePath>,
        options: &WalkOptions,
        report: &mut Report,
    ) -> Result<(), RunError> {
        let patterns = walk::Exclusion::new(copy, options)?.patterns();
        let walk = walk::walk(copy, self, options, patterns)?;
        report.skipped = walk.skipped;
        for (folder, reason) in walk.unreadable {
            report.add(Finding::new(folder, FileState::Unreadable).with_reason(reason));
        }
        for (path, found) in walk.files {
            if !expected.contains(&path) {
                report.add(Finding::new(path, FileState::New).with_stat(&found.stat));
            }
        }
        // Those that are expected are read, which fails.
        for (path, reason) in walk.unreachable {
            if !expected.contains(&path) {
                report.add(Finding::new(path, FileState::Unreadable).with_reason(reason));
            }
        }
        Ok(())
    }
}

/// Reads the files and adds the results to the report.
fn compare(
    expectations: Vec<Expectation>,
    report: &mut Report,
    observer: &dyn RunObserver,
) -> Result<(), RunError> {
    let found = expectations.into_iter().map(|file| {
        let stat = file.path.stat().ok();
        (stat.map(|stat| WalkedFile::from(&stat)), file)
    });
    let found: Vec<_> = found.collect();
    let size = |found: &Option<WalkedFile>| found.map_or(0, |found| found.stat.size);
    let total = found.iter().map(|(found, _)| size(found)).sum();
    let done = AtomicU64::new(0);
    let may_continue = |count: u64| {
        let done = done.fetch_add(count, Ordering::Relaxed) + count;
        observer.advance(done, total)
    };
    let device = |found: &Option<WalkedFile>| found.map_or(0, |found| found.device);
    let tasks = found
        .into_iter()
        .map(|(found, file)| (device(&found), file));
    let results = Mutex::new(report);
    pool::for_each(tasks.collect(), |file| {
        if results.lock().is_cancelled {
            return;
        }
        let algorithms: Vec<_> = file.checksums.iter().map(Checksum::algorithm).collect();
        let outcome = if may_continue(0) {
            read_checksums(&file.path, &algorithms, &may_continue)
        } else {
            Err(ReadError::Cancelled)
        };
        results.lock().take(file, outcome);
    })?;
    results.into_inner().sort();
    Ok(())
}

impl Report {
    fn take(&mut self, file: Expectation, outcome: Result<(Vec<Checksum>, FileStat), ReadError>) {
        let expected = file.checksums.first().copied();
        match outcome {
            Ok((actual, stat)) => {
                self.files_read += 1;
                self.bytes_read += stat.size;
                let is_same = actual.iter().any(|one| file.checksums.contains(one));
                let state = if is_same {
                    FileState::Ok
                } else {
                    FileState::Differs
                };
                let mut finding = Finding::new(file.path, state).with_stat(&stat);
                finding.expected = expected;
                finding.actual = actual.first().copied();
                finding.reason = file.remark;
                if is_same {
                    self.summary.add(FileState::Ok, 1);
                    // The remark makes it a finding.
                    self.findings
                        .extend(finding.reason.is_some().then_some(finding));
                } else {
                    self.add(finding);
                }
            }
            Err(ReadError::Cancelled) => self.is_cancelled = true,
            Err(error) => {
                let state = match error {
                    ReadError::Missing => FileState::Missing,
                    ReadError::NotRegular
                    | ReadError::ChangedMeanwhile
                    | ReadError::Cancelled
                    | ReadError::Io(_) => FileState::Unreadable,
                };
                let mut finding = Finding::new(file.path, state);
                finding.expected = expected;
                if state == FileState::Unreadable {
                    finding = finding.with_reason(&error);
                }
                self.add(finding);
            }
        }
    }
}
