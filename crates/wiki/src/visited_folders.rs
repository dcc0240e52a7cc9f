//! The picture folders that a user viewed last, the latest first, stored beside the settings. This module does not
//! know the roots, or if a folder exists.

use jiff::{SignedDuration, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use serde::{Deserialize, Serialize};

use crate::id::{FolderRootId, UserId};
use crate::parts::Visits;
use crate::store::{Read, SETTINGS, StorageError};

/// The maximum number of folders per user.
const MAX_VISITS: usize = 50;
/// The names of these rows, before the user's id.
const PREFIX: &str = "folders/";
/// The characters to percent-encode in a stored path, which may not be valid text.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// The time within which a return to the last folder counts as the same visit.
const SAME_VISIT: SignedDuration = SignedDuration::from_mins(1);

/// A folder that a user has viewed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitedFolder {
    /// The root that contains it.
    pub root: FolderRootId,
    /// The path relative to the root, in the file system's bytes.
    pub path: Vec<u8>,
    /// The time of the last visit.
    pub at: Timestamp,
}

impl VisitedFolder {
    fn is_at(&self, root: FolderRootId, path: &[u8]) -> bool {
        self.root == root && self.path == path
    }
}

impl Visits<'_> {
    /// Records that a user views a folder. Nothing is written if it is already the latest and the last visit is less
    /// than a minute ago.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn visit_folder(
        &self,
        user: UserId,
        root: FolderRootId,
        path: &[u8],
    ) -> Result<(), StorageError> {
        let at = self.clock.now();
        let is_there = |last: &VisitedFolder| {
            last.is_at(root, path) && at.duration_since(last.at).abs() < SAME_VISIT
        };
        let visited = self.recent_folders(user)?;
        if visited.first().is_some_and(is_there) {
            return Ok(());
        }
        self.change(user, |folders| {
            folders.retain(|folder| !folder.is_at(root, path));
            let path = path.to_vec();
            folders.insert(0, VisitedFolder { root, path, at });
            folders.truncate(MAX_VISITS);
        })
    }

    /// The folders that a user viewed last, at most 50, the latest first. Folders that no longer exist are included.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn recent_folders(&self, user: UserId) -> Result<Vec<VisitedFolder>, StorageError> {
        self.store.read(|txn| read(txn, user))
    }

    /// Removes a folder from the list, if it is on it.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn forget_folder(
        &self,
        user: UserId,
        root: FolderRootId,
        path: &[u8],
    ) -> Result<(), StorageError> {
        let folders = self.recent_folders(user)?;
        if !folders.iter().any(|folder| folder.is_at(root, path)) {
            return Ok(());
        }
        self.change(user, |folders| {
            folders.retain(|folder| !folder.is_at(root, path));
        })
    }

    fn change(
        &self,
        user: UserId,
        change: impl FnOnce(&mut Vec<VisitedFolder>),
    ) -> Result<(), StorageError> {
        self.store.write(|txn| {
            let mut folders = read(txn, user)?;
            change(&mut folders);
            txn.put(SETTINGS, name_of(user).as_str(), &encode(&folders))?;
            Ok(())
        })
    }
}

/// The stored form of a folder. Its path is encoded because JSON has no byte strings.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FolderRow {
    root: String,
    path: String,
    at: Timestamp,
}

/// The user of a row, if the name has this prefix; an error if the rest is not an id.
pub(crate) fn user_of(name: &str) -> Option<Result<UserId, ()>> {
    let id = name.strip_prefix(PREFIX)?;
    Some(id.parse().map_err(|_| ()))
}

/// Parses a row.
pub(crate) fn decode(json: &str) -> Result<Vec<VisitedFolder>, String> {
    let rows: Vec<FolderRow> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let folders = rows.into_iter().map(|FolderRow { root, path, at }| {
        let root = root.parse().map_err(|_| "it names what is no root")?;
        let path = percent_decode_str(&path).collect();
        Ok(VisitedFolder { root, path, at })
    });
    folders.collect()
}

fn encode(folders: &[VisitedFolder]) -> String {
    let rows: Vec<FolderRow> = folders
        .iter()
        .map(|VisitedFolder { root, path, at }| FolderRow {
            root: root.to_string(),
            path: percent_encode(path, ENCODED).to_string(),
            at: *at,
        })
        .collect();
    serde_json::to_string(&rows).expect("BUG: texts are plain JSON")
}

fn name_of(user: UserId) -> String {
    format!("{PREFIX}{user}")
}

fn read<R: Read>(txn: &R, user: UserId) -> Result<Vec<VisitedFolder>, StorageError> {
    let Some(json) = txn.get(SETTINGS, name_of(user).as_str())? else {
        return Ok(Vec::new());
    };
    decode(&json).map_err(|reason| StorageError::Damaged {
        table: "settings",
        reason,
    })
}
