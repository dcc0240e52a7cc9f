//! Locks, both ways: each holds a page that names it.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::check::faults::Faults;
use crate::check::pages::Pages;
use crate::locks::holder_of;
use crate::model::lock::LockInfo;
use crate::store::{Direction, LOCK, Read, ReadTxn, StorageError};

pub(super) fn check(txn: &ReadTxn, pages: &Pages, faults: &mut Faults) -> Result<(), StorageError> {
    let mut tokens = BTreeSet::new();
    txn.scan::<_, LockInfo, &[u8; 16]>(LOCK, .., Direction::Ascending, |token, lock| {
        tokens.insert(*token);
        // Tokens are secrets: what is told names the page.
        let page = lock.page;
        faults.expect(lock.token.to_bytes() == *token, "lock", || {
            format!("a lock of {page} lies under another token than its own")
        });
        let held = pages.get(&page.to_bytes()).and_then(holder_of);
        faults.expect(held == Some(lock.token), "lock", || {
            format!("a lock says that it holds {page}, which does not say so")
        });
        ControlFlow::Continue(())
    })?;
    for (_, page) in pages.all() {
        let Some(token) = holder_of(page) else {
            continue;
        };
        faults.expect(tokens.contains(&token.to_bytes()), "page_index", || {
            let page = match page {
                crate::model::page::PageIndex::Page(info) => info.page_id,
                crate::model::page::PageIndex::Draft(draft) => draft.page_id,
            };
            format!("{page} is held by a lock that is not there")
        });
    }
    Ok(())
}
