//! Browser sessions, kept as the hash of their secret, so that a copy of the database lets nobody in.

use std::ops::ControlFlow;
use std::time::Duration;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::store::{Direction, Read, SESSION, StorageError};
use crate::wiki::Wiki;

/// How long a session lasts.
const LIFETIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A session's secret, hashed: what the store keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SessionKey([u8; 32]);

impl SessionKey {
    /// The key of a session whose secret this is.
    #[must_use]
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret.as_bytes()).into())
    }
}

impl Wiki {
    /// Begins a session of 30 days, and forgets those that ended.
    ///
    /// # Errors
    /// When the database fails.
    pub fn begin_session(&self, key: SessionKey) -> Result<(), StorageError> {
        let now = self.clock.now();
        self.store.write(|txn| {
            let mut ended: Vec<[u8; 32]> = Vec::new();
            txn.scan::<_, i64, &[u8; 32]>(SESSION, .., Direction::Ascending, |key, ends| {
                if ends <= now.as_microsecond() {
                    ended.push(*key);
                }
                ControlFlow::Continue(())
            })?;
            for key in &ended {
                txn.remove(SESSION, key)?;
            }
            txn.put(SESSION, &key.0, &(now + LIFETIME).as_microsecond())
        })
    }

    /// When the session ends, if there is one that has not ended.
    ///
    /// # Errors
    /// When the database fails.
    pub fn session_end(&self, key: SessionKey) -> Result<Option<Timestamp>, StorageError> {
        let ends = self.store.read(|txn| txn.get(SESSION, &key.0))?;
        Ok(ends
            .and_then(|ends| Timestamp::from_microsecond(ends).ok())
            .filter(|ends| *ends > self.clock.now()))
    }
}
