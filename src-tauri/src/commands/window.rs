//! `close_window`, `keep_window`, `page_listens`: what the page says of itself to the window.

use tauri::{State, WebviewWindow};

use super::error::CommandError;
use crate::closing::{self, Closing};
use crate::page::Page;

/// The page has put everything in a safe place: the window may go.
#[tauri::command]
pub(crate) fn close_window(window: WebviewWindow) -> Result<(), CommandError> {
    closing::finish(&window).map_err(|error| {
        tracing::error!(%error, "the window can't be closed");
        CommandError::internal("The window can't be closed.")
    })
}

/// Something could not be kept: the window stays until the person has been asked. False if it can't.
#[tauri::command]
pub(crate) fn keep_window(closing: State<'_, Closing>) -> bool {
    closing.keep()
}

/// The page hears from now on what the shell tells it.
#[tauri::command]
pub(crate) fn page_listens(page: State<'_, Page>) {
    page.listens();
}
