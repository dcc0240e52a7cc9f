//! Edit locks: acquired, renewed, released, and swept after they expire (docs/spec/wiki.md, Locks).

mod error;
mod gate;
mod held;
mod list;
mod moment;
mod rows;
mod sweep;

pub use error::LockError;
pub use gate::GateError;
pub use held::{HeldLock, LockStatus};
pub use list::ListedLock;
pub use sweep::ReleasedLock;

pub(crate) use gate::{UnlockedPage, UnlockedPages};
pub(crate) use held::status;
pub(crate) use moment::{LockTime, Moment};
pub(crate) use rows::{free, grant, holder_of, living, lock_that_counts, name_of, remove_draft};
