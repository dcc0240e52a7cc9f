//! Artifacts and their packed form in the index.

use std::sync::Arc;

/// An artifact: the id of a picture and the number of a thumbnail's variant, or the hash of a folder's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArtifactKey {
    /// 20 bytes: the id of a picture's fingerprint, or the SHA-1 of a folder's path.
    pub id: [u8; 20],
    /// The variant; 0 for a manifest.
    pub variant: u32,
}

/// The kind of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A thumbnail.
    Blob,
    /// The index of a folder.
    Manifest,
}

/// The state of an artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Status {
    /// The artifact is served.
    Active,
    /// The artifact has expired; cleanup removes it, unless it is read first.
    PendingDestruction,
    /// Cleanup is removing the artifact.
    Processing,
    /// The artifact could not be removed; cleanup retries later.
    Error,
}

/// The name of a group: a root's id, or a name for artifacts without a root.
pub type GroupName = Arc<str>;

/// An artifact, as callers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    pub key: ArtifactKey,
    pub group: GroupName,
    pub kind: Kind,
    /// The size on the disk, in bytes.
    pub size: u32,
    /// The last read, in seconds since 1970.
    pub read_at: i64,
    /// The state.
    pub status: Status,
}

/// An artifact in memory: 36 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) key: ArtifactKey,
    pub(crate) size: u32,
    /// Seconds since 1970; sufficient until 2106.
    pub(crate) read_at: u32,
    /// The index of the group's name in the list of groups.
    pub(crate) group: u16,
    pub(crate) kind: Kind,
    pub(crate) status: Status,
}

const _: () = assert!(size_of::<Row>() == 36, "a million rows take at most 40 MB");

/// The size of a row in a file, in bytes.
pub(crate) const ROW_BYTES: usize = 36;

impl Row {
    pub(crate) fn to_bytes(self) -> [u8; ROW_BYTES] {
        let mut bytes = [0; ROW_BYTES];
        bytes[..20].copy_from_slice(&self.key.id);
        bytes[20..24].copy_from_slice(&self.key.variant.to_le_bytes());
        bytes[24..28].copy_from_slice(&self.size.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.read_at.to_le_bytes());
        bytes[32..34].copy_from_slice(&self.group.to_le_bytes());
        bytes[34] = match self.kind {
            Kind::Blob => 0,
            Kind::Manifest => 1,
        };
        bytes[35] = match self.status {
            Status::Active => 0,
            Status::PendingDestruction => 1,
            Status::Processing => 2,
            Status::Error => 3,
        };
        bytes
    }

    /// Returns `None` if the bytes are not a valid row.
    pub(crate) fn from_bytes(bytes: &[u8; ROW_BYTES]) -> Option<Self> {
        let number = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let mut id = [0; 20];
        id.copy_from_slice(&bytes[..20]);
        Some(Self {
            key: ArtifactKey {
                id,
                variant: number(20),
            },
            size: number(24),
            read_at: number(28),
            group: u16::from_le_bytes([bytes[32], bytes[33]]),
            kind: match bytes[34] {
                0 => Kind::Blob,
                1 => Kind::Manifest,
                _ => return None,
            },
            status: match bytes[35] {
                0 => Status::Active,
                1 => Status::PendingDestruction,
                2 => Status::Processing,
                3 => Status::Error,
                _ => return None,
            },
        })
    }
}

/// Converts seconds since 1970 to the type of a row.
pub(crate) fn packed_seconds(seconds: i64) -> u32 {
    u32::try_from(seconds.max(0)).unwrap_or(u32::MAX)
}
