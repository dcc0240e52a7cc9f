//! Edit locks (docs/spec/wiki.md, Locks).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::{LockToken, PageId, UserId};
use crate::model::micros;

/// A lock as it is stored, by its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockInfo {
    /// The token that releases, renews and uses the lock.
    pub token: LockToken,
    /// The locked page or draft.
    pub page: PageId,
    /// The owner of the lock.
    pub user: UserId,
    /// The end of the lock, unless it is renewed.
    #[serde(with = "micros")]
    pub expire: Timestamp,
}
