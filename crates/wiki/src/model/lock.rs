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
    /// The page or draft that it holds.
    pub page: PageId,
    /// Whose lock it is.
    pub user: UserId,
    /// When it ends unless it is renewed.
    #[serde(with = "micros")]
    pub expire: Timestamp,
}
