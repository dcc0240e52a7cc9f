//! Checks locks in both directions: each holds a page that names it, and lasts no longer than locks may.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::SignedDuration;

use crate::check::CheckError;
use crate::check::pages::CheckedPages;
use crate::check::reader::TableReader;
use crate::check::users::Users;
use crate::locks::lock_token_of;
use crate::model::page::PageIndex;
use crate::store::LOCK;

/// The longest lifetime that can be set, a day: a lock may have been granted under other settings.
const MAX_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn check(
    reader: &TableReader<'_>,
    pages: &CheckedPages,
    users: &Users,
    lifetime: Duration,
) -> Result<(), CheckError> {
    let faults = reader.faults;
    let max_lifetime = SignedDuration::try_from(lifetime.max(MAX_LIFETIME));
    let max_lifetime = max_lifetime.unwrap_or(SignedDuration::MAX);
    let mut tokens = BTreeSet::new();
    reader.rows(LOCK, |token, lock| {
        tokens.insert(*token);
        // Tokens are secrets: reports name the page instead.
        let page = lock.page;
        faults.expect(lock.token.to_bytes() == *token, "lock", || {
            format!("a lock of {page} is stored under another token")
        });
        let token = pages.get(&page.to_bytes()).and_then(lock_token_of);
        faults.expect(token == Some(lock.token), "lock", || {
            format!("a lock names {page}, but the page does not name the lock")
        });
        faults.expect(users.has(lock.user), "lock", || {
            format!("a lock of {page} belongs to the unknown user {}", lock.user)
        });
        let lasts = lock.expire.duration_since(lock.token.timestamp());
        let fits = lasts.is_positive() && lasts <= max_lifetime;
        faults.expect(fits, "lock", || {
            format!("a lock of {page} lasts {lasts:#}, which is outside the allowed range")
        });
    })?;
    for (_, page) in pages.all() {
        let Some(token) = lock_token_of(page) else {
            continue;
        };
        let (id, deleted) = match page {
            PageIndex::Page(info) => (info.page_id, info.path_state.is_deleted()),
            PageIndex::Draft(draft) => (draft.page_id, false),
        };
        faults.expect_rebuildable(tokens.contains(&token.to_bytes()), "page_index", || {
            format!("{id} is held by a lock that does not exist")
        });
        faults.expect_rebuildable(!deleted, "page_index", || {
            format!("{id} is deleted and locked")
        });
    }
    Ok(())
}
