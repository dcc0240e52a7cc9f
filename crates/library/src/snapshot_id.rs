//! Ids of snapshots.

use std::fmt;
use std::str::FromStr;

/// Identifies a snapshot, so that the pages of one listing fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SnapshotId(u64);

impl SnapshotId {
    pub(crate) const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self(u64::from_le_bytes(bytes))
    }
}

impl fmt::Display for SnapshotId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// A text that is no [`SnapshotId`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a listing's id is 16 hexadecimal digits in lower case")]
pub struct InvalidSnapshotId;

impl FromStr for SnapshotId {
    type Err = InvalidSnapshotId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let id = u64::from_str_radix(text, 16).map(Self);
        id.ok()
            .filter(|id| id.to_string() == text)
            .ok_or(InvalidSnapshotId)
    }
}
