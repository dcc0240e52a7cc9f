//! `close_window`, `keep_window`, `request_close`, `page_listens`, `page_drawn`, `print_page`, `note_view`, `note_tabs`,
//! `window_tabs`, `zoom_window`, `toggle_fullscreen`, `set_spelling`, `copy_diagnostics`, `notify_user`: messages from the
//! page to its window.

use fumikura_server::{WindowTabs, ZoomChange};
use serde::Deserialize;
use tauri::{Manager, State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::arguments::ShellArguments;
use crate::backend::Backend;
use crate::close::{self, CloseState};
use crate::notification::{self, Notification};
use crate::page::WindowPage;
use crate::platform;
use crate::window;
use crate::{clipboard, diagnostics, dialogs};

/// The view of the window.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteView {
    /// The address without its origin.
    address: String,
}

/// The tabs of the window.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoteTabs {
    tabs: WindowTabs,
}

/// A change of the zoom.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ZoomWindow {
    change: ZoomChange,
}

/// The spell checker of text fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetSpelling {
    enabled: bool,
    /// Its languages; those of the system if there are none.
    languages: Vec<String>,
}

/// A message to a user who may be in another window.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NotifyUser {
    title: String,
    body: String,
    /// The address that is shown on request, without its origin.
    address: String,
}

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
pub(crate) fn page_listens(page: State<'_, WindowPage>) {
    page.set_listening();
}

/// Records that the page has been drawn.
#[tauri::command]
pub(crate) fn page_drawn(page: State<'_, WindowPage>) {
    page.set_drawn();
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

/// Copies a text for the report of a problem: versions, the desktop and the end of the log.
#[tauri::command]
pub(crate) fn copy_diagnostics(arguments: State<'_, ShellArguments>) {
    clipboard::write_text(&diagnostics::text(&arguments, None));
}

/// Shows a desktop notification, unless the user is in this window.
#[tauri::command]
pub(crate) fn notify_user(
    window: WebviewWindow,
    args: Args<NotifyUser>,
) -> Result<(), CommandError> {
    let NotifyUser {
        title,
        body,
        address,
    } = args.0;
    if !address.starts_with('/') || address.starts_with("//") {
        return Err(CommandError::bad_request("This is not an address."));
    }
    if !window.is_focused().unwrap_or(false) {
        let notification = Notification {
            title,
            body,
            address,
        };
        notification::show(window.app_handle(), notification);
    }
    Ok(())
}

/// Closes the window as its own button does: the page saves everything first, and asks if it can't.
#[tauri::command]
pub(crate) fn request_close(window: WebviewWindow) -> Result<(), CommandError> {
    window.close().map_err(|error| {
        tracing::error!(%error, "the window can't be closed");
        CommandError::internal("The window can't be closed.")
    })
}

/// Records the view for the next start.
#[tauri::command]
pub(crate) async fn note_view(
    backend: State<'_, Backend>,
    args: Args<NoteView>,
) -> Result<(), CommandError> {
    Ok(backend.app().window().note_view(args.0.address).await?)
}

/// Records the tabs for the next start.
#[tauri::command]
pub(crate) async fn note_tabs(
    backend: State<'_, Backend>,
    args: Args<NoteTabs>,
) -> Result<(), CommandError> {
    Ok(backend.app().window().note_tabs(args.0.tabs).await?)
}

/// Returns the tabs that were recorded last; null at a first start.
#[tauri::command]
pub(crate) fn window_tabs(backend: State<'_, Backend>) -> Option<WindowTabs> {
    backend.app().window().tabs()
}

/// Changes the size of everything in the window, and returns it in percent.
#[tauri::command]
pub(crate) async fn zoom_window(
    window: WebviewWindow,
    backend: State<'_, Backend>,
    args: Args<ZoomWindow>,
) -> Result<u16, CommandError> {
    let percent = backend.app().window().change_zoom(args.0.change).await?;
    window::set_zoom(&window, percent).map_err(|error| {
        tracing::error!(%error, "the window can't be zoomed");
        CommandError::internal("The size can't be changed.")
    })?;
    Ok(percent)
}

/// Enters full screen, or leaves it.
#[tauri::command]
pub(crate) fn toggle_fullscreen(window: WebviewWindow) -> Result<(), CommandError> {
    let toggled = window
        .is_fullscreen()
        .and_then(|is_full| window.set_fullscreen(!is_full));
    toggled.map_err(|error| {
        tracing::error!(%error, "full screen can't be changed");
        CommandError::internal("The window can't change to full screen.")
    })
}

/// Sets the languages of the spell checker. Returns those that have a dictionary.
#[tauri::command]
pub(crate) async fn set_spelling(
    window: WebviewWindow,
    args: Args<SetSpelling>,
) -> Result<Vec<String>, CommandError> {
    let SetSpelling { enabled, languages } = args.0;
    let set = platform::set_spelling(&window, enabled, languages).await;
    set.map_err(|error| {
        tracing::error!(%error, "the spell checker can't be set");
        CommandError::internal("The spell checker can't be changed.")
    })
}
