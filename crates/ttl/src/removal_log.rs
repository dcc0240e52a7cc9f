//! Artifacts that were removed and then needed again: a sign that the size limit or the age limit is too
//! small.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::ArtifactKey;
use crate::artifact::packed_seconds;

/// The time for which a removal is remembered, in seconds.
const REMEMBERED_SECONDS: u32 = 30 * 86_400;
/// The maximum number of remembered removals.
const MAX_REMOVALS: usize = 200_000;
/// The size of a removal in a file, in bytes.
const BYTES: usize = 13;

/// The cause of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Remover {
    /// Eviction, which bounds the size.
    Eviction,
    /// Expiry, which bounds the age.
    Expiry,
}

/// The removals of the last 30 days, and the numbers of artifacts that were needed again.
#[derive(Debug, Default)]
pub struct RemovalLog {
    /// Keyed by the first 8 bytes of the key's hash: two removals that share them count as one.
    removed: HashMap<u64, (u32, Remover)>,
    evicted: u64,
    expired: u64,
}

impl RemovalLog {
    /// Records a removal. If too many are remembered, further ones are not.
    pub fn record_removal(&mut self, key: &ArtifactKey, by: Remover, now: Timestamp) {
        let now = packed_seconds(now.as_second());
        if self.removed.len() >= MAX_REMOVALS {
            self.forget_old(now);
        }
        if self.removed.len() < MAX_REMOVALS {
            self.removed.insert(short(key), (now, by));
        }
    }

    /// Records that an artifact was made. It is counted if it had been removed in the last 30 days.
    pub fn record_made(&mut self, key: &ArtifactKey, now: Timestamp) {
        let now = packed_seconds(now.as_second());
        let removed = self.removed.remove(&short(key));
        match removed.filter(|(at, _)| now.saturating_sub(*at) < REMEMBERED_SECONDS) {
            Some((_, Remover::Eviction)) => self.evicted += 1,
            Some((_, Remover::Expiry)) => self.expired += 1,
            None => {}
        }
    }

    /// Returns the number of artifacts that were made again after a removal by this cause, since the start.
    #[must_use]
    pub fn regenerated(&self, by: Remover) -> u64 {
        match by {
            Remover::Eviction => self.evicted,
            Remover::Expiry => self.expired,
        }
    }

    /// Returns the removals, for a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.removed.len() * BYTES);
        for (key, (at, by)) in &self.removed {
            bytes.extend_from_slice(&key.to_le_bytes());
            bytes.extend_from_slice(&at.to_le_bytes());
            bytes.push(match by {
                Remover::Eviction => 0,
                Remover::Expiry => 1,
            });
        }
        bytes
    }

    /// Reads the removals of a file, as far as possible: nothing depends on them.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let (entries, _) = bytes.as_chunks::<BYTES>();
        let entry = |entry: &[u8; BYTES]| {
            let (key, rest) = entry.split_first_chunk()?;
            let (at, by) = rest.split_first_chunk()?;
            let by = match by {
                [0] => Remover::Eviction,
                [1] => Remover::Expiry,
                _ => return None,
            };
            Some((u64::from_le_bytes(*key), (u32::from_le_bytes(*at), by)))
        };
        Self {
            removed: entries
                .iter()
                .filter_map(entry)
                .take(MAX_REMOVALS)
                .collect(),
            ..Self::default()
        }
    }

    fn forget_old(&mut self, now: u32) {
        self.removed
            .retain(|_, (at, _)| now.saturating_sub(*at) < REMEMBERED_SECONDS);
    }
}

/// Returns a short hash. An id is a hash already; the variant is mixed in.
fn short(key: &ArtifactKey) -> u64 {
    let mut id = [0; 8];
    id.copy_from_slice(&key.id[..8]);
    u64::from_le_bytes(id) ^ u64::from(key.variant).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8, variant: u32) -> ArtifactKey {
        ArtifactKey {
            id: [number; 20],
            variant,
        }
    }

    #[test]
    fn artifact_recreated_within_thirty_days_counts_once() {
        let start = Timestamp::from_second(1_800_000_000).unwrap();
        let days = |days: i64| start + jiff::SignedDuration::from_hours(24 * days);
        let mut log = RemovalLog::default();
        log.record_removal(&key(1, 1), Remover::Eviction, start);
        log.record_removal(&key(1, 2), Remover::Expiry, start);
        log.record_removal(&key(2, 1), Remover::Expiry, start);
        let mut log = RemovalLog::from_bytes(&log.to_bytes());
        log.record_made(&key(1, 1), days(29));
        log.record_made(&key(1, 1), days(29));
        log.record_made(&key(3, 1), days(29));
        assert_eq!(log.regenerated(Remover::Eviction), 1);
        log.record_made(&key(1, 2), days(29));
        log.record_made(&key(2, 1), days(30));
        assert_eq!(log.regenerated(Remover::Expiry), 1);
    }

    #[test]
    fn damaged_file_is_read_up_to_damage() {
        let mut log = RemovalLog::default();
        let now = Timestamp::from_second(1_800_000_000).unwrap();
        log.record_removal(&key(1, 1), Remover::Expiry, now);
        let mut bytes = log.to_bytes();
        bytes.extend_from_slice(&[9; 20]);
        let mut read = RemovalLog::from_bytes(&bytes);
        read.record_made(&key(1, 1), now);
        assert_eq!(read.regenerated(Remover::Expiry), 1);
    }
}
