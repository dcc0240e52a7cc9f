//! The hash records of the program's own folder, searched by the paths of their files.

use std::sync::Arc;

use fumikura_hashes::{FilePath, FileState, Index, RecordRow};
use fumikura_search::{Catalogue, CatalogueItem};
use parking_lot::Mutex;

/// The path and the state of a found record.
#[derive(Debug)]
pub(crate) struct RecordKey {
    pub(crate) path: FilePath,
    /// The state found by the last verification.
    pub(crate) state: Option<FileState>,
}

/// The records of a version of the folder's index.
type IndexedRecords = (Arc<Index>, Arc<Catalogue<RecordKey>>);

/// The records, read again if the index of their folder changes.
#[derive(Default)]
pub(crate) struct Records(Mutex<Option<IndexedRecords>>);

impl Records {
    pub(crate) fn get(&self, index: Arc<Index>) -> Arc<Catalogue<RecordKey>> {
        let mut cached = self.0.lock();
        if let Some((of, records)) = &*cached
            && Arc::ptr_eq(of, &index)
        {
            return Arc::clone(records);
        }
        let records = index
            .rows
            .iter()
            .map(|(path, row)| catalogue_item(path, row));
        let records: Arc<Catalogue<RecordKey>> = Arc::new(records.collect());
        *cached = Some((index, Arc::clone(&records)));
        records
    }
}

fn catalogue_item(path: &FilePath, row: &RecordRow) -> (CatalogueItem, RecordKey) {
    let catalogue_item = CatalogueItem {
        path: String::from_utf8_lossy(path.as_bytes()).into_owned(),
        time: row.recorded_at.map_or(0, |at| at.as_millisecond()),
        ..CatalogueItem::default()
    };
    let key = RecordKey {
        path: path.clone(),
        state: row.state,
    };
    (catalogue_item, key)
}
