//! The REST interface: a file for each address, a function for each method.

mod about;
mod assets;
mod backup;
mod backup_pages;
mod backup_place;
mod backup_records;
mod cache;
mod check;
mod events;
mod export;
pub(crate) mod extract;
mod file_answer;
mod files;
mod found_folders;
mod hashes;
mod healthz;
mod import;
mod imported_texts;
mod imports;
mod jobs;
mod journals;
mod limits;
mod locks;
mod login;
mod metrics;
mod mirror;
mod overview;
mod page;
mod pages;
mod past;
mod pictures;
mod pins;
mod readyz;
mod search;
mod sessions;
mod settings;
mod tasks;
mod tokens;
mod tree_view;
mod ttl;
mod upload;
mod users;
mod vision;
mod visited_folders;
mod visits;

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) use assets::asset_picture;
pub(crate) use backup::RequestedBackup;
pub(crate) use login::page_route as login_page;
pub(crate) use pages::PageMetaDto;
pub(crate) use pictures::ByteQuery;
pub use pictures::read_query;
pub(crate) use pictures::thumb::ThumbRequest;
pub(crate) use settings::SettingsDto;
pub(crate) use users::UserDto;

/// Routes, whose state is the application.
pub(crate) type Routes = OpenApiRouter<Arc<App>>;

pub(crate) fn routes() -> Routes {
    OpenApiRouter::new()
        .merge(healthz::routes())
        .merge(about::routes())
        .merge(readyz::routes())
        .merge(limits::routes())
        .merge(events::routes())
        .merge(users::routes())
        .merge(visits::routes())
        .merge(pins::routes())
        .merge(tree_view::routes())
        .merge(visited_folders::routes())
        .merge(login::routes())
        .merge(sessions::routes())
        .merge(tokens::routes())
        .merge(settings::routes())
        .merge(page::routes())
        .merge(search::routes())
        .merge(found_folders::routes())
        .merge(overview::routes())
        .merge(pages::routes())
        .merge(tasks::routes())
        .merge(locks::routes())
        .merge(assets::routes())
        .merge(journals::routes())
        .merge(jobs::routes())
        .merge(check::routes())
        .merge(backup::routes())
        .merge(backup_pages::routes())
        .merge(backup_place::routes())
        .merge(backup_records::routes())
        .merge(export::routes())
        .merge(import::routes())
        .merge(imports::routes())
        .merge(pictures::routes())
        .merge(files::routes())
        .merge(cache::routes())
        .merge(ttl::routes())
        .merge(metrics::routes())
        .merge(imported_texts::routes())
        .merge(mirror::routes())
        .merge(hashes::routes())
        .merge(vision::routes())
}
