//! Decoding in child processes, so that a picture that crashes, hangs or starves its decoder affects no other
//! picture.
//!
//! [`Workers`] is the parent's side: a [`Decode`](crate::Decode) that passes each picture to a worker. [`serve()`] is
//! the child's. They exchange messages ([`wire`]) over the socket that is the child's standard input. The picture and
//! an empty file for the thumbnail are passed as open handles, so that a worker needs no path. Before its first
//! picture it enters a [`sandbox`]. Other Linux-specific parts are in [`system`].
//!
//! On other systems pictures are decoded in the process itself.

mod config;
mod error;

#[cfg(target_os = "linux")]
mod child;
#[cfg(target_os = "linux")]
mod keeper;
#[cfg(target_os = "linux")]
mod need;
#[cfg(target_os = "linux")]
mod pool;
#[cfg(target_os = "linux")]
mod sandbox;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod system;
#[cfg(target_os = "linux")]
mod wire;

#[cfg(not(target_os = "linux"))]
mod elsewhere;

pub use config::{WorkerConfig, WorkerLimits};
pub use error::{ServeError, WorkerError};

#[cfg(target_os = "linux")]
pub use pool::Workers;
#[cfg(target_os = "linux")]
pub(crate) use pool::decoder;
#[cfg(target_os = "linux")]
pub use sandbox::enter as enter_sandbox;
#[cfg(target_os = "linux")]
pub use serve::serve;

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::decoder;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::serve;
