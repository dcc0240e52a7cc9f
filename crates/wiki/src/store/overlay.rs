//! An overlay backend that holds writes back: its user reads them, and the file receives none of them until
//! they are released. A damaged file can thus be opened, with repairs in the overlay, and refused without a
//! change. A file that others read can be checked as closely as a private one.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};
use redb::StorageBackend;

use super::lock_forwarding::forward_locks;

/// A file as redb uses it.
pub(super) type Backend = Box<dyn StorageBackend>;

/// The size in bytes of the blocks in the overlay.
const BLOCK: usize = 4096;

/// A file whose writes are held back until [`OverlayBackend::flush`].
#[derive(Debug, Clone)]
pub(super) struct OverlayBackend(Arc<OverlayState>);

#[derive(Debug)]
struct OverlayState {
    file: Backend,
    is_buffering: AtomicBool,
    overlay: Mutex<Overlay>,
}

/// The writes that are held back.
#[derive(Debug, Default)]
struct Overlay {
    /// The length that the file would have.
    len: u64,
    /// The end of the part that is read from the file unless a block replaces it.
    unchanged_len: u64,
    /// The rewritten blocks, by their number in the file.
    blocks: BTreeMap<u64, Box<[u8; BLOCK]>>,
    /// All operations, in order.
    operations: Vec<Operation>,
}

#[derive(Debug)]
enum Operation {
    Length(u64),
    Write(u64, Box<[u8]>),
    Sync,
}

impl OverlayBackend {
    pub(super) fn new(file: Backend) -> io::Result<Self> {
        let len = file.len()?;
        let overlay = Overlay {
            len,
            unchanged_len: len,
            ..Overlay::default()
        };
        Ok(Self(Arc::new(OverlayState {
            file,
            is_buffering: AtomicBool::new(true),
            overlay: Mutex::new(overlay),
        })))
    }

    /// Applies the held operations to the file in the same order, with the syncs between them; from then on
    /// nothing is held back. Reads may continue meanwhile, and also after a failure: then everything is held
    /// back as before, and operations that may not have reached the disk are repeated the next time.
    pub(super) fn flush(&self) -> io::Result<()> {
        let Some(mut overlay) = self.buffered() else {
            return Ok(());
        };
        let file = &self.0.file;
        let mut at = 0;
        while let Some(operation) = overlay.operations.get(at) {
            at += 1;
            match operation {
                Operation::Length(len) => file.set_len(*len)?,
                Operation::Write(offset, data) => file.write(*offset, data)?,
                Operation::Sync => {
                    file.sync_data()?;
                    overlay.operations.drain(..at);
                    at = 0;
                }
            }
        }
        self.0.is_buffering.store(false, Ordering::Release);
        *overlay = Overlay::default();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Overlay> {
        self.0.overlay.lock()
    }

    /// Returns the held writes, or `None` if nothing is held back any more.
    fn buffered(&self) -> Option<MutexGuard<'_, Overlay>> {
        let is_buffering = || self.0.is_buffering.load(Ordering::Acquire);
        if !is_buffering() {
            return None;
        }
        let overlay = self.lock();
        // The writes may have been released while this waited for the lock.
        is_buffering().then_some(overlay)
    }
}

impl Overlay {
    fn read(&self, file: &Backend, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let end = offset.checked_add(out.len() as u64);
        if end.is_none_or(|end| end > self.len) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let from_file = self
            .unchanged_len
            .saturating_sub(offset)
            .min(out.len() as u64) as usize;
        let (unchanged, new) = out.split_at_mut(from_file);
        if !unchanged.is_empty() {
            file.read(offset, unchanged)?;
        }
        new.fill(0);
        for (number, within, range) in blocks_of(offset, out.len()) {
            if let Some(block) = self.blocks.get(&number) {
                let length = range.len();
                out[range].copy_from_slice(&block[within..within + length]);
            }
        }
        Ok(())
    }

    fn write(&mut self, file: &Backend, offset: u64, data: &[u8]) -> io::Result<()> {
        self.len = self.len.max(offset + data.len() as u64);
        for (number, within, range) in blocks_of(offset, data.len()) {
            if !self.blocks.contains_key(&number) {
                let mut block = Box::new([0; BLOCK]);
                let start = number * BLOCK as u64;
                let unchanged = self.unchanged_len.saturating_sub(start).min(BLOCK as u64) as usize;
                if unchanged > 0 {
                    file.read(start, &mut block[..unchanged])?;
                }
                self.blocks.insert(number, block);
            }
            let block = self.blocks.get_mut(&number).expect("BUG: it was just put");
            block[within..within + range.len()].copy_from_slice(&data[range]);
        }
        self.operations.push(Operation::Write(offset, data.into()));
        Ok(())
    }

    fn set_len(&mut self, len: u64) {
        let whole = len / BLOCK as u64;
        let within = (len % BLOCK as u64) as usize;
        drop(self.blocks.split_off(&(whole + u64::from(within > 0))));
        if let Some(block) = self.blocks.get_mut(&whole) {
            block[within..].fill(0);
        }
        (self.len, self.unchanged_len) = (len, self.unchanged_len.min(len));
        self.operations.push(Operation::Length(len));
    }
}

/// Splits `length` bytes from `offset` on into blocks: the number of each block, the start within it, and the
/// range of the bytes.
fn blocks_of(
    offset: u64,
    length: usize,
) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        let at = offset + done as u64;
        let within = (at % BLOCK as u64) as usize;
        let from = done;
        done = length.min(from + BLOCK - within);
        (from < length).then_some((at / BLOCK as u64, within, from..done))
    })
}

impl StorageBackend for OverlayBackend {
    fn len(&self) -> io::Result<u64> {
        match self.buffered() {
            Some(overlay) => Ok(overlay.len),
            None => self.0.file.len(),
        }
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        match self.buffered() {
            Some(overlay) => overlay.read(&self.0.file, offset, out),
            None => self.0.file.read(offset, out),
        }
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        match self.buffered() {
            Some(mut overlay) => {
                overlay.set_len(len);
                Ok(())
            }
            None => self.0.file.set_len(len),
        }
    }

    fn sync_data(&self) -> io::Result<()> {
        match self.buffered() {
            Some(mut overlay) => {
                overlay.operations.push(Operation::Sync);
                Ok(())
            }
            None => self.0.file.sync_data(),
        }
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        match self.buffered() {
            Some(mut overlay) => overlay.write(&self.0.file, offset, data),
            None => self.0.file.write(offset, data),
        }
    }

    forward_locks!(|layer| layer.0.file);
}

#[cfg(test)]
mod tests {
    use fumikura_base::entropy::{SeededEntropy, random_bytes};
    use redb::backends::InMemoryBackend;

    use super::*;

    fn number(random: &SeededEntropy, below: u64) -> u64 {
        u64::from_le_bytes(random_bytes::<8>(random)) % below
    }

    fn contents(file: &impl StorageBackend) -> Vec<u8> {
        let mut contents = vec![0; file.len().unwrap() as usize];
        file.read(0, &mut contents).unwrap();
        contents
    }

    /// Applies the same random changes to two files.
    fn change(random: &SeededEntropy, files: [&dyn StorageBackend; 2]) {
        let len = files[0].len().unwrap();
        match number(random, 4) {
            0 => {
                let len = number(random, 30_000);
                files.iter().for_each(|file| file.set_len(len).unwrap());
            }
            1 => files.iter().for_each(|file| file.sync_data().unwrap()),
            _ if len > 0 => {
                let offset = number(random, len);
                let data =
                    vec![number(random, 256) as u8; number(random, len - offset + 1) as usize];
                for file in files {
                    file.write(offset, &data).unwrap();
                }
            }
            _ => {}
        }
    }

    #[test]
    fn buffered_writes_are_read_and_flushed_on_demand() {
        for seed in 0..100 {
            let random = SeededEntropy::new(seed);
            let before: Vec<u8> = (0..number(&random, 20_000)).map(|at| at as u8).collect();
            let (file, expected) = (InMemoryBackend::new(), InMemoryBackend::new());
            for file in [&file, &expected] {
                file.set_len(before.len() as u64).unwrap();
                file.write(0, &before).unwrap();
            }
            let overlay = OverlayBackend::new(Box::new(file)).unwrap();
            for _ in 0..20 {
                change(&random, [&overlay, &expected]);
                assert_eq!(contents(&overlay), contents(&expected), "seed {seed}");
            }
            let mut on_disk = vec![0; overlay.0.file.len().unwrap() as usize];
            overlay.0.file.read(0, &mut on_disk).unwrap();
            assert_eq!(on_disk, before, "seed {seed}");
            overlay.flush().unwrap();
            assert_eq!(contents(&overlay), contents(&expected), "seed {seed}");
            change(&random, [&overlay, &expected]);
            assert_eq!(contents(&overlay), contents(&expected), "seed {seed}");
            assert!(overlay.read(40_000, &mut [0]).is_err());
        }
    }
}
