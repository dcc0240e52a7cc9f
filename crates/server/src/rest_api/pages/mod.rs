//! `/api/pages`: pages, their sources and their locks.

mod assets;
mod children;
mod collection;
mod deleted;
mod diff;
mod from_files;
mod history;
mod html;
mod links;
mod lock;
mod meta;
mod page;
mod parent;
mod path;
mod properties;
mod query;
mod reorganize;
mod resolve;
mod revision;
mod revision_info;
mod revisions;
mod search;
pub(super) mod source;

use crate::rest_api::Routes;

pub(super) use collection::checked_limit;
pub(crate) use meta::PageMetaDto;

pub(super) fn routes() -> Routes {
    Routes::new()
        .merge(collection::routes())
        .merge(children::routes())
        .merge(deleted::routes())
        .merge(resolve::routes())
        .merge(search::routes())
        .merge(source::routes())
        .merge(html::routes())
        .merge(meta::routes())
        .merge(path::routes())
        .merge(properties::routes())
        .merge(query::routes())
        .merge(reorganize::routes())
        .merge(page::routes())
        .merge(parent::routes())
        .merge(links::routes())
        .merge(lock::routes())
        .merge(assets::routes())
        .merge(from_files::routes())
        .merge(revisions::routes())
        .merge(diff::routes())
        .merge(history::routes())
        .merge(revision::routes())
}
