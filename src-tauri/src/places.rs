//! Folders from a command line: of this process, or of a later start.

use std::path::PathBuf;
use std::time::Duration;

use fumikura_server::ErrorBody;
use serde::Serialize;
use tauri::{Emitter, Manager, WebviewWindow};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::backend::Backend;
use crate::dialogs;
use crate::instance::HandOver;
use crate::language::Language;
use crate::messages;
use crate::page::Page;

/// The initial page if no folder is named.
pub(crate) const FIRST_PAGE: &str = "/wiki/";
/// The event that requests the page to show a folder.
const OPEN_FOLDER: &str = "open-folder";
/// The time within which a loaded page must begin to listen.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(10);

/// The payload of [`OPEN_FOLDER`].
#[derive(Clone, Serialize)]
struct OpenFolder {
    root: String,
    path: String,
}

/// The results of opening folders.
#[derive(Default)]
pub(crate) struct OpenResult {
    /// The root's id of the first folder that could be opened.
    first: Option<String>,
    /// The folders that could not be opened, each with the reason.
    failed: Vec<(PathBuf, Box<ErrorBody>)>,
}

/// Opens folders, one after the other.
pub(crate) async fn open(backend: &Backend, folders: Vec<PathBuf>) -> OpenResult {
    let mut opened = OpenResult::default();
    for folder in folders {
        match backend.open_folder(&folder).await {
            Ok(root) => opened.first = opened.first.or(Some(root)),
            Err(reason) => opened.failed.push((folder, reason)),
        }
    }
    opened
}

impl OpenResult {
    /// Returns the initial page.
    pub(crate) fn start_page(&self) -> String {
        self.first.as_ref().map_or_else(
            || FIRST_PAGE.to_owned(),
            |root| format!("/pictures/{root}/"),
        )
    }

    /// Reports to the user, above the page, the folders that could not be opened, with the reasons.
    pub(crate) async fn report_failures(self, window: &WebviewWindow) {
        if !self.failed.is_empty() {
            window.state::<Page>().wait_until_loaded().await;
        }
        for (folder, reason) in self.failed {
            let name = folder
                .file_name()
                .unwrap_or(folder.as_os_str())
                .to_string_lossy()
                .into_owned();
            let language = Language::of_the_system();
            let heading = messages::cannot_open_folder(language, &name);
            let sentence = messages::folder_failure(language, *reason);
            if let Err(error) = dialogs::show_message(window, heading, sentence) {
                tracing::warn!(%error, folder = %folder.display(), "a folder could not be opened, and the message could not be shown");
            }
        }
    }
}

/// Reports the folders that this start could not open. Then opens the folders of later starts, and brings the
/// window to the front each time.
pub(crate) async fn handle_later_starts(
    window: WebviewWindow,
    backend: Backend,
    opened: OpenResult,
    mut later: UnboundedReceiver<HandOver>,
) {
    opened.report_failures(&window).await;
    while let Some(folders) = later.recv().await {
        let opened = open(&backend, folders).await;
        wait_until_page_listens(&window).await;
        let shown = opened.first.clone().map_or(Ok(()), |root| {
            window.emit(
                OPEN_FOLDER,
                OpenFolder {
                    root,
                    path: String::new(),
                },
            )
        });
        if let Err(error) = shown.and_then(|()| bring_to_front(&window)) {
            tracing::warn!(%error, "a later start could not be answered");
        }
        opened.report_failures(&window).await;
    }
}

/// Waits until the page listens to events. A page that cannot be shown never does; its events are then lost
/// without harm.
async fn wait_until_page_listens(window: &WebviewWindow) {
    let page = window.state::<Page>();
    page.wait_until_loaded().await;
    if tokio::time::timeout(LISTEN_TIMEOUT, page.wait_until_listening())
        .await
        .is_err()
    {
        tracing::warn!("the page does not listen to events");
    }
}

fn bring_to_front(window: &WebviewWindow) -> tauri::Result<()> {
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}
