//! The roots: the folders that may be read (docs/spec/thumbnails.md, Access), stored between launches.

mod error;
mod file;
mod reachability;
mod root;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use parking_lot::{Mutex, RwLock};

pub use error::{AddRootError, RemoveRootError, RootsFileError};
pub use root::{Root, RootId};

use crate::{
    AccessError, Device, DiskPool, RootDir, Source,
    path::{RelPath, clean_absolute, display_path},
    platform,
};
use reachability::{DISK_TIMEOUT, Reachability};

/// A root and the availability of its folder.
#[derive(Debug, Clone)]
pub struct RootStatus {
    pub root: Arc<Root>,
    /// True if its folder can be opened now. A folder that does not answer within a second counts as
    /// unavailable until it does.
    pub available: bool,
}

/// The folders that may be read.
///
/// If one root contains another, the innermost owns a file. The list is stored in one file, which is written
/// durably before a change becomes visible. Readers never wait for the disk.
pub struct Roots {
    file: PathBuf,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    /// The roots in the order in which they were added.
    list: RwLock<Vec<Arc<Root>>>,
    /// Held while the list changes, so that the file and the list change together.
    change: Mutex<()>,
    pool: Arc<DiskPool>,
    reachability: Reachability,
}

impl Roots {
    /// Reads the roots of earlier launches from `file`, whose folder must exist.
    ///
    /// # Errors
    /// [`RootsFileError`] if the file can't be read, or is not a list of roots.
    pub fn open(
        file: PathBuf,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, RootsFileError> {
        let list = file::read(&file)?.into_iter().map(Arc::new).collect();
        let pool = Arc::<DiskPool>::default();
        Ok(Self {
            file,
            clock,
            entropy,
            list: RwLock::new(list),
            change: Mutex::new(()),
            reachability: Reachability::new(Arc::clone(&pool)),
            pool,
        })
    }

    /// Returns the pool for all jobs that wait for the disks of roots.
    #[must_use]
    pub fn disk_pool(&self) -> &Arc<DiskPool> {
        &self.pool
    }

    /// Allows `folder` to be read, now and in every later launch. An existing root is returned; a root of this
    /// launch only becomes permanent and keeps its id.
    ///
    /// The path is used as given (cleaned, symbolic links not resolved). So it must come from the user: from a
    /// folder dialog, a drop on the window or the command line.
    ///
    /// # Errors
    /// [`AddRootError`] if it is not a folder that can be opened, or the list can't be written.
    pub fn add(&self, folder: &Path) -> Result<Arc<Root>, AddRootError> {
        let path = clean_folder(folder)?;
        RootDir::open(&path).map_err(add_error)?;
        self.insert(path, Origin::Chosen)
    }

    /// Allows `folder` to be read in this launch only (`--allow`, `ESTELLE_ALLOWED_DIRS`). An existing root
    /// stays, and becomes allowed as well. A folder that can't be reached now, or does not answer, becomes a
    /// root too: its disk may come back.
    ///
    /// # Errors
    /// [`AddRootError`] if it is something else than a folder.
    pub fn allow_for_session(&self, folder: &Path) -> Result<Arc<Root>, AddRootError> {
        let path = clean_folder(folder)?;
        match self.open_in_time(&path).map_err(add_error) {
            Ok(()) => {}
            Err(error @ (AddRootError::NotAFolder | AddRootError::InvalidPath(_))) => {
                return Err(error);
            }
            Err(error) => {
                tracing::warn!(
                    folder = display_path(&path),
                    "an allowed folder is unavailable: {error}"
                );
            }
        }
        self.insert(path, Origin::Allowed)
    }

    /// Allows `folder` to be read in this launch only, because the user opened a picture in it. Unlike
    /// [`allow_for_session`](Self::allow_for_session), it permits clients nothing more than this folder. An existing
    /// root is returned unchanged.
    ///
    /// The path must come from the user, as for [`add`](Self::add).
    ///
    /// # Errors
    /// [`AddRootError`] if it is not a folder that can be opened.
    pub fn view_for_session(&self, folder: &Path) -> Result<Arc<Root>, AddRootError> {
        let path = clean_folder(folder)?;
        RootDir::open(&path).map_err(add_error)?;
        self.insert(path, Origin::Viewed)
    }

    /// Adds a path from a client, like [`add`](Self::add). The folder must be beneath one that this launch
    /// allows ([`allow_for_session`](Self::allow_for_session)), symbolic links followed.
    ///
    /// # Errors
    /// [`AddRootError`]; `OutsideAllowed` is decided before the disk is accessed for the folder.
    pub fn add_beneath_allowed(&self, folder: &[u8]) -> Result<Arc<Root>, AddRootError> {
        let path = clean_absolute(folder)?;
        let allowed = self
            .snapshot()
            .into_iter()
            .filter(|root| root.allowed)
            .find_map(|root| root.strip_base(&path).map(|relative| (root, relative)));
        let (root, relative) = allowed.ok_or(AddRootError::OutsideAllowed)?;
        RootDir::open(&root.path)
            .and_then(|allowed_dir| allowed_dir.open_folder(&relative))
            .map_err(add_error)?;
        if relative.is_empty() {
            return Ok(root);
        }
        let within = root.path.clone();
        self.insert(path, Origin::Within(within))
    }

    /// Removes a root. Its folder and its thumbnails stay unchanged.
    ///
    /// # Errors
    /// [`RemoveRootError`] if there is no such root, or the list can't be written.
    pub fn remove(&self, id: RootId) -> Result<(), RemoveRootError> {
        let _change = self.change.lock();
        let mut list = self.snapshot();
        let position = list
            .iter()
            .position(|root| root.id == id)
            .ok_or(RemoveRootError::Unknown(id))?;
        let removed = list.remove(position);
        if !removed.session {
            self.write(&list).map_err(RemoveRootError::Storage)?;
        }
        self.replace(list);
        Ok(())
    }

    /// Returns all roots, in the order in which they were added. Accesses the disk for each, and waits at
    /// most a second.
    #[must_use]
    pub fn list(&self) -> Vec<RootStatus> {
        let roots = self.snapshot();
        let available = self.reachability.available(&roots);
        let listed = roots.into_iter().zip(available);
        listed
            .map(|(root, available)| RootStatus { root, available })
            .collect()
    }

    /// True if the folder of a root has entries. An empty one may be the mount point of a disk that is not mounted. Waits
    /// at most a second; a folder that does not answer within it has none.
    #[must_use]
    pub fn has_entries(&self, root: &Arc<Root>) -> bool {
        let own_root = Arc::clone(root);
        let look = move || -> Result<bool, AccessError> {
            let dir = own_root.open()?.open_folder(&RelPath::default())?;
            Ok(dir.entries()?.next().transpose()?.is_some())
        };
        let ticket = self.pool.submit(Device::Availability(root.id), look);
        let looked = ticket.map(|ticket| ticket.wait(DISK_TIMEOUT));
        matches!(looked, Ok(Ok(Ok(true))))
    }

    /// Sets the listener. It is called, from its own thread, if a root was listed as unavailable only because
    /// its disk had not answered yet. The first listener is kept.
    pub fn listen(&self, listener: impl Fn(RootId) + Send + Sync + 'static) {
        self.reachability.listen(listener);
    }

    /// Names a place by a root and the bytes of a path beneath it.
    ///
    /// # Errors
    /// [`AccessError`] for an unknown root, and a path that is malformed or climbs.
    pub fn source(&self, root: RootId, path: &[u8]) -> Result<Source, AccessError> {
        let path = RelPath::parse(path)?;
        let root = self.get(root).ok_or(AccessError::RootNotFound(root))?;
        Ok(Source::new(root, path))
    }

    /// Names a place by its absolute path (`source=`), which is cleaned lexically. The innermost root that
    /// contains it owns it.
    ///
    /// # Errors
    /// [`AccessError`] for a path that is not absolute, or beneath no root.
    pub fn source_at(&self, path: &[u8]) -> Result<Source, AccessError> {
        let path = clean_absolute(path)?;
        let (root, path) = self.owner_of(&path).ok_or(AccessError::OutsideRoots)?;
        Ok(Source::new(root, path))
    }

    /// Names a place as [`source_at`](Self::source_at) does, for an untrusted caller: the path must be
    /// beneath a folder that this launch allows ([`allow_for_session`](Self::allow_for_session)), whatever else is open.
    ///
    /// # Errors
    /// [`AccessError`] for a path that is not absolute, or beneath no such folder; decided before the disk is
    /// accessed.
    pub fn allowed_source_at(&self, path: &[u8]) -> Result<Source, AccessError> {
        let path = clean_absolute(path)?;
        let (root, path) = self
            .allowed_owner_of(&path)
            .ok_or(AccessError::OutsideRoots)?;
        Ok(Source::new(root, path))
    }

    #[must_use]
    pub fn get(&self, id: RootId) -> Option<Arc<Root>> {
        let list = self.list.read();
        list.iter().find(|root| root.id == id).cloned()
    }

    /// Returns the innermost root that contains a clean absolute path, and the path beneath it.
    pub fn owner_of(&self, path: &[u8]) -> Option<(Arc<Root>, RelPath)> {
        self.snapshot()
            .into_iter()
            .filter_map(|root| root.strip_base(path).map(|relative| (root, relative)))
            .max_by_key(|(root, _)| root.path.len())
    }

    /// Returns the owner of a path, like [`owner_of`](Self::owner_of), among the roots that this launch allows.
    pub fn allowed_owner_of(&self, path: &[u8]) -> Option<(Arc<Root>, RelPath)> {
        self.snapshot()
            .into_iter()
            .filter(|root| root.allowed)
            .filter_map(|root| root.strip_base(path).map(|relative| (root, relative)))
            .max_by_key(|(root, _)| root.path.len())
    }

    /// Returns the clean absolute paths of all roots.
    pub fn paths(&self) -> Vec<Vec<u8>> {
        let all = self.snapshot().into_iter();
        all.map(|root| root.path.clone()).collect()
    }

    /// Opens a folder in the pool, since its disk may never answer, and gives up after a second.
    fn open_in_time(&self, path: &[u8]) -> Result<(), AccessError> {
        let device = Device::Availability(RootId::of_session_root(path));
        let folder = path.to_vec();
        let open = move || RootDir::open(&folder).map(drop);
        let ticket = self.pool.submit(device, open).map_err(io::Error::other)?;
        let opened = ticket.wait(DISK_TIMEOUT);
        opened.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut).into()))
    }

    fn insert(&self, path: Vec<u8>, origin: Origin) -> Result<Arc<Root>, AddRootError> {
        let session = matches!(origin, Origin::Allowed | Origin::Viewed);
        let allowed = origin == Origin::Allowed;
        let _change = self.change.lock();
        let mut list = self.snapshot();
        let present = list.iter().position(|root| root.path == path);
        let root = match present {
            Some(position) => {
                let before = &list[position];
                let after = Root {
                    session: before.session && session,
                    allowed: before.allowed || allowed,
                    within: match &origin {
                        Origin::Within(_) | Origin::Viewed => before.within.clone(),
                        // The user chose that path, wherever it leads.
                        Origin::Chosen | Origin::Allowed => None,
                    },
                    ..Root::clone(before)
                };
                if after == **before {
                    return Ok(Arc::clone(before));
                }
                let after = Arc::new(after);
                list[position] = Arc::clone(&after);
                after
            }
            None => {
                let id = if session {
                    RootId::of_session_root(&path)
                } else {
                    RootId::generate(self.clock.now(), &*self.entropy)
                };
                let root = Arc::new(Root {
                    id,
                    path,
                    session,
                    allowed,
                    within: match origin {
                        Origin::Within(allowed) => Some(allowed),
                        Origin::Chosen | Origin::Allowed | Origin::Viewed => None,
                    },
                });
                list.push(Arc::clone(&root));
                root
            }
        };
        if !session {
            self.write(&list).map_err(AddRootError::Storage)?;
        }
        self.replace(list);
        Ok(root)
    }

    fn write(&self, list: &[Arc<Root>]) -> io::Result<()> {
        file::write(&self.file, list.iter().map(AsRef::as_ref))
    }

    fn snapshot(&self) -> Vec<Arc<Root>> {
        let list = self.list.read();
        list.clone()
    }

    fn replace(&self, list: Vec<Arc<Root>>) {
        *self.list.write() = list;
    }
}

impl Drop for Roots {
    fn drop(&mut self) {
        // A waiting job may own the pool through what it reads for, and would keep both for ever.
        self.pool.shut_down();
    }
}

/// The origin of a root.
#[derive(Debug, PartialEq, Eq)]
enum Origin {
    /// A user chose it permanently.
    Chosen,
    /// The start of this launch allowed it, for this launch.
    Allowed,
    /// The user opened a picture in it, for this launch.
    Viewed,
    /// A client opened it, beneath this allowed folder.
    Within(Vec<u8>),
}

fn clean_folder(folder: &Path) -> Result<Vec<u8>, AddRootError> {
    Ok(clean_absolute(platform::bytes_of(folder.as_os_str()))?)
}

fn add_error(error: AccessError) -> AddRootError {
    match error {
        AccessError::NotFound | AccessError::RootNotFound(_) => AddRootError::NotFound,
        AccessError::NotAFolder | AccessError::NotAFile(_) => AddRootError::NotAFolder,
        AccessError::PermissionDenied => AddRootError::PermissionDenied,
        AccessError::OutsideRoots => AddRootError::OutsideAllowed,
        AccessError::InvalidPath(error) => AddRootError::InvalidPath(error),
        AccessError::FolderUnavailable { source, .. } | AccessError::Io(source) => {
            let kind = source.kind();
            if kind == io::ErrorKind::NotFound {
                AddRootError::NotFound
            } else if kind == io::ErrorKind::NotADirectory {
                AddRootError::NotAFolder
            } else if kind == io::ErrorKind::PermissionDenied {
                AddRootError::PermissionDenied
            } else {
                AddRootError::Folder(io::Error::new(kind, source))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fumikura_base::clock::SystemClock;
    use fumikura_base::entropy::SystemEntropy;

    use super::*;
    use crate::SubmitError;

    #[test]
    fn dropped_roots_shut_down_their_pool() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("roots.json");
        let roots =
            Roots::open(file, Arc::new(SystemClock::new()), Arc::new(SystemEntropy)).unwrap();
        let pool = Arc::clone(roots.disk_pool());
        let device = Device::FileSystem(1);
        assert!(pool.submit(device, || ()).is_ok());
        drop(roots);
        let refused = pool.submit(device, || ());
        assert!(matches!(refused, Err(SubmitError::ShutDown)));
    }
}
