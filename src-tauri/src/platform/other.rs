//! Systems whose window needs no special setup.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use fumikura_server::SystemFont;
use tauri::{Theme, WebviewWindow};

/// Does nothing: the system's web view detects the hardware.
pub(crate) fn choose_rendering() {}

/// Succeeds, because there is always a display.
pub(crate) fn require_display() -> io::Result<()> {
    Ok(())
}

/// Returns true if pages that follow the system will be dark.
pub(crate) fn prefers_dark(window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(window.theme()? == Theme::Dark)
}

/// Returns none: the web view knows the font of the system's interface.
pub(crate) fn system_font() -> Option<SystemFont> {
    None
}

/// Does nothing.
pub(crate) fn prepare(_window: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Shows a file or folder in the system's file manager by opening the containing folder.
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
