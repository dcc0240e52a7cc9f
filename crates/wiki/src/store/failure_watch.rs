//! A watched database file: its first failure is recorded, so that the database is reopened before its next
//! use.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use redb::StorageBackend;

use super::lock_forwarding::forward_locks;

/// The failure flag of a file, shared between the file and its users.
#[derive(Debug, Clone, Default)]
pub(super) struct FailureFlag(Arc<AtomicBool>);

impl FailureFlag {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn record<T, E>(&self, result: Result<T, E>) -> Result<T, E> {
        if result.is_err() {
            self.set();
        }
        result
    }
}

/// A backend that forwards every operation and records the first failure.
#[derive(Debug)]
pub(super) struct WatchedBackend<B> {
    inner: B,
    failure: FailureFlag,
}

impl<B> WatchedBackend<B> {
    pub(super) fn new(inner: B, failure: FailureFlag) -> Self {
        Self { inner, failure }
    }
}

impl<B: StorageBackend> StorageBackend for WatchedBackend<B> {
    fn len(&self) -> io::Result<u64> {
        self.failure.record(self.inner.len())
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.failure.record(self.inner.read(offset, out))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.failure.record(self.inner.set_len(len))
    }

    fn sync_data(&self) -> io::Result<()> {
        self.failure.record(self.inner.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.failure.record(self.inner.write(offset, data))
    }

    forward_locks!(|layer| layer.inner);
}
