//! `/healthz`: whether the server answers, and which launch it is.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;

/// The server is well.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`: a server that is not well does not answer.
    status: &'static str,
    /// The launch's id, as in `server.json`.
    instance: String,
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get))
}

/// Whether the server answers, and which launch it is.
#[utoipa::path(get, path = "/healthz", tag = "about", responses((status = 200, body = Health)))]
async fn get(State(app): State<Arc<App>>) -> Json<Health> {
    Json(Health {
        status: "ok",
        instance: app.instance().to_owned(),
    })
}
