//! The location of a file: a handle of its folder, opened beneath its root, and its name in it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use cap_std::fs::Dir;
use fumikura_fs::{
    AccessError, RelPath, Root, Roots, Source, Stat, clean_absolute,
    platform::{self, Identity},
};

use super::companions::JoinedNames;
use super::error::FileError;
use super::sidecars::Pictures;
use super::system::{self, Slot};

/// The number of folders that are held open at once, so that handles are left for everything else.
const MAX_OPEN: usize = 128;

/// A folder in which names are changed.
pub(super) struct Folder {
    pub(super) root: Arc<Root>,
    pub(super) path: RelPath,
    pub(super) dir: Dir,
    pub(super) identity: Identity,
    /// Its pictures, read on first use.
    pub(super) pictures: OnceCell<Pictures>,
    /// The pictures of several files, read on first use.
    pub(super) joined: OnceCell<JoinedNames>,
}

/// The state of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EntryStatus {
    pub(super) stat: Stat,
    pub(super) identity: Identity,
}

/// A name, and the state of its entry.
#[derive(Debug, Clone)]
pub(super) struct NamedEntry {
    pub(super) name: Vec<u8>,
    pub(super) status: EntryStatus,
}

/// A name in a folder, taken or free.
#[derive(Clone, Copy)]
pub(super) struct EntryRef<'a> {
    pub(super) folder: &'a Folder,
    pub(super) name: &'a [u8],
}

impl<'a> EntryRef<'a> {
    /// Returns the place for system calls.
    pub(super) fn slot(self) -> Slot<'a> {
        Slot::new(&self.folder.dir, self.name)
    }
}

impl NamedEntry {
    pub(super) fn new(name: &[u8], status: EntryStatus) -> Self {
        let name = name.to_vec();
        Self { name, status }
    }
}

impl Folder {
    /// Names an entry, which need not exist.
    pub(super) fn entry<'a>(&'a self, name: &'a [u8]) -> EntryRef<'a> {
        EntryRef { folder: self, name }
    }

    pub(super) fn open(source: &Source) -> Result<Self, FileError> {
        let failed = |error: AccessError| FileError::access(source.path().as_bytes(), error);
        let opened = source
            .open_root()
            .and_then(|top| top.open_folder(source.path()));
        let dir = opened.map_err(failed)?;
        let handle = dir.try_clone().map(Dir::into_std_file);
        let identity = handle.and_then(|handle| Identity::of(&handle));
        Ok(Self {
            root: Arc::clone(source.root_ref()),
            path: source.path().clone(),
            dir,
            identity: identity.map_err(|error| failed(error.into()))?,
            pictures: OnceCell::new(),
            joined: OnceCell::new(),
        })
    }

    /// Returns the state of an entry. A symbolic link is not followed.
    pub(super) fn stat(&self, name: &[u8]) -> Result<Option<EntryStatus>, FileError> {
        let status = platform::stat_with_identity(&self.dir, name);
        let status = status.map_err(|error| FileError::access(name, AccessError::from(error)))?;
        Ok(status.map(|(stat, identity)| EntryStatus { stat, identity }))
    }

    /// Returns the state of an entry like [`stat`](Self::stat). A missing entry is an error.
    pub(super) fn find(&self, name: &[u8]) -> Result<EntryStatus, FileError> {
        let missing = || FileError::access(name, AccessError::NotFound);
        self.stat(name)?.ok_or_else(missing)
    }

    /// Returns the source of the entry of this name.
    pub(super) fn source_of(&self, name: &[u8]) -> Source {
        Source::new(Arc::clone(&self.root), self.path.join(name))
    }

    /// Returns the source of the folder itself.
    pub(super) fn source(&self) -> Source {
        Source::new(Arc::clone(&self.root), self.path.clone())
    }

    /// Unlinks a name if it still refers to the file `identity`. Returns true on success.
    pub(super) fn unlink(&self, name: &[u8], identity: Identity) -> bool {
        let is_it = self.stat(name).ok().flatten();
        is_it.is_some_and(|status| status.identity == identity)
            && system::unlink(&self.dir, name).is_ok()
    }
}

/// Splits a source into its folder and its name there.
pub(super) fn split_source(source: &Source) -> Result<(Source, &[u8]), FileError> {
    let (folder, name) = source.path().split_last().ok_or(FileError::Root)?;
    Ok((Source::new(Arc::clone(source.root_ref()), folder), name))
}

/// Returns a folder that the user has given, and that need not be open, by its clean absolute path.
pub(super) fn given_folder(path: Vec<u8>) -> Source {
    Source::new(Arc::new(Root::own(path)), RelPath::default())
}

/// Returns the place of a file that the user has given, by its absolute path: beneath the root that contains it, or
/// beneath no open one.
///
/// # Errors
/// [`FileError`] if the path is malformed, or has no name.
pub fn given_file(roots: &Roots, path: &[u8]) -> Result<Source, FileError> {
    let malformed = |error| FileError::access(path, AccessError::from(error));
    let path = clean_absolute(path).map_err(malformed)?;
    if let Some((root, inside)) = roots.owner_of(&path) {
        return Ok(Source::new(root, inside));
    }
    let (folder, name) = split_path(&path).ok_or(FileError::Root)?;
    Ok(given_folder(folder.to_vec()).entry(name))
}

/// Splits a clean absolute path into its folder and its name there. The top has no name.
fn split_path(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let slash = path.iter().rposition(|&byte| byte == b'/')?;
    let name = &path[slash + 1..];
    let folder = if slash == 0 {
        &path[..1]
    } else {
        &path[..slash]
    };
    (!name.is_empty()).then_some((folder, name))
}

/// Open folders by path, each opened once.
#[derive(Default)]
pub(super) struct OpenFolders(HashMap<Vec<u8>, Rc<Folder>>);

impl OpenFolders {
    pub(super) fn folder(&mut self, source: &Source) -> Result<Rc<Folder>, FileError> {
        let path = source.absolute();
        let folder = Folder::open(source)?;
        // Another folder may have replaced it by now.
        if let Some(cached) = self.0.get(&path)
            && cached.identity == folder.identity
        {
            return Ok(Rc::clone(cached));
        }
        let folder = Rc::new(folder);
        if self.0.len() >= MAX_OPEN {
            self.0.clear();
        }
        self.0.insert(path, Rc::clone(&folder));
        Ok(folder)
    }
}

/// Folders whose names have changed, which are synced at the end.
#[derive(Default)]
pub(super) struct ChangedFolders(HashMap<Vec<u8>, Source>);

impl ChangedFolders {
    pub(super) fn add(&mut self, folder: &Folder) {
        let source = folder.source();
        self.0.entry(source.absolute()).or_insert(source);
    }

    /// Syncs all folders that still exist, and returns the first error. A folder that was moved meanwhile is
    /// synced by the process that moved it.
    pub(super) fn sync(&self) -> Result<(), FileError> {
        let mut first = Ok(());
        for source in self.0.values() {
            let synced = match Folder::open(source) {
                Ok(folder) => system::sync(&folder.dir),
                Err(error) => {
                    tracing::warn!(%error, "a folder in which files were changed can't be synced");
                    continue;
                }
            };
            let synced = synced.map_err(|error| FileError::io(source.path().as_bytes(), error));
            first = first.and(synced);
        }
        first
    }

    pub(super) fn into_sources(self) -> impl Iterator<Item = Source> {
        self.0.into_values()
    }
}
