//! The sizes of all files.

use std::ops::ControlFlow;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::file_name::FileName;
use crate::id::AssetId;
use crate::store::{ASSET, Direction, Read, ReadTxn, StorageError, Store, Table};

/// The sizes of all files, in memory. They are read again after a file was added, changed or removed. A hundred
/// thousand files take 2.4 MB. A lookup then reads no row of the database.
#[derive(Default)]
pub(crate) struct Sizes(Mutex<Option<Known>>);

struct Known {
    /// The number of writes to rows of files at the time of this read.
    written: u64,
    /// Sorted by size, then id.
    sorted: Vec<(u64, AssetId)>,
}

/// The leading fields of [`AssetInfo`].
#[derive(Serialize, Deserialize)]
struct Size {
    original_name: FileName,
    file_name: FileName,
    mime: String,
    size: u64,
}

impl Sizes {
    /// Returns the files of a size.
    pub(super) fn of(&self, store: &Store, size: u64) -> Result<Vec<AssetId>, StorageError> {
        let mut known = self.0.lock();
        // Read before the rows: rows that are written in between are read once more and never missed.
        let written = store.files_written();
        if known.as_ref().is_none_or(|known| known.written != written) {
            *known = Some(store.read(|txn| Known::read(txn, written))?);
        }
        Ok(known
            .as_ref()
            .map(|known| known.of(size))
            .unwrap_or_default())
    }
}

impl Known {
    fn read(txn: &ReadTxn, written: u64) -> Result<Self, StorageError> {
        let rows: Table<_, Size> = ASSET.read_as();
        let mut sorted = Vec::new();
        txn.scan::<_, _, &[u8; 16]>(rows, .., Direction::Ascending, |id, row| {
            sorted.push((row.size, AssetId::from_bytes(*id)));
            ControlFlow::Continue(())
        })?;
        sorted.sort_unstable();
        Ok(Self { written, sorted })
    }

    fn of(&self, size: u64) -> Vec<AssetId> {
        let from = self.sorted.partition_point(|(other, _)| *other < size);
        let same = self.sorted[from..]
            .iter()
            .take_while(|(other, _)| *other == size);
        same.map(|(_, id)| *id).collect()
    }
}
