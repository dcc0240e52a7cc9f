//! The record of a backup, `backup.json` in its folder: what it contains, and whether that was proved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::folder_records::FolderRecordCounts;

/// The name of a record.
const RECORD: &str = "backup.json";
const VERSION: u64 = 1;

/// The reason why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum BackupCause {
    /// A user asked for it. It is never removed.
    Request,
    /// The schedule. It is removed when no rule keeps it.
    Schedule,
}

/// A number that is much lower than in the backup before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Decrease {
    /// `pages`, `revisions` or `assets`.
    pub what: String,
    pub before: u64,
    pub now: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct BackupRecord {
    pub version: u64,
    /// The time of the copied state.
    #[cfg_attr(feature = "wire", schema(value_type = String))]
    pub taken_at: Timestamp,
    pub cause: BackupCause,
    /// The number of pages, with deleted ones.
    pub pages: u64,
    pub revisions: u64,
    pub assets: u64,
    /// The size of the database and the files, in bytes.
    pub bytes: u64,
    /// The SHA-256 of all rows of the database, in hexadecimal digits.
    pub rows_sha256: String,
    /// The time at which the backup was restored into a temporary folder, checked, and found to be equal to the copied
    /// state; `None` if it has faults.
    #[cfg_attr(feature = "wire", schema(value_type = Option<String>))]
    pub proved_at: Option<Timestamp>,
    /// The time after which everything in it was read. Files that were proved before, and had not changed since, are not read
    /// again for 30 days. `None` if it has faults.
    #[serde(default)]
    #[cfg_attr(feature = "wire", schema(value_type = Option<String>))]
    pub read_in_full_at: Option<Timestamp>,
    /// The faults that were found, in words.
    pub faults: Vec<String>,
    /// The numbers that are over 10 % lower than in the last proved backup.
    pub decreases: Vec<Decrease>,
    /// The hash records and sidecars in it; `None` if they were not asked for.
    #[serde(default)]
    pub folder_records: Option<FolderRecordCounts>,
}

impl BackupRecord {
    pub(super) const VERSION: u64 = VERSION;

    /// Compares the numbers with those of an earlier backup.
    pub(super) fn decreases_since(&self, earlier: &Self) -> Vec<Decrease> {
        let numbers = [
            ("pages", earlier.pages, self.pages),
            ("revisions", earlier.revisions, self.revisions),
            ("assets", earlier.assets, self.assets),
        ];
        let fallen = numbers
            .into_iter()
            .filter(|(_, before, now)| now.saturating_mul(10) < before.saturating_mul(9));
        fallen
            .map(|(what, before, now)| Decrease {
                what: what.to_owned(),
                before,
                now,
            })
            .collect()
    }

    pub(super) fn write(&self, folder: &Path) -> io::Result<()> {
        let json = serde_json::to_vec_pretty(self)?;
        durable::write_file(&folder.join(RECORD), &json, Access::Private)
    }
}

/// A backup in a folder of backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedBackup {
    pub name: String,
    pub record: BackupRecord,
}

impl ListedBackup {
    pub(super) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(&self.name)
    }
}

/// Returns the backups in a folder, the newest first. Folders without a readable record are excluded: they are not
/// backups, or their record was damaged, and nothing is done with them.
///
/// # Errors
/// Errors of the file system, except for a folder that does not exist.
pub fn list_backups(folder: &Path) -> io::Result<Vec<ListedBackup>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut backups = Vec::new();
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // Hidden ones are not finished.
        if name.starts_with('.') || !entry.file_type()?.is_dir() {
            continue;
        }
        if let Some(record) = read(&entry.path()) {
            backups.push(ListedBackup { name, record });
        }
    }
    backups.sort_by(|a, b| (b.record.taken_at, &b.name).cmp(&(a.record.taken_at, &a.name)));
    Ok(backups)
}

fn read(folder: &Path) -> Option<BackupRecord> {
    let path = folder.join(RECORD);
    let json = match own_file::read(&path, own_file::SETTINGS) {
        Ok(json) => json,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::warn!("{} can't be read: {error}", path.display());
            return None;
        }
    };
    match serde_json::from_slice::<BackupRecord>(&json) {
        Ok(record) if record.version == VERSION => Some(record),
        Ok(record) => {
            tracing::warn!("{} has version {}", path.display(), record.version);
            None
        }
        Err(error) => {
            tracing::warn!("{} is damaged: {error}", path.display());
            None
        }
    }
}
