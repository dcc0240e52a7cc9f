//! Records that tidying set aside: they are listed, and brought back.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use jiff::Timestamp;

use crate::digest::Digest;
use crate::folder::{HashFolder, Index, rename_to_new};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record;
use crate::repair;
use crate::run::RunError;

/// The folder for records that are set aside, within the hash folder's own one: a folder for each run of tidying,
/// named after its time.
const REMOVED_FOLDER: &str = "removed";
const TIME_FORMAT: &str = "%Y%m%dT%H%M%S.%9fZ";

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedRecord {
    /// The path of its file.
    pub path: FilePath,
    /// The recorded hash.
    pub digest: Digest,
    /// The recorded size in bytes.
    pub size: Option<u64>,
    /// The time at which the contents were recorded.
    pub recorded_at: Option<Timestamp>,
    /// The time at which it was set aside.
    pub removed_at: Option<Timestamp>,
    file: PathBuf,
}

/// All records that were set aside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovedRecords {
    /// The records, by path, those set aside last first.
    pub records: Vec<RemovedRecord>,
    /// Files among them that are no usable records.
    pub unusable: Vec<(PathBuf, Reason)>,
}

/// The outcome of bringing records back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reinstatement {
    /// The files whose records are back.
    pub reinstated: Vec<FilePath>,
    /// The files whose records stay set aside, with the reason.
    pub refused: Vec<(FilePath, Reason)>,
}

impl HashFolder {
    /// Moves a record into the folder of a run of tidying.
    pub(crate) fn set_aside(&self, name: &[u8], folder: &Path) -> io::Result<()> {
        let to = folder.join(std::ffi::OsStr::from_bytes(name));
        if rename_to_new(&self.file(name), &to)? {
            Ok(())
        } else {
            Err(io::ErrorKind::AlreadyExists.into())
        }
    }

    /// Creates the folder of a run of tidying.
    pub(crate) fn create_removed_folder(&self, now: Timestamp) -> io::Result<PathBuf> {
        let folder = self
            .own(REMOVED_FOLDER)
            .join(now.strftime(TIME_FORMAT).to_string());
        durable::create_folder(&folder, Access::Private)?;
        Ok(folder)
    }

    /// Returns all records that were set aside.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn removed_records(&self) -> io::Result<RemovedRecords> {
        let mut removed = RemovedRecords::default();
        for folder in entries(&self.own(REMOVED_FOLDER))? {
            let removed_at = folder
                .file_name()
                .and_then(|name| time_of(&name.to_string_lossy()));
            for file in entries(&folder)? {
                match record::load(&file) {
                    Ok(record) => removed.records.push(RemovedRecord {
                        size: record.notes.stat.map(|stat| stat.size),
                        recorded_at: record.notes.recorded_at,
                        digest: record.digest,
                        path: record.path,
                        removed_at,
                        file,
                    }),
                    Err(error) => removed.unusable.push((file, Reason::from(&error))),
                }
            }
        }
        let records = &mut removed.records;
        records.sort_by(|a, b| (&a.path, b.removed_at).cmp(&(&b.path, a.removed_at)));
        removed.unusable.sort();
        Ok(removed)
    }

    /// Brings back the records of chosen files that were set aside last. A file that has a record keeps it.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn reinstate(
        &self,
        is_chosen: impl Fn(&FilePath) -> bool,
    ) -> Result<Reinstatement, RunError> {
        let _lock = self.lock()?;
        let mut index = self.index()?;
        let mut records = self.removed_records()?.records;
        records.retain(|record| is_chosen(&record.path));
        records.dedup_by(|later, first| later.path == first.path);
        let mut outcome = Reinstatement::default();
        for record in records {
            match self.reinstate_one(&record, &mut index)? {
                Ok(()) => outcome.reinstated.push(record.path),
                Err(reason) => outcome.refused.push((record.path, reason)),
            }
        }
        if outcome.reinstated.is_empty() {
            return Ok(outcome);
        }
        for folder in entries(&self.own(REMOVED_FOLDER))? {
            repair::sync(&folder)?;
            if entries(&folder)?.is_empty() {
                fs::remove_dir(&folder)?;
            }
        }
        repair::sync(self.path())?;
        self.save_index(&index)?;
        Ok(outcome)
    }

    fn reinstate_one(
        &self,
        record: &RemovedRecord,
        index: &mut Index,
    ) -> io::Result<Result<(), Reason>> {
        if index.rows.contains_key(&record.path) {
            let text = "the file has a record, which is kept";
            return Ok(Err(Reason::new(ReasonCode::HasRecord, text)));
        }
        let name = record.file.file_name().unwrap_or_default().as_bytes();
        if !rename_to_new(&record.file, &self.file(name))? {
            let text = "a file with the record's name is in the hash folder";
            return Ok(Err(Reason::new(ReasonCode::NameTaken, text)));
        }
        match self.examine(name.to_vec()) {
            Ok((path, row)) => {
                index.rows.insert(path, row);
            }
            Err(problem) => index.problems.push(problem),
        }
        Ok(Ok(()))
    }
}

/// Returns the entries of a folder; none if it does not exist.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn time_of(name: &str) -> Option<Timestamp> {
    let civil = jiff::civil::DateTime::strptime(TIME_FORMAT, name).ok()?;
    Some(civil.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_name_states_its_time() {
        let now: Timestamp = "2026-11-28T16:45:00.012345678Z".parse().unwrap();
        let name = now.strftime(TIME_FORMAT).to_string();
        assert_eq!(name, "20261128T164500.012345678Z");
        assert_eq!(time_of(&name), Some(now));
        assert_eq!(time_of("notes"), None);
    }
}
