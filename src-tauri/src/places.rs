//! Folders and pictures from a command line: of this process, or of a later start.

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
use crate::page::WindowPage;

/// The event that requests the page to show a folder, or a picture in its folder.
const OPEN_PLACE: &str = "open-place";
/// The time within which a loaded page must begin to listen.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(10);

/// The payload of [`OPEN_PLACE`].
#[derive(Clone, Serialize)]
struct OpenPlace {
    address: String,
}

/// The results of opening folders and pictures.
#[derive(Default)]
pub(crate) struct OpenResult {
    /// The address of the first one that could be opened.
    first: Option<String>,
    /// Those that could not be opened, each with the reason.
    failed: Vec<(PathBuf, Box<ErrorBody>)>,
}

/// Opens folders and pictures, one after the other.
pub(crate) async fn open(backend: &Backend, places: Vec<PathBuf>) -> OpenResult {
    let mut opened = OpenResult::default();
    for place in places {
        match backend.open_place(&place).await {
            Ok(address) => opened.first = opened.first.or(Some(address)),
            Err(reason) => opened.failed.push((place, reason)),
        }
    }
    opened
}

impl OpenResult {
    /// Returns the initial page: the first place that was named, or else the last view.
    pub(crate) fn start_page(&self, backend: &Backend) -> String {
        let first = self.first.clone();
        first.unwrap_or_else(|| backend.app().window().last_view())
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
            let language = Language::of_the_system();
            let heading = messages::cannot_open(language, &name);
            let sentence = messages::place_failure(language, *reason);
            if let Err(error) = dialogs::show_message(window, &heading, &sentence) {
                tracing::warn!(%error, place = %place.display(), "a place could not be opened, and the message could not be shown");
            }
        }
    }
}

/// Reports what this start could not open. Then opens the folders and pictures of later starts, and brings the
/// window to the front each time.
pub(crate) async fn handle_later_starts(
    window: WebviewWindow,
    backend: Backend,
    opened: OpenResult,
    mut later: UnboundedReceiver<HandOver>,
) {
    opened.report_failures(&window).await;
    while let Some(places) = later.recv().await {
        let opened = open(&backend, places).await;
        wait_until_page_listens(&window).await;
        let shown = opened.first.clone().map_or(Ok(()), |address| {
            window.emit(OPEN_PLACE, OpenPlace { address })
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
    let page = window.state::<WindowPage>();
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
