//! Random changes: the wiki as of the time of each is the wiki that was seen then, except for what the store does not
//! record (docs/spec/wiki.md, The wiki as of a moment).

use std::collections::{BTreeMap, BTreeSet};

use fumikura_wiki::*;
use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::select;

use crate::past::everything;
use crate::support::{TestWiki, path};

const PATHS: [&str; 6] = ["/a", "/b", "/c", "/a/x", "/a/y", "/c/x"];

const MAX_PAGES: usize = 8;

#[derive(Debug, Clone)]
enum Step {
    Create {
        at: &'static str,
        link: &'static str,
    },
    Save {
        page: usize,
        link: &'static str,
    },
    Amend {
        page: usize,
    },
    Rename {
        page: usize,
        to: &'static str,
        recursive: bool,
    },
    Delete {
        page: usize,
        recursive: bool,
    },
    Restore {
        page: usize,
        to: Option<&'static str>,
    },
    Erase {
        page: usize,
    },
    Compact {
        page: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let page = || 0..MAX_PAGES;
    let path = || select(&PATHS);
    prop_oneof![
        4 => (path(), path()).prop_map(|(at, link)| Step::Create { at, link }),
        4 => (page(), path()).prop_map(|(page, link)| Step::Save { page, link }),
        1 => page().prop_map(|page| Step::Amend { page }),
        4 => (page(), path(), any::<bool>())
            .prop_map(|(page, to, recursive)| Step::Rename { page, to, recursive }),
        3 => (page(), any::<bool>()).prop_map(|(page, recursive)| Step::Delete { page, recursive }),
        3 => (page(), proptest::option::of(path())).prop_map(|(page, to)| Step::Restore { page, to }),
        1 => page().prop_map(|page| Step::Erase { page }),
        1 => page().prop_map(|page| Step::Compact { page }),
    ]
}

impl Step {
    /// The number of the page that changes.
    fn page(&self) -> usize {
        match *self {
            Self::Create { .. } => MAX_PAGES,
            Self::Save { page, .. }
            | Self::Amend { page }
            | Self::Rename { page, .. }
            | Self::Delete { page, .. }
            | Self::Restore { page, .. }
            | Self::Erase { page }
            | Self::Compact { page } => page,
        }
    }
}

/// A page as it was seen at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SeenPage {
    path: String,
    title: Option<String>,
    text: String,
}

struct Snapshot {
    at: Timestamp,
    pages: BTreeMap<PageId, SeenPage>,
    /// The pages that its pages link to; `None` if one of them is missing.
    linked: BTreeMap<PageId, Option<BTreeSet<PageId>>>,
    /// The pages whose texts are lost.
    lost_texts: BTreeSet<PageId>,
    /// The pages of which it is not known where they were, or if they were in the trash.
    unknown: BTreeSet<PageId>,
}

#[derive(Default)]
struct History {
    snapshots: Vec<Snapshot>,
    pages: Vec<PageId>,
    /// The pages that were restored since their newest revision, in which case that has no record of their path.
    restored: BTreeSet<PageId>,
    texts: u32,
}

impl History {
    fn run(&mut self, test: &TestWiki, step: &Step) {
        self.texts += 1;
        let text = |link: &str| format!("# {}\n\n[x]({link})", self.texts);
        if let Step::Create { at, link } = step {
            if self.pages.len() < MAX_PAGES
                && let Ok((id, lock)) = test.wiki.pages().create_draft(&path(at), test.aya)
            {
                let saved = test.by_token(id, lock.token, &text(link));
                test.wiki.pages().save(saved).unwrap();
                self.pages.push(id);
            }
            return;
        }
        let Some(id) = self.pages.get(step.page()).copied() else {
            return;
        };
        let is_present = test.wiki.pages().path(id).is_ok();
        match *step {
            Step::Save { link, .. } if is_present => {
                test.rewrite(id, &text(link));
                self.restored.remove(&id);
            }
            Step::Amend { .. } if is_present => self.amend(test, id, &text("/b")),
            Step::Rename { to, recursive, .. } => {
                // A path that is taken is refused.
                if let Ok(renamed) = test.rename(id, to, recursive) {
                    for page in renamed.pages {
                        self.restored.remove(&page.page_id);
                    }
                }
            }
            Step::Delete { recursive, .. } if is_present => {
                test.delete(id, recursive).unwrap();
            }
            Step::Restore { to, .. } if !is_present => self.restore(test, id, to),
            Step::Erase { .. } if test.erase(id, false).is_ok() => {
                self.lose(Timestamp::MIN, |seen| seen.unknown.insert(id));
            }
            Step::Compact { .. } if is_present => {
                let newest = test.wiki.pages().meta(id, None).unwrap().revision.unwrap();
                let revisions = test.wiki.revisions();
                revisions.compact(id, newest.revision, None).unwrap();
                let earlier = self.snapshots.iter_mut();
                for seen in earlier.filter(|seen| seen.at < newest.timestamp) {
                    seen.unknown.insert(id);
                }
            }
            Step::Create { .. }
            | Step::Save { .. }
            | Step::Amend { .. }
            | Step::Delete { .. }
            | Step::Restore { .. }
            | Step::Erase { .. }
            | Step::Compact { .. } => {}
        }
    }

    fn amend(&mut self, test: &TestWiki, id: PageId, text: &str) {
        let meta = test.wiki.pages().meta(id, None).unwrap();
        let (oldest, newest) = (meta.revisions.unwrap().0, meta.revision.unwrap());
        test.amend(id, text);
        self.restored.remove(&id);
        let is_unknown = newest.revision == oldest || newest.rename.is_some();
        self.lose(newest.timestamp, |seen| match is_unknown {
            true => seen.unknown.insert(id),
            false => seen.lost_texts.insert(id),
        });
    }

    fn restore(&mut self, test: &TestWiki, id: PageId, to: Option<&str>) {
        // An erased page has no metadata.
        let Ok(meta) = test.wiki.pages().meta(id, None) else {
            return;
        };
        let last = meta.path_state.path().clone();
        let deleted = test.wiki.tree().deleted_pages_at(&last).unwrap();
        let mut deleted = deleted.into_iter().filter(|deleted| deleted.page_id == id);
        let deleted_at = deleted.next().unwrap().deleted_at;
        if test.restore(id, to.unwrap_or(last.as_str()), false).is_ok() {
            let again = !self.restored.insert(id);
            let newest = meta.revision.unwrap().timestamp;
            let since = if again { newest } else { deleted_at };
            self.lose(since, |seen| seen.unknown.insert(id));
        }
    }

    /// Marks the snapshots from `since` on.
    fn lose(&mut self, since: Timestamp, mark: impl Fn(&mut Snapshot) -> bool) {
        for seen in self.snapshots.iter_mut().filter(|seen| seen.at >= since) {
            mark(seen);
        }
    }

    fn record(&mut self, test: &TestWiki) {
        let listed = test.wiki.pages().list(&everything()).unwrap().items;
        let (mut pages, mut linked) = (BTreeMap::new(), BTreeMap::new());
        for page in listed {
            let id = page.page_id;
            let seen = SeenPage {
                path: page.path.to_string(),
                title: page.title,
                text: test.text(id),
            };
            let links = test.wiki.links().of_page(id).unwrap().into_iter();
            // A link that waits for a page may get the id of one that is elsewhere now.
            let targets = links.map(|link| match link {
                PageLink::Page { page_id, .. } => Some(page_id),
                PageLink::Waiting(_) => None,
            });
            linked.insert(id, targets.collect());
            pages.insert(id, seen);
        }
        self.snapshots.push(Snapshot {
            at: test.moment(),
            pages,
            linked,
            lost_texts: BTreeSet::new(),
            unknown: BTreeSet::new(),
        });
    }
}

impl Snapshot {
    fn compare(&self, test: &TestWiki) {
        let past = test.wiki.past(self.at);
        let listed = past.list(&everything()).unwrap().items;
        let mut shown: BTreeMap<PageId, ListedPage> = listed
            .into_iter()
            .map(|page| (page.page_id, page))
            .collect();
        let unknown_pages = shown
            .values()
            .filter(|page| self.unknown.contains(&page.page_id));
        let unknown_paths: Vec<String> = unknown_pages.map(|page| page.path.to_string()).collect();
        for (id, seen) in &self.pages {
            if self.unknown.contains(id) {
                continue;
            }
            let page = shown.remove(id);
            let Some(page) = page else {
                panic!("{} is missing at {}", seen.path, self.at);
            };
            assert_eq!(page.path.as_str(), seen.path, "at {}", self.at);
            let resolved = past.resolve(&page.path).unwrap();
            assert_eq!((resolved.id, &resolved.title), (*id, &page.title));
            if self.lost_texts.contains(id) {
                continue;
            }
            assert_eq!(page.title, seen.title, "{} at {}", seen.path, self.at);
            let text = past.source(*id).unwrap().source;
            let linked = self.linked[id].as_ref();
            // A link to a page in the trash is shown by its id if its path belongs to another page, or seems to.
            let is_taken = |path: &String| seen.text.ends_with(&format!("({path})"));
            let is_known = linked.is_some_and(|linked| linked.is_disjoint(&self.unknown))
                && !seen.text.contains("@trash")
                && !unknown_paths.iter().any(is_taken);
            assert!(
                !is_known || text == seen.text,
                "{text:?} instead of {seen:?} at {}",
                self.at
            );
        }
        shown.retain(|id, _| !self.unknown.contains(id));
        assert!(shown.is_empty(), "{shown:?} at {}", self.at);
    }
}

/// Few cases by default, many in the complete check (`FUMIKURA_FULL`).
fn config() -> ProptestConfig {
    let is_full = std::env::var_os("FUMIKURA_FULL").is_some();
    ProptestConfig {
        cases: if is_full { 400 } else { 32 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn past_is_what_was_seen_then(steps in prop::collection::vec(step(), 1..40)) {
        let test = TestWiki::new();
        let mut history = History::default();
        for step in &steps {
            history.run(&test, step);
            history.record(&test);
        }
        for snapshot in &history.snapshots {
            snapshot.compare(&test);
        }
    }
}
