//! Deleting a folder with what is known to lie in it, and nothing else: what came since stays.

use std::cell::Cell;
use std::io;

use cap_std::fs::Dir;

use super::survey::{Purpose, survey};
use super::{Entry, Node, Tree, beneath, leaving};
use crate::files::error::FileError;
use crate::files::place::Folder;
use crate::files::system;
use crate::platform;
use crate::stat::ContentStat;

/// What is deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::files) enum Whose {
    /// The person's: each file as it was surveyed, or not at all.
    Original,
    /// A copy that is not wanted: the same, also where its folders' modes forbid it.
    Copy,
    /// A copy that was never whole: whatever it holds of what was to be copied.
    Unfinished,
}

/// Deletes a folder of this name, with what the tree names. It ends at the first thing that is another. Of what is in
/// the way it is told by `path`.
pub(in crate::files) fn remove(
    (parent, name): (&Dir, &[u8]),
    tree: &Tree,
    whose: Whose,
    path: &[u8],
) -> Result<(), FileError> {
    let failed = |error: io::Error| {
        if error.kind() == io::ErrorKind::DirectoryNotEmpty {
            FileError::Changing(path.to_vec())
        } else {
            FileError::io(path, error)
        }
    };
    let dir = match system::open_folder(parent, name) {
        Err(error) if is_gone(&error, whose) => return Ok(()),
        opened => opened.map_err(failed)?,
    };
    if whose != Whose::Original {
        system::make_changeable(&dir).map_err(failed)?;
    }
    for Entry { name, node } in &tree.entries {
        let path = beneath(path, name);
        match node {
            Node::File(stat) | Node::Link { stat, .. } => {
                remove_file(&dir, name, *stat, whose, &path)?;
            }
            Node::Folder(tree) => remove((&dir, name), tree, whose, &path)?,
        }
    }
    drop(dir);
    system::remove_folder(parent, name).map_err(failed)
}

fn remove_file(
    dir: &Dir,
    name: &[u8],
    stat: ContentStat,
    whose: Whose,
    path: &[u8],
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::io(path, error);
    if whose != Whose::Unfinished {
        let now = platform::look_at_entry(dir, name).map_err(failed)?;
        if now.is_none_or(|(now, _)| now.content() != stat) {
            return Err(FileError::Changing(path.to_vec()));
        }
    }
    match system::unlink(dir, name) {
        Err(error) if is_gone(&error, whose) => Ok(()),
        outcome => outcome.map_err(failed),
    }
}

/// Of what was never finished, not all was there.
fn is_gone(error: &io::Error, whose: Whose) -> bool {
    whose == Whose::Unfinished && error.kind() == io::ErrorKind::NotFound
}

/// Deletes the original of a copy that stands whole and synced, if all of it is as it was copied. If somebody else was
/// quicker, the copy is all there is, and stays. `is_whole` says afterwards whether the original is as it was: if not,
/// the copy is needed.
///
/// # Errors
/// [`FileError`]: the original has its name, with all of it, or with what is left of it ([`FileError::Remains`]).
pub(in crate::files) fn remove_original(
    (from, name): (&Folder, &[u8]),
    tree: &Tree,
    tag: &str,
    is_whole: &Cell<bool>,
) -> Result<(), FileError> {
    let aside = leaving(tag);
    let (named, hidden) = ((&from.dir, name), (&from.dir, &aside[..]));
    match system::rename(named, hidden) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            is_whole.set(false);
            return Ok(());
        }
        renamed => renamed.map_err(|error| FileError::io(name, error))?,
    }
    // That it has lost its name lasts before any of its files is gone.
    let synced = system::sync(&from.dir).map_err(|error| FileError::io(name, error));
    let surveyed = synced.and_then(|()| survey((from, &aside), Purpose::Move, None));
    let looked = surveyed.and_then(|now| match now == *tree {
        true => Ok(()),
        false => Err(FileError::Changing(name.to_vec())),
    });
    let removed = looked.and_then(|()| {
        is_whole.set(false);
        remove(hidden, tree, Whose::Original, name)
    });
    let Err(error) = removed else {
        return Ok(());
    };
    if let Err(error) = system::rename(hidden, named) {
        tracing::error!(%error, "what is left of a folder can't be given its name back");
        is_whole.set(false);
    }
    match is_whole.get() {
        true => Err(error),
        false => Err(FileError::Remains {
            name: name.to_vec(),
            why: Box::new(error),
        }),
    }
}
