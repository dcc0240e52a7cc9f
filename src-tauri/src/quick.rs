//! The window of the quick note: a small one, for a start with `--quick`, with or without the main window.

use tauri::{AppHandle, Manager, WebviewWindow, WindowEvent};

use crate::backend::Backend;
use crate::window::{self, Appearance, MAIN};
use crate::{messages, places};

/// The window's label.
pub(crate) const QUICK: &str = "quick-note";

/// The page of the window.
const PAGE: &str = "/quick-note";

const APPEARANCE: Appearance = Appearance {
    size: (480.0, 320.0),
    least_size: (320.0, 240.0),
};

/// Opens the window, or brings it to the front. Its page keeps an unfinished text in the browser's storage, so the window
/// can be closed at any time. Must be called on the main thread.
pub(crate) fn open(app: &AppHandle) -> tauri::Result<()> {
    if let Some(window) = app.get_webview_window(QUICK) {
        return places::bring_to_front(&window);
    }
    let builder = window::builder(app, QUICK, messages::APPLICATION, &APPEARANCE).center();
    let window = window::build(builder)?;
    watch(&window);
    window.navigate(address(app))?;
    window.show()?;
    window.set_focus()
}

/// Returns the page's address. The main window has signed in already, for all windows.
fn address(app: &AppHandle) -> tauri::Url {
    let backend = app.state::<Backend>();
    match app.get_webview_window(MAIN) {
        Some(_) => {
            let mut url = backend.address().clone();
            url.set_path(PAGE);
            url
        }
        None => backend.entrance(PAGE),
    }
}

fn watch(window: &WebviewWindow) {
    let closed = window.clone();
    window.on_window_event(move |event| {
        let is_last = closed.get_webview_window(MAIN).is_none();
        if matches!(event, WindowEvent::CloseRequested { .. }) && is_last {
            // A later start must create a new process from now on.
            tauri_plugin_single_instance::destroy(&closed);
        }
    });
}

/// Closes the window, if it is open.
pub(crate) fn close(app: &AppHandle) -> tauri::Result<()> {
    app.get_webview_window(QUICK)
        .map_or(Ok(()), |window| window.destroy())
}
