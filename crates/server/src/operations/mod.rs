//! What can be asked for by more than one door: the HTTP interface and the window's commands call
//! the same functions of [`App`](crate::App), with the same arguments, answers and errors.

mod locks;

pub use locks::{LockAcquire, LockState, LockWithToken, OfPage, PageLock};
