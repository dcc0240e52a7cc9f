//! Records that tidying set aside: they are listed, and brought back.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::DirHandle;
use jiff::Timestamp;

use crate::digest::Digest;
use crate::folder::{HashFolder, Index};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record;
use crate::run::RunError;

/// The folder for records that are set aside, within the hash folder's own one: a folder for each run of tidying,
/// named after its time.
const REMOVED_FOLDER: &str = "removed";
const TIME_FORMAT: &str = "%Y%m%dT%H%M%S.%9fZ";

/// A record that was set aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemovedRecord {
    pub path: FilePath,
    /// The recorded hash.
    pub digest: Digest,
    /// The recorded size in bytes.
    pub size: Option<u64>,
    /// The time at which the contents were recorded.
    pub recorded_at: Option<Timestamp>,
    /// The time at which it was set aside.
    pub removed_at: Option<Timestamp>,
    /// The folder of the run of tidying.
    run: OsString,
    name: OsString,
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
    /// Creates the folder of a run of tidying.
    pub(crate) fn create_removed_folder(&self, now: Timestamp) -> io::Result<DirHandle> {
        let own = self.own_handle()?;
        let all = own.create_folder(OsStr::new(REMOVED_FOLDER), 0o700)?;
        own.sync()?;
        let name = now.strftime(TIME_FORMAT).to_string();
        let folder = all.create_folder(OsStr::new(&name), 0o700)?;
        all.sync()?;
        Ok(folder)
    }

    /// Returns all records that were set aside.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn removed_records(&self) -> io::Result<RemovedRecords> {
        let mut removed = RemovedRecords::default();
        let Some((path, all)) = self.removed_folder()? else {
            return Ok(removed);
        };
        for run in entries(&all)? {
            let run_path = path.join(&run);
            let removed_at = run.to_str().and_then(time_of);
            for name in entries(&all.folder(Path::new(&run))?)? {
                let file = run_path.join(&name);
                match record::load(&file) {
                    Ok(record) => removed.records.push(RemovedRecord {
                        size: record.notes.stat.map(|stat| stat.size),
                        recorded_at: record.notes.recorded_at,
                        digest: record.digest,
                        path: record.path,
                        removed_at,
                        run: run.clone(),
                        name,
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

    /// Returns the folder of all runs of tidying with its path; `None` before the first.
    fn removed_folder(&self) -> io::Result<Option<(PathBuf, DirHandle)>> {
        let folder = self
            .own_handle()
            .and_then(|own| own.folder(Path::new(REMOVED_FOLDER)));
        match folder {
            Ok(folder) => Ok(Some((self.own(REMOVED_FOLDER), folder))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
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
        let Some((_, all)) = self.removed_folder()? else {
            return Ok(outcome);
        };
        for run in entries(&all)? {
            let folder = all.folder(Path::new(&run))?;
            folder.sync()?;
            if folder.entries()?.is_empty() {
                all.remove_folder(&run)?;
            }
        }
        self.handle()?.sync()?;
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
        let (path, name) = (Path::new(&record.run), &record.name);
        let from = self.removed_folder()?;
        let from = from.ok_or(io::ErrorKind::NotFound)?.1.folder(path)?;
        if !from.rename_unless_taken(name, &self.handle()?, name)? {
            let text = "a file with the record's name is in the hash folder";
            return Ok(Err(Reason::new(ReasonCode::NameTaken, text)));
        }
        match self.examine(name.as_bytes().to_vec()) {
            Ok((path, row)) => {
                index.rows.insert(path, row);
            }
            Err(problem) => index.problems.push(problem),
        }
        Ok(Ok(()))
    }
}

/// Moves a record into the folder of a run of tidying.
pub(crate) fn set_aside(name: &[u8], folder: &DirHandle, removed: &DirHandle) -> io::Result<()> {
    let name = OsStr::from_bytes(name);
    if folder.rename_unless_taken(name, removed, name)? {
        Ok(())
    } else {
        Err(io::ErrorKind::AlreadyExists.into())
    }
}

/// Returns the names in a folder.
fn entries(folder: &DirHandle) -> io::Result<Vec<OsString>> {
    let entries = folder.entries()?.into_iter();
    Ok(entries.map(|entry| entry.name).collect())
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
