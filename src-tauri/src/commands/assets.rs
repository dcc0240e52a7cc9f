//! `asset_*`: what `/api/pages/{id}/assets` and `/api/assets` do; files are brought by grants.

use fumikura_server::{
    AddedFile, AssetAddFiles, AssetEntry, AssetList, AssetMove, AssetRemove, AssetRename,
    ErrorBody, OfAsset,
};
use tauri::State;

use super::args::Args;
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
pub(crate) async fn asset_zombies(house: State<'_, House>) -> Result<Vec<AssetEntry>, ErrorBody> {
    house.app().asset_zombies().await
}

#[tauri::command]
pub(crate) async fn asset_set_owner(
    house: State<'_, House>,
    args: Args<AssetMove>,
) -> Result<(), ErrorBody> {
    house.app().asset_set_owner(args.0).await
}
