//! A root: a folder that may be read, with everything beneath it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use sha1::{Digest, Sha1};

use crate::{
    AccessError, RootDir,
    path::{self, RelPath},
    platform,
};

fumikura_base::ulid_ids! {
    RootId;
}

impl RootId {
    /// Derives the id of a folder that is a root for one launch only. It depends on the folder alone, so that
    /// an address with it is valid again after the next start with the same folder.
    pub(super) fn of_session_root(path: &[u8]) -> Self {
        let mut hash = Sha1::new();
        hash.update(b"fumikura session root\0");
        hash.update(path);
        let digest: [u8; 20] = hash.finalize().into();
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&digest[..16]);
        Self::from_bytes(bytes)
    }
}

/// A folder that may be read, with everything beneath it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    pub(super) id: RootId,
    pub(super) path: Vec<u8>,
    pub(super) session: bool,
    /// True if this launch allows it. Clients may then open folders beneath it.
    pub(super) allowed: bool,
    /// The allowed folder that contained it when a client opened it, and within which it must stay. `None` if the user
    /// chose it.
    pub(super) within: Option<Vec<u8>>,
}

impl Root {
    /// Creates a root for the program's own folder, clean and absolute. It is in no list, so no client can find it.
    pub fn own(path: Vec<u8>) -> Self {
        Self {
            id: RootId::of_session_root(&path),
            path,
            session: true,
            allowed: false,
            within: None,
        }
    }

    /// Opens the folder. The path of a folder that the user chose may contain symbolic links. A folder that a
    /// client opened is resolved beneath the allowed folder's handle each time, as a link may have taken its
    /// place since.
    ///
    /// # Errors
    /// [`AccessError::FolderUnavailable`], or [`AccessError::OutsideRoots`] if it leads out of the allowed folder.
    pub fn open(&self) -> Result<RootDir, AccessError> {
        let Some(allowed) = &self.within else {
            return RootDir::open(&self.path);
        };
        let relative = path::strip_base(allowed, &self.path).ok_or(AccessError::OutsideRoots)?;
        let allowed = RootDir::open(allowed)?;
        let unavailable = |source: io::Error| AccessError::FolderUnavailable {
            path: path::display_path(&self.path),
            source: Arc::new(source),
        };
        match allowed.open_folder(&relative) {
            Ok(dir) => Ok(RootDir::from_dir(dir, &self.path)),
            Err(AccessError::NotFound) => Err(unavailable(io::ErrorKind::NotFound.into())),
            Err(AccessError::NotAFolder) => Err(unavailable(io::ErrorKind::NotADirectory.into())),
            Err(AccessError::PermissionDenied) => {
                Err(unavailable(io::ErrorKind::PermissionDenied.into()))
            }
            Err(AccessError::Io(source)) => Err(AccessError::FolderUnavailable {
                path: path::display_path(&self.path),
                source,
            }),
            Err(error) => Err(error),
        }
    }

    /// Returns the root's id.
    #[must_use]
    pub fn id(&self) -> RootId {
        self.id
    }

    /// Returns the folder: absolute and lexically cleaned, in the file system's bytes.
    #[must_use]
    pub fn path_bytes(&self) -> &[u8] {
        &self.path
    }

    /// Returns the folder as a path.
    #[must_use]
    pub fn path(&self) -> &Path {
        platform::path_of(&self.path)
    }

    /// Returns the folder's own name; `/` for the top of the file system.
    #[must_use]
    pub fn name(&self) -> &[u8] {
        match self.path.rsplit(|&byte| byte == b'/').next() {
            None | Some(b"") => b"/",
            Some(name) => name,
        }
    }

    /// True if the folder is a root for this launch only (`--allow`, or the folder of a picture that was opened).
    #[must_use]
    pub fn is_session(&self) -> bool {
        self.session
    }

    /// Returns the path of a clean absolute path beneath this root.
    pub(super) fn strip_base(&self, path: &[u8]) -> Option<RelPath> {
        path::strip_base(&self.path, path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_named_by_its_last_component() {
        let root = |path: &[u8]| Root {
            id: RootId::of_session_root(path),
            path: path.to_vec(),
            session: true,
            allowed: true,
            within: None,
        };
        assert_eq!(root(b"/home/me/Pictures").name(), b"Pictures");
        assert_eq!(root(b"/").name(), b"/");
    }

    #[test]
    fn session_root_id_depends_only_on_its_folder() {
        assert_eq!(
            RootId::of_session_root(b"/a"),
            RootId::of_session_root(b"/a")
        );
        assert_ne!(
            RootId::of_session_root(b"/a"),
            RootId::of_session_root(b"/b")
        );
    }
}
