//! Which folders of pictures a person looked at last: a few places, the latest first, kept beside the settings. What a
//! root is, and whether a folder is there, is not known here.

use jiff::{SignedDuration, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use serde::{Deserialize, Serialize};

use crate::id::{FolderRootId, UserId};
use crate::store::{Read, SETTINGS, StorageError};
use crate::wiki::Wiki;

/// So many are kept for each person.
const AT_MOST: usize = 50;
/// The names of these rows, before the person's id.
const PREFIX: &str = "folders/";
/// What a path is kept without: it may be no text.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');
/// Who comes again sooner to where they were last is still there.
const STAY: SignedDuration = SignedDuration::from_mins(1);

/// A folder that a person has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitedFolder {
    /// The root in which it lies.
    pub root: FolderRootId,
    /// Where beneath the root, in the file system's bytes.
    pub path: Vec<u8>,
    /// When they came there last.
    pub at: Timestamp,
}

impl VisitedFolder {
    fn is_at(&self, root: FolderRootId, path: &[u8]) -> bool {
        self.root == root && self.path == path
    }
}

impl Wiki {
    /// Notes that a person looks at a folder. Nothing is written where it is the last that they looked at, within the
    /// minute.
    ///
    /// # Errors
    /// When the database fails, or the record is damaged.
    pub fn visit_folder(
        &self,
        person: UserId,
        root: FolderRootId,
        path: &[u8],
    ) -> Result<(), StorageError> {
        let at = self.clock.now();
        let is_there = |last: &VisitedFolder| {
            last.is_at(root, path) && at.duration_since(last.at).abs() < STAY
        };
        let visited = self.visited_folders(person)?;
        if visited.first().is_some_and(is_there) {
            return Ok(());
        }
        self.change(person, |folders| {
            folders.retain(|folder| !folder.is_at(root, path));
            let path = path.to_vec();
            folders.insert(0, VisitedFolder { root, path, at });
            folders.truncate(AT_MOST);
        })
    }

    /// The folders that a person looked at last, at most 50, the latest first; also those that are gone.
    ///
    /// # Errors
    /// When the database fails, or the record is damaged.
    pub fn visited_folders(&self, person: UserId) -> Result<Vec<VisitedFolder>, StorageError> {
        self.store.read(|txn| read(txn, person))
    }

    /// Takes a folder off the list, if it is on it.
    ///
    /// # Errors
    /// When the database fails, or the record is damaged.
    pub fn forget_folder(
        &self,
        person: UserId,
        root: FolderRootId,
        path: &[u8],
    ) -> Result<(), StorageError> {
        let folders = self.visited_folders(person)?;
        if !folders.iter().any(|folder| folder.is_at(root, path)) {
            return Ok(());
        }
        self.change(person, |folders| {
            folders.retain(|folder| !folder.is_at(root, path));
        })
    }

    fn change(
        &self,
        person: UserId,
        change: impl FnOnce(&mut Vec<VisitedFolder>),
    ) -> Result<(), StorageError> {
        self.store.write(|txn| {
            let mut folders = read(txn, person)?;
            change(&mut folders);
            txn.put(SETTINGS, name_of(person).as_str(), &encode(&folders))?;
            Ok(())
        })
    }
}

/// A folder as it is kept: JSON knows no bytes.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    root: String,
    path: String,
    at: Timestamp,
}

/// Whose row this is, if it is one of these; none where the name is not made as ours are.
pub(crate) fn person_of(name: &str) -> Option<Result<UserId, ()>> {
    let id = name.strip_prefix(PREFIX)?;
    Some(id.parse().map_err(|_| ()))
}

/// Reads a row.
pub(crate) fn decode(json: &str) -> Result<Vec<VisitedFolder>, String> {
    let rows: Vec<Row> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let folders = rows.into_iter().map(|Row { root, path, at }| {
        let root = root.parse().map_err(|_| "it names what is no root")?;
        let path = percent_decode_str(&path).collect();
        Ok(VisitedFolder { root, path, at })
    });
    folders.collect()
}

fn encode(folders: &[VisitedFolder]) -> String {
    let rows: Vec<Row> = folders
        .iter()
        .map(|VisitedFolder { root, path, at }| Row {
            root: root.to_string(),
            path: percent_encode(path, ENCODED).to_string(),
            at: *at,
        })
        .collect();
    serde_json::to_string(&rows).expect("BUG: texts are plain JSON")
}

fn name_of(person: UserId) -> String {
    format!("{PREFIX}{person}")
}

fn read<R: Read>(txn: &R, person: UserId) -> Result<Vec<VisitedFolder>, StorageError> {
    let Some(json) = txn.get(SETTINGS, name_of(person).as_str())? else {
        return Ok(Vec::new());
    };
    decode(&json).map_err(|reason| StorageError::Damaged {
        table: "settings",
        reason,
    })
}
