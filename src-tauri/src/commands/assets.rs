//! `asset_*`: the operations of `/api/pages/{id}/assets` and `/api/assets`; files come from grants or from
//! the clipboard.

use fumikura_server::{
    AddedFile, AssetAddFiles, AssetAddPicture, AssetEntry, AssetList, AssetMove, AssetPaste,
    AssetRemove, AssetRename, AssetZombies, ErrorBody, OfAsset,
};
use tauri::{State, WebviewWindow};

use super::args::Args;
use super::error::CommandError;
use crate::clipboard::{self, Pasted};
use crate::house::House;

#[tauri::command]
pub(crate) async fn asset_list(
    house: State<'_, House>,
    args: Args<AssetList>,
) -> Result<Vec<AssetEntry>, ErrorBody> {
    house.app().asset_list(args.0).await
}

#[tauri::command]
pub(crate) async fn asset_add_files(
    house: State<'_, House>,
    args: Args<AssetAddFiles>,
) -> Result<Vec<AddedFile>, ErrorBody> {
    house.app().asset_add_files(args.0, house.window()).await
}

/// Adds the files or the picture of the clipboard to a page. None if the clipboard holds neither.
#[tauri::command]
pub(crate) async fn asset_paste(
    window: WebviewWindow,
    house: State<'_, House>,
    args: Args<AssetPaste>,
) -> Result<Vec<AddedFile>, CommandError> {
    let AssetPaste { page_id, name } = args.0;
    let pasted = clipboard::read(&window).await.map_err(|error| {
        tracing::error!(%error, "the clipboard can't be read");
        CommandError::internal("The system's clipboard can't be read.")
    })?;
    Ok(match pasted {
        Pasted::Files(paths) => {
            let grants = paths.into_iter().map(|path| house.grant(path)).collect();
            let files = AssetAddFiles {
                page_id,
                grants,
                free_names: true,
            };
            house.app().asset_add_files(files, house.window()).await?
        }
        Pasted::Picture { ending, contents } => {
            let name = format!("{name}.{ending}");
            let picture = AssetAddPicture {
                page_id,
                name,
                contents,
            };
            vec![house.app().asset_add_picture(picture).await?]
        }
        Pasted::Nothing => Vec::new(),
    })
}

#[tauri::command]
pub(crate) async fn asset_rename(
    house: State<'_, House>,
    args: Args<AssetRename>,
) -> Result<AssetEntry, ErrorBody> {
    house.app().asset_rename(args.0).await
}

#[tauri::command]
pub(crate) async fn asset_remove(
    house: State<'_, House>,
    args: Args<AssetRemove>,
) -> Result<(), ErrorBody> {
    house.app().asset_remove(args.0).await
}

#[tauri::command]
pub(crate) async fn asset_restore(
    house: State<'_, House>,
    args: Args<OfAsset>,
) -> Result<(), ErrorBody> {
    house.app().asset_restore(args.0).await
}

#[tauri::command]
pub(crate) async fn asset_zombies(
    house: State<'_, House>,
    args: Args<AssetZombies>,
) -> Result<Vec<AssetEntry>, ErrorBody> {
    house.app().asset_zombies(args.0).await
}

#[tauri::command]
pub(crate) async fn asset_set_owner(
    house: State<'_, House>,
    args: Args<AssetMove>,
) -> Result<(), ErrorBody> {
    house.app().asset_set_owner(args.0).await
}
