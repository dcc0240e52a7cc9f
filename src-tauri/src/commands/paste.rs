//! `asset_paste`: the clipboard's files or picture, added to a page.

use fumikura_server::{AssetAddPicture, AssetPaste};
use serde_json::{Value, json};
use tauri::{State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::backend::Backend;
use crate::clipboard::{self, ClipboardContents};

/// Adds the files or the picture of the clipboard to a page. None if the clipboard holds neither.
#[tauri::command]
pub(crate) async fn asset_paste(
    window: WebviewWindow,
    backend: State<'_, Backend>,
    args: Args<AssetPaste>,
) -> Result<Value, CommandError> {
    let AssetPaste { page_id, name } = args.0;
    let contents = clipboard::read(&window).await.map_err(|error| {
        tracing::error!(%error, "the clipboard can't be read");
        CommandError::internal("The system's clipboard can't be read.")
    })?;
    Ok(match contents {
        ClipboardContents::Files(paths) => {
            let grants = paths.into_iter().map(|path| backend.grant(path));
            let grants: Vec<String> = grants.collect();
            let files = json!({"page_id": page_id, "grants": grants, "free_names": true});
            let added = backend.run("asset_add_files", files).await?;
            serde_json::from_str(&added).expect("BUG: an answer is JSON")
        }
        ClipboardContents::Picture { ending, contents } => {
            let name = format!("{name}.{ending}");
            let picture = AssetAddPicture {
                page_id,
                name,
                contents,
            };
            json!([backend.app().page_files().add_picture(picture).await?])
        }
        ClipboardContents::Nothing => json!([]),
    })
}
