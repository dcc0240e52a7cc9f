//! `/api/files/pages`: the pages that contain a picture.

use axum::Json;
use fumikura_library::Original;
use fumikura_pictures::Pictures;
use fumikura_wiki::{Backlink, StorageError, Wiki};
use sha2::{Digest, Sha256};
use std::io::{self, Read};
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::pictures::query::ByteQuery;

/// The number of bytes of a picture that are read at once.
const PIECE: usize = 256 * 1024;

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_pages))
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
    Part(wiki): Part<Wiki>,
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<Vec<Backlink>>, ApiError> {
    let pages = blocking(&wiki, move |wiki| {
        let Original {
            file, source_file, ..
        } = pictures.original(&query.source_in_root(&pictures)?)?;
        let size = source_file.stat().size;
        if !wiki.assets().has_size(size)? {
            return Ok(Vec::new());
        }
        let sha256 = sha256(file).map_err(StorageError::Io)?;
        Ok(wiki.assets().pages_with_contents(size, &sha256)?)
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
