//! Systems whose window needs nothing special.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use fumikura_server::SystemFont;
use tauri::{Theme, WebviewWindow};

/// The system's own page view knows what the machine has.
pub(crate) fn choose_rendering() {}

/// There is always a display.
pub(crate) fn require_display() -> io::Result<()> {
    Ok(())
}

/// Whether pages that follow the system will be dark.
pub(crate) fn prefers_dark(window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(window.theme()? == Theme::Dark)
}

/// The page view itself knows what the system's interface is written in.
pub(crate) fn system_font() -> Option<SystemFont> {
    None
}

/// Nothing is to be prepared.
pub(crate) fn prepare(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Shows a file or folder in the system's file manager: the folder that it lies in.
pub(crate) fn reveal(place: &Path) -> io::Result<()> {
    open::that_detached(place.parent().unwrap_or(place))
}

/// Starts this program again with other arguments, and waits for its end.
pub(crate) fn start_again(arguments: Vec<OsString>, tries: u32) -> io::Error {
    let ended = std::env::current_exe().and_then(|program| {
        std::process::Command::new(program)
            .args(arguments)
            .env(super::TRIES, tries.to_string())
            .status()
    });
    match ended {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => error,
    }
}
