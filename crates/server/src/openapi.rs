//! The OpenAPI document, generated from the routes.

use std::sync::Arc;

use axum::Json;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::commands;
use crate::error::ErrorBody;
use crate::rest_api;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Fumikura",
        description = "The embedded server of Fumikura: a wiki, picture folders, and their thumbnails. Errors are \
            `{code, message}`; every request except `/healthz` and `/login` needs the session cookie or \
            `Authorization: Bearer`.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0")
    ),
    components(schemas(ErrorBody, crate::events::Event)),
    servers((url = "/"))
)]
struct Document;

/// Returns all routes that the document describes, and the route of the document.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(api_document))
        .merge(rest_api::routes())
}

/// Returns this document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
async fn api_document() -> Json<utoipa::openapi::OpenApi> {
    Json(description())
}

/// Returns the document. The id of an operation is the name of its handler.
fn description() -> utoipa::openapi::OpenApi {
    let mut document = routes().into_openapi();
    commands::name_commands(&mut document);
    document
}

/// Returns the document as a JSON value, without the names of the commands, which are derived from it.
pub(crate) fn routes_json() -> serde_json::Value {
    serde_json::to_value(routes().into_openapi()).expect("BUG: an OpenAPI document is plain JSON")
}

/// Returns the document as indented JSON with a final line feed.
#[must_use]
pub fn document() -> String {
    let json = serde_json::to_string_pretty(&description());
    json.expect("BUG: an OpenAPI document is plain JSON") + "\n"
}
