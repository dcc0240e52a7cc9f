//! The store and the page parse Markdown with different parsers: both must find the same links.
//!
//! Random texts are saved in a real wiki, and parsed by the page's own code in Node. `FUMIKURA_FULL` tries
//! many more of them.

mod page_parser;
mod texts;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::env;
use std::path::Path;
use std::sync::Arc;

use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_tests::wiki_folder::{config, first_user, save_request};
use fumikura_wiki::{LockToken, PageId, PageLink, PagePath, SaveRequest, UserId, Wiki};
use proptest::prelude::*;

use page_parser::PageParser;

/// The page on which the texts are saved.
const PAGE: &str = "/旅/京都";
/// The number of texts, and that of a full run.
const TEXTS: u32 = 2_000;
const TEXTS_OF_FULL_RUN: u32 = 100_000;

struct Store {
    wiki: Wiki,
    user: UserId,
    page: PageId,
}

impl Store {
    fn open(folder: &Path) -> Self {
        let clock = Arc::new(SystemClock::new());
        let wiki = Wiki::open(&config(folder), clock, Arc::new(SystemEntropy)).unwrap();
        let user = first_user(&wiki, "Aya").unwrap();
        let path = PagePath::new(PAGE).unwrap();
        let (page, lock) = wiki.pages().create_draft(&path, user).unwrap();
        let store = Self { wiki, user, page };
        // The first save releases the lock of the draft.
        store.save("", Some(lock.token));
        store
    }

    fn save(&self, source: &str, token: Option<LockToken>) {
        let request = SaveRequest {
            token,
            ..save_request(self.page, self.user, source.to_owned())
        };
        self.wiki.pages().save(request).unwrap();
    }

    /// Returns the targets of a text's links, as the store records them.
    fn targets(&self, source: &str) -> BTreeSet<String> {
        self.save(source, None);
        let links = self.wiki.links().of_page(self.page).unwrap().into_iter();
        links.map(target).collect()
    }
}

/// Returns the text with front matter that is not YAML: the store also finds links in properties, which the page shows
/// in another place.
fn with_unreadable_properties(text: &str) -> String {
    match text.split_once('\n') {
        Some((fence, rest))
            if fence.trim_start_matches('\u{feff}').starts_with("---")
                && !rest.starts_with("---") =>
        {
            format!("{fence}\n@\n{rest}")
        }
        Some(_) | None => text.to_owned(),
    }
}

fn target(link: PageLink) -> String {
    match link {
        PageLink::Waiting(path) => path.to_string(),
        PageLink::Page {
            path: Some(path), ..
        } => path.to_string(),
        PageLink::Page { page_id, .. } => format!("page:{page_id}"),
    }
}

#[test]
fn store_and_page_find_the_same_links() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path());
    let page = RefCell::new(PageParser::start(PAGE, folder.path()));
    let cases = if env::var_os("FUMIKURA_FULL").is_some() {
        TEXTS_OF_FULL_RUN
    } else {
        TEXTS
    };
    let config = ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    proptest!(config, |(text in texts::texts())| {
        let text = with_unreadable_properties(&text);
        // Saving removes byte order marks.
        let shown = text.trim_start_matches('\u{feff}');
        prop_assert_eq!(store.targets(&text), page.borrow_mut().targets(shown), "{:?}", text);
    });
}
