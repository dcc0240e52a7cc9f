//! `cache_*`: the operations of `/api/cache`.

use fumikura_server::{CacheState, ErrorBody, StartedJob};
use tauri::State;

use crate::house::House;

#[tauri::command]
pub(crate) async fn cache_stats(house: State<'_, House>) -> Result<CacheState, ErrorBody> {
    Ok(house.app().cache_stats())
}

#[tauri::command]
pub(crate) async fn cache_gc(house: State<'_, House>) -> Result<StartedJob, ErrorBody> {
    Ok(house.app().cache_gc())
}
