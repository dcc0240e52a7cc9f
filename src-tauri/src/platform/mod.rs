//! What differs from system to system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(crate) use linux::{prepare, require_display, start_again};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{prepare, require_display, start_again};
