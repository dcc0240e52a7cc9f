//! Where a file stands: the folder's handle, opened beneath its root, and the name in it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use cap_std::fs::Dir;

use super::alongside::Pictures;
use super::error::FileError;
use super::system;
use crate::access::{AccessError, Source};
use crate::path::RelPath;
use crate::platform::{self, Identity};
use crate::roots::Root;
use crate::stat::Stat;

/// How many folders are held open at once, so that there are handles left for all else.
const OPEN: usize = 128;

/// A folder in which names are changed.
pub(super) struct Folder {
    pub(super) root: Arc<Root>,
    pub(super) path: RelPath,
    pub(super) dir: Dir,
    pub(super) identity: Identity,
    /// Its pictures, once they had to be known.
    pub(super) pictures: OnceCell<Pictures>,
}

/// What has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Looked {
    pub(super) stat: Stat,
    pub(super) identity: Identity,
}

/// A name, and what has it.
pub(super) type Named = (Vec<u8>, Looked);

impl Folder {
    pub(super) fn open(source: &Source) -> Result<Self, FileError> {
        let failed = |error: AccessError| FileError::access(source.path().as_bytes(), error);
        let opened = source
            .beneath()
            .and_then(|top| top.open_folder(source.path()));
        let dir = opened.map_err(failed)?;
        let handle = dir.try_clone().map(Dir::into_std_file);
        let identity = handle.and_then(|handle| Identity::of(&handle));
        Ok(Self {
            root: Arc::clone(source.root_itself()),
            path: source.path().clone(),
            dir,
            identity: identity.map_err(|error| failed(error.into()))?,
            pictures: OnceCell::new(),
        })
    }

    /// What has a name here; a symbolic link is not followed.
    pub(super) fn look(&self, name: &[u8]) -> Result<Option<Looked>, FileError> {
        let looked = platform::look_at_entry(&self.dir, name);
        let looked = looked.map_err(|error| FileError::access(name, AccessError::from(error)))?;
        Ok(looked.map(|(stat, identity)| Looked { stat, identity }))
    }

    /// As [`look`](Self::look); that nothing is there is an error.
    pub(super) fn find(&self, name: &[u8]) -> Result<Looked, FileError> {
        let missing = || FileError::access(name, AccessError::NotFound);
        self.look(name)?.ok_or_else(missing)
    }

    /// The entry of this name, as a place.
    pub(super) fn place(&self, name: &[u8]) -> Source {
        Source::new(Arc::clone(&self.root), self.path.join(name))
    }

    /// The folder itself, as a place.
    pub(super) fn itself(&self) -> Source {
        Source::new(Arc::clone(&self.root), self.path.clone())
    }

    /// Takes a file's name away, if it is still that file's.
    pub(super) fn unlink(&self, name: &[u8], identity: Identity) -> bool {
        let is_it = self.look(name).ok().flatten();
        is_it.is_some_and(|looked| looked.identity == identity)
            && system::unlink(&self.dir, name).is_ok()
    }
}

/// A place as the folder in which it stands, and its name there.
pub(super) fn parted(source: &Source) -> Result<(Source, &[u8]), FileError> {
    let (folder, name) = source.path().parted().ok_or(FileError::Root)?;
    Ok((Source::new(Arc::clone(source.root_itself()), folder), name))
}

/// Folders that are open, each once.
#[derive(Default)]
pub(super) struct Opened(HashMap<Vec<u8>, Rc<Folder>>);

impl Opened {
    pub(super) fn folder(&mut self, source: &Source) -> Result<Rc<Folder>, FileError> {
        let path = source.absolute();
        let folder = Folder::open(source)?;
        // Another one may be there by now.
        if let Some(known) = self.0.get(&path)
            && known.identity == folder.identity
        {
            return Ok(Rc::clone(known));
        }
        let folder = Rc::new(folder);
        if self.0.len() >= OPEN {
            self.0.clear();
        }
        self.0.insert(path, Rc::clone(&folder));
        Ok(folder)
    }
}

/// Folders whose names have changed, to be made durable when all is done.
#[derive(Default)]
pub(super) struct Touched(HashMap<Vec<u8>, Source>);

impl Touched {
    pub(super) fn add(&mut self, folder: &Folder) {
        let itself = folder.itself();
        self.0.entry(itself.absolute()).or_insert(itself);
    }

    /// All that are there; what went wrong first. One that is elsewhere by now is synced by whoever moved it.
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
