//! The findings of rolling verification.

use serde::Serialize;
use utoipa::ToSchema;

/// The findings of rolling verification.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct HashesFound {
    /// Files that the disk damaged.
    pub corrupt: u64,
    /// Changed files.
    pub changed: u64,
    /// Files that are missing or cannot be read.
    pub missing: u64,
}
