//! Locks (docs/spec/wiki.md, Locks): taken, renewed, given back, looked at.

use std::sync::Arc;

use fumikura_wiki::{HeldLock, LockStatus, LockToken, PageId};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// Which page's lock to take.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockAcquire {
    /// The page or draft.
    pub page_id: PageId,
    /// Whether one's own lock, held by a tab or program that has ended, is replaced.
    #[serde(default)]
    pub take_over: bool,
}

/// The token that somebody sent. What can't be one is as wrong as one that holds nothing.
pub(crate) fn token_sent(text: &str) -> LockToken {
    // No lock was ever taken in 1970.
    let holds_nothing = || LockToken::from_bytes([0; 16]);
    text.trim().parse().unwrap_or_else(|_| holds_nothing())
}

/// Reads a token, or none, by [`token_sent`].
pub(crate) fn read_token<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<LockToken>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| token_sent(&text)))
}

/// A page, and the proof that one holds its lock.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockWithToken {
    /// The page or draft.
    pub page_id: PageId,
    /// The lock's token; without it nothing is allowed.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// A page.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfPage {
    /// The page or draft.
    pub page_id: PageId,
}

/// A lock as its holder gets it; over HTTP, the header `X-Page-Lock`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PageLock {
    /// What proves that one holds it. A secret.
    pub token: LockToken,
    /// When it ends unless it is renewed.
    pub expire: Timestamp,
}

impl From<HeldLock> for PageLock {
    fn from(HeldLock { token, expire }: HeldLock) -> Self {
        Self { token, expire }
    }
}

/// Who holds a page. Never the token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LockStatus)]
pub struct LockState {
    /// Whether somebody holds it.
    locked: bool,
    /// Who holds it; null when nobody does.
    user_name: Option<String>,
    /// Until when, unless it is renewed.
    expire: Option<Timestamp>,
}

impl From<Option<LockStatus>> for LockState {
    fn from(status: Option<LockStatus>) -> Self {
        let locked = status.is_some();
        let (user_name, expire) = status.map(|held| (held.user_name, held.expire)).unzip();
        Self {
            locked,
            user_name,
            expire,
        }
    }
}

impl LockWithToken {
    fn token(&self) -> Result<LockToken, ApiError> {
        self.token
            .ok_or_else(|| ApiError::new(ErrorCode::LockInvalid, "this needs the lock's token"))
    }
}

impl App {
    /// Takes a page's lock.
    ///
    /// # Errors
    /// `locked` names the holder; `page_not_found`, `deleted`.
    pub async fn lock_acquire(
        self: &Arc<Self>,
        request: LockAcquire,
    ) -> Result<PageLock, ErrorBody> {
        let work = move |app: &App| {
            let user = app.acting_user()?;
            let lock = if request.take_over {
                app.wiki.take_over_lock(request.page_id, user.id)?
            } else {
                app.wiki.acquire_lock(request.page_id, user.id)?
            };
            Ok(lock.into())
        };
        Ok(blocking(self, work).await?)
    }

    /// Replaces a lock by a new one that lasts its full time from now.
    ///
    /// # Errors
    /// `lock_invalid` when the token does not hold the page (any more).
    pub async fn lock_renew(
        self: &Arc<Self>,
        request: LockWithToken,
    ) -> Result<PageLock, ErrorBody> {
        let work = move |app: &App| {
            let lock = app.wiki.renew_lock(request.page_id, request.token()?)?;
            Ok(lock.into())
        };
        Ok(blocking(self, work).await?)
    }

    /// Gives a lock back. A draft goes with it.
    ///
    /// # Errors
    /// `lock_invalid` when the token does not hold the page (any more).
    pub async fn lock_release(self: &Arc<Self>, request: LockWithToken) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki.release_lock(request.page_id, request.token()?)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Who holds a page.
    ///
    /// # Errors
    /// `page_not_found`.
    pub async fn lock_status(self: &Arc<Self>, request: OfPage) -> Result<LockState, ErrorBody> {
        let work = move |app: &App| Ok(app.wiki.lock_status(request.page_id)?.into());
        Ok(blocking(self, work).await?)
    }
}
