//! `revision_*`: the operations of `/api/pages/{id}/revisions`, `/diff` and `/revision`.

use fumikura_server::{
    Difference, ErrorBody, RevisionCompact, RevisionDiff, RevisionList, RevisionRollback,
    Revisions, RolledBackPage,
};
use tauri::State;

use super::args::Args;
use crate::house::House;

#[tauri::command]
pub(crate) async fn revision_list(
    house: State<'_, House>,
    args: Args<RevisionList>,
) -> Result<Revisions, ErrorBody> {
    house.app().revision_list(args.0).await
}

#[tauri::command]
pub(crate) async fn revision_diff(
    house: State<'_, House>,
    args: Args<RevisionDiff>,
) -> Result<Difference, ErrorBody> {
    house.app().revision_diff(args.0).await
}

#[tauri::command]
pub(crate) async fn revision_rollback(
    house: State<'_, House>,
    args: Args<RevisionRollback>,
) -> Result<RolledBackPage, ErrorBody> {
    house.app().revision_rollback(args.0).await
}

#[tauri::command]
pub(crate) async fn revision_compact(
    house: State<'_, House>,
    args: Args<RevisionCompact>,
) -> Result<(), ErrorBody> {
    house.app().revision_compact(args.0).await
}
