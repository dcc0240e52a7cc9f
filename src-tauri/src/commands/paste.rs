//! `asset_paste`: the clipboard's files or picture, added to a page.

use fumikura_server::{AddedFile, AssetAddFiles, AssetAddPicture, AssetPaste};
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
) -> Result<Vec<AddedFile>, CommandError> {
    let AssetPaste { page_id, name } = args.0;
    let contents = clipboard::read(&window).await.map_err(|error| {
        tracing::error!(%error, "the clipboard can't be read");
        CommandError::internal("The system's clipboard can't be read.")
    })?;
    Ok(match contents {
        ClipboardContents::Files(paths) => {
            let grants = paths.into_iter().map(|path| backend.grant(path)).collect();
            let files = AssetAddFiles {
                page_id,
                grants,
                free_names: true,
            };
            backend
                .app()
                .asset_add_files(files, backend.window())
                .await?
        }
        ClipboardContents::Picture { ending, contents } => {
            let name = format!("{name}.{ending}");
            let picture = AssetAddPicture {
                page_id,
                name,
                contents,
            };
            vec![backend.app().asset_add_picture(picture).await?]
        }
        ClipboardContents::Nothing => Vec::new(),
    })
}
