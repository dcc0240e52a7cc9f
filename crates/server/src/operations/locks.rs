//! Locks (docs/spec/wiki.md, Locks): acquire, renew, release, query.

use std::sync::Arc;

use fumikura_wiki::{HeldLock, LockStatus, LockToken, PageId};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// A request for a page's lock.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockAcquire {
    /// The page or draft.
    pub page_id: PageId,
    /// True if the user's own lock, held by a tab or program that has ended, is replaced.
    #[serde(default)]
    pub take_over: bool,
}

/// Parses a token of a request. A malformed token is treated like one that holds no lock.
pub(crate) fn token_sent(text: &str) -> LockToken {
    // No lock was ever taken in 1970.
    let holds_nothing = || LockToken::from_bytes([0; 16]);
    text.trim().parse().unwrap_or_else(|_| holds_nothing())
}

/// Reads an optional token with [`token_sent`].
pub(crate) fn read_token<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<LockToken>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.map(|text| token_sent(&text)))
}

/// A page and the token of its lock.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockWithToken {
    /// The page or draft.
    pub page_id: PageId,
    /// The lock's token. Without it the request is refused.
    #[serde(default, deserialize_with = "read_token")]
    pub token: Option<LockToken>,
}

/// A request for a page's lock state.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LockStatusRequest {
    /// The page or draft.
    pub page_id: PageId,
}

/// The state of a page's lock, without its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = LockStatus)]
pub(crate) struct LockState {
    /// True if the page is locked.
    locked: bool,
    /// The name of the holder; null if the page is not locked.
    user_name: Option<String>,
    /// The time at which the lock ends unless it is renewed.
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
    /// Acquires a page's lock.
    ///
    /// # Errors
    /// `locked` names the holder; `page_not_found`, `deleted`.
    pub(crate) async fn lock_acquire(
        self: &Arc<Self>,
        request: LockAcquire,
    ) -> Result<HeldLock, ErrorBody> {
        let work = move |app: &App| {
            let user = app.acting_user()?;
            let lock = if request.take_over {
                app.wiki.locks().take_over(request.page_id, user.id)?
            } else {
                app.wiki.locks().acquire(request.page_id, user.id)?
            };
            Ok(lock)
        };
        Ok(blocking(self, work).await?)
    }

    /// Replaces a lock by a new one that lasts its full time from now.
    ///
    /// # Errors
    /// `lock_invalid` if the token does not hold the page's lock (any more).
    pub(crate) async fn lock_renew(
        self: &Arc<Self>,
        request: LockWithToken,
    ) -> Result<HeldLock, ErrorBody> {
        let work = move |app: &App| {
            let lock = app.wiki.locks().renew(request.page_id, request.token()?)?;
            Ok(lock)
        };
        Ok(blocking(self, work).await?)
    }

    /// Releases a lock. A draft is deleted with it.
    ///
    /// # Errors
    /// `lock_invalid` if the token does not hold the page's lock (any more).
    pub(crate) async fn lock_release(
        self: &Arc<Self>,
        request: LockWithToken,
    ) -> Result<(), ErrorBody> {
        let work = move |app: &App| {
            app.wiki
                .locks()
                .release(request.page_id, request.token()?)?;
            Ok(())
        };
        Ok(blocking(self, work).await?)
    }

    /// Returns the state of a page's lock.
    ///
    /// # Errors
    /// `page_not_found`.
    pub(crate) async fn lock_status(
        self: &Arc<Self>,
        request: LockStatusRequest,
    ) -> Result<LockState, ErrorBody> {
        let work = move |app: &App| Ok(app.wiki.locks().status(request.page_id)?.into());
        Ok(blocking(self, work).await?)
    }
}
