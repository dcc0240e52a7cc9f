//! `/api/hashes`: records that prove that files have not changed.

mod badges;
mod detail;
mod list;
mod lists;
mod name;
mod removed;
mod repair;
mod reports;
mod runs;
mod schedule;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(list::routes())
        .merge(name::routes())
        .merge(badges::routes())
        .merge(detail::routes())
        .merge(runs::routes())
        .merge(reports::routes())
        .merge(repair::routes())
        .merge(removed::routes())
        .merge(schedule::routes())
        .merge(lists::routes())
}
