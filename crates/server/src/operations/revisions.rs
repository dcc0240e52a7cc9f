//! A page's revisions: listing, comparing, rolling back, removing (docs/spec/wiki.md, History and differences).

use std::sync::Arc;

use fumikura_wiki::{ListedRevision, LockToken, PageId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::locks::read_token;
use super::{Difference, LinkWarning, RevisionInfoDto};
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// How many revisions a list has unless told.
const LIMIT: usize = 50;
/// How many revisions a list has at most.
const MAX_LIMIT: usize = 1000;

/// Which of a page's revisions to list.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionList {
    /// The page.
    pub page_id: PageId,
    /// Only those before this one.
    pub before: Option<u64>,
    /// How many at most: 50 unless told, 1 to 1000.
    pub limit: Option<usize>,
}

/// Which revisions to compare.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionDiff {
    /// The page.
    pub page_id: PageId,
    /// The revision to start from.
    pub from: u64,
    /// The revision to arrive at, newer or older.
    pub to: u64,
}

/// Which text to bring back.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionRollback {
    /// The page.
    pub page_id: PageId,
    /// The revision whose text it is.
    pub rollback_to: u64,
    /// The lock's token, when the page is locked. The lock stays.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// Which revisions to keep.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RevisionCompact {
    /// The page.
    pub page_id: PageId,
    /// The oldest revision to keep.
    pub keep_from: u64,
    /// The lock's token, when the page is locked. The lock stays.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// A part of the list of a page's revisions.
#[derive(Serialize, ToSchema)]
#[schema(as = RevisionList)]
pub struct Revisions {
    /// Revisions, the newest first, without gaps.
    items: Vec<RevisionListItem>,
    /// Whether there are older ones than these: ask again with `before`.
    has_more: bool,
    /// The oldest revision that is kept.
    oldest: u64,
}

/// A revision in a list.
#[derive(Serialize, ToSchema)]
struct RevisionListItem {
    #[serde(flatten)]
    info: RevisionInfoDto,
    /// How long its text is, in bytes, as it is stored.
    bytes: u64,
}

/// A page that went back to an old text.
#[derive(Serialize, ToSchema)]
pub struct RolledBackPage {
    /// The newest revision now. No new one was made if the text is as it was.
    revision: u64,
    /// Links that mean something else than they did in the old revision.
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
    /// A page's revisions, the newest first. Those of a deleted page are listed too.
    ///
    /// # Errors
    /// `page_not_found`, `draft`; `bad_request` for a limit that is not allowed.
    pub async fn revision_list(
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

    /// What changed from one revision of a page to another.
    ///
    /// # Errors
    /// `page_not_found`, `draft`; `gone` when one of the revisions was removed.
    pub async fn revision_diff(
        self: &Arc<Self>,
        request: RevisionDiff,
    ) -> Result<Difference, ErrorBody> {
        let RevisionDiff { page_id, from, to } = request;
        let work = move |app: &App| Ok(app.wiki.diff(page_id, from, to)?.into());
        Ok(blocking(self, work).await?)
    }

    /// Makes an old text the newest again, by a new revision of the person who acts.
    ///
    /// # Errors
    /// `page_not_found`, `draft`, `gone`, `deleted`; `lock_required` and `lock_invalid`.
    pub async fn revision_rollback(
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
            let warnings = done.warnings.into_iter().map(LinkWarning::from);
            Ok(RolledBackPage {
                revision,
                warnings: warnings.collect(),
            })
        };
        Ok(blocking(self, work).await?)
    }

    /// Removes all revisions before one for good.
    ///
    /// # Errors
    /// `page_not_found`, `draft`, `deleted`; `invalid_value` when nothing would be kept;
    /// `lock_required` and `lock_invalid`.
    pub async fn revision_compact(
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
