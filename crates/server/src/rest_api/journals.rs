//! `/api/journal` and `/api/journals`: autosave entries, stored and offered for recovery.

use axum::Json;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use fumikura_wiki::{
    AutosaveEntry, AutosaveId, MAX_SOURCE_BYTES, PageId, PagePath, UnsavedText, Wiki,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::{ApiJson, ApiPath, ApiQuery};
use crate::acting_user::ActingUser;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;

/// The limit for text in JSON: each byte may take six, plus some room for the other fields.
const BODY_LIMIT: usize = MAX_SOURCE_BYTES * 6 + 64 * 1024;

/// Unsaved text of an editor.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JournalWrite {
    /// The path that the page will have.
    path: String,
    /// The revision on which the edit is based; null for a new page.
    base_revision: Option<u64>,
    /// The text.
    source: String,
    /// A counter of the tab that rises with each message; a lower one than before is refused.
    seq: u64,
}

/// An autosave entry.
#[derive(Serialize, ToSchema)]
#[schema(as = JournalEntry)]
struct JournalEntryDto {
    id: String,
    page_id: String,
    /// The tab in which the text was written.
    tab: String,
    path: String,
    base_revision: Option<u64>,
    /// The length of the text in bytes.
    size: u64,
    /// The first 200 characters of the text.
    beginning: String,
    /// The text; null in a list that would become too long, and then available by its id.
    source: Option<String>,
    seq: u64,
    updated_at: Timestamp,
    /// True if the page exists; a draft is not a page and may be gone.
    page_exists: bool,
}

impl From<AutosaveEntry> for JournalEntryDto {
    fn from(entry: AutosaveEntry) -> Self {
        let AutosaveEntry {
            head,
            source,
            page_exists,
        } = entry;
        Self {
            id: head.id.to_string(),
            page_id: head.page_id.to_string(),
            tab: head.tab,
            path: head.path.to_string(),
            base_revision: head.base_revision,
            size: head.size,
            beginning: head.beginning,
            source,
            seq: head.seq,
            updated_at: head.updated_at,
            page_exists,
        }
    }
}

#[derive(Deserialize)]
struct TabQuery {
    tab: String,
}

#[derive(Deserialize)]
struct SeqQuery {
    seq: Option<u64>,
}

#[derive(Deserialize)]
struct PathQuery {
    path: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(autosave_put))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .routes(routes!(autosave_list))
        .routes(routes!(autosave_get, autosave_remove))
}

/// Stores the unsaved text of a tab.
///
/// It replaces the tab's earlier entry for the same page.
#[utoipa::path(put, path = "/api/journal/{page_id}", tag = "journal", request_body = JournalWrite,
    params(("page_id" = String, Path), ("tab" = String, Query, description = "The tab's own id")),
    responses(
        (status = 204, description = "The text is on the disk"),
        (status = 409, description = "`stale_sequence`: newer text is already stored, and `seq` is its counter; or \
            the tab has saved `revision` since, and this text is not based on it", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 507, description = "`journal_full`: each user has at most 1,000 texts, or 256 MiB of them, and \
            none is dropped for a new one; `disk_full`", body = ErrorBody),
    ))]
async fn autosave_put(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<TabQuery>,
    ApiJson(write): ApiJson<JournalWrite>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        let text = UnsavedText {
            page_id,
            user: acting.get()?.id,
            tab: query.tab,
            path: PagePath::new(&write.path)?,
            base_revision: write.base_revision,
            seq: write.seq,
            source: write.source,
        };
        wiki.autosave().put(text)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Lists the autosave entries of all tabs of the user, newest first.
///
/// With a path, only entries for that path, or for the page at that path, are listed. Texts of at most 64 KiB are
/// included, up to 1 MiB in total.
#[utoipa::path(get, path = "/api/journals", tag = "journal",
    params(("path" = Option<String>, Query)), responses((status = 200, body = Vec<JournalEntryDto>)))]
async fn autosave_list(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiQuery(query): ApiQuery<PathQuery>,
) -> Result<Json<Vec<JournalEntryDto>>, ApiError> {
    let entries = blocking(&wiki, move |wiki| {
        let path = query.path.as_deref().map(PagePath::new).transpose()?;
        Ok(wiki.autosave().entries(acting.get()?.id, path.as_ref())?)
    })
    .await?;
    Ok(Json(
        entries.into_iter().map(JournalEntryDto::from).collect(),
    ))
}

/// Returns one autosave entry with its text.
#[utoipa::path(get, path = "/api/journals/{journal_id}", tag = "journal",
    params(("journal_id" = String, Path)), responses(
        (status = 200, body = JournalEntryDto),
        (status = 404, description = "`not_found`", body = ErrorBody),
    ))]
async fn autosave_get(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(id): ApiPath<AutosaveId>,
) -> Result<Json<JournalEntryDto>, ApiError> {
    let entry = blocking(&wiki, move |wiki| {
        Ok(wiki.autosave().text(acting.get()?.id, id)?)
    })
    .await?;
    Ok(Json(entry.into()))
}

/// Deletes an autosave entry.
///
/// With `seq`, it is deleted only if no newer text is stored.
#[utoipa::path(delete, path = "/api/journals/{journal_id}", tag = "journal",
    params(("journal_id" = String, Path), ("seq" = Option<u64>, Query)), responses(
        (status = 204, description = "The text is deleted"),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 409, description = "`stale_sequence`", body = ErrorBody),
    ))]
async fn autosave_remove(
    Part(wiki): Part<Wiki>,
    Part(acting): Part<ActingUser>,
    ApiPath(id): ApiPath<AutosaveId>,
    ApiQuery(query): ApiQuery<SeqQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&wiki, move |wiki| {
        wiki.autosave().discard(acting.get()?.id, id, query.seq)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
