//! Crash simulation for tests: a disk that loses power after a number of syncs.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::entropy::{Entropy, SeededEntropy};
use parking_lot::{Mutex, MutexGuard};
use redb::{DatabaseError, StorageBackend};

use super::medium::Medium;
use super::open::Store;
use super::overlay::Backend;

/// A simulated disk, with the contents that would survive a power loss now.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<DiskState>>);

#[derive(Default)]
struct DiskState {
    /// The contents as the process sees them.
    contents: Vec<u8>,
    /// The synced contents.
    durable: Vec<u8>,
    /// The operations since the last sync that counted.
    pending: Vec<Operation>,
    syncs: u64,
    /// The number of syncs after which nothing reaches the platters.
    syncs_until_power_loss: Option<u64>,
}

#[derive(Clone)]
enum Operation {
    Length(u64),
    Write(u64, Vec<u8>),
}

impl Disk {
    /// Returns a disk that loses power after `syncs`.
    pub(crate) fn losing_power_after(syncs: u64) -> Self {
        let disk = Self::default();
        disk.lock().syncs_until_power_loss = Some(syncs);
        disk
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// Opens a store on the disk.
    pub(crate) fn store(&self) -> Store {
        // The folder of this path is synced once the file is created; the file itself does not exist.
        let path = std::env::temp_dir().join("on-a-disk-in-memory");
        let medium = Box::new(self.clone());
        Store::open_medium(medium, &path, Duration::ZERO, |_| Ok(())).unwrap()
    }

    /// Writes the durable contents to a file. Any part of the writes since the last sync that counted may have
    /// reached the platters: `seed` selects which, none with 0.
    pub(crate) fn save_to(&self, path: &Path, seed: u64) {
        let state = self.lock();
        let mut durable = state.durable.clone();
        let chance = SeededEntropy::new(seed);
        for operation in &state.pending {
            let mut coin = [0];
            chance.fill(&mut coin);
            if seed != 0 && coin[0] & 1 == 1 {
                apply(&mut durable, operation);
            }
        }
        fs::write(path, &durable).unwrap();
    }

    fn lock(&self) -> MutexGuard<'_, DiskState> {
        self.0.lock()
    }
}

impl Medium for Disk {
    fn open(&self) -> Result<Backend, DatabaseError> {
        Ok(Box::new(DiskBackend(self.clone())))
    }

    fn open_read_only(&self) -> Result<Backend, DatabaseError> {
        self.open()
    }

    fn check_writable(&self) -> io::Result<()> {
        Ok(())
    }
}

fn apply(bytes: &mut Vec<u8>, operation: &Operation) {
    match operation {
        Operation::Length(length) => bytes.resize(*length as usize, 0),
        Operation::Write(at, data) => {
            let end = *at as usize + data.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[*at as usize..end].copy_from_slice(data);
        }
    }
}

/// The backend with which the database writes.
struct DiskBackend(Disk);

impl std::fmt::Debug for DiskBackend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("DiskBackend")
    }
}

impl DiskBackend {
    fn apply(&self, operation: Operation) {
        let mut state = self.0.lock();
        apply(&mut state.contents, &operation);
        if state
            .syncs_until_power_loss
            .is_none_or(|until| state.syncs <= until)
        {
            state.pending.push(operation);
        }
    }
}

impl StorageBackend for DiskBackend {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().contents.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let state = self.0.lock();
        let from = offset as usize;
        let bytes = state.contents.get(from..from + out.len());
        out.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.apply(Operation::Length(len));
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.apply(Operation::Write(offset, data.to_vec()));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.0.lock();
        state.syncs += 1;
        if state
            .syncs_until_power_loss
            .is_none_or(|until| state.syncs <= until)
        {
            let pending = std::mem::take(&mut state.pending);
            for operation in &pending {
                apply(&mut state.durable, operation);
            }
        }
        Ok(())
    }
}
