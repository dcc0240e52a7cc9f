//! The check of the cache and its index: damaged thumbnails, entries without files, and files without entries.

use std::io;
use std::time::{Duration, Instant};

use fumikura_fs::ThumbId;
use fumikura_image::Variant;
use fumikura_pictures::CacheFile;
use fumikura_ttl::ArtifactKey;

use crate::artifact_file::{folder_key, thumbnail_key};
use crate::expiry::Expiry;
use crate::rebuild::CacheEntry;

/// The time within which the event of a file that has just been written or deleted arrives.
const EVENT_WITHIN: Duration = Duration::from_secs(3);

/// The faults of the cache. Everything in it can be made again.
#[derive(Debug, Default)]
pub struct CacheFaults {
    /// Thumbnails that are not whole pictures of their format.
    pub damaged: Vec<(ThumbId, Variant)>,
    /// Entries of the index whose files are missing.
    pub missing: Vec<ArtifactKey>,
    /// Files that are not in the index, and therefore would never expire.
    pub unlisted: Vec<CacheFile>,
}

impl Expiry {
    /// Compares the files of the cache with its index, and reads the beginning and the end of each thumbnail, until
    /// `goes_on` returns false. An index that is not complete yet is not compared: it is completed soon after the
    /// start.
    ///
    /// # Errors
    /// If the cache can't be read.
    pub fn check_cache(&self, goes_on: &dyn Fn() -> bool) -> io::Result<CacheFaults> {
        let mut faults = CacheFaults::default();
        let is_complete = self.is_complete();
        let keys = self.index().keys();
        let mut is_found = vec![false; keys.len()];
        let thumbs = self.pictures.thumbs();
        let mut failure = None;
        self.pictures.each_cache_file(&mut |file| {
            match keys.binary_search(&key_of(&file)) {
                Ok(at) => is_found[at] = true,
                Err(_) => faults.unlisted.push(file),
            }
            if let CacheFile::Thumbnail { id, variant, .. } = file {
                match thumbs.is_damaged(id, variant) {
                    Ok(true) => faults.damaged.push((id, variant)),
                    Ok(false) => {}
                    Err(error) => failure = Some(error),
                }
            }
            failure.is_none() && goes_on() && !self.is_stopping()
        })?;
        if let Some(error) = failure {
            return Err(error);
        }
        if !is_complete || !goes_on() {
            faults.unlisted.clear();
            return Ok(faults);
        }
        let missing = keys.into_iter().zip(is_found);
        let missing = missing.filter(|(_, is_found)| !is_found);
        faults.missing = missing.map(|(key, _)| key).collect();
        self.retain_lasting(&mut faults, goes_on);
        Ok(faults)
    }

    /// Deletes damaged thumbnails, and makes the index equal to the files. Files that were not in it count as read now.
    ///
    /// # Errors
    /// If a thumbnail can't be deleted, or the index can't be written.
    pub fn repair_cache(&self, faults: &CacheFaults) -> io::Result<()> {
        for (id, variant) in &faults.damaged {
            let is_damaged = || {
                let damaged = self.pictures.thumbs().is_damaged(*id, *variant);
                damaged.unwrap_or(false)
            };
            let thumbs = self.pictures.thumbs();
            thumbs.remove_thumbnail_if(*id, *variant, &is_damaged)?;
            self.drop_if_missing(&thumbnail_key(*id, *variant));
        }
        for key in &faults.missing {
            self.drop_if_missing(key);
        }
        if !faults.unlisted.is_empty() {
            let (assets, now) = ((self.wiki_thumbnails)(), self.now());
            for file in faults.unlisted.iter().filter(|file| self.exists(file)) {
                let CacheEntry {
                    key,
                    kind,
                    group,
                    bytes,
                } = CacheEntry::of(*file, &assets);
                self.index().record(key, kind, &group, bytes, now);
            }
        }
        self.flush()
    }

    /// Keeps the differences that last. The cache changes during the check, and the event of a change comes a moment
    /// after it.
    fn retain_lasting(&self, faults: &mut CacheFaults, goes_on: &dyn Fn() -> bool) {
        let begun = Instant::now();
        loop {
            let is_unlisted =
                |file: &CacheFile| self.index().get(&key_of(file)).is_none() && self.exists(file);
            faults.unlisted.retain(is_unlisted);
            faults.missing.retain(|key| self.is_missing(key));
            let is_equal = faults.unlisted.is_empty() && faults.missing.is_empty();
            if is_equal || begun.elapsed() >= EVENT_WITHIN || self.is_stopping() || !goes_on() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn exists(&self, file: &CacheFile) -> bool {
        match *file {
            CacheFile::Thumbnail { id, variant, .. } => {
                self.pictures.thumbs().has_thumbnail(id, variant)
            }
            CacheFile::Folder { key, .. } => self.pictures.has_folder_index(key),
        }
    }

    fn is_missing(&self, key: &ArtifactKey) -> bool {
        let artifact = self.index().get(key);
        artifact.is_some_and(|artifact| !self.has_file(&artifact))
    }
}

fn key_of(file: &CacheFile) -> ArtifactKey {
    match *file {
        CacheFile::Thumbnail { id, variant, .. } => thumbnail_key(id, variant),
        CacheFile::Folder { key, .. } => folder_key(key),
    }
}
