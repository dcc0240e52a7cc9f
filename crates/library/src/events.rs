//! Events of the library, for its one listener.

use std::sync::OnceLock;

use sha1::{Digest, Sha1};

use crate::library::ListingCompleted;
use crate::reader::HeadersRead;

/// The key of the index of a folder: the SHA-1 of its absolute path, which is also the name of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FolderKey(pub [u8; 20]);

impl FolderKey {
    /// Returns the key of a folder, which is named by its absolute path.
    #[must_use]
    pub fn of(folder: &[u8]) -> Self {
        Self(Sha1::digest(folder).into())
    }
}

/// A change of the library's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LibraryEvent {
    /// More metadata of a folder's pictures is available.
    HeadersRead(HeadersRead),
    /// A listing that was returned before all names were read is complete.
    ListingCompleted(ListingCompleted),
    /// A file of the folder indexes was written, read or deleted.
    Index(IndexEvent),
}

/// A change or a read of the index of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexEvent {
    /// The index was written.
    Written {
        /// The absolute path of the folder.
        folder: Vec<u8>,
        /// The size of the index in bytes.
        bytes: u64,
    },
    /// The index was read for a listing.
    Read {
        /// The absolute path of the folder.
        folder: Vec<u8>,
    },
    /// The index was deleted to make room.
    Evicted(FolderKey),
}

/// The publisher of events, and its listener.
#[derive(Default)]
pub(crate) struct Events(OnceLock<Box<dyn Fn(LibraryEvent) + Send + Sync>>);

impl Events {
    /// Sets the listener. The first listener is kept.
    pub(crate) fn listen(&self, listener: impl Fn(LibraryEvent) + Send + Sync + 'static) {
        self.0.get_or_init(|| Box::new(listener));
    }

    pub(crate) fn publish(&self, event: LibraryEvent) {
        if let Some(listener) = self.0.get() {
            listener(event);
        }
    }

    pub(crate) fn publish_index(&self, event: IndexEvent) {
        self.publish(LibraryEvent::Index(event));
    }
}
