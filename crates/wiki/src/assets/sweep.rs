//! Removes files from the asset folder that a crash left behind. Runs at the start.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::time::SystemTime;

use jiff::Timestamp;

use crate::assets::files::{AssetFiles, FoundFile, StoredFile};
use crate::id::AssetId;
use crate::model::user::User;
use crate::store::{ASSET, Direction, Read, ReadTxn, StorageError, Store, USER};

/// The state of the database that the sweep needs.
struct KnownFiles {
    /// The files that have a row.
    assets: HashSet<AssetId>,
    known_since: KnownSince,
}

/// The time since which the database has known files. Older files belong to another database, perhaps
/// to one that is to be restored.
#[derive(Debug, Default)]
pub(crate) struct KnownSince {
    /// The registration of the first user; `None` if there are no users.
    since: Option<Timestamp>,
}

impl KnownSince {
    pub(crate) fn read(txn: &ReadTxn) -> Result<Self, StorageError> {
        let mut since = None;
        txn.scan::<_, User, &[u8; 16]>(USER, .., Direction::Ascending, |_, user| {
            since = Some(since.map_or(user.created_at, |first| user.created_at.min(first)));
            ControlFlow::Continue(())
        })?;
        Ok(Self { since })
    }

    /// True if a file is older, by its id and by its modification time. Before the first user registers,
    /// no file can have been uploaded.
    pub(crate) fn is_before(&self, id: AssetId, changed: io::Result<SystemTime>) -> bool {
        let Some(since) = self.since else { return true };
        let changed = changed.ok().and_then(|time| Timestamp::try_from(time).ok());
        id.timestamp() < since && changed.is_some_and(|at| at < since)
    }
}

/// Unlinks unfinished files, and files without a row. Call it before anything else uses the folder.
/// A file that can't be unlinked stays until the next start. A row without its file is left alone.
pub(crate) fn sweep(store: &Store, files: &AssetFiles) -> Result<(), StorageError> {
    let files_with_rows = store.read(KnownFiles::read)?;
    let mut swept: u64 = 0;
    let mut unlink = |file: &FoundFile<'_>| match file.unlink() {
        Ok(()) => swept += 1,
        Err(error) => tracing::warn!("{} can't be unlinked: {error}", file.path().display()),
    };
    let walk = files.walk(|file| match file {
        StoredFile::Unfinished(file) => unlink(&file),
        StoredFile::Whole(id, file) => {
            if files_with_rows.is_orphan(id, &file) {
                unlink(&file);
            }
        }
    });
    if let Err(error) = walk {
        tracing::warn!("the asset folder could not be swept: {error}");
    }
    if swept > 0 {
        tracing::info!(
            swept,
            "files that were left unfinished, or without a row, are gone"
        );
    }
    Ok(())
}

impl KnownFiles {
    fn read(txn: &ReadTxn) -> Result<Self, StorageError> {
        let known_since = KnownSince::read(txn)?;
        let mut assets = HashSet::new();
        // The rows themselves are not needed.
        txn.scan::<_, (), &[u8; 16]>(ASSET.read_as(), .., Direction::Ascending, |id, ()| {
            assets.insert(AssetId::from_bytes(*id));
            ControlFlow::Continue(())
        })?;
        Ok(Self {
            assets,
            known_since,
        })
    }

    /// True if this database has no row for the file, and the file does not belong to another database.
    fn is_orphan(&self, id: AssetId, file: &FoundFile<'_>) -> bool {
        if self.assets.contains(&id) {
            return false;
        }
        let foreign = self.known_since.is_before(id, file.modified());
        if foreign {
            tracing::warn!("{} is of another wiki and stays", file.path().display());
        }
        !foreign
    }
}

/// Reads the same rows as the sweep, to check that they are readable.
pub(crate) fn check_before_sweep(txn: &ReadTxn) -> Result<(), StorageError> {
    KnownFiles::read(txn).map(drop)
}
