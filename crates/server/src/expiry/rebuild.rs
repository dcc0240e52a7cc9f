//! Rebuilding the index from the contents of the cache.

use std::collections::HashSet;

use fumikura_fs::{Source, ThumbId};
use fumikura_pictures::CacheFile;
use fumikura_ttl::Kind;

use super::{ASSETS, ArtifactFile, UNKNOWN, folder_key, group_of, locked, thumbnail_key};
use crate::app::App;
use crate::error::ApiError;

impl App {
    /// Resolves removals that a crash interrupted. An artifact is kept if its file exists.
    pub(crate) fn reclaim_expiring(&self) {
        let exists = |artifact: &fumikura_ttl::Artifact| match ArtifactFile::of(artifact) {
            Some(ArtifactFile::Thumbnail(id, variant)) => {
                self.pictures.thumbs().has_thumbnail(id, variant)
            }
            Some(ArtifactFile::Folder(key)) => self.pictures.has_folder_index(key),
            None => false,
        };
        self.expiry.index().reclaim(exists);
    }

    /// Finds all artifacts. Each counts as read now, so that nothing expires because the index was lost. If
    /// the cache can't be read, the rebuild is retried at the next tick.
    pub(super) fn rebuild_expiry_index(&self) {
        let assets = self.asset_ids().unwrap_or_else(|error| {
            tracing::warn!("thumbnails of page files can't be distinguished: {error:?}");
            HashSet::new()
        });
        let now = self.clock.now();
        let mut found = 0_u64;
        let surveyed = self.pictures.each_cache_file(&mut |file| {
            found += 1;
            let (key, kind, group, bytes) = match file {
                CacheFile::Thumbnail {
                    owner,
                    id,
                    variant,
                    bytes,
                } => {
                    let without = match assets.contains(&id) {
                        true => ASSETS,
                        false => UNKNOWN,
                    };
                    let group = group_of(owner, without);
                    (thumbnail_key(id, variant), Kind::Blob, group, bytes)
                }
                CacheFile::Folder { owner, key, bytes } => {
                    let group = group_of(owner, UNKNOWN);
                    (folder_key(key), Kind::Manifest, group, bytes)
                }
            };
            // The index has better data for an artifact that was made meanwhile.
            self.expiry
                .index()
                .record_scanned(key, kind, &group, bytes, now);
            !self.is_stopping()
        });
        match surveyed {
            Ok(()) => {
                tracing::info!(found, "the index of cached artifacts was rebuilt");
                locked(&self.expiry.file).is_rebuilt = !self.is_stopping();
            }
            Err(error) => tracing::warn!("the cache can't be scanned: {error}"),
        }
    }

    fn asset_ids(&self) -> Result<HashSet<ThumbId>, ApiError> {
        let mut ids = HashSet::new();
        for owned in self.wiki.all_assets()? {
            let (folder, relative) = self.wiki.asset_place(owned.id);
            // A missing file has no thumbnails.
            if let Ok(source) = Source::own(folder, &relative)
                && let Ok(found) = source.find()
            {
                ids.insert(found.id());
            }
        }
        Ok(ids)
    }
}
