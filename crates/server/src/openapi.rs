//! The OpenAPI document, made from the routes themselves.

use std::sync::Arc;

use axum::Json;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::error::ErrorBody;
use crate::{entry, rest_api};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Fumikura",
        description = "The embedded server of Fumikura: a wiki, folders of pictures, and their thumbnails. \
            Errors are `{code, message}`; every request but `/healthz` and `/login` needs the session cookie \
            or `Authorization: Bearer`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(ErrorBody, crate::events::Event)),
    servers((url = "/"))
)]
struct Document;

/// All routes that the document describes, and the document itself.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .merge(entry::api_routes())
        .routes(routes!(get))
        .merge(rest_api::routes())
}

/// This document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", responses((status = 200, description = "OpenAPI 3.1")))]
async fn get() -> Json<utoipa::openapi::OpenApi> {
    Json(routes().into_openapi())
}

/// The document as JSON, indented, with a line's end at its end.
#[must_use]
pub fn document() -> String {
    let json = serde_json::to_string_pretty(&routes().into_openapi());
    json.expect("BUG: an OpenAPI document is plain JSON") + "\n"
}
