//! Folders that were named on a command line: of this process, or of one that was started later.

use std::path::PathBuf;
use std::time::Duration;

use fumikura_server::ErrorBody;
use serde::Serialize;
use tauri::{Emitter, Manager, WebviewWindow};
use tokio::sync::mpsc::UnboundedReceiver;

use crate::dialogs;
use crate::house::House;
use crate::instance::HandedOver;
use crate::language::Language;
use crate::page::Page;
use crate::words;

/// The page to begin with when no folder is named.
pub(crate) const FIRST_PAGE: &str = "/wiki/";
/// Asks the page to show a folder.
const OPEN_FOLDER: &str = "open-folder";
/// How long a page that is there may take until it hears.
const HEARS_WITHIN: Duration = Duration::from_secs(10);

/// What the page is told with [`OPEN_FOLDER`].
#[derive(Clone, Serialize)]
struct OpenFolder {
    root: String,
    path: String,
}

/// What became of the folders that were to be opened.
#[derive(Default)]
pub(crate) struct Opened {
    /// The root's id of the first one that could be opened.
    first: Option<String>,
    /// Those that could not, each with why.
    failed: Vec<(PathBuf, Box<ErrorBody>)>,
}

/// Opens folders, one by one.
pub(crate) async fn open(house: &House, folders: Vec<PathBuf>) -> Opened {
    let mut opened = Opened::default();
    for folder in folders {
        match house.open_folder(&folder).await {
            Ok(root) => opened.first = opened.first.or(Some(root)),
            Err(reason) => opened.failed.push((folder, reason)),
        }
    }
    opened
}

impl Opened {
    /// The page to begin with.
    pub(crate) fn start_page(&self) -> String {
        self.first.as_ref().map_or_else(
            || FIRST_PAGE.to_owned(),
            |root| format!("/pictures/{root}/"),
        )
    }

    /// Tells the person, above the page, which folders could not be opened, and why.
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

/// Tells what this start could not open; then opens what later starts hand over, and brings the
/// window to the front each time.
pub(crate) async fn attend(
    window: WebviewWindow,
    house: House,
    opened: Opened,
    mut later: UnboundedReceiver<HandedOver>,
) {
    opened.tell_failures(&window).await;
    while let Some(folders) = later.recv().await {
        let opened = open(&house, folders).await;
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

/// Waits until the page hears what it is told. One that can't be shown never does; then what is told
/// is lost on nobody.
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
