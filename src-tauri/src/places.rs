//! Pages, folders, pictures and commands from a command line: of this process, or of a later start.

use std::path::PathBuf;
use std::time::Duration;

use fumikura_server::ErrorBody;
use percent_encoding::{NON_ALPHANUMERIC, percent_encode};
use serde::Serialize;
use tauri::{AppHandle, Emitter, Manager, WebviewWindow};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

use crate::arguments::PageCommand;
use crate::backend::Backend;
use crate::dialogs;
use crate::instance::HandOver;
use crate::language::Language;
use crate::messages;
use crate::page::WindowPage;
use crate::rendering::{self, RenderingRestart};
use crate::window::{self, MAIN};
use crate::{missing_parts, quick};

/// The event that requests the page to show a folder, or a picture in its folder.
const OPEN_PLACE: &str = "open-place";
/// The event that requests the page to run one of its commands.
const RUN_COMMAND: &str = "run-command";
/// The time within which a loaded page must begin to listen.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(10);

/// The payload of [`OPEN_PLACE`].
#[derive(Clone, Serialize)]
struct OpenPlace {
    address: String,
}

/// The payload of [`RUN_COMMAND`].
#[derive(Clone, Copy, Serialize)]
struct RunCommand {
    command: PageCommand,
}

/// The results of opening folders and pictures.
#[derive(Default)]
pub(crate) struct OpenResult {
    /// The address of the page, or of the first one that could be opened.
    first: Option<String>,
    /// Those that could not be opened, each with the reason.
    failed: Vec<(PathBuf, Box<ErrorBody>)>,
    /// The command that the page is to run.
    command: Option<PageCommand>,
}

/// Opens a page, folders and pictures, one after the other.
pub(crate) async fn open(backend: &Backend, request: HandOver) -> OpenResult {
    let mut opened = OpenResult {
        first: request.page.map(|path| page_address(&path)),
        command: request.command,
        ..OpenResult::default()
    };
    for place in request.places {
        match backend.open_place(&place).await {
            Ok(address) => opened.first = opened.first.or(Some(address)),
            Err(reason) => opened.failed.push((place, reason)),
        }
    }
    opened
}

/// Returns the address at which a page is read.
fn page_address(path: &str) -> String {
    let names = path.trim_start_matches('/').split('/');
    let encoded = names.map(|name| percent_encode(name.as_bytes(), NON_ALPHANUMERIC).to_string());
    format!("/wiki/{}", encoded.collect::<Vec<_>>().join("/"))
}

impl OpenResult {
    /// Returns the initial page: the first place that was named, or else the last view.
    pub(crate) fn start_page(&self, backend: &Backend) -> String {
        let first = self.first.clone();
        first.unwrap_or_else(|| backend.app().window().last_view())
    }

    /// Returns true if nothing but the quick note is requested, which has a window of its own.
    fn is_quick_note(&self) -> bool {
        self.command == Some(PageCommand::QuickNote)
            && self.first.is_none()
            && self.failed.is_empty()
    }

    /// Shows the first place in the page.
    fn show(&self, window: &WebviewWindow) -> tauri::Result<()> {
        self.first.clone().map_or(Ok(()), |address| {
            window.emit(OPEN_PLACE, OpenPlace { address })
        })
    }

    fn run_command(&self, window: &WebviewWindow) -> tauri::Result<()> {
        self.command.map_or(Ok(()), |command| {
            window.emit(RUN_COMMAND, RunCommand { command })
        })
    }

    /// Reports to the user, above the page, what could not be opened, with the reasons.
    pub(crate) async fn report_failures(self, window: &WebviewWindow) {
        if !self.failed.is_empty() {
            window.state::<WindowPage>().wait_until_loaded().await;
        }
        for (place, reason) in self.failed {
            let name = place
                .file_name()
                .unwrap_or(place.as_os_str())
                .to_string_lossy()
                .into_owned();
            let language = Language::of_the_user(window);
            let heading = messages::cannot_open(language, &name);
            let sentence = messages::place_failure(language, *reason);
            if let Err(error) = dialogs::show_message(window, &heading, &sentence) {
                tracing::warn!(%error, place = %place.display(), "a place could not be opened, and the message could not be shown");
            }
        }
    }
}

/// Opens the window that a start requests. Must be called on the main thread.
pub(crate) fn show_window(app: &AppHandle, opened: &OpenResult) -> tauri::Result<()> {
    if opened.is_quick_note() {
        return quick::open(app);
    }
    let backend = app.state::<Backend>();
    let window = window::open(app, &opened.start_page(&backend))?;
    let missing = missing_parts::of_the_desktop(Language::of_the_user(app));
    tauri::async_runtime::spawn(missing_parts::report(window.clone(), missing));
    let restart = RenderingRestart::clone(&app.state::<RenderingRestart>());
    tauri::async_runtime::spawn(rendering::watch(window, restart));
    Ok(())
}

/// Runs the command of this start, and reports what it could not open. Then does the same for later starts: their
/// folders and pictures are opened, and their window comes to the front each time.
pub(crate) async fn handle_later_starts(
    app: AppHandle,
    opened: OpenResult,
    mut later: UnboundedReceiver<HandOver>,
) {
    if let Some(window) = app.get_webview_window(MAIN) {
        if opened.command.is_some() {
            wait_until_page_listens(&window).await;
            if let Err(error) = opened.run_command(&window) {
                tracing::warn!(%error, "the command of this start could not be run");
            }
        }
        opened.report_failures(&window).await;
    }
    while let Some(request) = later.recv().await {
        let backend = app.state::<Backend>().inner().clone();
        let opened = open(&backend, request).await;
        if let Err(error) = answer(&app, opened).await {
            tracing::warn!(%error, "a later start could not be answered");
        }
    }
}

/// Shows what a later start requests, in a window that exists or a new one.
async fn answer(app: &AppHandle, opened: OpenResult) -> tauri::Result<()> {
    let existing = app.get_webview_window(MAIN);
    let has_window = existing.is_some() && !opened.is_quick_note();
    let opened = if has_window {
        opened
    } else {
        show_on_main_thread(app, opened).await?
    };
    if opened.is_quick_note() {
        return Ok(());
    }
    let Some(window) = app.get_webview_window(MAIN) else {
        return Ok(());
    };
    wait_until_page_listens(&window).await;
    if has_window {
        opened.show(&window)?;
    }
    opened.run_command(&window)?;
    bring_to_front(&window)?;
    opened.report_failures(&window).await;
    Ok(())
}

/// Opens the window of a later start, and returns its request.
async fn show_on_main_thread(app: &AppHandle, opened: OpenResult) -> tauri::Result<OpenResult> {
    let (done, shown) = oneshot::channel();
    let owner = app.clone();
    app.run_on_main_thread(move || {
        let result = show_window(&owner, &opened);
        // Nobody waits if the application is ending.
        let _ending = done.send(result.map(|()| opened));
    })?;
    shown
        .await
        .map_err(|_| tauri::Error::from(std::io::Error::other("the main thread has ended")))?
}

/// Waits until the page listens to events. A page that cannot be shown never does; its events are then lost
/// without harm.
async fn wait_until_page_listens(window: &WebviewWindow) {
    let page = window.state::<WindowPage>();
    page.wait_until_loaded().await;
    if tokio::time::timeout(LISTEN_TIMEOUT, page.wait_until_listening())
        .await
        .is_err()
    {
        tracing::warn!("the page does not listen to events");
    }
}

/// Shows an address in the page, and brings the window to the front.
pub(crate) fn show_address(window: &WebviewWindow, address: String) -> tauri::Result<()> {
    window.emit(OPEN_PLACE, OpenPlace { address })?;
    bring_to_front(window)
}

/// Shows a window above all others, with the focus.
pub(crate) fn bring_to_front(window: &WebviewWindow) -> tauri::Result<()> {
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_its_address() {
        assert_eq!(page_address("/"), "/wiki/");
        assert_eq!(page_address("/旅/50%?"), "/wiki/%E6%97%85/50%25%3F");
    }
}
