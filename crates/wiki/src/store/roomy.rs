//! A file whose blocks are there before they are needed.
//!
//! redb lets its file grow by leaps, and what is new is a hole that it fills page by page. At the first
//! write into a hole the file system has to find a place for it, and the sync behind it waits until that
//! is written down too. So that this is not paid at every other save, the holes around such a write are
//! filled with zeros first: for hundreds of pages at once.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::ops::Bound;
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use redb::backends::FileBackend;
use redb::{BackendError, DatabaseError, StorageBackend};
use rustix::fs::SeekFrom;
use rustix::io::Errno;

/// How much is filled at once, in bytes.
const PIECE: u64 = 1 << 20;

/// A file in which what is written to has no holes around it.
#[derive(Debug)]
pub(super) struct Roomy {
    file: FileBackend,
    /// The same file, to be asked for its holes.
    holes: File,
    /// The pieces with holes, by their numbers. Into these is written only while this is held, and they
    /// are filled while it is: so zeros never take the place of a page.
    holed: RwLock<BTreeSet<u64>>,
}

impl Roomy {
    pub(super) fn new(file: File) -> Result<Self, DatabaseError> {
        let holes = file.try_clone().map_err(redb::StorageError::from)?;
        let roomy = Self {
            file: FileBackend::new(file)?,
            holes,
            holed: RwLock::default(),
        };
        let holed = roomy.find().map_err(redb::StorageError::from)?;
        *roomy.holed() = holed;
        Ok(roomy)
    }

    fn holed(&self) -> RwLockWriteGuard<'_, BTreeSet<u64>> {
        self.holed.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pieces that have holes.
    fn find(&self) -> io::Result<BTreeSet<u64>> {
        let (mut holed, end, mut at) = (BTreeSet::new(), self.file.len()?, 0);
        while let Some(hole) = self.next(SeekFrom::Hole(at))?.filter(|hole| *hole < end) {
            at = self.next(SeekFrom::Data(hole))?.unwrap_or(end);
            holed.extend(hole / PIECE..at.div_ceil(PIECE));
        }
        Ok(holed)
    }

    /// Fills the holes of a piece. Says no where the disk has no room for that: then what is to be
    /// written may still find its own.
    fn fill(&self, piece: u64) -> io::Result<bool> {
        let end = self.file.len()?.min((piece + 1) * PIECE);
        let mut at = piece * PIECE;
        while let Some(hole) = self.next(SeekFrom::Hole(at))?.filter(|hole| *hole < end) {
            at = self
                .next(SeekFrom::Data(hole))?
                .map_or(end, |data| data.min(end));
            match self.file.write(hole, &vec![0; (at - hole) as usize]) {
                Err(error) if is_full(&error) => return Ok(false),
                written => written?,
            }
        }
        Ok(true)
    }

    /// Where the next hole or the next data begins; none at the end of the file. Where a file system
    /// knows no holes, the only one is behind the end.
    fn next(&self, from: SeekFrom) -> io::Result<Option<u64>> {
        match rustix::fs::seek(&self.holes, from) {
            Ok(at) => Ok(Some(at)),
            Err(Errno::NXIO) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded
    )
}

impl StorageBackend for Roomy {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.file.read(offset, out)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut holed = self.holed();
        let before = self.file.len()?;
        self.file.set_len(len)?;
        if len < before {
            let _cut_off = holed.split_off(&len.div_ceil(PIECE));
        } else {
            holed.extend(before / PIECE..len.div_ceil(PIECE));
        }
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let pieces = offset / PIECE..(offset + data.len() as u64).div_ceil(PIECE);
        let known = self.holed.read().unwrap_or_else(PoisonError::into_inner);
        let is_whole = known.range(pieces.clone()).next().is_none();
        drop(known);
        if is_whole {
            return self.file.write(offset, data);
        }
        let mut holed = self.holed();
        for piece in pieces {
            if holed.contains(&piece) && self.fill(piece)? {
                holed.remove(&piece);
            }
        }
        // Nobody else fills it meanwhile, if this could not.
        self.file.write(offset, data)
    }

    fn close(&self) -> io::Result<()> {
        self.file.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.file.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.file.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.file.query_lock_range(start, end)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use fumikura_base::entropy::{SeededEntropy, random_bytes};
    use redb::backends::InMemoryBackend;

    use super::*;

    const PAGE: u64 = 4096;

    fn roomy() -> Roomy {
        Roomy::new(tempfile::tempfile().unwrap()).unwrap()
    }

    /// How many bytes the disk has given to the file.
    fn given(file: &Roomy) -> u64 {
        file.holes.metadata().unwrap().blocks() * 512
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
    fn the_first_page_that_is_written_brings_the_blocks_of_those_around_it() {
        let file = roomy();
        file.set_len(4 * PIECE).unwrap();
        let page = [1; PAGE as usize];
        assert!(given(&file) < PAGE);
        file.write(2 * PIECE + 5 * PAGE, &page).unwrap();
        file.sync_data().unwrap();
        let after_one = given(&file);
        assert!((PIECE..2 * PIECE).contains(&after_one), "{after_one}");
        for number in 0..PIECE / PAGE {
            file.write(2 * PIECE + number * PAGE, &page).unwrap();
        }
        file.sync_data().unwrap();
        assert_eq!(given(&file), after_one);
        // What was cut off comes back as a hole.
        file.set_len(2 * PIECE + PAGE).unwrap();
        file.set_len(4 * PIECE).unwrap();
        assert!(given(&file) < PIECE);
        file.write(2 * PIECE + 9 * PAGE, &page).unwrap();
        file.sync_data().unwrap();
        assert_eq!(given(&file), after_one);
    }

    #[test]
    fn what_is_written_is_read_whatever_was_filled() {
        for seed in 0..20 {
            let random = SeededEntropy::new(seed);
            let (file, expected) = (roomy(), InMemoryBackend::new());
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
    fn what_others_write_meanwhile_is_not_lost_under_zeros() {
        let file = roomy();
        let pages = 16 * PIECE / PAGE;
        file.set_len(pages * PAGE).unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let file = &file;
                // Each comes to a new piece when the others do.
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
