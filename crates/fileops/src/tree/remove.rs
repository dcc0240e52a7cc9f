//! Deletion of a folder with its scanned content, and nothing else: entries that were added since stay.

use std::cell::Cell;
use std::io;

use cap_std::fs::Dir;
use fumikura_fs::{ContentStat, platform};

use super::scan::{Purpose, scan};
use super::{Node, Tree, TreeEntry, hidden_original_name, join_path};
use crate::error::FileError;
use crate::folder::EntryRef;
use crate::system::{self, Slot};

/// The kind of folder that is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RemoveMode {
    /// The user's original: each file is deleted only as it was scanned.
    Original,
    /// An unwanted copy: the same, even if the modes of its folders forbid it.
    Copy,
    /// An incomplete copy: any part of the original that it contains.
    Unfinished,
}

/// Deletes the folder `name` with the entries of the tree. Stops at the first entry that differs. `path` is the path
/// in error messages.
pub(crate) fn remove(
    slot: Slot<'_>,
    tree: &Tree,
    mode: RemoveMode,
    path: &[u8],
) -> Result<(), FileError> {
    let failed = |error: io::Error| {
        if error.kind() == io::ErrorKind::DirectoryNotEmpty {
            FileError::Changing(path.to_vec())
        } else {
            FileError::io(path, error)
        }
    };
    let dir = match system::open_folder(slot.dir, slot.name) {
        Err(error) if is_gone(&error, mode) => return Ok(()),
        opened => opened.map_err(failed)?,
    };
    if mode != RemoveMode::Original {
        system::make_changeable(&dir).map_err(failed)?;
    }
    for TreeEntry { name, node } in &tree.entries {
        let path = join_path(path, name);
        match node {
            Node::File(stat) | Node::Link { stat, .. } => {
                remove_file(&dir, name, *stat, mode, &path)?;
            }
            Node::Folder(tree) => remove(Slot::new(&dir, name), tree, mode, &path)?,
        }
    }
    drop(dir);
    system::remove_folder(slot.dir, slot.name).map_err(failed)
}

fn remove_file(
    dir: &Dir,
    name: &[u8],
    stat: ContentStat,
    mode: RemoveMode,
    path: &[u8],
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::io(path, error);
    if mode != RemoveMode::Unfinished {
        let now = platform::stat_with_identity(dir, name).map_err(failed)?;
        if now.is_none_or(|(now, _)| now.content() != stat) {
            return Err(FileError::Changing(path.to_vec()));
        }
    }
    match system::unlink(dir, name) {
        Err(error) if is_gone(&error, mode) => Ok(()),
        outcome => outcome.map_err(failed),
    }
}

/// Returns true if an entry is missing from an incomplete copy, which is no error.
fn is_gone(error: &io::Error, mode: RemoveMode) -> bool {
    mode == RemoveMode::Unfinished && error.kind() == io::ErrorKind::NotFound
}

/// Deletes the original of a copy that is complete and synced, if all of it is as it was copied. If another process
/// deleted it first, the copy is the only one, and stays. `is_whole` is false afterwards if the original is no longer
/// complete: the copy is needed then.
///
/// # Errors
/// [`FileError`]: the original has its name, with all its content, or with the rest of it
/// ([`FileError::OriginalRemains`]).
pub(crate) fn remove_original(
    original: EntryRef<'_>,
    tree: &Tree,
    tag: &str,
    is_whole: &Cell<bool>,
) -> Result<(), FileError> {
    let EntryRef { folder: from, name } = original;
    let hidden_name = hidden_original_name(tag);
    let (named, hidden) = (original.slot(), Slot::new(&from.dir, &hidden_name));
    match system::rename(named, hidden) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            is_whole.set(false);
            return Ok(());
        }
        renamed => renamed.map_err(|error| FileError::io(name, error))?,
    }
    // The loss of its name is durable before any of its files is deleted.
    let synced = system::sync(&from.dir).map_err(|error| FileError::io(name, error));
    let scanned = synced.and_then(|()| scan(from.entry(&hidden_name), Purpose::Move, None));
    let status = scanned.and_then(|now| match now == *tree {
        true => Ok(()),
        false => Err(FileError::Changing(name.to_vec())),
    });
    let removed = status.and_then(|()| {
        is_whole.set(false);
        remove(hidden, tree, RemoveMode::Original, name)
    });
    let Err(error) = removed else {
        return Ok(());
    };
    if let Err(error) = system::rename(hidden, named) {
        tracing::error!(%error, "the rest of a folder can't be renamed back");
        is_whole.set(false);
    }
    match is_whole.get() {
        true => Err(error),
        false => Err(FileError::OriginalRemains {
            name: name.to_vec(),
            why: Box::new(error),
        }),
    }
}
