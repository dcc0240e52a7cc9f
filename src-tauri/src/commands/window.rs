//! `close_window`, `keep_window`, `page_listens`: notifications from the page to the window.

use tauri::{State, WebviewWindow};

use super::error::CommandError;
use crate::close::{self, CloseState};
use crate::page::Page;

/// Closes the window: the page has saved everything.
#[tauri::command]
pub(crate) fn close_window(window: WebviewWindow) -> Result<(), CommandError> {
    close::finish(&window).map_err(|error| {
        tracing::error!(%error, "the window can't be closed");
        CommandError::internal("The window can't be closed.")
    })
}

/// Keeps the window open until the user has decided, because something could not be saved. Returns false if
/// the window must close.
#[tauri::command]
pub(crate) fn keep_window(closing: State<'_, CloseState>) -> bool {
    closing.keep()
}

/// Records that the page listens to events of the shell from now on.
#[tauri::command]
pub(crate) fn page_listens(page: State<'_, Page>) {
    page.set_listening();
}
