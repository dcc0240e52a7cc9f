//! Searches a wiki that changes, also if a commit fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;

use crate::fixture;
use crate::model::user::UserName;
use crate::pages::{Precondition, SaveRequest};
use crate::path::PagePath;
use crate::store::fault_injection::failing_store;
use crate::users::Template;
use crate::wiki::Wiki;

/// A wiki on a disk that becomes full after `left` writes.
fn wiki(folder: &tempfile::TempDir, left: &Arc<AtomicI64>) -> Wiki {
    let config = fixture::config(folder.path());
    let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
    let store = failing_store(&config.database, left);
    Wiki::with_store(store, &config, clock, Arc::new(SeededEntropy::new(1)))
}

#[test]
fn index_matches_the_database_after_failed_commits() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicI64::new(i64::MAX));
    let wiki = wiki(&folder, &left);
    let name = UserName::new("Aya").unwrap();
    let aya = wiki.users().register(name, Template::En).unwrap().user.id;
    let path = PagePath::new("/a").unwrap();
    let (page_id, lock) = wiki.pages().create_draft(&path, aya).unwrap();
    let save = |source: &str, token| {
        wiki.pages().save(SaveRequest {
            page_id,
            user: aya,
            source: source.to_owned(),
            token,
            if_match: Some(Precondition::Any),
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        })
    };
    save("# before", Some(lock.token)).unwrap();
    let mut failures = 0;
    for budget in 0.. {
        // Updates the index to the previous state.
        wiki.search().find("", 1).unwrap();
        left.store(budget, Ordering::SeqCst);
        let saved = save(&format!("# after {budget}"), None);
        left.store(i64::MAX, Ordering::SeqCst);
        let found = wiki.search().find(&format!("after {budget}"), 1).unwrap();
        let there =
            wiki.pages().source(page_id, None).unwrap().source == format!("# after {budget}");
        assert_eq!(found.len() == 1, there, "{budget}");
        if saved.is_ok() {
            break;
        }
        failures += 1;
    }
    assert!(failures > 2, "{failures}");
}
