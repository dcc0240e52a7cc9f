//! Numbers that a person may set, and how far they may go, wherever they are set.

use std::ops::RangeInclusive;

use super::ConfigError;

/// How many thumbnails may be made at once.
pub(super) const WORKERS: Range = Range {
    numbers: 1..=256,
    allowed: "a whole number from 1 to 256",
};
/// How many thumbnails may wait to be made.
pub(super) const QUEUE: Range = Range {
    numbers: 1..=1_000_000,
    allowed: "a whole number from 1 to 1000000",
};

/// How many expired artifacts may be removed at the same time.
pub(super) const TTL_WORKERS: Range = Range {
    numbers: 0..=16,
    allowed: "a whole number from 0 to 16",
};

/// How many pixels a picture may have that is decoded.
pub(super) const PIXELS: Range = Range {
    numbers: 1..=4_000_000_000,
    allowed: "a whole number from 1 to 4000000000",
};
/// How many seconds one may wait for a picture to be decoded.
pub(super) const SECONDS: Range = Range {
    numbers: 1..=3600,
    allowed: "a whole number from 1 to 3600",
};

/// The numbers that are allowed.
pub(super) struct Range {
    numbers: RangeInclusive<usize>,
    pub(super) allowed: &'static str,
}

impl Range {
    /// The number, if it is allowed; `name` says where it was set.
    pub(super) fn check(&self, name: &str, number: usize) -> Result<usize, ConfigError> {
        if self.numbers.contains(&number) {
            Ok(number)
        } else {
            Err(ConfigError::bad(name, number, self.allowed))
        }
    }
}
