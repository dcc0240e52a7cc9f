//! Events about the files of the cache, for an index of them.

use std::sync::{Arc, OnceLock};

use fumikura_fs::{Found, RootId, Roots, Source, ThumbId};
use sha1::{Digest, Sha1};

use crate::variant::Variant;

/// The key of the cached data of a folder: the SHA-1 of its absolute path, which is also the name of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FolderKey(pub [u8; 20]);

impl FolderKey {
    pub(crate) fn of(folder: &[u8]) -> Self {
        Self(Sha1::digest(folder).into())
    }
}

/// A change or a read of a file of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheEvent {
    /// A thumbnail was made.
    ThumbnailMade {
        /// The innermost root that contains its picture, or `None` for the program's own pictures.
        owner: Option<RootId>,
        /// The id of the picture.
        id: ThumbId,
        /// The variant.
        variant: Variant,
        /// Its size in bytes.
        bytes: u64,
    },
    /// A thumbnail was deleted to make room.
    ThumbnailEvicted {
        /// The id of the picture.
        id: ThumbId,
        /// The variant.
        variant: Variant,
    },
    /// The index of a folder was written.
    FolderWritten {
        /// The innermost root that contains the folder.
        owner: Option<RootId>,
        /// The folder.
        key: FolderKey,
        /// The size of the index in bytes.
        bytes: u64,
    },
    /// The index of a folder was read for a listing.
    FolderRead {
        /// The folder.
        key: FolderKey,
    },
    /// The index of a folder was deleted to make room.
    FolderEvicted {
        /// The folder.
        key: FolderKey,
    },
    /// An eviction run ended.
    Collected(super::Freed),
}

/// The publisher of cache events, and its listener.
#[derive(Default)]
pub(crate) struct CacheEvents {
    roots: Option<Arc<Roots>>,
    listener: OnceLock<Box<dyn Fn(CacheEvent) + Send + Sync>>,
}

impl CacheEvents {
    pub(crate) fn new(roots: Arc<Roots>) -> Self {
        Self {
            roots: Some(roots),
            listener: OnceLock::new(),
        }
    }

    /// Sets the listener. The first listener is kept.
    pub(crate) fn listen(&self, listener: impl Fn(CacheEvent) + Send + Sync + 'static) {
        self.listener.get_or_init(|| Box::new(listener));
    }

    pub(crate) fn publish(&self, event: CacheEvent) {
        if let Some(listener) = self.listener.get() {
            listener(event);
        }
    }

    pub(crate) fn thumbnail_made(&self, found: &Found, variant: Variant, bytes: u64) {
        self.publish(CacheEvent::ThumbnailMade {
            owner: self.owner(found.source()),
            id: found.id(),
            variant,
            bytes,
        });
    }

    pub(crate) fn folder_written(&self, folder: &[u8], bytes: u64) {
        self.publish(CacheEvent::FolderWritten {
            owner: self.owner_of(folder),
            key: FolderKey::of(folder),
            bytes,
        });
    }

    /// Returns the innermost root that contains a picture. The program's own pictures have none, wherever they are.
    pub(crate) fn owner(&self, source: &Source) -> Option<RootId> {
        let roots = self.roots.as_ref()?;
        roots.get(source.root())?;
        self.owner_of(&source.absolute())
    }

    /// Returns the innermost root that contains an absolute path.
    pub(crate) fn owner_of(&self, path: &[u8]) -> Option<RootId> {
        let (root, _) = self.roots.as_ref()?.owner_of(path)?;
        Some(root.id())
    }
}
