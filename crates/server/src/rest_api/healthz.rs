//! `/healthz`: reports that the server is up, identifies the launch, and proves its identity.

use std::sync::Arc;

use axum::Json;
use axum::extract::Extension;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiQuery;
use crate::address::Address;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::identity::is_challenge;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::services::Launch;

/// The query of `/healthz`.
#[derive(Deserialize)]
struct HealthQuery {
    /// A nonce chosen by the client, answered by a proof.
    challenge: Option<String>,
}

/// The health of the server.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`: an unhealthy server does not answer.
    status: &'static str,
    /// The launch's id, as in `server.json`.
    instance: String,
    /// The answer to the challenge: HMAC-SHA256 by the Bearer token over `fumikura server`, the `url` and the
    /// `instance` of `server.json` and the challenge, each followed by a line feed; as hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(server_health))
}

/// Reports that the server is up, and identifies the launch.
///
/// A client that knows the Bearer token can request a proof of the server's identity before it sends the token.
#[utoipa::path(get, path = "/healthz", tag = "about",
    params(
        ("challenge" = Option<String>, Query, description = "The client's nonce, 32 to 128 hexadecimal digits; the \
            answer then has a proof"),
    ), responses(
        (status = 200, body = Health),
        (status = 400, description = "`bad_request`: not a valid challenge", body = ErrorBody),
    ))]
async fn server_health(
    Part(launch): Part<Launch>,
    Extension(address): Extension<Arc<Address>>,
    ApiQuery(query): ApiQuery<HealthQuery>,
) -> Result<Json<Health>, ApiError> {
    let proof = query.challenge.map(|challenge| {
        if !is_challenge(&challenge) {
            let words = "a challenge is 32 to 128 hexadecimal digits";
            return Err(ApiError::new(ErrorCode::BadRequest, words));
        }
        Ok(launch.server_file(&address).proof(&challenge))
    });
    Ok(Json(Health {
        status: "ok",
        instance: launch.instance.clone(),
        proof: proof.transpose()?,
    }))
}
