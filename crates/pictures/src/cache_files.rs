//! Lists the files of the cache, from which an index of them can be rebuilt.

use std::collections::HashMap;
use std::io;

use fumikura_fs::{RootId, ThumbId};
use fumikura_image::Variant;
use fumikura_library::FolderKey;

use crate::pictures::Pictures;

/// A file of the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheFile {
    /// A thumbnail.
    Thumbnail {
        /// The root that contains its picture, if the index of a folder names it.
        owner: Option<RootId>,
        /// The id of the picture.
        id: ThumbId,
        /// The variant.
        variant: Variant,
        /// Its size in bytes.
        bytes: u64,
    },
    /// The index of a folder.
    Folder {
        /// The root that contains the folder.
        owner: Option<RootId>,
        /// The folder.
        key: FolderKey,
        /// Its size in bytes.
        bytes: u64,
    },
}

impl Pictures {
    /// Calls `each` with every file of the cache, until it returns false.
    ///
    /// # Errors
    /// If a folder of the cache can't be read.
    pub fn each_cache_file(&self, each: &mut dyn FnMut(CacheFile) -> bool) -> io::Result<()> {
        let mut owners: HashMap<ThumbId, RootId> = HashMap::new();
        let mut continues = true;
        self.library.each_index(&mut |folder, bytes, pictures| {
            let owner = self.events.owner_of(folder);
            if let Some(owner) = owner {
                owners.extend(pictures.iter().map(|id| (*id, owner)));
            }
            let key = FolderKey::of(folder);
            continues = each(CacheFile::Folder { owner, key, bytes });
            continues
        })?;
        if !continues {
            return Ok(());
        }
        self.thumbs.each_thumbnail(&mut |id, variant, bytes| {
            let owner = owners.get(&id).copied();
            each(CacheFile::Thumbnail {
                owner,
                id,
                variant,
                bytes,
            })
        })
    }
}
