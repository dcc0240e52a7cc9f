//! The interface of the two backends.

use fumikura_base::budget::Budget;

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

    /// Deletes all counts of all clients, as far as the budget allows.
    ///
    /// # Errors
    /// [`BackendError::Incomplete`] if the budget is spent first; others if the store cannot be used.
    fn reset(&self, budget: &Budget) -> Result<(), BackendError>;

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
    /// Redis answered with an error, such as a wrong password or a full memory. Its own words are not shown: it may
    /// repeat the password.
    #[error("Redis refused: {reason} ({code})")]
    Refused {
        /// The error code of Redis, such as `OOM`.
        code: &'static str,
        /// The meaning of the code.
        reason: &'static str,
    },
    /// Redis named another server, which would receive the password, and is not configured as a cluster.
    #[error("Redis names another node of a cluster; set REDIS_CLUSTER to true if it is one")]
    Redirected,
    /// Redis answered in another form than the commands have.
    #[error("Redis gave an answer that can't be understood")]
    NotUnderstood,
    /// The server is too old, or it is not Redis.
    #[error("Redis 5 or newer is required{}", major.map_or_else(String::new, |major| format!("; this is Redis {major}")))]
    Unsupported {
        /// The major version of the server, if it names one.
        major: Option<u64>,
    },
    /// The time limit ended, or the client left, before all counts were deleted.
    #[error("not all counts have been deleted; repeat the request")]
    Incomplete,
    /// The local calendar does not cover the time of Redis.
    #[error("the clocks of this machine and of Redis differ by more than a day")]
    ClocksDiffer,
}
