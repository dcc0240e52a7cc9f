//! Browser sessions.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::SessionId;
use crate::model::micros;

/// A session as it is stored, by the SHA-256 of its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// The end of the session. This field comes first, so that a row of an earlier schema is a prefix of it.
    #[serde(with = "micros")]
    pub ends: Timestamp,
    /// The id under which it is listed.
    pub id: SessionId,
    /// The start of the session.
    #[serde(with = "micros")]
    pub began: Timestamp,
    /// The time when it was last used, to about an hour.
    #[serde(with = "micros")]
    pub seen: Timestamp,
    /// The browser's `User-Agent`, cut after 256 bytes.
    pub user_agent: Option<String>,
}
