//! The OpenAPI document, generated from the routes.

use std::sync::Arc;

use axum::Json;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
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
        .routes(routes!(get))
        .merge(rest_api::routes())
}

/// Returns this document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "about", responses((status = 200, description = "OpenAPI 3.1", body = Object)))]
async fn get() -> Json<utoipa::openapi::OpenApi> {
    Json(description())
}

/// Returns the document.
fn description() -> utoipa::openapi::OpenApi {
    let mut document = routes().into_openapi();
    for (path, item) in &mut document.paths.paths {
        let methods = [
            ("get", &mut item.get),
            ("put", &mut item.put),
            ("post", &mut item.post),
            ("patch", &mut item.patch),
            ("delete", &mut item.delete),
        ];
        for (method, operation) in methods {
            if let Some(operation) = operation {
                operation.operation_id = Some(operation_id(method, path));
            }
        }
    }
    document
}

/// Returns a unique name of an operation: the method and the words of the path. The functions' own names are
/// not unique.
fn operation_id(method: &str, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.fold(method.to_owned(), |id, word| id + "_" + word)
}

/// Returns the document as indented JSON with a final line feed.
#[must_use]
pub fn document() -> String {
    let json = serde_json::to_string_pretty(&description());
    json.expect("BUG: an OpenAPI document is plain JSON") + "\n"
}
