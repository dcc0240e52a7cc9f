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
use super::ledger::is_recent;
use super::record::{BackupCause, BackupRecord, ListedBackup, list_backups};
use super::retention::kept_by;
use super::{
    BackupError, BackupFolder, BackupReport, CopiedState, EarlierBackup, ProofLedger, open_backups,
};
use crate::archive::HexDigest;
use crate::assets::{AssetFiles, StoredFile};
use crate::check::{CheckError, CheckedBefore, Depth, lost_contents};
use crate::id::AssetId;
use crate::parts::Backups;
use crate::store::{ASSET, Direction, FileStat, Read as _, ReadTxn, StorageError, Store, digest};
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
    /// The files that it lists, and their SHA-256.
    files: Vec<(AssetId, HexDigest)>,
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
        let linked = earlier.or(listed.first());
        let folder = linked.map(|linked| linked.path(backups));
        let read_in_full_at = linked.and_then(|linked| linked.record.read_in_full_at);
        let read_in_full_at = read_in_full_at.filter(|at| is_recent(*at, taken_at));
        let ledger = match (&folder, read_in_full_at) {
            (Some(folder), Some(_)) => ProofLedger::read(folder),
            _ => None,
        };
        let linked = folder.as_deref().map(|folder| EarlierBackup {
            folder,
            ledger: ledger.as_ref(),
        });
        let mut tried = self.try_once(request, linked, watch)?;
        if !tried.proof.faults.is_empty() && linked.is_some() {
            // A file of the other backup may be damaged, and not the file of the wiki.
            let found = std::mem::take(&mut tried.proof.faults);
            drop(tried);
            tried = self.try_once(request, None, watch)?;
            if let Some(folder) = folder.as_deref().filter(|_| tried.proof.faults.is_empty()) {
                tracing::warn!("the backup {} is damaged: {found:?}", folder.display());
            }
        }
        let Tried {
            folder: unfinished,
            report,
            folder_records,
            proof,
            is_read_in_full,
        } = tried;
        let is_proved = proof.faults.is_empty();
        let read_in_full_at = read_in_full_at.filter(|_| !is_read_in_full);
        let mut record = BackupRecord {
            version: BackupRecord::VERSION,
            taken_at,
            cause: request.cause,
            pages: proof.pages,
            revisions: proof.revisions,
            assets: report.assets,
            bytes: size(unfinished.path())?,
            rows_sha256: hex::encode(report.rows_sha256),
            proved_at: is_proved.then(|| self.clock.now()),
            read_in_full_at: is_proved.then(|| read_in_full_at.unwrap_or(taken_at)),
            faults: proof.faults,
            decreases: Vec::new(),
            folder_records,
        };
        if let Some(earlier) = earlier {
            record.decreases = record.decreases_since(&earlier.record);
        }
        record.write(unfinished.path())?;
        let name = taken_at.strftime("fumikura-%Y-%m-%dT%H%M%SZ").to_string();
        let path = unfinished.keep(backups, &name)?;
        let removed = match request.cause {
            BackupCause::Request => Vec::new(),
            // The backup is made, whatever happens to the others.
            BackupCause::Schedule => prune(backups, &path, &request.zone).unwrap_or_else(|error| {
                tracing::warn!("superfluous backups can't be removed: {error}");
                Vec::new()
            }),
        };
        if is_proved {
            // Removing a backup changes the status of the files that it shared with this one.
            if let Err(error) = ProofLedger::write(&path, &proof.files) {
                tracing::warn!("the next backup will read everything again: {error}");
            }
            if let Some(Err(error)) = folder.as_deref().map(ProofLedger::remove) {
                tracing::warn!("the ledger of an earlier proof can't be removed: {error}");
            }
        }
        Ok(MadeBackup {
            path,
            record,
            missing: report.missing,
            removed,
        })
    }

    /// Copies the state into a new folder, and proves the copy.
    fn try_once(
        &self,
        request: &BackupRequest<'_>,
        linked: Option<EarlierBackup<'_>>,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Tried, BackupError> {
        let folder = BackupFolder::begin(request.backups)?;
        let copied = self.wiki.copy_state(folder.path(), linked, watch)?;
        (request.add)(folder.path())?;
        if let Some(linked) = linked {
            folder_records::link_if_same(linked.folder, folder.path())?;
        }
        let ledger = linked.and_then(|linked| linked.ledger);
        let proof = self.prove(request.backups, folder.path(), (&copied, ledger), watch);
        let mut proof = match proof {
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
            is_read_in_full: copied.changed_pages.is_none(),
            report: copied.report,
            folder_records,
            proof,
        })
    }

    /// Restores the database of a backup into a temporary folder, and checks everything in it, with the files of the backup. What
    /// the ledger of an earlier proof has is not read again.
    fn prove(
        &self,
        backups: &Path,
        backup: &Path,
        (copied, ledger): (&CopiedState, Option<&ProofLedger>),
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Proof, BackupError> {
        let restored = BackupFolder::begin(backups)?;
        let config = WikiConfig {
            database: restored.path().join("wiki.redb"),
            assets: backup.join("asset"),
            asset_limit: self.limit,
            lock_ttl: WikiConfig::LOCK_TTL,
            open_timeout: Duration::ZERO,
        };
        // Nothing here has to survive a crash.
        io::copy(
            &mut own_file::open_users(&backup.join("wiki.redb"))?,
            &mut own_file::create_new(&config.database)?,
        )?;
        let store = match Store::open(&config.database, Duration::ZERO, |_| Ok(())) {
            Ok(store) => store,
            Err(error) => return Ok(Proof::failed(&error)),
        };
        let (clock, entropy) = (Arc::clone(self.clock), Arc::clone(self.entropy));
        // Unlike a start, this removes nothing from the folder of files.
        let wiki = Wiki::with_store(store, &config, clock, entropy);
        let mut faults = Vec::new();
        let CopiedState {
            report: made,
            unchanged_files,
            changed_pages,
        } = copied;
        if wiki.store.read(digest)? != made.rows_sha256 {
            faults.push("the rows of the database are not those that were copied".to_owned());
        }
        let has_contents = |id: AssetId, sha256: [u8; 32], stat: FileStat| {
            unchanged_files.contains(&id)
                && ledger.is_some_and(|ledger| ledger.has_contents(id, sha256, stat))
        };
        let before = changed_pages.as_ref().map(|changed_pages| CheckedBefore {
            has_contents: &has_contents,
            changed_pages,
        });
        let checked = wiki.check_again(Depth::Everything, before, watch);
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
            files: wiki.store.read(files)?,
        })
    }
}

/// A copy that is not kept yet.
struct Tried {
    folder: BackupFolder,
    report: BackupReport,
    folder_records: Option<FolderRecordCounts>,
    proof: Proof,
    /// True if the proof has not relied on an earlier one.
    is_read_in_full: bool,
}

impl Proof {
    fn failed(error: &dyn std::fmt::Display) -> Self {
        Self {
            pages: 0,
            revisions: 0,
            faults: vec![error.to_string()],
            files: Vec::new(),
        }
    }
}

fn files(txn: &ReadTxn) -> Result<Vec<(AssetId, HexDigest)>, StorageError> {
    let mut files = Vec::new();
    txn.scan::<_, _, &[u8; 16]>(ASSET, .., Direction::Ascending, |id, info| {
        files.push((AssetId::from_bytes(*id), HexDigest(info.sha256)));
        ControlFlow::Continue(())
    })?;
    Ok(files)
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
