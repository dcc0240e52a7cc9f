//! Browser sessions. Only the hash of the secret is stored, so that a copy of the database gives no access.

use std::ops::ControlFlow;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::id::SessionId;
use crate::model::session::SessionInfo;
use crate::parts::Sessions;
use crate::store::{Direction, Read, SESSION, StorageError};

/// The lifetime of a session.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The maximum number of bytes of a user agent that are stored.
const USER_AGENT_BYTES: usize = 256;

/// The hash of a session's secret, which is the key in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionKey([u8; 32]);

impl SessionKey {
    /// The key of the session with this secret.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }
}

impl SessionInfo {
    /// A session that begins now and lasts 30 days. `user_agent` is cut after 256 bytes.
    #[must_use]
    pub fn begin(user_agent: Option<&str>, clock: &dyn Clock, entropy: &dyn Entropy) -> Self {
        let now = clock.now();
        Self {
            ends: now + LIFETIME,
            id: SessionId::generate(now, entropy),
            began: now,
            seen: now,
            user_agent: user_agent.map(truncate),
        }
    }
}

/// The text, cut at a character boundary to the maximum number of bytes.
fn truncate(text: &str) -> String {
    let ends = text.char_indices().map(|(at, char)| at + char.len_utf8());
    let end = ends.take_while(|end| *end <= USER_AGENT_BYTES).last();
    text[..end.unwrap_or(0)].to_owned()
}

impl Sessions<'_> {
    /// Stores a new session, and removes expired ones.
    ///
    /// # Errors
    /// If the database fails.
    pub fn begin(&self, key: SessionKey, info: &SessionInfo) -> Result<(), StorageError> {
        let now = self.clock.now();
        self.store.write(|txn| {
            let mut ended: Vec<[u8; 32]> = Vec::new();
            txn.scan::<_, SessionInfo, &[u8; 32]>(
                SESSION,
                ..,
                Direction::Ascending,
                |key, row| {
                    if row.ends <= now {
                        ended.push(*key);
                    }
                    ControlFlow::Continue(())
                },
            )?;
            for key in &ended {
                txn.remove(SESSION, key)?;
            }
            txn.put(SESSION, &key.0, info)
        })
    }

    /// A session, if it is stored and has not expired.
    ///
    /// # Errors
    /// If the database fails.
    pub fn get(&self, key: SessionKey) -> Result<Option<SessionInfo>, StorageError> {
        let info = self.store.read(|txn| txn.get(SESSION, &key.0))?;
        Ok(info.filter(|info| info.ends > self.clock.now()))
    }

    /// All stored sessions that have not expired, in no particular order.
    ///
    /// # Errors
    /// If the database fails.
    pub fn all(&self) -> Result<Vec<(SessionKey, SessionInfo)>, StorageError> {
        let now = self.clock.now();
        let mut found = Vec::new();
        self.store.read(|txn| {
            txn.scan::<_, SessionInfo, &[u8; 32]>(SESSION, .., Direction::Ascending, |key, info| {
                if info.ends > now {
                    found.push((SessionKey(*key), info));
                }
                ControlFlow::Continue(())
            })
        })?;
        Ok(found)
    }

    /// Ends sessions: durably, all or none of them. Sessions that are not stored are skipped.
    ///
    /// # Errors
    /// If the database fails.
    pub fn end(&self, keys: &[SessionKey]) -> Result<(), StorageError> {
        self.store.write(|txn| {
            for key in keys {
                txn.remove(SESSION, &key.0)?;
            }
            Ok(())
        })
    }

    /// Stores the times at which sessions were last seen. Sessions that are no longer stored stay ended.
    ///
    /// # Errors
    /// If the database fails.
    pub fn update_last_seen(&self, seen: &[(SessionKey, Timestamp)]) -> Result<(), StorageError> {
        self.store.write(|txn| {
            for (key, at) in seen {
                if let Some(mut info) = txn.get(SESSION, &key.0)? {
                    info.seen = *at;
                    txn.put(SESSION, &key.0, &info)?;
                }
            }
            Ok(())
        })
    }
}
