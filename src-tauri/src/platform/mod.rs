//! Calls that depend on the desktop and its window system.

mod accent;
mod context_menu;
mod drag;
mod linux;
mod spelling;

use std::env::consts::EXE_SUFFIX;
use std::io;
use std::path::PathBuf;

pub(crate) use drag::{DraggedFiles, DroppedFiles, connect as connect_drags};
pub(crate) use linux::{
    has_graphics_card, libraries, prefers_dark, prepare, require_display, restart, restart_with,
    reveal, system_font,
};

pub(crate) use spelling::set_spelling;

/// Returns the path of a program that is installed next to this one.
pub(crate) fn sibling_program(name: &str) -> io::Result<PathBuf> {
    let own = std::env::current_exe()?;
    Ok(own.with_file_name(format!("{name}{EXE_SUFFIX}")))
}

/// The variable with the number of restarts of this program, passed from process to process.
const TRIES: &str = "FUMIKURA_STARTED_AGAIN";

/// Returns the number of earlier attempts of this start.
pub(crate) fn tries() -> u32 {
    let tries = std::env::var(TRIES)
        .ok()
        .and_then(|tries| tries.parse().ok());
    tries.unwrap_or(0)
}
