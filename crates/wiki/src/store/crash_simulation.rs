//! Crash simulation for tests: a disk that loses power after a number of syncs.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::entropy::{Entropy, SeededEntropy};
use parking_lot::{Mutex, MutexGuard};
use redb::{DatabaseError, StorageBackend};

use super::error::StorageError;
use super::medium::Medium;
use super::open::Store;
use super::overlay::Backend;
use super::txn::WriteTxn;

/// A simulated disk, with the contents that would survive a power loss now.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<Platters>>);

#[derive(Default)]
struct Platters {
    /// The contents as the process sees them.
    seen: Vec<u8>,
    /// The synced contents.
    lasting: Vec<u8>,
    /// The operations since the last sync that counted.
    pending: Vec<Pending>,
    syncs: u64,
    /// The number of syncs after which nothing reaches the platters.
    power_until: Option<u64>,
}

#[derive(Clone)]
enum Pending {
    Length(u64),
    Write(u64, Vec<u8>),
}

impl Disk {
    /// Returns a disk that has a database already.
    pub(crate) fn holding(database: &[u8]) -> Self {
        let disk = Self::default();
        disk.lock().seen = database.to_vec();
        disk.lock().lasting = database.to_vec();
        disk
    }

    /// Makes the disk lose power after `syncs`.
    pub(crate) fn until(self, syncs: u64) -> Self {
        self.lock().power_until = Some(syncs);
        self
    }

    /// Returns a disk that loses power after `syncs`.
    pub(crate) fn with_power_until(syncs: u64) -> Self {
        Self::default().until(syncs)
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// Opens a store on the disk.
    pub(crate) fn store(
        &self,
        upgrade: impl FnOnce(&WriteTxn, u32) -> Result<(), StorageError>,
    ) -> Store {
        // The folder of this path is synced once the file is created; the file itself does not exist.
        let path = std::env::temp_dir().join("on-a-disk-in-memory");
        let medium = Box::new(self.clone());
        Store::on(medium, &path, Duration::ZERO, |_| Ok(()), upgrade).unwrap()
    }

    /// Writes the durable contents to a file. Any part of the writes since the last sync that counted may have
    /// reached the platters: `seed` selects which, none with 0.
    pub(crate) fn save_to(&self, path: &Path, seed: u64) {
        let platters = self.lock();
        let mut lasting = platters.lasting.clone();
        let chance = SeededEntropy::new(seed);
        for pending in &platters.pending {
            let mut coin = [0];
            chance.fill(&mut coin);
            if seed != 0 && coin[0] & 1 == 1 {
                apply(&mut lasting, pending);
            }
        }
        fs::write(path, &lasting).unwrap();
    }

    fn lock(&self) -> MutexGuard<'_, Platters> {
        self.0.lock()
    }
}

impl Medium for Disk {
    fn open(&self) -> Result<Backend, DatabaseError> {
        Ok(Box::new(Head(self.clone())))
    }

    fn open_to_read(&self) -> Result<Backend, DatabaseError> {
        self.open()
    }

    fn may_be_written(&self) -> io::Result<()> {
        Ok(())
    }
}

fn apply(bytes: &mut Vec<u8>, pending: &Pending) {
    match pending {
        Pending::Length(length) => bytes.resize(*length as usize, 0),
        Pending::Write(at, data) => {
            let end = *at as usize + data.len();
            if bytes.len() < end {
                bytes.resize(end, 0);
            }
            bytes[*at as usize..end].copy_from_slice(data);
        }
    }
}

/// The backend with which the database writes.
struct Head(Disk);

impl std::fmt::Debug for Head {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Head")
    }
}

impl Head {
    fn note(&self, pending: Pending) {
        let mut platters = self.0.lock();
        apply(&mut platters.seen, &pending);
        if platters
            .power_until
            .is_none_or(|until| platters.syncs <= until)
        {
            platters.pending.push(pending);
        }
    }
}

impl StorageBackend for Head {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.lock().seen.len() as u64)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let platters = self.0.lock();
        let from = offset as usize;
        let there = platters.seen.get(from..from + out.len());
        out.copy_from_slice(there.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.note(Pending::Length(len));
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.note(Pending::Write(offset, data.to_vec()));
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut platters = self.0.lock();
        platters.syncs += 1;
        if platters
            .power_until
            .is_none_or(|until| platters.syncs <= until)
        {
            let pending = std::mem::take(&mut platters.pending);
            for done in &pending {
                apply(&mut platters.lasting, done);
            }
        }
        Ok(())
    }
}
