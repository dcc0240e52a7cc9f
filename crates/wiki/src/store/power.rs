//! A disk whose power goes after so many syncs: for tests.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fumikura_base::entropy::{Entropy, SeededEntropy};
use redb::{DatabaseError, StorageBackend};

use super::error::StorageError;
use super::held::Backend;
use super::medium::Medium;
use super::open::Store;
use super::txn::WriteTxn;

/// A disk, seen from outside: what would still be there if the power went now.
#[derive(Clone, Default)]
pub(crate) struct Disk(Arc<Mutex<Platters>>);

#[derive(Default)]
struct Platters {
    /// What the process sees.
    seen: Vec<u8>,
    /// What has been synced.
    lasting: Vec<u8>,
    /// What was done since the last sync that counted.
    pending: Vec<Pending>,
    syncs: u64,
    writes: u64,
    /// After this many syncs nothing reaches the platters any more.
    power_until: Option<u64>,
}

#[derive(Clone)]
enum Pending {
    Length(u64),
    Write(u64, Vec<u8>),
}

impl Disk {
    /// One on which a database lies already.
    pub(crate) fn holding(database: &[u8]) -> Self {
        let disk = Self::default();
        disk.lock().seen = database.to_vec();
        disk.lock().lasting = database.to_vec();
        disk
    }

    /// The same, but its power goes after `syncs`.
    pub(crate) fn until(self, syncs: u64) -> Self {
        self.lock().power_until = Some(syncs);
        self
    }

    /// One whose power goes after `syncs`.
    pub(crate) fn with_power_until(syncs: u64) -> Self {
        Self::default().until(syncs)
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.lock().syncs
    }

    /// How often something was written, be it a page or the header.
    pub(crate) fn writes(&self) -> u64 {
        self.lock().writes
    }

    /// Opens a store on it.
    pub(crate) fn store(
        &self,
        upgrade: impl FnOnce(&WriteTxn, u32) -> Result<(), StorageError>,
    ) -> Store {
        // The folder is synced once the file is made; there is none here.
        let path = std::env::temp_dir().join("on-a-disk-in-memory");
        let medium = Box::new(self.clone());
        Store::on(medium, &path, Duration::ZERO, |_| Ok(()), upgrade).unwrap()
    }

    /// Puts what lasts into a file. Of what was written after the last sync that counted, any part
    /// may have reached the platters: `seed` draws which, none with 0.
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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

/// What the database writes with.
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
        self.0.lock().writes += 1;
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
