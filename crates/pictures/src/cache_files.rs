//! Lists the files of the cache, from which an index of them can be rebuilt.

use std::collections::{HashMap, HashSet};
use std::io;

use fumikura_fs::{AccessError, RootId, ThumbId, path};
use fumikura_image::Variant;
use fumikura_library::FolderKey;

use crate::pictures::Pictures;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheFile {
    Thumbnail {
        /// The root that contains its picture, if the index of a folder names it.
        owner: Option<RootId>,
        /// The id of the picture.
        id: ThumbId,
        variant: Variant,
        /// Its size in bytes.
        bytes: u64,
    },
    /// The index of a folder.
    Folder {
        /// The root that contains the folder.
        owner: Option<RootId>,
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

    /// Returns the ids of the pictures beneath a root: of those that are there, and of those that were last seen in a
    /// folder that is empty now, or below it. It may be the mount point of a disk that is not mounted. Returns `None`
    /// if `continues` returns false.
    ///
    /// # Errors
    /// [`AccessError`] if the root is unavailable, or a part of it or of the cache can't be read.
    pub fn existing_ids(
        &self,
        root: RootId,
        continues: &dyn Fn() -> bool,
    ) -> Result<Option<HashSet<[u8; 20]>>, AccessError> {
        let Some(contents) = self.roots().contents(root, continues)? else {
            return Ok(None);
        };
        let mut ids = contents.ids;
        if !contents.empty_folders.is_empty() {
            self.library.each_index(&mut |folder, _, pictures| {
                let mut empty = contents.empty_folders.iter();
                if empty.any(|empty| path::strip_base(empty, folder).is_some()) {
                    ids.extend(pictures.iter().map(|id| id.to_bytes()));
                }
                continues()
            })?;
        }
        Ok(continues().then_some(ids))
    }
}
