//! `hash_*`: the operations of `/api/hashes`.

use fumikura_server::{
    ErrorBody, HashList, HashMigrate, HashName, HashNameSteps, HashPage, HashRecord, HashVerify,
    StartedJob,
};
use tauri::State;

use super::args::Args;
use crate::house::House;

#[tauri::command]
pub(crate) async fn hash_list(
    house: State<'_, House>,
    args: Args<HashList>,
) -> Result<HashPage, ErrorBody> {
    house.app().hash_list(args.0, house.window().into()).await
}

#[tauri::command]
pub(crate) async fn hash_name(args: Args<HashName>) -> Result<HashNameSteps, ErrorBody> {
    args.0.explain().map_err(|error| *error)
}

#[tauri::command]
pub(crate) async fn hash_record(
    house: State<'_, House>,
    args: Args<HashRecord>,
) -> Result<StartedJob, ErrorBody> {
    house.app().hash_record(args.0, house.window().into()).await
}

#[tauri::command]
pub(crate) async fn hash_verify(
    house: State<'_, House>,
    args: Args<HashVerify>,
) -> Result<StartedJob, ErrorBody> {
    house.app().hash_verify(args.0, house.window().into()).await
}

#[tauri::command]
pub(crate) async fn hash_migrate(
    house: State<'_, House>,
    args: Args<HashMigrate>,
) -> Result<StartedJob, ErrorBody> {
    house
        .app()
        .hash_migrate(args.0, house.window().into())
        .await
}
