//! Scan of a folder's content, before anything is done with it.

use std::io;

use cap_std::fs::Dir;
use fumikura_fs::{
    AccessError, NodeKind,
    platform::{self, Identity},
};

use super::{Node, Tree, TreeEntry, join_path};
use crate::error::{FileError, NotCopied};
use crate::folder::EntryRef;
use crate::system;

/// The maximum depth of folders that are copied: two handles are open at each level.
const MAX_DEPTH: usize = 128;

/// The purpose of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The folder stays.
    Copy,
    /// The folder is deleted afterwards, which must be permitted.
    Move,
}

/// Scans the folder `name`. `to` is a folder that it must not contain.
///
/// # Errors
/// [`FileError`] if an entry can't be copied; for a move also if an entry can't be deleted.
pub(crate) fn scan(
    entry: EntryRef<'_>,
    purpose: Purpose,
    to: Option<Identity>,
) -> Result<Tree, FileError> {
    let EntryRef { folder, name } = entry;
    let dir = open(&folder.dir, name, name)?;
    let top = identity(&dir, name)?;
    let scanner = Scanner { top, purpose, to };
    if purpose == Purpose::Move {
        check_changeable(&folder.dir, name)?;
        let is_mounted = system::is_mounted(&dir).map_err(|error| FileError::io(name, error))?;
        if is_mounted || !top.is_on_disk_of(folder.identity) {
            return Err(not_copied(name, NotCopied::OtherDisk));
        }
    }
    scanner.walk(&dir, name, top, 0)
}

struct Scanner {
    top: Identity,
    purpose: Purpose,
    to: Option<Identity>,
}

impl Scanner {
    fn walk(
        &self,
        dir: &Dir,
        path: &[u8],
        itself: Identity,
        depth: usize,
    ) -> Result<Tree, FileError> {
        if depth > MAX_DEPTH {
            return Err(not_copied(path, NotCopied::TooDeep));
        }
        if self.to == Some(itself) {
            let name = path.split(|&byte| byte == b'/').next();
            return Err(FileError::IntoItself(name.unwrap_or_default().to_vec()));
        }
        if self.purpose == Purpose::Move {
            check_changeable(dir, path)?;
        }
        let mut names = names(dir).map_err(|error| FileError::access(path, error))?;
        names.sort_unstable();
        let entries = names.into_iter().map(|name| {
            let node = self.node(dir, &name, &join_path(path, &name), depth)?;
            Ok(TreeEntry { name, node })
        });
        let entries = entries.collect::<Result<_, FileError>>()?;
        Ok(Tree { entries })
    }

    fn node(&self, dir: &Dir, name: &[u8], path: &[u8], depth: usize) -> Result<Node, FileError> {
        let status = platform::stat_with_identity(dir, name);
        let status = status.map_err(|error| FileError::access(path, error))?;
        let Some((stat, _)) = status else {
            return Err(FileError::Changing(path.to_vec()));
        };
        match stat.kind {
            NodeKind::File => Ok(Node::File(stat.content())),
            NodeKind::Folder => {
                let inner = open(dir, name, path)?;
                let itself = identity(&inner, path)?;
                let mounted = system::is_mounted(&inner);
                let mounted = mounted.map_err(|error| FileError::io(path, error))?;
                if mounted || !itself.is_on_disk_of(self.top) {
                    return Err(not_copied(path, NotCopied::OtherDisk));
                }
                self.walk(&inner, path, itself, depth + 1).map(Node::Folder)
            }
            NodeKind::Unknown => {
                let target = system::read_link(dir, name);
                match target.map_err(|error| FileError::access(path, error))? {
                    Some(target) => Ok(Node::Link {
                        stat: stat.content(),
                        target,
                    }),
                    None => Err(not_copied(path, NotCopied::Kind(stat.kind))),
                }
            }
            NodeKind::Fifo | NodeKind::Socket | NodeKind::Device => {
                Err(not_copied(path, NotCopied::Kind(stat.kind)))
            }
        }
    }
}

fn names(dir: &Dir) -> io::Result<Vec<Vec<u8>>> {
    let entries = dir.entries()?;
    let names = entries.map(|entry| Ok(platform::bytes_of(&entry?.file_name()).to_vec()));
    names.collect()
}

fn open(dir: &Dir, name: &[u8], path: &[u8]) -> Result<Dir, FileError> {
    let opened = system::open_folder(dir, name);
    opened.map_err(|error| FileError::access(path, AccessError::from(error)))
}

fn identity(dir: &Dir, path: &[u8]) -> Result<Identity, FileError> {
    let handle = dir.try_clone().map(Dir::into_std_file);
    let identity = handle.and_then(|handle| Identity::of(&handle));
    identity.map_err(|error| FileError::io(path, error))
}

fn check_changeable(dir: &Dir, path: &[u8]) -> Result<(), FileError> {
    system::check_changeable(dir).map_err(|error| FileError::io(path, error))
}

fn not_copied(path: &[u8], why: NotCopied) -> FileError {
    FileError::FolderNotCopied {
        inner: path.to_vec(),
        why,
    }
}
