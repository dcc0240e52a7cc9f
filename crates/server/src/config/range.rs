//! The ranges of numeric settings, shared by the environment and the file.

use std::ops::RangeInclusive;

use super::ConfigError;

/// The number of thumbnails made at the same time.
pub(super) const WORKERS: Range = Range {
    numbers: 1..=256,
    allowed: "a whole number from 1 to 256",
};
/// The maximum number of queued thumbnails.
pub(super) const QUEUE: Range = Range {
    numbers: 1..=1_000_000,
    allowed: "a whole number from 1 to 1000000",
};

/// The number of expired artifacts removed at the same time.
pub(super) const TTL_WORKERS: Range = Range {
    numbers: 0..=16,
    allowed: "a whole number from 0 to 16",
};

/// The maximum number of pixels of a decoded picture.
pub(super) const PIXELS: Range = Range {
    numbers: 1..=4_000_000_000,
    allowed: "a whole number from 1 to 4000000000",
};
/// The time limit of decoding a picture, in seconds.
pub(super) const SECONDS: Range = Range {
    numbers: 1..=3600,
    allowed: "a whole number from 1 to 3600",
};

/// A range of allowed numbers.
pub(super) struct Range {
    numbers: RangeInclusive<usize>,
    pub(super) allowed: &'static str,
}

impl Range {
    /// Returns the number if it is allowed; `name` is the setting's name in the error.
    pub(super) fn check(&self, name: &str, number: usize) -> Result<usize, ConfigError> {
        if self.numbers.contains(&number) {
            Ok(number)
        } else {
            Err(ConfigError::bad(name, number, self.allowed))
        }
    }
}
