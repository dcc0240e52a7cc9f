//! What differs from system to system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

#[cfg(target_os = "linux")]
pub(crate) use linux::{prefers_dark, prepare, require_display, reveal, start_again};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{prefers_dark, prepare, require_display, reveal, start_again};
