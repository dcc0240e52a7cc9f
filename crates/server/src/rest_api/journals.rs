//! `/api/journal` and `/api/journals`: unsaved text, put away and offered back.

use std::sync::Arc;

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use fumikura_wiki::{JournalEntry, JournalId, MAX_SOURCE_BYTES, PageId, PagePath, UnsavedText};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{ApiJson, ApiPath, ApiQuery};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};

/// Text in JSON: each byte may take six, and there is a little beside it.
const BODY_LIMIT: usize = MAX_SOURCE_BYTES * 6 + 64 * 1024;

/// Text that was typed and not saved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct JournalWrite {
    /// The path at which the text is to appear.
    path: String,
    /// The revision that the edit began from; null for a new page.
    base_revision: Option<u64>,
    /// The text.
    source: String,
    /// The tab's own count, rising with each message; a lower one than before is refused.
    seq: u64,
}

/// Unsaved text as it is offered back.
#[derive(Serialize, ToSchema)]
#[schema(as = JournalEntry)]
struct JournalEntryDto {
    id: String,
    page_id: String,
    /// The tab that it was typed in.
    tab: String,
    path: String,
    base_revision: Option<u64>,
    /// How long the text is, in bytes.
    size: u64,
    /// Its first 200 characters.
    beginning: String,
    /// The text; null in a list where it would make that long, and then to be asked for by its id.
    source: Option<String>,
    seq: u64,
    updated_at: Timestamp,
    /// Whether the page is there; a draft is not, and may be gone.
    page_exists: bool,
}

impl From<JournalEntry> for JournalEntryDto {
    fn from(entry: JournalEntry) -> Self {
        let JournalEntry {
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

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(put))
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .routes(routes!(list))
        .routes(routes!(get, delete))
}

/// Puts a tab's unsaved text away, in place of what it put away for this page before.
#[utoipa::path(put, path = "/api/journal/{page_id}", tag = "journal", request_body = JournalWrite,
    params(("page_id" = String, Path), ("tab" = String, Query, description = "The tab's own id")),
    responses(
        (status = 204, description = "It is on the disk"),
        (status = 409, description = "`stale_sequence`: newer text is there already, and `seq` is its count; or the tab has saved `revision` since, and this text is not based on it", body = ErrorBody),
        (status = 413, description = "`too_large`", body = ErrorBody),
        (status = 507, description = "`journal_full`: 1,000 texts, or 256 MiB of them, are kept for each person, and none is given up for a new one; `disk_full`", body = ErrorBody),
    ))]
async fn put(
    State(app): State<Arc<App>>,
    ApiPath(page_id): ApiPath<PageId>,
    ApiQuery(query): ApiQuery<TabQuery>,
    ApiJson(write): ApiJson<JournalWrite>,
) -> Result<StatusCode, ApiError> {
    blocking(&app, move |app| {
        let text = UnsavedText {
            page_id,
            user: app.acting_user()?.id,
            tab: query.tab,
            path: PagePath::new(&write.path)?,
            base_revision: write.base_revision,
            seq: write.seq,
            source: write.source,
        };
        app.wiki.put_unsaved(text)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// The unsaved text of all one's tabs, newest first; with a path, what was written for it or for
/// the page that is there. Texts of at most 64 KiB come along, as far as they are 1 MiB together.
#[utoipa::path(get, path = "/api/journals", tag = "journal",
    params(("path" = Option<String>, Query)), responses((status = 200, body = Vec<JournalEntryDto>)))]
async fn list(
    State(app): State<Arc<App>>,
    ApiQuery(query): ApiQuery<PathQuery>,
) -> Result<Json<Vec<JournalEntryDto>>, ApiError> {
    let entries = blocking(&app, move |app| {
        let path = query.path.as_deref().map(PagePath::new).transpose()?;
        Ok(app.wiki.unsaved(app.acting_user()?.id, path.as_ref())?)
    })
    .await?;
    Ok(Json(
        entries.into_iter().map(JournalEntryDto::from).collect(),
    ))
}

/// One unsaved text, whole.
#[utoipa::path(get, path = "/api/journals/{journal_id}", tag = "journal",
    params(("journal_id" = String, Path)), responses(
        (status = 200, body = JournalEntryDto),
        (status = 404, description = "`not_found`", body = ErrorBody),
    ))]
async fn get(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<JournalId>,
) -> Result<Json<JournalEntryDto>, ApiError> {
    let entry = blocking(&app, move |app| {
        Ok(app.wiki.unsaved_text(app.acting_user()?.id, id)?)
    })
    .await?;
    Ok(Json(entry.into()))
}

/// Forgets unsaved text; with `seq`, only if no newer one is kept there.
#[utoipa::path(delete, path = "/api/journals/{journal_id}", tag = "journal",
    params(("journal_id" = String, Path), ("seq" = Option<u64>, Query)), responses(
        (status = 204, description = "It is forgotten"),
        (status = 404, description = "`not_found`", body = ErrorBody),
        (status = 409, description = "`stale_sequence`", body = ErrorBody),
    ))]
async fn delete(
    State(app): State<Arc<App>>,
    ApiPath(id): ApiPath<JournalId>,
    ApiQuery(query): ApiQuery<SeqQuery>,
) -> Result<StatusCode, ApiError> {
    blocking(&app, move |app| {
        app.wiki
            .discard_unsaved(app.acting_user()?.id, id, query.seq)?;
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}
