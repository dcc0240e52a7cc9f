//! Merges the events of all parts for one listener.

use std::sync::{Arc, OnceLock};

use fumikura_fs::{RootId, Roots, Source, ThumbId};
use fumikura_image::Variant;
use fumikura_library::{
    FolderKey, HeadersRead, IndexEvent, Library, LibraryEvent, ListingCompleted,
};
use fumikura_thumbs::{EvictionStats, Thumbs, ThumbsEvent};

/// A change that clients or an index of the cache follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PicturesEvent {
    /// More is known of a folder's pictures.
    HeadersRead(HeadersRead),
    /// A listing that was returned before all names were read is complete.
    ListingCompleted(ListingCompleted),
    /// A file of the cache changed, or was read.
    Cache(CacheEvent),
    /// The statistics of the thumbnails changed. Published often.
    ThumbStatsChanged,
}

/// A change or a read of a file of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheEvent {
    ThumbnailMade {
        /// The innermost root that contains its picture, or `None` for the program's own pictures.
        owner: Option<RootId>,
        /// The id of the picture.
        id: ThumbId,
        variant: Variant,
        /// Its size in bytes.
        bytes: u64,
    },
    /// A thumbnail was deleted to make room.
    ThumbnailEvicted {
        /// The id of the picture.
        id: ThumbId,
        variant: Variant,
    },
    /// The index of a folder was written.
    FolderWritten {
        /// The innermost root that contains the folder.
        owner: Option<RootId>,
        key: FolderKey,
        /// The size of the index in bytes.
        bytes: u64,
    },
    /// The index of a folder was read for a listing.
    FolderRead {
        /// The innermost root that contains the folder.
        owner: Option<RootId>,
        key: FolderKey,
    },
    /// The index of a folder was deleted to make room.
    FolderEvicted { key: FolderKey },
    /// An eviction run ended.
    EvictionEnded(EvictionStats),
}

/// The publisher of events, and its listener.
pub(crate) struct Events {
    roots: Arc<Roots>,
    listener: OnceLock<Box<dyn Fn(PicturesEvent) + Send + Sync>>,
}

impl Events {
    /// Passes on the events of the parts. The library notes the placeholders that come with thumbnails.
    pub(crate) fn connect(
        roots: &Arc<Roots>,
        library: &Arc<Library>,
        thumbs: &Thumbs,
    ) -> Arc<Self> {
        let events = Arc::new(Self {
            roots: Arc::clone(roots),
            listener: OnceLock::new(),
        });
        let publisher = Arc::clone(&events);
        let placeholders = Arc::clone(library);
        thumbs.listen(move |event| publisher.forward(event, &placeholders));
        let publisher = Arc::clone(&events);
        library.listen(move |event| {
            publisher.publish(match event {
                LibraryEvent::HeadersRead(read) => PicturesEvent::HeadersRead(read),
                LibraryEvent::ListingCompleted(listed) => PicturesEvent::ListingCompleted(listed),
                LibraryEvent::Index(event) => PicturesEvent::Cache(publisher.of_index(event)),
            });
        });
        events
    }

    /// Sets the listener. The first listener is kept.
    pub(crate) fn listen(&self, listener: impl Fn(PicturesEvent) + Send + Sync + 'static) {
        self.listener.get_or_init(|| Box::new(listener));
    }

    fn publish(&self, event: PicturesEvent) {
        if let Some(listener) = self.listener.get() {
            listener(event);
        }
    }

    fn forward(&self, event: ThumbsEvent, library: &Library) {
        let event = match event {
            ThumbsEvent::Made {
                source_file,
                variant,
                bytes,
                hash,
            } => {
                if let Some(hash) = &hash {
                    library.note(source_file.source(), source_file.stat(), hash);
                }
                CacheEvent::ThumbnailMade {
                    owner: self.owner(source_file.source()),
                    id: source_file.id(),
                    variant,
                    bytes,
                }
            }
            ThumbsEvent::Evicted { id, variant } => CacheEvent::ThumbnailEvicted { id, variant },
            ThumbsEvent::EvictionEnded(freed) => CacheEvent::EvictionEnded(freed),
            ThumbsEvent::StatsChanged => return self.publish(PicturesEvent::ThumbStatsChanged),
        };
        self.publish(PicturesEvent::Cache(event));
    }

    fn of_index(&self, event: IndexEvent) -> CacheEvent {
        match event {
            IndexEvent::Written { folder, bytes } => CacheEvent::FolderWritten {
                owner: self.owner_of(&folder),
                key: FolderKey::of(&folder),
                bytes,
            },
            IndexEvent::Read { folder } => CacheEvent::FolderRead {
                owner: self.owner_of(&folder),
                key: FolderKey::of(&folder),
            },
            IndexEvent::Evicted(key) => CacheEvent::FolderEvicted { key },
        }
    }

    /// Returns the innermost root that contains a picture. The program's own pictures have none, wherever they are.
    pub(crate) fn owner(&self, source: &Source) -> Option<RootId> {
        self.roots.get(source.root())?;
        self.owner_of(&source.absolute())
    }

    /// Returns the innermost root that contains an absolute path.
    pub(crate) fn owner_of(&self, path: &[u8]) -> Option<RootId> {
        let (root, _) = self.roots.owner_of(path)?;
        Some(root.id())
    }
}
