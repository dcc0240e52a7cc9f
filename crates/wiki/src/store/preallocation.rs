//! A file whose blocks are allocated before they are needed.
//!
//! redb grows its file in leaps. The new part is a hole that it fills page by page. At the first write into a
//! hole, the file system must allocate blocks, and the next sync waits until that is written too. To avoid this
//! cost at every other save, the piece around such a write is filled with zeros first, for hundreds of pages at
//! once.
//!
//! Only the part by which this file has grown since it was opened is filled: nothing can have been written
//! there yet. Only the file system knows where older holes are, and not every file system reports them
//! correctly while data is on its way to the disk. Zeros there could replace a page.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};

use parking_lot::{RwLock, RwLockWriteGuard};
use redb::backends::FileBackend;
use redb::{DatabaseError, StorageBackend};

use super::lock_forwarding::forward_locks;

/// The number of bytes that are filled at once.
const PIECE: u64 = 1 << 20;

/// A file without holes around the parts that are written.
#[derive(Debug)]
pub(super) struct PreallocatingFile {
    file: FileBackend,
    /// The numbers of the pieces by which the file has grown and that were never written. A piece is removed
    /// before anything is written to it, and is filled under this lock, so zeros never replace a page.
    unwritten: RwLock<BTreeSet<u64>>,
}

impl PreallocatingFile {
    pub(super) fn new(file: File) -> Result<Self, DatabaseError> {
        Ok(Self {
            file: FileBackend::new(file)?,
            unwritten: RwLock::default(),
        })
    }

    fn unwritten(&self) -> RwLockWriteGuard<'_, BTreeSet<u64>> {
        self.unwritten.write()
    }

    /// Fills a piece that was never written. If the disk has no space for that, the write itself may still find
    /// some.
    fn fill(&self, piece: u64) -> io::Result<()> {
        let start = piece * PIECE;
        let end = self.file.len()?.min(start + PIECE);
        match self.file.write(start, &vec![0; (end - start) as usize]) {
            Err(error) if !is_full(&error) => Err(error),
            _ => Ok(()),
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

impl StorageBackend for PreallocatingFile {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut unwritten = self.unwritten();
        let before = self.file.len()?;
        self.file.set_len(len)?;
        if len < before {
            let _removed = unwritten.split_off(&(len / PIECE));
        } else {
            // Excludes the piece in which the file ended.
            unwritten.extend(before.div_ceil(PIECE)..len.div_ceil(PIECE));
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let pieces = offset / PIECE..(offset + data.len() as u64).div_ceil(PIECE);
        let unwritten = self.unwritten.read();
        let is_written = unwritten.range(pieces.clone()).next().is_none();
        drop(unwritten);
        if is_written {
            return self.file.write(offset, data);
        }
        let mut unwritten = self.unwritten();
        for piece in pieces {
            if unwritten.remove(&piece) {
                self.fill(piece)?;
            }
        }
        self.file.write(offset, data)
    }

    forward_locks!(|layer| layer.file);
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use fumikura_base::entropy::{SeededEntropy, random_bytes};
    use redb::backends::InMemoryBackend;

    use super::*;

    const PAGE: u64 = 4096;

    fn preallocating_file() -> PreallocatingFile {
        PreallocatingFile::new(tempfile::tempfile().unwrap()).unwrap()
    }

    /// Returns the number of bytes that the disk has allocated to the file.
    fn allocated_bytes(file: &File) -> u64 {
        file.metadata().unwrap().blocks() * 512
    }

    fn contents(file: &impl StorageBackend) -> Vec<u8> {
        let mut contents = vec![0; file.len().unwrap() as usize];
        file.read(0, &mut contents).unwrap();
        contents
    }

    fn number(random: &SeededEntropy, below: u64) -> u64 {
        u64::from_le_bytes(random_bytes::<8>(random)) % below
    }

    #[test]
    fn first_write_allocates_the_blocks_around_it() {
        let disk = tempfile::tempfile().unwrap();
        let file = PreallocatingFile::new(disk.try_clone().unwrap()).unwrap();
        file.set_len(4 * PIECE).unwrap();
        let page = [1; PAGE as usize];
        assert!(allocated_bytes(&disk) < PAGE);
        file.write(2 * PIECE + 5 * PAGE, &page).unwrap();
        file.sync_data().unwrap();
        let after_one = allocated_bytes(&disk);
        assert!((PIECE..2 * PIECE).contains(&after_one), "{after_one}");
        for number in 0..PIECE / PAGE {
            file.write(2 * PIECE + number * PAGE, &page).unwrap();
        }
        file.sync_data().unwrap();
        assert_eq!(allocated_bytes(&disk), after_one);
        // A part that was cut off comes back as a hole; the piece in which the file ended is written without
        // filling.
        file.set_len(2 * PIECE + PAGE).unwrap();
        file.set_len(4 * PIECE).unwrap();
        assert!(allocated_bytes(&disk) < PIECE);
        file.write(3 * PIECE + 9 * PAGE, &page).unwrap();
        file.sync_data().unwrap();
        assert!((PIECE..2 * PIECE).contains(&allocated_bytes(&disk)));
    }

    #[test]
    fn contents_are_unaffected_by_preallocation() {
        for seed in 0..20 {
            let random = SeededEntropy::new(seed);
            let (file, expected) = (preallocating_file(), InMemoryBackend::new());
            for step in 1..40 {
                let len = expected.len().unwrap();
                if number(&random, 4) == 0 || len < PAGE {
                    let len = number(&random, 5 * PIECE / PAGE) * PAGE;
                    file.set_len(len).unwrap();
                    expected.set_len(len).unwrap();
                } else {
                    let pages = 1 + number(&random, 3.min(len / PAGE));
                    let at = number(&random, len / PAGE - pages + 1) * PAGE;
                    let data = vec![step; (pages * PAGE) as usize];
                    file.write(at, &data).unwrap();
                    expected.write(at, &data).unwrap();
                }
            }
            assert!(contents(&file) == contents(&expected), "seed {seed}");
        }
    }

    #[test]
    fn concurrent_writes_are_not_overwritten_with_zeros() {
        let file = preallocating_file();
        let pages = 16 * PIECE / PAGE;
        file.set_len(pages * PAGE).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let file = &file;
                // Each thread reaches a new piece when the others do.
                scope.spawn(move || {
                    for number in (writer..pages).step_by(4) {
                        file.write(number * PAGE, &[1; PAGE as usize]).unwrap();
                    }
                });
            }
        });
        assert!(contents(&file).iter().all(|byte| *byte == 1));
    }
}
