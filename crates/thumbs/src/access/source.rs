//! A picture that was named: by a root and a path beneath it, and in the state that it was found.

use std::fs::File;
use std::sync::Arc;

use super::{AccessError, Beneath};
use crate::fingerprint::{Fingerprint, PictureVersion, ThumbId};
use crate::path::{self, RelPath};
use crate::roots::{Root, RootId};
use crate::stat::Stat;

/// A place beneath a root. Naming it says nothing about what is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    root: Arc<Root>,
    path: RelPath,
}

impl Source {
    pub(crate) fn new(root: Arc<Root>, path: RelPath) -> Self {
        Self { root, path }
    }

    /// The root beneath which it is opened.
    #[must_use]
    pub fn root(&self) -> RootId {
        self.root.id()
    }

    pub(crate) fn root_itself(&self) -> &Arc<Root> {
        &self.root
    }

    /// Where beneath the root.
    #[must_use]
    pub fn path(&self) -> &RelPath {
        &self.path
    }

    /// What has this name in it.
    pub(crate) fn entry(&self, name: &[u8]) -> Self {
        Self::new(Arc::clone(&self.root), self.path.join(name))
    }

    /// The absolute path, lexically cleaned and not resolved: that of the fingerprint.
    #[must_use]
    pub fn absolute(&self) -> Vec<u8> {
        path::join(self.root.path_bytes(), &self.path)
    }

    /// Looks at what is there, a file or a folder.
    ///
    /// # Errors
    /// [`AccessError`] when there is nothing, or nothing that may be read.
    pub fn look(&self) -> Result<Stat, AccessError> {
        self.beneath()?.stat(&self.path)
    }

    /// Looks at the file: one `stat`.
    ///
    /// # Errors
    /// [`AccessError`] when there is no regular file that may be read.
    pub fn find(&self) -> Result<Found, AccessError> {
        let stat = self.beneath()?.stat_file(&self.path)?;
        Ok(self.found(stat))
    }

    /// Opens the file; the state is that of what was opened.
    pub(crate) fn open(&self) -> Result<(File, Found), AccessError> {
        let (file, stat) = self.beneath()?.open_file(&self.path)?;
        Ok((file, self.found(stat)))
    }

    pub(crate) fn beneath(&self) -> Result<Beneath, AccessError> {
        self.root.open()
    }

    fn found(&self, stat: Stat) -> Found {
        Found {
            source: self.clone(),
            id: Fingerprint::new(self.absolute(), stat).id(),
            stat,
        }
    }
}

/// A file as it was found: what a thumbnail is made of, and asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    source: Source,
    stat: Stat,
    id: ThumbId,
}

impl Found {
    /// The place.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Kind, size and time of change.
    #[must_use]
    pub fn stat(&self) -> Stat {
        self.stat
    }

    /// The fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::new(self.source.absolute(), self.stat)
    }

    /// The id of the picture in this state.
    #[must_use]
    pub fn id(&self) -> ThumbId {
        self.id
    }

    /// The same, as exactly as can be told.
    #[must_use]
    pub fn version(&self) -> PictureVersion {
        PictureVersion {
            id: self.id,
            ctime: self.stat.ctime,
        }
    }
}
