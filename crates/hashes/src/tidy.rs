//! Maintenance of a hash folder: older names become encoded ones, and records of deleted files are set aside.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;

use fumikura_base::dir_handle::DirHandle;

use crate::folder::{Batch, HashFolder, Index, RecordKind, RecordRow};
use crate::path::FilePath;
use crate::reason::{Reason, ReasonCode};
use crate::record;
use crate::removed::set_aside;
use crate::run::{Finding, Report, RunError, RunObserver, Scope, VerifyOptions};
use crate::state::FileState;

impl HashFolder {
    /// Gives records with older names the encoded one. With `dry_run`, only reports the changes.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn migrate(&self, dry_run: bool) -> Result<Report, RunError> {
        let _lock = if dry_run { None } else { Some(self.lock()?) };
        let mut index = self.rebuilt_index()?;
        let legacy: Vec<_> = index
            .rows
            .iter()
            .filter(|(_, row)| row.kind == RecordKind::Legacy && !row.is_newer)
            .collect();
        let mut report = Report::default();
        let mut batch = Batch::new(self);
        let mut moves = Vec::new();
        for (path, row) in legacy {
            let name = self.name_for(path);
            let mut finding = Finding::new(path.clone(), FileState::Legacy);
            let renaming = format!("{} → {}", text(&row.name), text(&name));
            finding.reason = Some(Reason::new(ReasonCode::NewName, renaming));
            match record::load(&self.file(&row.name)) {
                Ok(record) => {
                    batch.put(name.clone(), &record, name == row.name);
                    moves.push((
                        path.clone(),
                        row.name.clone(),
                        RecordRow::new(name, encoded_kind(&self.name_for(path)), &record),
                    ));
                }
                Err(error) => {
                    finding = Finding::new(path.clone(), FileState::Malformed).with_reason(&error)
                }
            }
            report.add(finding);
        }
        if !dry_run {
            let taken = batch.commit()?;
            let folder = self.handle()?;
            for (path, old, row) in moves {
                if !taken.contains(&row.name) {
                    finish_move(&folder, &mut index, path, &old, row)?;
                    report.written += 1;
                }
            }
            folder.sync()?;
            self.save_index(&index)?;
        }
        Ok(report)
    }

    /// Sets aside the records of files that no longer exist: those of moved files once their new places are
    /// recorded, and never those on an absent disk or in a folder that cannot be read, which is reported. With
    /// `dry_run`, only reports them.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn tidy(
        &self,
        dry_run: bool,
        now: jiff::Timestamp,
        observer: &dyn RunObserver,
    ) -> Result<Report, RunError> {
        let quick = VerifyOptions {
            quick: true,
            ..VerifyOptions::default()
        };
        let verified = self.verify(&Scope::Everything, &quick, now, observer)?;
        let mut report = Report {
            is_cancelled: verified.is_cancelled,
            ..Report::default()
        };
        let index = self.index()?;
        let (unreadable, others): (Vec<_>, Vec<_>) = verified
            .findings
            .into_iter()
            .partition(|finding| finding.state == FileState::Unreadable);
        let is_unknown = |path: &FilePath| unreadable.iter().any(|one| path.is_within(&one.path));
        for finding in others {
            if is_orphan(&finding, &index) && !is_unknown(&finding.path) {
                report.add(Finding {
                    state: FileState::Orphan,
                    ..finding
                });
            }
        }
        for finding in unreadable {
            report.add(finding);
        }
        if dry_run || report.is_cancelled || report.summary.count(FileState::Orphan) == 0 {
            return Ok(report);
        }
        let _lock = self.lock()?;
        let mut index = self.index()?;
        let (folder, removed) = (self.handle()?, self.create_removed_folder(now)?);
        let is_orphan = |finding: &&Finding| finding.state == FileState::Orphan;
        for orphan in report.findings.iter().filter(is_orphan) {
            let paths = orphaned_paths(orphan, &index);
            for row in paths.iter().filter_map(|path| index.rows.remove(path)) {
                set_aside(&row.name, &folder, &removed)?;
                report.written += 1;
            }
        }
        removed.sync()?;
        folder.sync()?;
        self.save_index(&index)?;
        Ok(report)
    }
}

/// Removes the old name and updates the index. The new record is already durable.
fn finish_move(
    folder: &DirHandle,
    index: &mut Index,
    path: FilePath,
    old: &[u8],
    row: RecordRow,
) -> io::Result<()> {
    if old != row.name {
        folder.remove_file(OsStr::from_bytes(old))?;
    }
    index.rows.insert(path, row);
    Ok(())
}

/// Returns true if the file no longer exists, and its contents are lost or at a place that has a record.
fn is_orphan(finding: &Finding, index: &Index) -> bool {
    match finding.state {
        FileState::Missing => true,
        FileState::Moved => {
            orphaned_paths(finding, index).len() as u64 == finding.files.unwrap_or(1)
        }
        FileState::Ok
        | FileState::Changed
        | FileState::Corrupt
        | FileState::Altered
        | FileState::Touched
        | FileState::New
        | FileState::RootAway
        | FileState::Unreadable
        | FileState::Racy
        | FileState::Differs
        | FileState::Orphan
        | FileState::Malformed
        | FileState::Collision
        | FileState::Legacy
        | FileState::Foreign => false,
    }
}

/// Returns the recorded files that a finding covers; of moved ones, those whose new places have records with
/// the same contents.
fn orphaned_paths(finding: &Finding, index: &Index) -> Vec<FilePath> {
    let covered = index
        .within(&finding.path)
        .filter(|(path, _)| finding.files.is_some() || **path == finding.path);
    let was_moved = |path: &FilePath, row: &RecordRow| {
        let Some(to) = &finding.to else { return true };
        let at = path.moved(&finding.path, to);
        let row_at_target = at.and_then(|at| index.rows.get(&at));
        row_at_target.is_some_and(|other| other.digest == row.digest)
    };
    covered
        .filter(|(path, row)| was_moved(path, row))
        .map(|(path, _)| path.clone())
        .collect()
}

fn encoded_kind(name: &[u8]) -> RecordKind {
    if name.starts_with(b"~") {
        RecordKind::Encoded
    } else {
        RecordKind::Fallback
    }
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}
