//! Expiry of cached artifacts by age.
//!
//! A group (a root folder) has a policy: artifacts expire after a number of days without a read. A marking
//! run only marks them; cleanup removes them one at a time. The index is derived: nothing else depends on it,
//! and it can be rebuilt. The rules are in `docs/spec/ttl.md`.

mod artifact;
mod clock;
mod file;
mod index;
mod policy;
mod removal_log;
mod schedule;
mod summary;

pub use artifact::{Artifact, ArtifactKey, GroupName, Kind, Status};
pub use clock::{ClockGuard, ClockJump};
pub use file::{IndexFile, LoadError, Save};
pub use index::{Cleanup, Index, MarkedRun, UNKNOWN};
pub use policy::{InvalidPolicy, Policy, UncheckedPolicy};
pub use removal_log::{RemovalLog, Remover};
pub use schedule::Schedule;
pub use summary::{AGES, Amount, Counts, GroupUsage, RemovalFailure, Report};
