//! `/api/files/pages`: the pages that contain a picture.

use std::io::{self, Read};
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_library::Original;
use fumikura_wiki::{Backlink, StorageError};
use sha2::{Digest, Sha256};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::rest_api::pictures::query::ByteQuery;

/// The number of bytes of a picture that are read at once.
const PIECE: usize = 256 * 1024;

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(file_pages))
}

/// Lists the pages that have a file with the same contents as a picture, by creation order.
///
/// The picture is read only if a file of a page has the same size.
#[utoipa::path(get, path = "/api/files/pages", tag = "pictures",
    params(("root" = String, Query), ("path" = String, Query, description = "Percent-encoded bytes")), responses(
        (status = 200, body = Vec<Backlink>),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
    ))]
async fn file_pages(
    State(app): State<Arc<App>>,
    query: ByteQuery,
) -> Result<Json<Vec<Backlink>>, ApiError> {
    let pages = blocking(&app, move |app| {
        let Original {
            file, source_file, ..
        } = app.pictures.original(&query.source_in_root(app)?)?;
        let size = source_file.stat().size;
        if !app.wiki.assets().has_size(size)? {
            return Ok(Vec::new());
        }
        let sha256 = sha256(file).map_err(StorageError::Io)?;
        Ok(app.wiki.assets().pages_with_contents(size, &sha256)?)
    });
    Ok(Json(pages.await?))
}

fn sha256(mut file: impl Read) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hasher.finalize().into()),
            length => hasher.update(&piece[..length]),
        }
    }
}
