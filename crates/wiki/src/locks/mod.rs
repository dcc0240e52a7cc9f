//! Edit locks: acquired, renewed, released, and swept after they expire (docs/spec/wiki.md, Locks).

mod error;
mod gate;
mod list;
mod page_lock;
mod rows;
mod sweep;
mod validity;

pub use error::LockError;
pub use gate::GateError;
pub use list::ListedLock;
pub use page_lock::{HeldLock, LockStatus};
pub use sweep::ReleasedLock;

pub(crate) use gate::{UnlockedPage, UnlockedPages};
pub(crate) use list::all_locks;
pub(crate) use page_lock::status;
pub(crate) use rows::{
    active_lock, existing_page, grant, lock_token_of, name_of, remove_draft, unlock,
};
pub(crate) use validity::{LockTime, Moment};
