//! Completing the index from the contents of the cache.

use std::collections::HashSet;

use fumikura_fs::ThumbId;
use fumikura_pictures::CacheFile;
use fumikura_ttl::{Artifact, ArtifactKey, Kind, UNKNOWN};

use crate::artifact_file::{ASSETS, ArtifactFile, folder_key, group_of, thumbnail_key};
use crate::expiry::{Completeness, Expiry, locked};

/// A file of the cache as the index lists it.
pub(crate) struct CacheEntry {
    pub(crate) key: ArtifactKey,
    pub(crate) kind: Kind,
    pub(crate) group: String,
    pub(crate) bytes: u64,
}

impl CacheEntry {
    /// `assets` are the ids of the thumbnails of the wiki's own files.
    pub(crate) fn of(file: CacheFile, assets: &HashSet<ThumbId>) -> Self {
        match file {
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
                Self {
                    key: thumbnail_key(id, variant),
                    kind: Kind::Blob,
                    group: group_of(owner, without),
                    bytes,
                }
            }
            CacheFile::Folder { owner, key, bytes } => Self {
                key: folder_key(key),
                kind: Kind::Manifest,
                group: group_of(owner, UNKNOWN),
                bytes,
            },
        }
    }
}

impl Expiry {
    /// Resolves removals that a crash interrupted. An artifact is kept if its file exists.
    pub(crate) fn reclaim(&self) {
        let exists = |artifact: &Artifact| self.has_file(artifact);
        self.index().reclaim(exists);
    }

    pub(crate) fn has_file(&self, artifact: &Artifact) -> bool {
        match ArtifactFile::of(artifact) {
            Some(ArtifactFile::Thumbnail(id, variant)) => {
                self.pictures.thumbs().has_thumbnail(id, variant)
            }
            Some(ArtifactFile::Folder(key)) => self.pictures.has_folder_index(key),
            None => false,
        }
    }

    /// Finds all artifacts, and drops those whose files are missing. One that is not in the index counts as read now, so
    /// that nothing expires because the index was lost, or the last launch ended before its changes were written. If
    /// the cache can't be read, this is retried at the next tick.
    pub(crate) fn rebuild_index(&self) {
        let assets = (self.wiki_thumbnails)();
        let now = self.now();
        let known = self.index().keys();
        let mut is_found = vec![false; known.len()];
        let mut found = 0_u64;
        let surveyed = self.pictures.each_cache_file(&mut |file| {
            found += 1;
            let CacheEntry {
                key,
                kind,
                group,
                bytes,
            } = CacheEntry::of(file, &assets);
            if let Ok(at) = known.binary_search(&key) {
                is_found[at] = true;
            }
            // The index has better data for an artifact that it knows.
            self.index().record_scanned(key, kind, &group, bytes, now);
            !self.is_stopping()
        });
        match surveyed {
            // The scan was not finished.
            Ok(()) if self.is_stopping() => {}
            Ok(()) => {
                let missing = known.iter().zip(is_found).filter(|(_, is_found)| !is_found);
                let dropped = missing.filter(|(key, _)| self.drop_if_missing(key)).count();
                tracing::info!(
                    found,
                    dropped,
                    "the index of cached artifacts was completed"
                );
                locked(&self.file).completeness = Completeness::Complete;
            }
            Err(error) => tracing::warn!("the cache can't be scanned: {error}"),
        }
    }

    /// Removes an artifact without a file from the index. Returns true if there was one.
    pub(crate) fn drop_if_missing(&self, key: &ArtifactKey) -> bool {
        let artifact = self.index().get(key);
        let is_missing = artifact.is_some_and(|artifact| !self.has_file(&artifact));
        if is_missing {
            self.index().remove(key);
        }
        is_missing
    }
}
