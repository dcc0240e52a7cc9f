//! `/api/hashes`: records that prove that files have not changed.

mod badges;
mod detail;
mod folders;
mod list;
mod lists;
mod name;
mod removed;
mod repair;
mod reports;
mod runs;
mod schedule;

use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .merge(list::routes())
        .merge(name::routes())
        .merge(badges::routes())
        .merge(detail::routes())
        .merge(folders::routes())
        .merge(runs::routes())
        .merge(reports::routes())
        .merge(repair::routes())
        .merge(removed::routes())
        .merge(schedule::routes())
        .merge(lists::routes())
}
