//! `close_window`, `keep_window`, `page_listens`, `print_page`: messages from the page to its window.

use tauri::{State, WebviewWindow};

use super::error::CommandError;
use crate::close::{self, CloseState};
use crate::dialogs;
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

/// Lets the user print the page as it is shown, and waits until that is done. Returns false if the user cancelled.
#[tauri::command]
pub(crate) async fn print_page(window: WebviewWindow) -> Result<bool, CommandError> {
    let printed = dialogs::print(&window).await.map_err(|error| {
        tracing::error!(%error, "the print dialog can't be shown");
        CommandError::internal("The system's print dialog can't be shown.")
    })?;
    printed.map_err(|error| {
        tracing::error!(%error, "printing failed");
        CommandError::internal("The page could not be printed.")
    })
}
