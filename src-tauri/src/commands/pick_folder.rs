//! `pick_folder`: the person chooses a folder; the page gets a grant for it, never its path.

use serde::{Deserialize, Serialize};
use tauri::{State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::dialogs::{self, FolderFor};
use crate::house::House;

/// A folder that is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickFolder {
    #[serde(default)]
    purpose: FolderFor,
}

/// A folder that was chosen.
#[derive(Debug, Serialize)]
pub(crate) struct PickedFolder {
    /// What the page hands to the server to open the folder: for this window, once.
    grant: String,
    /// The folder's name, to be shown.
    name: String,
}

#[tauri::command]
pub(crate) async fn pick_folder(
    window: WebviewWindow,
    house: State<'_, House>,
    args: Args<PickFolder>,
) -> Result<Option<PickedFolder>, CommandError> {
    let folder = dialogs::pick_folder(&window, args.0.purpose).await;
    let folder = folder.map_err(|error| {
        tracing::error!(%error, "the folder dialog can't be shown");
        CommandError::internal("The system's folder dialog can't be shown.")
    })?;
    let Some(folder) = folder else {
        return Ok(None);
    };
    let name = folder
        .file_name()
        .unwrap_or(folder.as_os_str())
        .to_string_lossy()
        .into_owned();
    Ok(Some(PickedFolder {
        grant: house.grant(folder),
        name,
    }))
}
