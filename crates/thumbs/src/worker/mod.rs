//! Decoding in child processes, so that a picture that crashes, hangs or starves its decoder affects no other
//! picture.
//!
//! - [`Workers`] is the parent's side: a [`Decode`](fumikura_image::Decode) that passes each picture to a
//!   worker.
//! - [`serve()`] is the child's side. Before its first picture it enters a [`sandbox`].
//! - [`wire`] defines their messages, exchanged over the socket that is the child's standard input. The picture
//!   and an empty file for the thumbnail are passed as open handles, so that a worker needs no path.
//! - [`system`] has the system calls.

mod child;
mod config;
mod error;
mod memory_need;
mod pool;
mod sandbox;
mod serve;
mod supervisor;
mod system;
mod wire;

pub use config::{WorkerConfig, WorkerLimits};
pub use error::{ServeError, WorkerError};
pub use pool::Workers;
pub(crate) use pool::decoder;
pub use sandbox::enter as enter_sandbox;
pub use serve::{serve, serve_videos};
