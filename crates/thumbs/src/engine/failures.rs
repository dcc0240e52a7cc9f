//! The pictures that can't be decoded. They are remembered, so that they are not tried again until they
//! change (and so have another version). Videos that nothing on the system decodes are tried again soon.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use fumikura_fs::PictureVersion;
use fumikura_image::DecodeError;
use parking_lot::{Mutex, MutexGuard};

use super::failure_log::FailureLog;

/// The number of remembered failures. The oldest is forgotten first, and then simply tried again.
const MAX_FAILURES: usize = 10_000;
/// The time after which a video is tried again that nothing on the system could decode.
const RETRY_AFTER: Duration = Duration::from_secs(60);
/// The number of such videos that are remembered; the others are tried again.
const MAX_MISSING: usize = 1_000;

#[derive(Default)]
pub(super) struct Failures {
    table: Mutex<FailureTable>,
    /// The videos that nothing on the system could decode, each with the time of the attempt.
    missing: Mutex<HashMap<PictureVersion, (DecodeError, Instant)>>,
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

    /// Returns the failure of a picture that is not to be tried again now.
    pub(super) fn get(&self, version: PictureVersion) -> Option<DecodeError> {
        let lasting = self.lock().errors.get(&version).cloned();
        lasting.or_else(|| self.recent_miss(version, Instant::now()))
    }

    fn recent_miss(&self, version: PictureVersion, now: Instant) -> Option<DecodeError> {
        let missing = self.missing.lock();
        let (error, since) = missing.get(&version)?;
        (now.duration_since(*since) < RETRY_AFTER).then(|| error.clone())
    }

    /// Returns true if decoding fails whatever is installed on the system.
    pub(super) fn contains(&self, version: PictureVersion) -> bool {
        self.lock().errors.contains_key(&version)
    }

    /// Remembers that nothing on the system decodes a video.
    fn remember_miss(&self, version: PictureVersion, error: &DecodeError, now: Instant) {
        let mut missing = self.missing.lock();
        missing.retain(|_, (_, since)| now.duration_since(*since) < RETRY_AFTER);
        if missing.len() < MAX_MISSING {
            missing.insert(version, (error.clone(), now));
        }
    }

    /// Remembers a failure if it would recur.
    pub(super) fn remember(&self, version: PictureVersion, error: &DecodeError) {
        if matches!(error, DecodeError::NoVideoDecoder(_)) {
            self.remember_miss(version, error, Instant::now());
        }
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
    fn missing_video_decoders_are_tried_again() {
        let failures = Failures::default();
        let (error, now) = (DecodeError::NoVideoDecoder("H.264".into()), Instant::now());
        failures.remember(id(1), &error);
        assert!(failures.get(id(1)).is_some() && !failures.contains(id(1)));
        failures.remember_miss(id(2), &error, now);
        assert!(failures.recent_miss(id(2), now).is_some());
        assert!(failures.recent_miss(id(2), now + RETRY_AFTER).is_none());
        for number in 0..2 * MAX_MISSING as u64 {
            failures.remember_miss(id(number), &error, now + RETRY_AFTER);
        }
        assert_eq!(failures.missing.lock().len(), MAX_MISSING);
    }

    #[test]
    fn disk_errors_are_not_remembered() {
        let failures = Failures::default();
        let error = DecodeError::Io(Arc::new(std::io::Error::other("unplugged")));
        failures.remember(id(1), &error);
        assert!(failures.get(id(1)).is_none());
    }
}
