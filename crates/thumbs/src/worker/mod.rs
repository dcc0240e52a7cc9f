//! Decoding in child processes, so that a picture that kills, hangs or starves its decoder costs that
//! picture and nothing else.
//!
//! [`Workers`] is the parent's side: a [`Decode`](crate::Decode) that hands each picture to a worker.
//! [`serve`] is the child's. They talk by messages ([`wire`]) over the socket that the child has as
//! its standard input; the picture and an empty file for the thumbnail go along as open handles, so
//! that a worker needs to know no path. From its first picture on it is in a [`sandbox`]. What else of this only Linux
//! has is in [`system`].
//!
//! Elsewhere pictures are decoded in the process itself.

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
