//! Roots, folders, pictures and their thumbnails.

mod albums;
mod counts;
mod covers;
mod duplicates;
mod embedded;
mod error;
mod estelle;
mod folders;
mod found;
mod frames;
mod image;
mod info;
mod overview;
pub(super) mod query;
mod roots;
mod size;
pub(crate) mod thumb;
mod watch;

pub(crate) use query::ByteQuery;
pub use query::read_query;

use crate::rest_api::Routes;

pub(super) fn routes() -> Routes {
    Routes::new()
        .merge(roots::routes())
        .merge(folders::routes())
        .merge(size::routes())
        .merge(covers::routes())
        .merge(counts::routes())
        .merge(overview::routes())
        .merge(duplicates::routes())
        .merge(found::routes())
        .merge(albums::routes())
        .merge(watch::routes())
        .merge(image::routes())
        .merge(frames::routes())
        .merge(embedded::routes())
        .merge(info::routes())
        .merge(thumb::routes())
        .merge(estelle::routes())
}
