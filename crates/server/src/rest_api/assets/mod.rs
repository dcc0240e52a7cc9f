//! Files that belong to pages, and the operations on them (docs/spec/wiki.md, Files).

mod asset;
mod by_id;
mod contents;
mod owner;
mod restore;
mod zombies;

use std::sync::Arc;

pub(crate) use contents::picture as asset_picture;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .merge(asset::routes())
        .merge(zombies::routes())
        .merge(by_id::routes())
        .merge(restore::routes())
        .merge(owner::routes())
}
