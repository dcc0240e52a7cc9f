//! Closing the window: the page is asked to put everything in a safe place, and given a little time.
//!
//! A person who closes the window is asked first when something can't be kept: the page says so, and
//! the window stays. The end of the session, or a signal, asks nobody.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager, WebviewWindow, WindowEvent};

use crate::page::Page;
use crate::window::MAIN;

/// Asks the page to save what is unsaved, and then to call `close_window` or `keep_window`.
const WINDOW_CLOSING: &str = "window-closing";
/// How long the page may take.
const PAGE_WITHIN: Duration = Duration::from_secs(2);

/// What the page is told with [`WINDOW_CLOSING`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct WindowClosing {
    /// Whether the page may keep the window, to ask the person.
    may_stay: bool,
}

/// How far the end of the window has come.
#[derive(Debug, Default)]
pub(crate) struct Closing(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// How many ends have begun; each has a time limit of its own.
    begun: u32,
    /// Whether the last of them goes on.
    goes_on: bool,
    /// Whether nothing may stop it any more.
    is_certain: bool,
}

impl Closing {
    /// Begins an end; its number, or None if there is one that this changes nothing about.
    fn begin(&self, may_stay: bool) -> Option<u32> {
        let mut state = self.state();
        let is_news = !state.goes_on || (!may_stay && !state.is_certain);
        if !is_news {
            return None;
        }
        state.begun += 1;
        state.goes_on = true;
        state.is_certain = !may_stay;
        Some(state.begun)
    }

    /// Takes the end back. False if nothing may.
    pub(crate) fn keep(&self) -> bool {
        let mut state = self.state();
        if !state.is_certain {
            state.goes_on = false;
        }
        !state.is_certain
    }

    /// Whether it is still this end that goes on.
    fn is(&self, number: u32) -> bool {
        let state = self.state();
        state.goes_on && state.begun == number
    }

    fn goes_on(&self) -> bool {
        self.state().goes_on
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts the page before the close button.
pub(crate) fn watch(window: &WebviewWindow) {
    let closed = window.clone();
    window.on_window_event(move |event| {
        if let WindowEvent::CloseRequested { api, .. } = event {
            api.prevent_close();
            begin(&closed, true);
        }
    });
}

/// Closes the window, if there is one, or ends the application, whatever the page says; from any
/// thread.
pub(crate) fn close(app: &AppHandle) {
    match app.get_webview_window(MAIN) {
        Some(window) => begin(&window, false),
        None => app.exit(0),
    }
}

/// Goes on with the end without waiting for a page that is no more. False if no end has begun.
pub(crate) fn page_ended(window: &WebviewWindow) -> bool {
    let goes_on = window.state::<Closing>().goes_on();
    if goes_on {
        destroy(window);
    }
    goes_on
}

/// The window goes now.
pub(crate) fn finish(window: &WebviewWindow) -> tauri::Result<()> {
    // Who starts Fumikura from now on means a new one, not this. Not earlier: a window that stays
    // after all is the one that they mean.
    tauri_plugin_single_instance::destroy(window);
    window.destroy()
}

fn begin(window: &WebviewWindow, may_stay: bool) {
    let Some(number) = window.state::<Closing>().begin(may_stay) else {
        return;
    };
    let is_there = window.state::<Page>().is_there();
    if !is_there
        || window
            .emit(WINDOW_CLOSING, WindowClosing { may_stay })
            .is_err()
    {
        destroy(window);
        return;
    }
    let window = window.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(PAGE_WITHIN).await;
        if window.state::<Closing>().is(number) {
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
    fn a_window_that_is_kept_can_be_closed_again() {
        let closing = Closing::default();
        let first = closing.begin(true).unwrap();
        assert!(closing.is(first) && closing.goes_on());
        assert_eq!(closing.begin(true), None, "it has begun already");
        assert!(closing.keep());
        assert!(!closing.is(first) && !closing.goes_on());
        let second = closing.begin(true).unwrap();
        assert!(closing.is(second));
        assert!(!closing.is(first), "the first one's time limit is over");
    }

    #[test]
    fn what_ends_by_a_signal_is_not_kept() {
        let closing = Closing::default();
        let asked = closing.begin(true).unwrap();
        let certain = closing.begin(false).unwrap();
        assert!(closing.is(certain) && !closing.is(asked));
        assert!(!closing.keep());
        assert!(closing.goes_on());
        assert_eq!(closing.begin(true), None);
        assert_eq!(closing.begin(false), None);
    }
}
