//! Sessions of browsers.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::id::SessionId;
use crate::model::micros;

/// A session as it is stored, by the SHA-256 of its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionInfo {
    /// When it ends. The first field, so that a row of an earlier schema is its beginning.
    #[serde(with = "micros")]
    pub ends: Timestamp,
    /// Its id, as it is listed.
    pub id: SessionId,
    /// When it began.
    #[serde(with = "micros")]
    pub began: Timestamp,
    /// When it was last seen, to about an hour.
    #[serde(with = "micros")]
    pub seen: Timestamp,
    /// What the browser calls itself (`User-Agent`), cut after 256 bytes.
    pub user_agent: Option<String>,
}
