//! Closes the window: the page gets a short time to save everything.
//!
//! If something cannot be saved when the user closes the window, the page reports it, and the window stays
//! open so that the user can decide. The end of the session, or a signal, closes the window without a
//! question.

use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager, WebviewWindow, WindowEvent};

use crate::page::WindowPage;
use crate::quick;
use crate::window::MAIN;

/// The event that requests the page to save unsaved changes, and then to call `close_window` or
/// `keep_window`.
const WINDOW_CLOSING: &str = "window-closing";
/// The time limit of the page.
const PAGE_TIMEOUT: Duration = Duration::from_secs(2);

/// The payload of [`WINDOW_CLOSING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct WindowClosing {
    /// True if the page may keep the window open to ask the user.
    may_stay: bool,
}

/// The progress of closing the window.
#[derive(Debug, Default)]
pub(crate) struct CloseState(Mutex<ClosePhase>);

#[derive(Debug, Default)]
struct ClosePhase {
    /// The number of started attempts to close; each has its own time limit.
    attempts: u32,
    /// True if the last attempt is still in progress.
    in_progress: bool,
    /// True if the attempt can no longer be cancelled.
    is_certain: bool,
}

impl CloseState {
    /// Starts an attempt to close. Returns its number, or None if an attempt in progress already has this
    /// effect.
    fn begin(&self, may_stay: bool) -> Option<u32> {
        let mut state = self.state();
        let has_effect = !state.in_progress || (!may_stay && !state.is_certain);
        if !has_effect {
            return None;
        }
        state.attempts += 1;
        state.in_progress = true;
        state.is_certain = !may_stay;
        Some(state.attempts)
    }

    /// Cancels the attempt. Returns false if it cannot be cancelled.
    pub(crate) fn keep(&self) -> bool {
        let mut state = self.state();
        if !state.is_certain {
            state.in_progress = false;
        }
        !state.is_certain
    }

    /// Returns true if this attempt is still in progress.
    fn is(&self, number: u32) -> bool {
        let state = self.state();
        state.in_progress && state.attempts == number
    }

    fn in_progress(&self) -> bool {
        self.state().in_progress
    }

    fn state(&self) -> MutexGuard<'_, ClosePhase> {
        self.0.lock()
    }
}

/// Lets the page handle the close button.
pub(crate) fn watch(window: &WebviewWindow) {
    let closed = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::CloseRequested { api, .. } = event {
            api.prevent_close();
            begin(&closed, true);
        }
    });
}

/// Closes the window, if there is one, or ends the application, independent of the page. May be called from
/// any thread.
pub(crate) fn close(app: &AppHandle) {
    match app.get_webview_window(MAIN) {
        Some(window) => begin(&window, false),
        None => app.exit(0),
    }
}

/// Continues an attempt to close without a page that has ended. Returns false if there is no attempt.
pub(crate) fn page_ended(window: &WebviewWindow) -> bool {
    let in_progress = window.state::<CloseState>().in_progress();
    if in_progress {
        destroy(window);
    }
    in_progress
}

/// Closes the window now; without the main one, the others close as well.
pub(crate) fn finish(window: &WebviewWindow) -> tauri::Result<()> {
    if window.label() != MAIN {
        return window.close();
    }
    quick::close(window.app_handle())?;
    // A later start of Fumikura must create a new process from now on. Before this point, the window could
    // still stay open, and a later start would use it.
    tauri_plugin_single_instance::destroy(window);
    window.destroy()
}

/// Closes the window now, without the page.
pub(crate) fn end(window: &WebviewWindow) {
    destroy(window);
}

fn begin(window: &WebviewWindow, may_stay: bool) {
    let Some(number) = window.state::<CloseState>().begin(may_stay) else {
        return;
    };
    let is_loaded = window.state::<WindowPage>().is_loaded();
    if !is_loaded
        || window
            .emit(WINDOW_CLOSING, WindowClosing { may_stay })
            .is_err()
    {
        destroy(window);
        return;
    }
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(PAGE_TIMEOUT).await;
        if window.state::<CloseState>().is(number) {
            destroy(&window);
        }
    });
}

fn destroy(window: &WebviewWindow) {
    if let Err(error) = finish(window) {
        tracing::debug!(%error, "the window had gone already");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_window_can_be_closed_again() {
        let closing = CloseState::default();
        let first = closing.begin(true).unwrap();
        assert!(closing.is(first) && closing.in_progress());
        assert_eq!(closing.begin(true), None, "it has begun already");
        assert!(closing.keep());
        assert!(!closing.is(first) && !closing.in_progress());
        let second = closing.begin(true).unwrap();
        assert!(closing.is(second));
        assert!(!closing.is(first), "the first one's time limit is over");
    }

    #[test]
    fn close_by_signal_cannot_be_cancelled() {
        let closing = CloseState::default();
        let asked = closing.begin(true).unwrap();
        let certain = closing.begin(false).unwrap();
        assert!(closing.is(certain) && !closing.is(asked));
        assert!(!closing.keep());
        assert!(closing.in_progress());
        assert_eq!(closing.begin(true), None);
        assert_eq!(closing.begin(false), None);
    }
}
