//! A page's revisions: listing, comparing, rolling back, removing (docs/spec/wiki.md, History and differences).

use std::sync::Arc;

use fumikura_wiki::{LinkWarning, ListedRevision, LockToken, PageId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::locks::read_token;
use super::{Difference, RevisionInfoDto};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// The default number of revisions in a list.
const LIMIT: usize = 50;
/// The maximum number of revisions in a list.
const MAX_LIMIT: usize = 1000;

/// A request for a page's revisions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevisionList {
    /// The page.
    pub page_id: PageId,
    /// Lists only revisions before this one.
    pub before: Option<u64>,
    /// The maximum number of revisions, 1 to 1000; 50 by default.
    pub limit: Option<usize>,
}

/// A request to compare two revisions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevisionDiff {
    /// The page.
    pub page_id: PageId,
    /// The revision to compare from.
    pub from: u64,
    /// The revision to compare to, newer or older.
    pub to: u64,
}

/// A request to restore an old text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevisionRollback {
    /// The page.
    pub page_id: PageId,
    /// The revision whose text is restored.
    pub rollback_to: u64,
    /// The lock's token, if the page is locked. The lock is kept.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// A request to remove old revisions.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RevisionCompact {
    /// The page.
    pub page_id: PageId,
    /// The oldest revision to keep.
    pub keep_from: u64,
    /// The lock's token, if the page is locked. The lock is kept.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// A part of the list of a page's revisions.
#[derive(Serialize, ToSchema)]
#[schema(as = RevisionList)]
pub(crate) struct Revisions {
    /// Revisions, newest first, without gaps.
    items: Vec<RevisionListItem>,
    /// True if there are older revisions, which a request with `before` returns.
    has_more: bool,
    /// The oldest revision that is kept.
    oldest: u64,
}

/// A revision in a list.
#[derive(Serialize, ToSchema)]
struct RevisionListItem {
    #[serde(flatten)]
    info: RevisionInfoDto,
    /// The length of its text in bytes, as served now.
    bytes: u64,
}

/// A page whose old text was restored.
#[derive(Serialize, ToSchema)]
pub(crate) struct RolledBackPage {
    /// The newest revision. No new one is made if the text does not change.
    revision: u64,
    /// Links that mean something else than in the old revision.
    warnings: Vec<LinkWarning>,
}

impl From<fumikura_wiki::RevisionList> for Revisions {
    fn from(list: fumikura_wiki::RevisionList) -> Self {
        Self {
            items: list.items.into_iter().map(RevisionListItem::from).collect(),
            has_more: list.has_more,
            oldest: list.oldest,
        }
    }
}

impl From<ListedRevision> for RevisionListItem {
    fn from(listed: ListedRevision) -> Self {
        Self {
            info: RevisionInfoDto::new(listed.info, &listed.path),
            bytes: listed.bytes,
        }
    }
}

impl App {
    /// Returns a page's revisions, newest first. Those of a deleted page are listed as well.
    ///
    /// # Errors
    /// `page_not_found`, `draft`; `bad_request` for an invalid limit.
    pub(crate) async fn revision_list(
        self: &Arc<Self>,
        request: RevisionList,
    ) -> Result<Revisions, ErrorBody> {
        let limit = request.limit.unwrap_or(LIMIT);
        if !(1..=MAX_LIMIT).contains(&limit) {
            let message = format!("limit must be from 1 to {MAX_LIMIT}");
            return Err(ApiError::new(ErrorCode::BadRequest, message).into());
        }
        let RevisionList {
            page_id, before, ..
        } = request;
        let work = move |app: &App| Ok(app.wiki.revisions(page_id, before, limit)?.into());
        Ok(blocking(self, work).await?)
    }

    /// Returns the difference from one revision of a page to another.
    ///
    /// # Errors
    /// `page_not_found`, `draft`; `gone` if one of the revisions was removed.
    pub(crate) async fn revision_diff(
        self: &Arc<Self>,
        request: RevisionDiff,
    ) -> Result<Difference, ErrorBody> {
        let RevisionDiff { page_id, from, to } = request;
        let work = move |app: &App| Ok(app.wiki.diff(page_id, from, to)?.into());
        Ok(blocking(self, work).await?)
    }

    /// Restores an old text in a new revision of the acting user.
    ///
    /// # Errors
    /// `page_not_found`, `draft`, `gone`, `deleted`; `lock_required` and `lock_invalid`.
    pub(crate) async fn revision_rollback(
        self: &Arc<Self>,
        request: RevisionRollback,
    ) -> Result<RolledBackPage, ErrorBody> {
        let RevisionRollback {
            page_id,
            rollback_to,
            token,
        } = request;
        let work = move |app: &App| {
            let user = app.acting_user()?.id;
            let done = app.wiki.rollback(page_id, rollback_to, user, token)?;
            let revision = done.version.revision;
            Ok(RolledBackPage {
                revision,
                warnings: done.warnings,
            })
        };
        Ok(blocking(self, work).await?)
    }

    /// Removes all revisions before one permanently.
    ///
    /// # Errors
    /// `page_not_found`, `draft`, `deleted`; `invalid_value` if no revision would be kept; `lock_required`
    /// and `lock_invalid`.
    pub(crate) async fn revision_compact(
        self: &Arc<Self>,
        request: RevisionCompact,
    ) -> Result<(), ErrorBody> {
        let RevisionCompact {
            page_id,
            keep_from,
            token,
        } = request;
        let work = move |app: &App| Ok(app.wiki.compact(page_id, keep_from, token)?);
        Ok(blocking(self, work).await?)
    }
}
