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

use super::folder_records::{self, FolderRecordCounts};
use super::record::{BackupCause, BackupRecord, ListedBackup, list_backups};
use super::retention::kept_by;
use super::{BackupError, BackupFolder, BackupReport, open_backups};
use crate::assets::{AssetFiles, StoredFile};
use crate::check::{CheckError, Depth, lost_contents};
use crate::id::AssetId;
use crate::parts::Backups;
use crate::store::{StorageError, digest};
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

/// The contents of a restored copy, and its faults.
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
        let listed = list_backups(backups)?;
        let earlier = listed
            .iter()
            .find(|backup| backup.record.proved_at.is_some());
        let linked = earlier
            .or(listed.first())
            .map(|backup| backup.path(backups));
        let mut tried = self.try_once(request, linked.as_deref(), watch)?;
        if !tried.proof.faults.is_empty() && linked.is_some() {
            // A file of the other backup may be damaged, and not the file of the wiki.
            drop(tried);
            tried = self.try_once(request, None, watch)?;
        }
        let Tried {
            folder,
            made,
            folder_records,
            proof,
        } = tried;
        let mut record = BackupRecord {
            version: BackupRecord::VERSION,
            taken_at,
            cause: request.cause,
            pages: proof.pages,
            revisions: proof.revisions,
            assets: made.assets,
            bytes: size(folder.path())?,
            rows_sha256: hex::encode(made.rows_sha256),
            proved_at: proof.faults.is_empty().then(|| self.clock.now()),
            faults: proof.faults,
            decreases: Vec::new(),
            folder_records,
        };
        if let Some(earlier) = earlier {
            record.decreases = record.decreases_since(&earlier.record);
        }
        record.write(folder.path())?;
        let name = taken_at.strftime("fumikura-%Y-%m-%dT%H%M%SZ").to_string();
        let path = folder.keep(backups, &name)?;
        let removed = match request.cause {
            BackupCause::Request => Vec::new(),
            // The backup is made, whatever happens to the others.
            BackupCause::Schedule => prune(backups, &path, &request.zone).unwrap_or_else(|error| {
                tracing::warn!("superfluous backups can't be removed: {error}");
                Vec::new()
            }),
        };
        Ok(MadeBackup {
            path,
            record,
            missing: made.missing,
            removed,
        })
    }

    /// Copies the state into a new folder, and proves the copy.
    fn try_once(
        &self,
        request: &BackupRequest<'_>,
        linked: Option<&Path>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Tried, BackupError> {
        let folder = BackupFolder::begin(request.backups)?;
        let made = self.wiki.back_up(folder.path(), linked, watch)?;
        (request.add)(folder.path())?;
        if let Some(linked) = linked {
            folder_records::link_if_same(linked, folder.path())?;
        }
        let mut proof = match self.prove(request.backups, folder.path(), &made, watch) {
            Err(BackupError::Storage(error)) => Proof::failed(&error),
            proof => proof?,
        };
        let counts = folder_records::verified_counts(folder.path());
        let folder_records = counts.unwrap_or_else(|error| {
            let words = format!("the records of folders can't be read: {error}");
            proof.faults.push(words);
            None
        });
        Ok(Tried {
            folder,
            made,
            folder_records,
            proof,
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
        restore(backup, restored.path(), watch)?;
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

/// A copy that is not kept yet.
struct Tried {
    folder: BackupFolder,
    made: BackupReport,
    folder_records: Option<FolderRecordCounts>,
    proof: Proof,
}

impl Proof {
    fn failed(error: &dyn std::fmt::Display) -> Self {
        Self {
            pages: 0,
            revisions: 0,
            faults: vec![error.to_string()],
        }
    }
}

/// Restores the database and the files of a backup. Files are linked where that is possible: nothing writes into them.
fn restore(
    backup: &Path,
    into: &Path,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), BackupError> {
    let mut database = own_file::open_users(&backup.join("wiki.redb"))?;
    let mut copy = own_file::create_new(&into.join("wiki.redb"))?;
    io::copy(&mut database, &mut copy)?;
    let from = AssetFiles::new(backup.join("asset"));
    let mut stored = Vec::new();
    from.walk(|file| match file {
        StoredFile::Whole(id, _) => stored.push(id),
        StoredFile::Unfinished(_) => {}
    })?;
    let total = stored.len() as u64;
    for (id, done) in stored.into_iter().zip(1..) {
        if watch(done, total).is_break() {
            return Err(BackupError::Cancelled);
        }
        // Nothing here has to survive a crash.
        let (folder, relative) = from.place(id);
        let (source, place) = (folder.join(&relative), into.join("asset").join(relative));
        fs::create_dir_all(place.parent().unwrap_or(into))?;
        if fs::hard_link(&source, &place).is_err() {
            let mut contents = own_file::open_users(&source)?;
            io::copy(&mut contents, &mut own_file::create_new(&place)?)?;
        }
    }
    Ok(())
}

/// Removes the backups of the schedule that no rule keeps, except for the new one, and returns their names.
pub(super) fn prune(
    backups: &Path,
    new: &Path,
    zone: &TimeZone,
) -> Result<Vec<String>, BackupError> {
    let listed = list_backups(backups)?;
    let rules = kept_by(&listed, zone);
    let superfluous = listed.into_iter().zip(rules);
    let superfluous =
        superfluous.filter(|(backup, rules)| rules.is_empty() && backup.path(backups) != new);
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

/// Returns the size of a database, its files and records, in bytes.
fn size(folder: &Path) -> Result<u64, BackupError> {
    let mut bytes = fs::metadata(folder.join("wiki.redb"))?.len();
    bytes += match fs::metadata(folder.join(folder_records::FILE)) {
        Ok(records) => records.len(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error.into()),
    };
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
