//! The interface of the two backends.

use crate::{ClientKey, Outcome, RequestId, Usage};

/// A store of reservations. Every method is atomic.
pub trait Backend: Send + Sync {
    /// Counts a request of `client`, or says why not. The daily limits are checked before the minute limit.
    ///
    /// # Errors
    /// [`BackendError`] when the store can't be used. The request may have been counted all the same if the answer was
    /// lost.
    fn reserve(&self, client: &ClientKey) -> Result<Outcome, BackendError>;

    /// Takes a request out of the window and out of the count of the day on which it was reserved. Returns whether it
    /// did: an unknown, released or 60 seconds old request is not credited.
    ///
    /// # Errors
    /// [`BackendError`] when the store can't be used.
    fn release(&self, client: &ClientKey, id: RequestId) -> Result<bool, BackendError>;

    /// The client's counts.
    ///
    /// # Errors
    /// [`BackendError`] when the store can't be used.
    fn usage(&self, client: &ClientKey) -> Result<Usage, BackendError>;

    /// Forgets all counts of all clients.
    ///
    /// # Errors
    /// [`BackendError`] when the store can't be used.
    fn reset(&self) -> Result<(), BackendError>;

    /// Checks that the store answers.
    ///
    /// # Errors
    /// [`BackendError`] when it does not.
    fn check(&self) -> Result<(), BackendError>;
}

/// A store of reservations can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// No connection, or it broke.
    #[error("Redis can't be reached: {0}")]
    Unreachable(String),
    /// No answer within the timeout.
    #[error("Redis did not answer within {0} ms")]
    TimedOut(u128),
    /// All connections were in use for as long as the timeout.
    #[error("all connections to Redis are in use")]
    Busy,
    /// Redis answered with an error, such as a wrong password or a full memory.
    #[error("Redis refused: {code} {message}")]
    Refused {
        /// Redis' own error code, such as `OOM`.
        code: String,
        /// Its message.
        message: String,
    },
    /// The server is too old, or it is not Redis.
    #[error("Redis 5 or newer is required; this server says “{0}”")]
    Unsupported(String),
    /// The local calendar does not cover the time of Redis.
    #[error("the clocks of this machine and of Redis differ by more than a day")]
    ClocksDiffer,
}
