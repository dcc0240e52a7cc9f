//! A backup that is proved: restored into a temporary folder, checked, and compared with the copied state.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::own_file;
use jiff::tz::TimeZone;

use super::record::{BackupCause, BackupRecord, ListedBackup, list_backups};
use super::retention::kept_by;
use super::{BackupError, BackupFolder, BackupReport, link_file, open_backups};
use crate::assets::{AssetFiles, StoredFile};
use crate::check::{CheckError, Depth, lost_contents};
use crate::id::AssetId;
use crate::parts::Backups;
use crate::store::{OpenError, StorageError, digest};
use crate::wiki::{Wiki, WikiConfig};

/// The number of faults that a record names.
const MAX_FAULTS: usize = 20;

/// A backup to make.
pub struct BackupRequest<'r> {
    /// The folder of all backups.
    pub backups: &'r Path,
    pub cause: BackupCause,
    /// Copies what does not belong to the wiki into the folder of the backup.
    pub add: &'r dyn Fn(&Path) -> io::Result<()>,
    /// The zone whose days the rules of retention count.
    pub zone: TimeZone,
}

/// A backup that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeBackup {
    pub path: PathBuf,
    pub record: BackupRecord,
    /// Files without contents: purged during the backup, or lost before.
    pub missing: Vec<AssetId>,
    /// The names of earlier backups that no rule kept.
    pub removed: Vec<String>,
}

/// What a restored copy contains.
struct Proof {
    pages: u64,
    revisions: u64,
    faults: Vec<String>,
}

impl Backups<'_> {
    /// Makes a backup in a new folder and proves it. A backup with faults is kept with them in its record. Then the
    /// backups of the schedule that no rule keeps are removed, if the new one is of the schedule.
    ///
    /// # Errors
    /// [`BackupError`]. Earlier backups are untouched then.
    pub fn make(
        &self,
        request: &BackupRequest<'_>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<MadeBackup, BackupError> {
        let backups = request.backups;
        let taken_at = self.clock.now();
        let earlier = list_backups(backups)?;
        let earlier = earlier
            .iter()
            .find(|backup| backup.record.proved_at.is_some());
        let folder = BackupFolder::begin(backups)?;
        let source = earlier.map(|backup| backup.path(backups));
        let made = self.wiki.back_up(folder.path(), source.as_deref(), watch)?;
        (request.add)(folder.path())?;
        let Proof {
            pages,
            revisions,
            faults,
        } = self.prove(backups, folder.path(), &made, watch)?;
        let mut record = BackupRecord {
            version: BackupRecord::VERSION,
            taken_at,
            cause: request.cause,
            pages,
            revisions,
            assets: made.assets,
            bytes: size(folder.path())?,
            rows_sha256: hex::encode(made.rows_sha256),
            proved_at: faults.is_empty().then(|| self.clock.now()),
            faults,
            decreases: Vec::new(),
        };
        if let Some(earlier) = earlier {
            record.decreases = record.decreases_since(&earlier.record);
        }
        record.write(folder.path())?;
        let name = taken_at.strftime("fumikura-%Y-%m-%dT%H%M%SZ").to_string();
        let path = folder.keep(backups, &name)?;
        let removed = match request.cause {
            BackupCause::Request => Vec::new(),
            BackupCause::Schedule => prune(backups, &request.zone)?,
        };
        Ok(MadeBackup {
            path,
            record,
            missing: made.missing,
            removed,
        })
    }

    /// Restores a backup into a temporary folder, and checks everything in it.
    fn prove(
        &self,
        backups: &Path,
        backup: &Path,
        made: &BackupReport,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Proof, BackupError> {
        let restored = BackupFolder::begin(backups)?;
        restore(backup, restored.path())?;
        let config = WikiConfig {
            database: restored.path().join("wiki.redb"),
            assets: restored.path().join("asset"),
            asset_limit: self.limit,
            lock_ttl: WikiConfig::LOCK_TTL,
            open_timeout: Duration::ZERO,
        };
        let (clock, entropy) = (Arc::clone(self.clock), Arc::clone(self.entropy));
        let wiki = match Wiki::open(&config, clock, entropy) {
            Ok(wiki) => wiki,
            Err(error) => return Ok(Proof::failed(&error)),
        };
        let mut faults = Vec::new();
        if wiki.store.read(digest)? != made.rows_sha256 {
            faults.push("the rows of the database are not those that were copied".to_owned());
        }
        let checked = wiki.check_with_progress(Depth::Everything, watch);
        let report = checked.map_err(|error| match error {
            CheckError::Cancelled => BackupError::Cancelled,
            CheckError::Storage(error) => error.into(),
        })?;
        // Files without contents were copied as they are; a request names them.
        let missing: HashSet<String> = made.missing.iter().copied().map(lost_contents).collect();
        let found = report.faults.iter();
        let found = found.filter(|fault| !missing.contains(&fault.words));
        faults.extend(found.map(ToString::to_string).take(MAX_FAULTS));
        Ok(Proof {
            pages: report.pages,
            revisions: report.revisions,
            faults,
        })
    }
}

impl Proof {
    fn failed(error: &OpenError) -> Self {
        Self {
            pages: 0,
            revisions: 0,
            faults: vec![error.to_string()],
        }
    }
}

/// Restores the database and the files of a backup. Files are linked where that is possible: nothing writes into them.
fn restore(backup: &Path, into: &Path) -> Result<(), BackupError> {
    let mut database = own_file::open_users(&backup.join("wiki.redb"))?;
    let mut copy = own_file::create_new(&into.join("wiki.redb"))?;
    io::copy(&mut database, &mut copy)?;
    let from = AssetFiles::new(backup.join("asset"));
    let to = AssetFiles::new(into.join("asset"));
    let mut stored = Vec::new();
    from.walk(|file| match file {
        StoredFile::Whole(id, _) => stored.push(id),
        StoredFile::Unfinished(_) => {}
    })?;
    for id in stored {
        if !link_file(&from, &to, id)? {
            super::copy_file(&from, &to, id)?;
        }
    }
    Ok(())
}

/// Removes the backups of the schedule that no rule keeps, and returns their names.
fn prune(backups: &Path, zone: &TimeZone) -> Result<Vec<String>, BackupError> {
    let listed = list_backups(backups)?;
    let rules = kept_by(&listed, zone);
    let superfluous = listed.into_iter().zip(rules);
    let superfluous = superfluous.filter(|(_, rules)| rules.is_empty());
    let folder = open_backups(backups)?;
    let mut removed = Vec::new();
    for (ListedBackup { name, .. }, _) in superfluous {
        // Renamed first: the rest of an interrupted removal is swept, and never looks like a backup.
        let unfinished = super::TEMP_NAMES.builder().tempdir_in(folder.path())?;
        let aside = unfinished.path().file_name().unwrap_or_default().to_owned();
        fs::remove_dir(unfinished.path())?;
        if folder.rename_unless_taken(name.as_ref(), &folder, &aside)? {
            folder.sync()?;
            folder.remove_tree(&aside)?;
            removed.push(name);
        }
        // It has been moved, or taken by something else, so there is nothing to remove.
        let _moved = unfinished.keep();
    }
    Ok(removed)
}

/// Returns the size of a database and its files, in bytes.
fn size(folder: &Path) -> Result<u64, BackupError> {
    let mut bytes = fs::metadata(folder.join("wiki.redb"))?.len();
    let mut failure = None;
    AssetFiles::new(folder.join("asset")).walk(|file| {
        let (StoredFile::Whole(_, file) | StoredFile::Unfinished(file)) = file;
        match fs::metadata(file.path()) {
            Ok(metadata) => bytes += metadata.len(),
            Err(error) => failure = Some(error),
        }
    })?;
    match failure {
        Some(error) => Err(StorageError::from(error).into()),
        None => Ok(bytes),
    }
}
