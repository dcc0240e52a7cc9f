//! `pick_folder`: lets the user choose a folder. The page gets a grant for it, never its path.

use serde::{Deserialize, Serialize};
use tauri::{State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::backend::Backend;
use crate::dialogs::{self, FolderFor};

/// The kind of folder to choose.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PickFolder {
    #[serde(default)]
    purpose: FolderFor,
}

/// A folder that was chosen.
#[derive(Debug, Serialize)]
pub(crate) struct PickedFolder {
    /// The grant by which the server opens the folder: valid once, for this window.
    grant: String,
    /// The name of the folder, for display.
    name: String,
}

#[tauri::command]
pub(crate) async fn pick_folder(
    window: WebviewWindow,
    backend: State<'_, Backend>,
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
        grant: backend.grant(folder),
        name,
    }))
}
