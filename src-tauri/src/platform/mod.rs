//! What differs from system to system.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;

use std::env::consts::EXE_SUFFIX;
use std::io;
use std::path::PathBuf;

#[cfg(target_os = "linux")]
pub(crate) use linux::{
    choose_rendering, prefers_dark, prepare, require_display, reveal, start_again, system_font,
};
#[cfg(not(target_os = "linux"))]
pub(crate) use other::{
    choose_rendering, prefers_dark, prepare, require_display, reveal, start_again, system_font,
};

/// Where a program of ours lies that comes with this one.
pub(crate) fn beside(name: &str) -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(own.with_file_name(format!("{name}{EXE_SUFFIX}")))
}

/// How often this program has put itself in its own place, told from process to process.
const TRIES: &str = "FUMIKURA_STARTED_AGAIN";

/// How often this process has been tried before.
pub(crate) fn tries() -> u32 {
    let tries = std::env::var(TRIES)
        .ok()
        .and_then(|tries| tries.parse().ok());
    tries.unwrap_or(0)
}
