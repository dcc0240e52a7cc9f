//! The pictures that can't be decoded. They are remembered, so that they are not tried again until they
//! change (and so have another version).

use std::collections::{HashMap, VecDeque};

use fumikura_fs::PictureVersion;
use fumikura_image::DecodeError;
use parking_lot::{Mutex, MutexGuard};

use super::failure_log::FailureLog;

/// The number of remembered failures. The oldest is forgotten first, and then simply tried again.
const MAX_FAILURES: usize = 10_000;

#[derive(Default)]
pub(super) struct Failures {
    table: Mutex<FailureTable>,
    /// The failures that are stored beyond the end of the program.
    log: Option<FailureLog>,
}

#[derive(Debug, Default)]
struct FailureTable {
    errors: HashMap<PictureVersion, DecodeError>,
    oldest_first: VecDeque<PictureVersion>,
}

impl Failures {
    /// Creates the failures with those that are stored.
    pub(super) fn with_log(log: FailureLog) -> Self {
        let failures = Self::default();
        for (version, error) in log.read(MAX_FAILURES) {
            failures.remember(version, &error);
        }
        Self {
            log: Some(log),
            ..failures
        }
    }

    pub(super) fn get(&self, version: PictureVersion) -> Option<DecodeError> {
        self.lock().errors.get(&version).cloned()
    }

    pub(super) fn contains(&self, version: PictureVersion) -> bool {
        self.lock().errors.contains_key(&version)
    }

    /// Remembers a failure if it would recur.
    pub(super) fn remember(&self, version: PictureVersion, error: &DecodeError) {
        if !error.is_lasting() {
            return;
        }
        let mut table = self.lock();
        if table.errors.insert(version, error.clone()).is_some() {
            return;
        }
        table.oldest_first.push_back(version);
        if table.oldest_first.len() > MAX_FAILURES
            && let Some(oldest) = table.oldest_first.pop_front()
        {
            table.errors.remove(&oldest);
        }
        drop(table);
        if let Some(log) = &self.log {
            log.add(version, error);
        }
    }

    fn lock(&self) -> MutexGuard<'_, FailureTable> {
        self.table.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use fumikura_fs::{Ctime, ThumbId};

    fn id(number: u64) -> PictureVersion {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        PictureVersion {
            id: ThumbId::from_bytes(bytes),
            ctime: Ctime::default(),
        }
    }

    #[test]
    fn oldest_failures_are_forgotten_first() {
        let failures = Failures::default();
        for number in 0..=MAX_FAILURES as u64 {
            failures.remember(id(number), &DecodeError::NotAPicture);
        }
        assert!(!failures.contains(id(0)));
        assert!(failures.contains(id(1)));
        assert_eq!(failures.lock().errors.len(), MAX_FAILURES);
    }

    #[test]
    fn disk_errors_are_not_remembered() {
        let failures = Failures::default();
        let error = DecodeError::Io(Arc::new(std::io::Error::other("unplugged")));
        failures.remember(id(1), &error);
        assert!(failures.get(id(1)).is_none());
    }
}
