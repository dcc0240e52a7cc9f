//! `/api/imported-texts`: texts of imports whose pages were changed here as well.

use axum::Json;
use axum::http::StatusCode;
use fumikura_wiki::{
    AssetId, Hunk, OfferedDifference, OfferedText, PageId, TextDiff, VersionTag, Wiki,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::mirror::TakenText;
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};

/// The imported texts that wait for a decision.
#[derive(Serialize, ToSchema)]
struct ImportedTexts {
    /// Those of the latest import first.
    items: Vec<ImportedText>,
}

/// An imported text whose page was changed here as well.
#[derive(Serialize, ToSchema)]
struct ImportedText {
    #[schema(value_type = String)]
    id: AssetId,
    #[schema(value_type = String)]
    page_id: PageId,
    /// The path of the page.
    path: String,
    /// The path of the source.
    source: String,
    /// The note in the source.
    origin: String,
    /// The time of the import.
    offered_at: Timestamp,
}

/// An imported text, compared with the text of its page.
#[derive(Serialize, ToSchema)]
struct ImportedTextDifference {
    #[serde(flatten)]
    about: ImportedText,
    /// The version of the page.
    version: String,
    /// The changes from the page's text to the imported one, in order.
    hunks: Vec<Hunk>,
    /// The total number of added lines.
    added: usize,
    /// The total number of removed lines.
    removed: usize,
    /// True if more lines than necessary may be marked as changed.
    approximate: bool,
    /// True if changes were left out because there are too many to show.
    truncated: bool,
    /// The imported text.
    text: String,
}

/// The version of the page that the user has seen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ComparedVersion {
    /// `REVISION.AMENDS`. A later one is refused.
    version: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(imported_text_list))
        .routes(routes!(imported_text_difference))
        .routes(routes!(imported_text_take_over))
        .routes(routes!(imported_text_keep))
}

/// Returns the imported texts whose pages were changed here as well, and that wait for a decision.
#[utoipa::path(get, path = "/api/imported-texts", tag = "jobs", responses((status = 200, body = ImportedTexts)))]
async fn imported_text_list(Part(wiki): Part<Wiki>) -> Result<Json<ImportedTexts>, ApiError> {
    let offered = blocking(&wiki, |wiki| Ok(wiki.migrations().offered()?)).await?;
    Ok(Json(ImportedTexts {
        items: offered.into_iter().map(ImportedText::from).collect(),
    }))
}

/// Compares an imported text with the text of its page.
#[utoipa::path(get, path = "/api/imported-texts/{id}", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 200, body = ImportedTextDifference),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
))]
async fn imported_text_difference(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<AssetId>,
) -> Result<Json<ImportedTextDifference>, ApiError> {
    let compared = blocking(&wiki, move |wiki| Ok(wiki.compare_offered(id)?)).await?;
    Ok(Json(compared.into()))
}

/// Makes an imported text a revision of its page.
#[utoipa::path(post, path = "/api/imported-texts/{id}/take-over", tag = "jobs", params(("id" = String, Path)),
    request_body = ComparedVersion, responses(
    (status = 200, body = TakenText),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
    (status = 412, description = "`precondition_failed`: the page has changed", body = ErrorBody),
    (status = 423, description = "`lock_required`: the page is being edited", body = ErrorBody),
))]
async fn imported_text_take_over(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(id): ApiPath<AssetId>,
    ApiJson(ComparedVersion { version }): ApiJson<ComparedVersion>,
) -> Result<Json<TakenText>, ApiError> {
    let version = version.as_deref().map(str::parse::<VersionTag>).transpose();
    let version = version.map_err(|error| ApiError::new(ErrorCode::BadRequest, error))?;
    let user = acting.get()?.id;
    let take = move |wiki: &Wiki| Ok(wiki.migrations().take_offered(id, version, user)?);
    let taken = blocking(&wiki, take).await?;
    Ok(Json(TakenText {
        page_id: taken.page,
        path: taken.path.to_string(),
        revision: taken.revision,
    }))
}

/// Keeps the page of an imported text as it is.
///
/// The text is deleted. A later import offers only what is changed in the source afterwards.
#[utoipa::path(post, path = "/api/imported-texts/{id}/keep", tag = "jobs", params(("id" = String, Path)), responses(
    (status = 204),
    (status = 404, description = "`import_not_found`", body = ErrorBody),
))]
async fn imported_text_keep(
    Part(wiki): Part<Wiki>,
    ApiPath(id): ApiPath<AssetId>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| Ok(wiki.migrations().keep_own(id)?)).await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<OfferedText> for ImportedText {
    fn from(text: OfferedText) -> Self {
        Self {
            id: text.id,
            page_id: text.page,
            path: text.path.to_string(),
            source: text.source,
            origin: text.origin,
            offered_at: text.offered_at,
        }
    }
}

impl From<OfferedDifference> for ImportedTextDifference {
    fn from(compared: OfferedDifference) -> Self {
        let TextDiff {
            hunks,
            added,
            removed,
            approximate,
            truncated,
        } = compared.difference;
        Self {
            about: compared.offer.into(),
            version: compared.version.to_string(),
            hunks,
            added,
            removed,
            approximate,
            truncated,
            text: compared.text,
        }
    }
}
