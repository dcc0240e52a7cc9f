//! `/api/about`: the version of the program, and the places of its data.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::routes;

use crate::config::Config;
use crate::part::Part;
use crate::rest_api::Routes;

/// The program and the places of its data.
#[derive(Serialize, ToSchema)]
struct About {
    /// The version of the program, such as `1.2.0`.
    version: &'static str,
    /// The folder with everything that the program keeps, for display: bytes that are not UTF-8 are replaced.
    data_folder: String,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(about_show))
}

/// Returns the version of the program and the places of its data.
#[utoipa::path(get, path = "/api/about", tag = "about", responses((status = 200, body = About)))]
async fn about_show(Part(config): Part<Config>) -> Json<About> {
    Json(About {
        version: env!("CARGO_PKG_VERSION"),
        data_folder: config.data_dir.display().to_string(),
    })
}
