//! Folders from a command line: of this process, or of a later start.

use std::path::PathBuf;
use std::time::Duration;

use fumikura_server::ErrorBody;
use serde::Serialize;
use tauri::{Emitter, Manager, WebviewWindow};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::backend::Backend;
use crate::dialogs;
use crate::instance::HandedOver;
use crate::language::Language;
use crate::page::Page;
use crate::words;

/// The initial page if no folder is named.
pub(crate) const FIRST_PAGE: &str = "/wiki/";
/// The event that requests the page to show a folder.
const OPEN_FOLDER: &str = "open-folder";
/// The time within which a loaded page must begin to listen.
const HEARS_WITHIN: Duration = Duration::from_secs(10);

/// The payload of [`OPEN_FOLDER`].
#[derive(Clone, Serialize)]
struct OpenFolder {
    root: String,
    path: String,
}

/// The results of opening folders.
#[derive(Default)]
pub(crate) struct Opened {
    /// The root's id of the first folder that could be opened.
    first: Option<String>,
    /// The folders that could not be opened, each with the reason.
    failed: Vec<(PathBuf, Box<ErrorBody>)>,
}

/// Opens folders, one after the other.
pub(crate) async fn open(backend: &Backend, folders: Vec<PathBuf>) -> Opened {
    let mut opened = Opened::default();
    for folder in folders {
        match backend.open_folder(&folder).await {
            Ok(root) => opened.first = opened.first.or(Some(root)),
            Err(reason) => opened.failed.push((folder, reason)),
        }
    }
    opened
}

impl Opened {
    /// Returns the initial page.
    pub(crate) fn start_page(&self) -> String {
        self.first.as_ref().map_or_else(
            || FIRST_PAGE.to_owned(),
            |root| format!("/pictures/{root}/"),
        )
    }

    /// Reports to the user, above the page, the folders that could not be opened, with the reasons.
    pub(crate) async fn tell_failures(self, window: &WebviewWindow) {
        if !self.failed.is_empty() {
            window.state::<Page>().comes().await;
        }
        for (folder, reason) in self.failed {
            let name = folder
                .file_name()
                .unwrap_or(folder.as_os_str())
                .to_string_lossy()
                .into_owned();
            let language = Language::of_the_system();
            let heading = words::cannot_open_folder(language, &name);
            let sentence = words::folder_failure(language, *reason);
            if let Err(error) = dialogs::say(window, heading, sentence) {
                tracing::warn!(%error, folder = %folder.display(), "a folder could not be opened, nor that be told");
            }
        }
    }
}

/// Reports the folders that this start could not open. Then opens the folders of later starts, and brings the
/// window to the front each time.
pub(crate) async fn attend(
    window: WebviewWindow,
    backend: Backend,
    opened: Opened,
    mut later: UnboundedReceiver<HandedOver>,
) {
    opened.tell_failures(&window).await;
    while let Some(folders) = later.recv().await {
        let opened = open(&backend, folders).await;
        hears(&window).await;
        let told = opened.first.clone().map_or(Ok(()), |root| {
            window.emit(
                OPEN_FOLDER,
                OpenFolder {
                    root,
                    path: String::new(),
                },
            )
        });
        if let Err(error) = told.and_then(|()| bring_to_front(&window)) {
            tracing::warn!(%error, "a later start could not be answered");
        }
        opened.tell_failures(&window).await;
    }
}

/// Waits until the page listens to events. A page that cannot be shown never does; its events are then lost
/// without harm.
async fn hears(window: &WebviewWindow) {
    let page = window.state::<Page>();
    page.comes().await;
    if tokio::time::timeout(HEARS_WITHIN, page.hears())
        .await
        .is_err()
    {
        tracing::warn!("the page does not hear");
    }
}

fn bring_to_front(window: &WebviewWindow) -> tauri::Result<()> {
    window.unminimize()?;
    window.show()?;
    window.set_focus()
}
