//! The interface of the two backends.

use crate::{ClientKey, Outcome, RequestId, Usage};

/// A store of reservations. Every method is atomic.
pub trait Backend: Send + Sync {
    /// Counts a request of `client`, or returns the reason to refuse it. The daily limits are checked before
    /// the minute limit.
    ///
    /// # Errors
    /// [`BackendError`] if the store cannot be used. If only the answer was lost, the request may be counted.
    fn reserve(&self, client: &ClientKey) -> Result<Outcome, BackendError>;

    /// Removes a request from the window and from the count of the day on which it was reserved. Returns true
    /// if it was credited: unknown, released and 60 seconds old requests are not.
    ///
    /// # Errors
    /// [`BackendError`] if the store cannot be used.
    fn release(&self, client: &ClientKey, id: RequestId) -> Result<bool, BackendError>;

    /// Returns the client's counts.
    ///
    /// # Errors
    /// [`BackendError`] if the store cannot be used.
    fn usage(&self, client: &ClientKey) -> Result<Usage, BackendError>;

    /// Deletes all counts of all clients.
    ///
    /// # Errors
    /// [`BackendError`] if the store cannot be used.
    fn reset(&self) -> Result<(), BackendError>;

    /// Checks that the store answers.
    ///
    /// # Errors
    /// [`BackendError`] if it does not.
    fn check(&self) -> Result<(), BackendError>;
}

/// The reason why a store of reservations cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The connection failed or was lost.
    #[error("Redis can't be reached: {0}")]
    Unreachable(String),
    /// There was no answer within the timeout.
    #[error("Redis did not answer within {0} ms")]
    TimedOut(u128),
    /// Redis works, but all connections stayed in use by other requests.
    #[error("all connections to Redis are in use")]
    Busy,
    /// Redis answered with an error, such as a wrong password or a full memory.
    #[error("Redis refused: {code} {message}")]
    Refused {
        /// The error code of Redis, such as `OOM`.
        code: String,
        /// The message of Redis.
        message: String,
    },
    /// The server is too old, or it is not Redis.
    #[error("Redis 5 or newer is required; this server says “{0}”")]
    Unsupported(String),
    /// The local calendar does not cover the time of Redis.
    #[error("the clocks of this machine and of Redis differ by more than a day")]
    ClocksDiffer,
}
