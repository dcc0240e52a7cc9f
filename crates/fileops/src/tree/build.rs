//! A copy of a folder with all its content: complete and on the disk before it has its name, or not there at all.

use std::fs::File;
use std::io;
use std::rc::Rc;

use cap_std::fs::Dir;
use fumikura_fs::{ContentStat, Stat, platform::Identity};

use super::remove::{RemoveMode, remove};
use super::scan::{Purpose, scan};
use super::{Node, Tree, TreeEntry, join_path, unfinished_name};
use crate::copying::{self, Step};
use crate::error::{FileError, NotCopied};
use crate::folder::{EntryRef, Folder};
use crate::record::TreeMark;
use crate::system::{self, Slot};

/// A copy that has no final name yet. It is deleted on drop.
pub(crate) struct Copy<'a> {
    folder: &'a Folder,
    hidden: Vec<u8>,
    identity: Identity,
    /// The scanned original.
    pub(crate) original: Rc<Tree>,
    is_final: bool,
}

/// Copies a folder, which must match its scan before and after.
///
/// # Errors
/// [`FileError`]; there is no copy then.
pub(crate) fn copy<'a>(
    from: EntryRef<'_>,
    original: Rc<Tree>,
    to: &'a Folder,
    tag: &str,
    step: Step<'_>,
) -> Result<Copy<'a>, FileError> {
    let name = from.name;
    let failed = |error: io::Error| FileError::io(name, error);
    let source = system::open_folder(&from.folder.dir, name).map_err(failed)?;
    let hidden = unfinished_name(tag);
    let target = system::make_folder(&to.dir, &hidden).map_err(failed)?;
    let copy = Copy {
        folder: to,
        identity: Identity::of(&handle(&target).map_err(failed)?).map_err(failed)?,
        hidden,
        original,
        is_final: false,
    };
    fill(&source, &target, &copy.original, name, step)?;
    // Entries that were added, removed or changed meanwhile were not copied.
    if scan(from, Purpose::Copy, None)? != *copy.original {
        return Err(FileError::Changing(name.to_vec()));
    }
    Ok(copy)
}

impl<'a> Copy<'a> {
    /// Gives the copy its name. An existing entry of that name stays.
    pub(crate) fn finalize(mut self, name: &[u8]) -> Result<PlacedCopy<'a>, FileError> {
        let hidden = self.folder.entry(&self.hidden);
        let built = scan(hidden, Purpose::Copy, None)?;
        if !self.exists()? || !built.is_copy_of(&self.original) {
            return Err(FileError::Changing(name.to_vec()));
        }
        let renamed = system::rename(hidden.slot(), self.folder.entry(name).slot());
        renamed.map_err(|error| FileError::rename_error(error, name, name))?;
        self.is_final = true;
        Ok(PlacedCopy {
            folder: self.folder,
            name: name.to_vec(),
            hidden: std::mem::take(&mut self.hidden),
            identity: self.identity,
            tree: built,
        })
    }

    fn exists(&self) -> Result<bool, FileError> {
        let current = self.folder.stat(&self.hidden)?;
        Ok(current.is_some_and(|current| current.identity == self.identity))
    }
}

impl Drop for Copy<'_> {
    fn drop(&mut self) {
        if self.is_final {
            return;
        }
        let hidden = self.folder.entry(&self.hidden);
        let removed = self.exists().and_then(|exists| match exists {
            true => remove(
                hidden.slot(),
                &self.original,
                RemoveMode::Unfinished,
                hidden.name,
            ),
            // Another process removed it, and owns the entry that has its name now.
            false => Err(FileError::Changing(self.hidden.clone())),
        });
        if let Err(error) = removed {
            tracing::warn!(%error, "an unfinished copy of a folder can't be deleted");
        }
    }
}

/// A copy that has its name.
pub(crate) struct PlacedCopy<'a> {
    folder: &'a Folder,
    name: Vec<u8>,
    hidden: Vec<u8>,
    identity: Identity,
    /// The content as the file system stores it.
    tree: Tree,
}

impl PlacedCopy<'_> {
    /// Returns the digest that detects later changes in it.
    pub(crate) fn mark(&self) -> TreeMark {
        self.tree.mark()
    }

    /// Deletes the copy if it is unchanged. Returns true if it is gone. Entries that were added meanwhile stay.
    pub(crate) fn revert(&self) -> bool {
        let entry = |name| self.folder.entry(name).slot();
        let (placed, hidden) = (entry(&self.name), entry(&self.hidden));
        let current = self.folder.stat(&self.name).ok().flatten();
        let is_it = current.is_some_and(|current| current.identity == self.identity);
        if !is_it || system::rename(placed, hidden).is_err() {
            return false;
        }
        let is_same = matches!(
            scan(self.folder.entry(&self.hidden), Purpose::Copy, None),
            Ok(now) if now == self.tree
        );
        let removed = match is_same {
            true => remove(hidden, &self.tree, RemoveMode::Copy, &self.name),
            false => Err(FileError::Changing(self.name.clone())),
        };
        let Err(error) = removed else {
            return true;
        };
        tracing::warn!(%error, "an unneeded copy can't be deleted");
        if let Err(error) = system::rename(hidden, placed) {
            tracing::error!(%error, "the rest of a copy can't be renamed back");
        }
        false
    }
}

/// Copies the content of a folder, and then the metadata of the folder itself.
fn fill(
    source: &Dir,
    target: &Dir,
    tree: &Tree,
    path: &[u8],
    step: Step<'_>,
) -> Result<(), FileError> {
    for TreeEntry { name, node } in &tree.entries {
        let path = join_path(path, name);
        match node {
            Node::File(stat) => fill_file(Slot::new(source, name), target, *stat, &path, step)?,
            Node::Link {
                stat,
                target: link_target,
            } => {
                // The link may have another target by now.
                let now = system::read_link(source, name);
                if now.map_err(|error| FileError::io(&path, error))?.as_ref() != Some(link_target) {
                    return Err(FileError::Changing(path));
                }
                let made = system::make_link(target, name, link_target, stat.mtime);
                made.map_err(|error| creation_error(&path, error))?;
                step(1)?;
            }
            Node::Folder(tree) => {
                let source = system::open_folder(source, name);
                let source = source.map_err(|error| FileError::io(&path, error))?;
                let target = system::make_folder(target, name);
                let target = target.map_err(|error| creation_error(&path, error))?;
                fill(&source, &target, tree, &path, step)?;
            }
        }
    }
    let (from, to) = (handle(source), handle(target));
    let result = from.and_then(|from| copying::copy_metadata(&from, &to?));
    let synced = result.and_then(|()| system::sync(target));
    synced.map_err(|error| FileError::io(path, error))?;
    step(1)
}

fn fill_file(
    original: Slot<'_>,
    target: &Dir,
    stat: ContentStat,
    path: &[u8],
    step: Step<'_>,
) -> Result<(), FileError> {
    let failed = |error: io::Error| FileError::io(path, error);
    let source = system::open_file(original.dir, original.name).map_err(failed)?;
    if Stat::of(&source).map_err(failed)?.content() != stat {
        return Err(FileError::Changing(path.to_vec()));
    }
    let target =
        system::create(target, original.name).map_err(|error| creation_error(path, error))?;
    copying::fill(&source, &target, stat, step, path)?;
    match stat.size {
        0 => step(1),
        _ => Ok(()),
    }
}

/// In a new folder, only another entry of the same tree can have taken a name.
fn creation_error(path: &[u8], error: io::Error) -> FileError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        FileError::FolderNotCopied {
            inner: path.to_vec(),
            why: NotCopied::SameName,
        }
    } else {
        FileError::io(path, error)
    }
}

fn handle(dir: &Dir) -> io::Result<File> {
    dir.try_clone().map(Dir::into_std_file)
}
