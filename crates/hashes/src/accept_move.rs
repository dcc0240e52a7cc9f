//! Acceptance of moves: the records of moved files get the new paths.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use fumikura_base::dir_handle::is_link;
use jiff::Timestamp;

use crate::access::is_absent;
use crate::contents::Contents;
use crate::folder::{Batch, HashFolder, RecordKind, RecordRow};
use crate::lossy;
use crate::path::FilePath;
use crate::record::{self, Record};
use crate::repair::{self, RepairError};
use crate::state::FileState;

/// A move that was checked: the old row, and the record under the new path if it has none yet.
struct CheckedMove {
    from: FilePath,
    to: FilePath,
    old: RecordRow,
    record: Option<Record>,
}

impl HashFolder {
    /// Accepts that a file, or a folder with its recorded files, moved: the records get the new paths and keep their
    /// histories. Every file is read first, and nothing is changed unless all old places are empty and all new
    /// ones have the recorded contents. Returns the number of records.
    ///
    /// # Errors
    /// [`RepairError`].
    pub fn accept_move(
        &self,
        from: &FilePath,
        to: &FilePath,
        now: Timestamp,
    ) -> Result<u64, RepairError> {
        let _lock = self.lock()?;
        let mut index = self.index()?;
        let mut moves = Vec::new();
        for (path, row) in index.within(from) {
            let Some(target) = path.moved(from, to) else {
                continue;
            };
            let recorded = index.rows.get(&target);
            moves.push(self.check_move(path, &target, row, recorded, now)?);
        }
        if moves.is_empty() {
            return Err(RepairError::NoRecord(from.clone()));
        }
        let mut batch = Batch::new(self);
        let mut rows = Vec::new();
        for checked in &moves {
            let Some(record) = &checked.record else {
                continue;
            };
            let name = self.name_for(&checked.to);
            let kind = if name.starts_with(b"~") {
                RecordKind::Encoded
            } else {
                RecordKind::Fallback
            };
            let row = RecordRow {
                state: Some(FileState::Ok),
                ..RecordRow::new(name.clone(), kind, record)
            };
            batch.put(name, record, false);
            rows.push((checked.to.clone(), row));
        }
        let taken: BTreeSet<_> = batch.commit()?.into_iter().collect();
        rows.retain(|(_, row)| !taken.contains(&row.name));
        index.rows.extend(rows);
        // The new records are durable. Only then the old ones go.
        let folder = self.handle()?;
        let mut count = 0;
        for checked in moves {
            if index.rows.contains_key(&checked.to) {
                folder.remove_file(OsStr::from_bytes(&checked.old.name))?;
                index.rows.remove(&checked.from);
                count += 1;
            }
        }
        folder.sync()?;
        self.save_index(&index)?;
        if taken.is_empty() {
            Ok(count)
        } else {
            Err(std::io::Error::from(std::io::ErrorKind::AlreadyExists).into())
        }
    }

    fn check_move(
        &self,
        from: &FilePath,
        to: &FilePath,
        old: &RecordRow,
        recorded: Option<&RecordRow>,
        now: Timestamp,
    ) -> Result<CheckedMove, RepairError> {
        if old.is_newer {
            return Err(RepairError::Newer);
        }
        match from.stat() {
            // A link in place of its folder may lead to the new place.
            Err(error) if is_absent(&error) || is_link(&error) => {}
            Err(error) => return Err(error.into()),
            Ok(_) => return Err(RepairError::StillThere(from.clone())),
        }
        let read = repair::read(to)?;
        if read.digest != old.digest || recorded.is_some_and(|row| row.digest != old.digest) {
            return Err(RepairError::OtherContents(to.clone()));
        }
        let record = match recorded {
            Some(_) => None,
            None => Some(self.moved_record((from, to), old, &read, now)?),
        };
        Ok(CheckedMove {
            from: from.clone(),
            to: to.clone(),
            old: old.clone(),
            record,
        })
    }

    fn moved_record(
        &self,
        (from, to): (&FilePath, &FilePath),
        old: &RecordRow,
        read: &Contents,
        now: Timestamp,
    ) -> Result<Record, RepairError> {
        let record = record::load(&self.file(&old.name))?;
        if !lossy::is_record_of(&record, from) {
            return Err(RepairError::NoRecord(from.clone()));
        }
        Ok(Record {
            path: to.clone(),
            ..record.renewed(read, FileState::Ok, now)
        })
    }
}
