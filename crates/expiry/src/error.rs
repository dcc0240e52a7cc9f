//! The errors of expiry.

use std::io;

use fumikura_ttl::ClockJump;

/// The reason why expiry can't read its policies, or can't mark artifacts.
#[derive(Debug, thiserror::Error)]
pub enum ExpiryError {
    /// The clock is not trusted at the moment.
    #[error(transparent)]
    ClockJumped(#[from] ClockJump),
    /// The file of the policies can't be read.
    #[error(
        "The expiry settings (ttl.json) can't be read; nothing expires until the file is repaired or deleted"
    )]
    PoliciesUnreadable(#[source] io::Error),
    /// The file of the policies can't be written.
    #[error("The expiry settings can't be written")]
    PoliciesUnwritable(#[source] io::Error),
    /// The index, or the results of runs, can't be written.
    #[error("The index of cached artifacts can't be written")]
    IndexUnwritable(#[source] io::Error),
}
