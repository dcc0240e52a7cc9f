//! The sizes of all files.

use std::ops::ControlFlow;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::file_name::FileName;
use crate::id::AssetId;
use crate::store::{ASSET, Direction, Read, ReadTxn, StorageError, Store, Table};

/// The sizes of all files, in memory, so that a lookup reads no row of the database. They are read again after
/// a file was added, changed or removed. A hundred thousand files take 2.4 MB.
#[derive(Default)]
pub(crate) struct Sizes(Mutex<Option<SizeIndex>>);

struct SizeIndex {
    /// The number of writes to rows of files at the time of this read.
    written: u64,
    /// Sorted by size, then id.
    entries: Vec<(u64, AssetId)>,
}

/// The leading fields of [`AssetInfo`].
#[derive(Serialize, Deserialize)]
struct AssetSize {
    original_name: FileName,
    file_name: FileName,
    mime: String,
    size: u64,
}

impl Sizes {
    /// Returns the files of a size.
    pub(super) fn of(&self, store: &Store, size: u64) -> Result<Vec<AssetId>, StorageError> {
        let mut index = self.0.lock();
        // Read before the rows: rows that are written in between are read once more and never missed.
        let written = store.files_written();
        if index.as_ref().is_none_or(|index| index.written != written) {
            *index = Some(store.read(|txn| SizeIndex::read(txn, written))?);
        }
        Ok(index
            .as_ref()
            .map(|index| index.of(size))
            .unwrap_or_default())
    }
}

impl SizeIndex {
    fn read(txn: &ReadTxn, written: u64) -> Result<Self, StorageError> {
        let rows: Table<_, AssetSize> = ASSET.read_as();
        let mut entries = Vec::new();
        txn.scan::<_, _, &[u8; 16]>(rows, .., Direction::Ascending, |id, row| {
            entries.push((row.size, AssetId::from_bytes(*id)));
            ControlFlow::Continue(())
        })?;
        entries.sort_unstable();
        Ok(Self { written, entries })
    }

    fn of(&self, size: u64) -> Vec<AssetId> {
        let from = self.entries.partition_point(|(other, _)| *other < size);
        let same = self.entries[from..]
            .iter()
            .take_while(|(other, _)| *other == size);
        same.map(|(_, id)| *id).collect()
    }
}
