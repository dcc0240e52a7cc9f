//! An index of the texts of all pages, on the disk.
//!
//! It stores the terms of texts and titles with their positions, and the indexed version of each page. Paths
//! and the trash come from a [`Directory`](crate::Directory).

mod directory;
mod error;
mod find;
mod layout;
mod positions;
mod segment;
mod tokens;
mod writer;

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use tantivy::index::{SegmentComponent, SegmentId};
use tantivy::{IndexReader, ReloadPolicy, Searcher, SegmentReader};

use crate::facts::PageKey;

pub use error::IndexError;
pub use find::IndexHit;
pub use writer::Writer;

use directory::IndexDirectory;
use layout::Fields;
use segment::SegmentTerms;

/// The files of a segment.
const COMPONENTS: [SegmentComponent; 6] = [
    SegmentComponent::Postings,
    SegmentComponent::Positions,
    SegmentComponent::Terms,
    SegmentComponent::FastFields,
    SegmentComponent::FieldNorms,
    SegmentComponent::Store,
];

/// The index of a folder.
pub struct Index {
    index: tantivy::Index,
    directory: IndexDirectory,
    reader: IndexReader,
    fields: Fields,
    /// The part of each segment that is held in memory.
    terms: Mutex<HashMap<SegmentId, Arc<SegmentTerms>>>,
}

impl Index {
    /// Opens the index of a folder, or creates an empty one. Compares all files with their checksums.
    ///
    /// # Errors
    /// [`IndexError::Unusable`] if the index has another version or is damaged.
    pub fn open(folder: &Path) -> Result<Self, IndexError> {
        layout::check_version(folder)?;
        guarded(|| {
            let directory = IndexDirectory::new(folder);
            let (schema, fields) = layout::schema();
            let mut index = tantivy::Index::open_or_create(directory.clone(), schema)?;
            validate(&index, &directory)?;
            tokens::register(&mut index);
            let reader = index
                .reader_builder()
                .reload_policy(ReloadPolicy::Manual)
                .try_into()?;
            Ok(Self {
                index,
                directory,
                reader,
                fields,
                terms: Mutex::default(),
            })
        })
    }

    /// Loads what was committed since the index was opened or last reloaded.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn reload(&self) -> Result<(), IndexError> {
        guarded(|| Ok(self.reader.reload()?))?;
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
        guarded(|| self.read_versions())
    }

    fn read_versions(&self) -> Result<HashMap<PageKey, u64>, IndexError> {
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

    /// Calls a function with each word of the texts, folded, and the number of its pages in one segment.
    pub(crate) fn each_word(&self, mut see: impl FnMut(&str, u32)) -> Result<(), IndexError> {
        guarded(|| {
            for segment in self.searcher().segment_readers() {
                self.terms_of(segment)?.words(false).each(&mut see);
            }
            Ok(())
        })
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

    /// Compares all files of the index with their checksums.
    ///
    /// # Errors
    /// [`IndexError::Unusable`] names the damaged file.
    pub fn validate(&self) -> Result<(), IndexError> {
        guarded(|| validate(&self.index, &self.directory))
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

fn validate(index: &tantivy::Index, directory: &IndexDirectory) -> Result<(), IndexError> {
    for segment in index.searchable_segment_metas()? {
        let deletions = segment.has_deletes().then_some(SegmentComponent::Delete);
        for component in COMPONENTS.into_iter().chain(deletions) {
            directory.validate(&segment.relative_path(component))?;
        }
    }
    Ok(())
}

/// Runs code that reads the index. On damage, tantivy may panic.
fn guarded<T>(read: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
    // A panic leaves nothing half changed: what is read is stored when it is complete.
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(IndexError::Panicked(
            message.unwrap_or("no words").to_owned(),
        ))
    })
}

#[cfg(test)]
mod damage;
#[cfg(test)]
mod quality;
#[cfg(test)]
mod tests;
