//! `/api/pages/{page_id}/properties`: the named fields of a page's front matter (docs/spec/markdown.md, Properties).

use axum::Json;
use axum::http::HeaderMap;
use axum::http::header::IF_MATCH;
use fumikura_wiki::{PageId, PropertyRequest, PropertyValue, Wiki};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::source::precondition;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, lock_token};

/// A change of one property.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PropertyEdit {
    name: String,
    /// The new value; null removes the property.
    value: Option<PropertyValue>,
}

/// The result of a change of a property.
#[derive(Serialize, ToSchema)]
struct SavedProperty {
    /// The number of the newest revision.
    revision: u64,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_property))
}

/// Changes, adds or removes one property of a page.
///
/// Only the lines of the property change in the text. The text is saved as a new revision.
#[utoipa::path(patch, path = "/api/pages/{page_id}/properties", tag = "pages",
    params(
        ("page_id" = String, Path),
        ("X-Lock-Authentication" = Option<String>, Header, description = "`token=…`, if the page is locked. The lock \
            stays"),
        ("If-Match" = Option<String>, Header, description = "The version to change: required if the page is not \
            locked"),
    ),
    request_body = PropertyEdit, responses(
        (status = 200, body = SavedProperty),
        (status = 403, description = "`lock_invalid`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`deleted`", body = ErrorBody),
        (status = 412, description = "`precondition_failed`", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 422, description = "`invalid_value`: the value is not of its kind, or the property can only be edited \
            in the text", body = ErrorBody),
        (status = 423, description = "`lock_required`", body = ErrorBody),
        (status = 428, description = "`precondition_required`", body = ErrorBody),
        (status = 507, description = "`disk_full`", body = ErrorBody),
    ))]
async fn page_property(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    headers: HeaderMap,
    ApiJson(PropertyEdit { name, value }): ApiJson<PropertyEdit>,
) -> Result<Json<SavedProperty>, ApiError> {
    let token = lock_token(&headers);
    let if_match = headers.get(IF_MATCH).map(precondition);
    let saved = blocking(&wiki, move |wiki| {
        let user = acting.get()?.id;
        Ok(wiki.pages().change_property(PropertyRequest {
            page_id,
            user,
            name,
            value,
            token,
            if_match,
        })?)
    });
    let revision = saved.await?.version.revision;
    Ok(Json(SavedProperty { revision }))
}
