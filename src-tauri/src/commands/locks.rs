//! `lock_*`: the operations of `/api/pages/{id}/lock`.

use fumikura_server::{ErrorBody, LockAcquire, LockState, LockWithToken, OfPage, PageLock};
use tauri::State;

use super::args::Args;
use crate::house::House;

#[tauri::command]
pub(crate) async fn lock_acquire(
    house: State<'_, House>,
    args: Args<LockAcquire>,
) -> Result<PageLock, ErrorBody> {
    house.app().lock_acquire(args.0).await
}

#[tauri::command]
pub(crate) async fn lock_renew(
    house: State<'_, House>,
    args: Args<LockWithToken>,
) -> Result<PageLock, ErrorBody> {
    house.app().lock_renew(args.0).await
}

#[tauri::command]
pub(crate) async fn lock_release(
    house: State<'_, House>,
    args: Args<LockWithToken>,
) -> Result<(), ErrorBody> {
    house.app().lock_release(args.0).await
}

#[tauri::command]
pub(crate) async fn lock_status(
    house: State<'_, House>,
    args: Args<OfPage>,
) -> Result<LockState, ErrorBody> {
    house.app().lock_status(args.0).await
}
