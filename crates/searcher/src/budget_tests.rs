//! Tests: a search ends with its budget, also within a page.

use std::sync::Arc;
use std::time::Duration;

use fumikura_base::budget::Budget;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SeededEntropy;
use fumikura_search::Query;
use fumikura_wiki::{
    PageId, PagePath, Precondition, SaveRequest, Template, UserId, UserName, VersionTag, Wiki,
    WikiConfig,
};
use tempfile::TempDir;

use crate::query::PageSearch;
use crate::request::PartialReason;
use crate::{Kind, Search, SearchRequest};

/// A wiki without an index.
struct Stage {
    wiki: Wiki,
    search: Search,
    user: UserId,
    _folder: TempDir,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let config = WikiConfig {
            database: folder.path().join("wiki.redb"),
            assets: folder.path().join("asset"),
            asset_limit: 1,
            lock_ttl: WikiConfig::LOCK_TTL,
            open_timeout: Duration::ZERO,
        };
        let clock = Arc::new(SystemClock::new());
        let wiki = Wiki::open(&config, clock, Arc::new(SeededEntropy::new(1))).unwrap();
        let name = UserName::new("Aya").unwrap();
        let user = wiki.users().register(name, Template::En).unwrap().user.id;
        Self {
            search: Search::new(folder.path().join("search")),
            wiki,
            user,
            _folder: folder,
        }
    }

    /// Creates a page with this many revisions.
    fn page(&self, revisions: u64, text: impl Fn(u64) -> String) {
        let path = PagePath::new("/a").unwrap();
        let (id, lock) = self.wiki.pages().create_draft(&path, self.user).unwrap();
        let mut request = self.save_request(id, text(1));
        request.token = Some(lock.token);
        self.wiki.pages().save(request).unwrap();
        for revision in 1..revisions {
            let mut request = self.save_request(id, text(revision + 1));
            let version = VersionTag {
                revision,
                amends: 0,
            };
            request.if_match = Some(Precondition::OneOf(vec![version]));
            self.wiki.pages().save(request).unwrap();
        }
    }

    fn save_request(&self, page_id: PageId, source: String) -> SaveRequest {
        SaveRequest {
            page_id,
            user: self.user,
            source,
            token: None,
            if_match: None,
            amend: false,
            keep_lock: false,
            tab: None,
            read: None,
        }
    }

    /// Asserts that a search takes no more steps than its budget has, and says so.
    #[track_caller]
    fn check_stopped(&self, typed: &str, revisions: bool, budget: &Budget, max_steps: u64) {
        let request = SearchRequest {
            query: Query::parse(typed).unwrap(),
            typed: None,
            kind: Some(Kind::Page),
            deleted: false,
            revisions,
            offset: 0,
            limit: 10,
            budget: budget.clone(),
        };
        let search = PageSearch {
            wiki: &self.wiki,
            request: &request,
            budget: budget.clone(),
        };
        let state = self.search.state(&self.wiki).unwrap();
        let matches = match revisions {
            true => self.search.pages_by_any_revision(&state, &search),
            false => self.search.pages(&state, &search),
        };
        let matches = matches.unwrap();
        let partial = matches.partial.unwrap();
        assert_eq!(partial.reason, PartialReason::TimeLimit);
        assert!(partial.indexed < partial.of);
        assert_eq!(matches.total, 0);
        assert_eq!(budget.steps(), max_steps + 1);
    }
}

#[test]
fn budget_ends_within_revisions_of_one_page() {
    let stage = Stage::new();
    stage.page(30, |revision| format!("quokka {revision}"));
    stage.check_stopped("wombat", true, &Budget::of_steps(9), 9);
}

#[test]
fn budget_ends_within_one_long_text() {
    let stage = Stage::new();
    stage.page(1, |_| "a".repeat(1 << 20));
    let typed = "path:/a regex:(?:a?){30}a{30}b";
    stage.check_stopped(typed, false, &Budget::of_steps(20), 20);
}

#[test]
fn search_ends_when_its_client_leaves() {
    let stage = Stage::new();
    stage.page(3, |revision| format!("quokka {revision}"));
    for revisions in [false, true] {
        let budget = Budget::unlimited();
        budget.cancel();
        stage.check_stopped("wombat", revisions, &budget, 0);
    }
}
