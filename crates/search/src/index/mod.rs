//! An index of the texts of all pages, on the disk.
//!
//! It stores the terms of texts and titles with their positions, and the indexed version of each page. Paths
//! and the trash come from a [`Directory`](crate::Directory).

mod error;
mod find;
mod layout;
mod positions;
mod segment;
mod tokens;
mod writer;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use tantivy::directory::MmapDirectory;
use tantivy::index::SegmentId;
use tantivy::{IndexReader, ReloadPolicy, Searcher, SegmentReader};

use crate::facts::PageKey;

pub use error::IndexError;
pub use find::IndexHit;
pub use writer::Writer;

use layout::Fields;
use segment::SegmentTerms;

/// The index of a folder.
pub struct Index {
    index: tantivy::Index,
    reader: IndexReader,
    fields: Fields,
    /// The part of each segment that is held in memory.
    terms: Mutex<HashMap<SegmentId, Arc<SegmentTerms>>>,
}

impl Index {
    /// Opens the index of a folder, or creates an empty one.
    ///
    /// # Errors
    /// [`IndexError::Unusable`] if the index has another version or is damaged.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        layout::check_version(folder)?;
        let directory = MmapDirectory::open(folder).map_err(tantivy::TantivyError::from)?;
        let (schema, fields) = layout::schema();
        let mut index = tantivy::Index::open_or_create(directory, schema)?;
        tokens::register(&mut index);
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .try_into()?;
        Ok(Self {
            index,
            reader,
            fields,
            terms: Mutex::default(),
        })
    }

    /// Loads what was committed since the index was opened or last reloaded.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn reload(&self) -> Result<(), IndexError> {
        self.reader.reload()?;
        let searcher = self.reader.searcher();
        let segments = searcher.segment_readers().iter();
        let present: HashSet<SegmentId> = segments.map(SegmentReader::segment_id).collect();
        let mut terms = self.terms.lock();
        terms.retain(|id, _| present.contains(id));
        Ok(())
    }

    /// Returns the version of each indexed page.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn versions(&self) -> Result<HashMap<PageKey, u64>, IndexError> {
        let searcher = self.reader.searcher();
        let mut versions = HashMap::new();
        for segment in searcher.segment_readers() {
            let keys = self.terms_of(segment)?;
            let column = segment.fast_fields().u64(layout::VERSION)?;
            for doc in segment.doc_ids_alive() {
                let version = column.first(doc).unwrap_or_default();
                versions.insert(keys.key(doc), version);
            }
        }
        Ok(versions)
    }

    /// Returns the number of indexed pages.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.reader.searcher().num_docs()
    }

    /// Returns whether no page is indexed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks all files of the index.
    ///
    /// # Errors
    /// [`IndexError::Unusable`] names the damaged file.
    pub fn validate(&self) -> Result<(), IndexError> {
        let damaged = self.index.validate_checksum()?;
        match damaged.into_iter().next() {
            Some(file) => Err(IndexError::Unusable(format!(
                "{} is damaged",
                file.display()
            ))),
            None => Ok(()),
        }
    }

    fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    fn terms_of(&self, segment: &SegmentReader) -> Result<Arc<SegmentTerms>, IndexError> {
        let id = segment.segment_id();
        let cached = {
            let terms = self.terms.lock();
            terms.get(&id).cloned()
        };
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let read = Arc::new(SegmentTerms::read(segment, self.fields)?);
        let mut terms = self.terms.lock();
        terms.insert(id, Arc::clone(&read));
        Ok(read)
    }
}

#[cfg(test)]
mod quality;
#[cfg(test)]
mod tests;
