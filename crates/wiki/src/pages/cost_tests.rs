//! The disk cost of a save: the number of file pages written, and of syncs.

use std::sync::Arc;

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;

use crate::autosave::UnsavedText;
use crate::fixture::config;
use crate::id::{LockToken, PageId, UserId};
use crate::model::user::UserName;
use crate::pages::{Precondition, SaveRequest};
use crate::path::PagePath;
use crate::store::crash_simulation::Disk;
use crate::upgrade::upgrade;
use crate::users::Template;
use crate::wiki::Wiki;

/// The number of wiki pages: enough for trees of pages and of texts that are as high as in a wiki of thousands.
const PAGES: usize = 300;
const TAB: &str = "tab";

struct Writing {
    disk: Disk,
    wiki: Wiki,
    user: UserId,
    pages: Vec<PageId>,
}

/// A disk cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    syncs: u64,
    writes: u64,
}

impl Writing {
    fn begin(folder: &std::path::Path) -> Self {
        let disk = Disk::default();
        let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
        let store = disk.store(upgrade);
        let entropy = Arc::new(SeededEntropy::new(1));
        let wiki = Wiki::over(store, &config(folder), clock, entropy);
        let name = UserName::new("Aya").unwrap();
        let user = wiki.register(name, Template::En).unwrap().user.id;
        let mut writing = Self {
            disk,
            wiki,
            user,
            pages: Vec::new(),
        };
        for number in 0..PAGES {
            let path = PagePath::new(&format!("/pages/{number}")).unwrap();
            let (page, lock) = writing.wiki.create_draft(&path, user).unwrap();
            writing.save(page, Some(lock.token), 1);
            writing.pages.push(page);
        }
        writing
    }

    /// Saves a page with other words; the links lead to this page and the next.
    fn save(&self, page_id: PageId, token: Option<LockToken>, to: usize) {
        let words = format!("{} words. ", self.disk.syncs()).repeat(100);
        let next = to + 1;
        let source = format!("# A title\n\n[one](/pages/{to}) [two](/pages/{next})\n\n{words}\n");
        let saved = self.wiki.save(SaveRequest {
            page_id,
            user: self.user,
            source,
            token,
            if_match: token.is_none().then_some(Precondition::Any),
            amend: false,
            keep_lock: false,
            tab: token.map(|_| TAB.to_owned()),
        });
        assert!(saved.unwrap().changed);
    }

    /// Prepares a save as the editor does: locks the page, and stores an autosave entry.
    fn edit(&self, page_id: PageId, round: usize) -> LockToken {
        let lock = self.wiki.acquire_lock(page_id, self.user).unwrap();
        let text = UnsavedText {
            page_id,
            user: self.user,
            tab: TAB.to_owned(),
            path: PagePath::new("/pages/1").unwrap(),
            base_revision: Some(1),
            seq: round as u64,
            source: "half a thought".to_owned(),
        };
        self.wiki.put_unsaved(text).unwrap();
        lock.token
    }

    fn cost(&self, what: impl FnOnce()) -> Cost {
        let (syncs, writes) = (self.disk.syncs(), self.disk.writes());
        what();
        Cost {
            syncs: self.disk.syncs() - syncs,
            writes: self.disk.writes() - writes,
        }
    }

    /// Returns the median cost of `what` in a hundred runs: a few must split a file page, or wait for the file
    /// to grow.
    fn median<T>(
        &self,
        before: impl Fn(PageId, usize) -> T,
        what: impl Fn(PageId, usize, T),
    ) -> Cost {
        let mut costs = Vec::new();
        for round in 1..=100 {
            let page = self.pages[round * 37 % PAGES];
            let ready = before(page, round);
            costs.push(self.cost(|| what(page, round, ready)));
        }
        costs.sort_unstable();
        costs[costs.len() / 2]
    }
}

/// A save writes the file's header, the list of the tables and redb's three records of free pages, and for each
/// changed table as many file pages as its tree is high.
#[test]
fn a_save_waits_for_one_sync_of_few_pages() {
    let folder = tempfile::tempdir().unwrap();
    let writing = Writing::begin(folder.path());
    let nothing = |_, _| ();
    let plain = writing.median(nothing, |page, _, ()| {
        writing.save(page, None, 1);
    });
    let edited = writing.median(
        |page, round| writing.edit(page, round),
        |page, _, token| writing.save(page, Some(token), 1),
    );
    let relinked = writing.median(nothing, |page, round, ()| {
        writing.save(page, None, round);
    });
    for (cost, most) in [(plain, 10), (edited, 13), (relinked, 20)] {
        assert_eq!(cost.syncs, 1);
        assert!(cost.writes <= most, "{} pages, not {most}", cost.writes);
    }
}
