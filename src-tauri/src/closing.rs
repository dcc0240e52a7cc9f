//! Closing the window: the page is asked to put everything in a safe place, and given a little time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tauri::{AppHandle, Emitter, Manager, WebviewWindow, WindowEvent};

use crate::page::Page;
use crate::window::MAIN;

/// Asks the page to save what is unsaved and then to call `close_window`.
const WINDOW_CLOSING: &str = "window-closing";
/// How long the page may take.
const PAGE_WITHIN: Duration = Duration::from_secs(2);

/// Whether the end of the window has begun.
#[derive(Debug, Default)]
pub(crate) struct Closing(AtomicBool);

/// Puts the page before the close button.
pub(crate) fn watch(window: &WebviewWindow) {
    let closed = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::CloseRequested { api, .. } = event {
            api.prevent_close();
            begin(&closed);
        }
    });
}

/// Closes the window, if there is one, or ends the application; from any thread.
pub(crate) fn close(app: &AppHandle) {
    match app.get_webview_window(MAIN) {
        Some(window) => begin(&window),
        None => app.exit(0),
    }
}

/// Goes on with the end without waiting for a page that is no more. False if no end has begun.
pub(crate) fn page_ended(window: &WebviewWindow) -> bool {
    let has_begun = window.state::<Closing>().0.load(Ordering::Relaxed);
    if has_begun {
        destroy(window);
    }
    has_begun
}

fn begin(window: &WebviewWindow) {
    if window.state::<Closing>().0.swap(true, Ordering::Relaxed) {
        return;
    }
    // Who starts Fumikura from now on means a new one, not this.
    tauri_plugin_single_instance::destroy(window);
    if !window.state::<Page>().is_there() || window.emit(WINDOW_CLOSING, ()).is_err() {
        destroy(window);
        return;
    }
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(PAGE_WITHIN).await;
        destroy(&window);
    });
}

fn destroy(window: &WebviewWindow) {
    if let Err(error) = window.destroy() {
        tracing::debug!(%error, "the window had gone already");
    }
}
