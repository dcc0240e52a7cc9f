//! Checks locks in both directions: each holds a page that names it, and lasts no longer than locks may.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::SignedDuration;

use crate::check::CheckError;
use crate::check::pages::Pages;
use crate::check::people::People;
use crate::check::reader::Look;
use crate::locks::holder_of;
use crate::model::page::PageIndex;
use crate::store::LOCK;

/// The longest lifetime that can be set, a day: a lock may have been granted under other settings.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) fn check(
    look: &Look<'_>,
    pages: &Pages,
    people: &People,
    lifetime: Duration,
) -> Result<(), CheckError> {
    let faults = look.faults;
    let longest = SignedDuration::try_from(lifetime.max(LONGEST));
    let longest = longest.unwrap_or(SignedDuration::MAX);
    let mut tokens = BTreeSet::new();
    look.rows(LOCK, |token, lock| {
        tokens.insert(*token);
        // Tokens are secrets: reports name the page instead.
        let page = lock.page;
        faults.expect(lock.token.to_bytes() == *token, "lock", || {
            format!("a lock of {page} lies under another token than its own")
        });
        let held = pages.get(&page.to_bytes()).and_then(holder_of);
        faults.expect(held == Some(lock.token), "lock", || {
            format!("a lock says that it holds {page}, which does not say so")
        });
        faults.expect(people.has(lock.user), "lock", || {
            format!(
                "a lock of {page} belongs to {}, whom nobody knows",
                lock.user
            )
        });
        let lasts = lock.expire.duration_since(lock.token.timestamp());
        let fits = lasts.is_positive() && lasts <= longest;
        faults.expect(fits, "lock", || {
            format!("a lock of {page} lasts {lasts:#} from its token's time, which no lock does")
        });
    })?;
    for (_, page) in pages.all() {
        let Some(token) = holder_of(page) else {
            continue;
        };
        let (id, deleted) = match page {
            PageIndex::Page(info) => (info.page_id, info.path_state.is_deleted()),
            PageIndex::Draft(draft) => (draft.page_id, false),
        };
        faults.expect(tokens.contains(&token.to_bytes()), "page_index", || {
            format!("{id} is held by a lock that is not there")
        });
        faults.expect(!deleted, "page_index", || {
            format!("{id} is deleted and locked")
        });
    }
    Ok(())
}
