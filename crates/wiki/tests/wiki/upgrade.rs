//! Databases of earlier versions open without loss, and their links are indexed.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::Arc;

use flate2::read::GzDecoder;
use fumikura_base::clock::ManualClock;
use fumikura_wiki::*;
use serde::Deserialize;

use crate::support::{CheckedWiki, open, path};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/wiki");

/// The contents of a database, as recorded by the program that made it.
#[derive(Deserialize)]
struct Contents {
    pages: Vec<Page>,
    journals: Vec<Journal>,
    users: Vec<String>,
    settings: Settings,
}

#[derive(Deserialize)]
struct Page {
    id: PageId,
    path: PagePath,
    revisions: Vec<Revision>,
}

#[derive(Deserialize)]
struct Revision {
    version: String,
    user_name: String,
    timestamp: jiff::Timestamp,
    source: String,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Journal {
    path: PagePath,
    tab: String,
    base_revision: Option<u64>,
    seq: u64,
    source: String,
}

struct Old {
    wiki: CheckedWiki,
    clock: Arc<ManualClock>,
    contents: Contents,
    _folder: tempfile::TempDir,
}

impl Old {
    fn open(name: &str) -> Self {
        let packed = std::fs::File::open(format!("{FIXTURES}/{name}.redb.gz")).unwrap();
        let mut database = Vec::new();
        GzDecoder::new(packed).read_to_end(&mut database).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("wiki.redb"), database).unwrap();
        // The lock and the draft have not expired.
        let clock = Arc::new(ManualClock::new("2026-11-21T17:42:00Z".parse().unwrap()));
        let json = std::fs::read(format!("{FIXTURES}/{name}.json")).unwrap();
        Self {
            wiki: open(&folder, &clock, 1),
            clock,
            contents: serde_json::from_slice(&json).unwrap(),
            _folder: folder,
        }
    }

    fn id(&self, at: &str) -> PageId {
        let page = self
            .contents
            .pages
            .iter()
            .find(|page| page.path == path(at));
        page.unwrap().id
    }

    fn text(&self, at: &str) -> String {
        self.wiki.source(self.id(at), None).unwrap().source
    }
}

#[test]
fn upgrade_of_schema_1_preserves_all_data() {
    let old = Old::open("schema-1");
    let wiki = &old.wiki;
    let mut saved = 0;
    for page in &old.contents.pages {
        assert_eq!(wiki.page_path(page.id).unwrap(), page.path);
        for (number, expected) in (1..).zip(&page.revisions) {
            let raw = wiki.raw_source(page.id, Some(number)).unwrap();
            assert_eq!(raw.version.to_string(), expected.version);
            assert_eq!(raw.source, expected.source);
            let meta = wiki.page_meta(page.id, Some(number)).unwrap();
            let revision = meta.revision.unwrap();
            assert_eq!(revision.user_name, expected.user_name);
            assert_eq!(revision.timestamp, expected.timestamp);
            saved += 1;
        }
    }
    assert_eq!(saved, 8);
    let users = wiki.users().unwrap();
    let names: Vec<String> = users.iter().map(|user| user.name.to_string()).collect();
    assert_eq!(names, old.contents.users);
    assert_eq!(wiki.settings().unwrap(), old.contents.settings);
    let mut journals: Vec<Journal> = wiki
        .unsaved(users[0].id, None)
        .unwrap()
        .into_iter()
        .map(|entry| Journal {
            path: entry.head.path,
            tab: entry.head.tab,
            base_revision: entry.head.base_revision,
            seq: entry.head.seq,
            source: entry.source.unwrap(),
        })
        .collect();
    journals.sort_by(|one, other| one.tab.cmp(&other.tab));
    assert_eq!(journals, old.contents.journals);
}

#[test]
fn upgrade_of_schema_1_indexes_links() {
    let old = Old::open("schema-1");
    let [garden, kyoto, nara] = ["/庭", "/旅/京都", "/旅/奈良"].map(|at| old.id(at));
    let names: BTreeMap<PageId, &str> = [(garden, "庭"), (kyoto, "京都"), (nara, "奈良")].into();
    let links = |at: &str| -> Vec<String> {
        let links = old.wiki.links(old.id(at)).unwrap().into_iter();
        links
            .map(|link| match link {
                PageLink::Waiting(path) => format!("waiting for {path}"),
                PageLink::Page { page_id, .. } if page_id == old.id(at) => "itself".to_owned(),
                PageLink::Page { page_id, .. } => names[&page_id].to_owned(),
            })
            .collect()
    };
    assert_eq!(links("/庭"), ["京都", "奈良"]);
    assert_eq!(links("/旅/京都"), ["waiting for /旅/無い", "庭", "奈良"]);
    assert_eq!(links("/旅/奈良"), ["庭", "itself"]);
    assert_eq!(links("/a b/(c)?#%"), ["itself", "庭"]);
    assert_eq!(links("/empty"), [""; 0]);
    assert_eq!(links("/"), ["waiting for /読書の記録"]);
    assert_eq!(
        old.text("/旅/京都"),
        "# 京都\n\n書き直した。[庭](/庭) [奈良](/旅/奈良?x) [ない](無い)\n"
    );
    // An old revision has its paths as they were written.
    let first = old.wiki.source(kyoto, Some(1)).unwrap().source;
    assert!(first.contains("[奈良](奈良)") && first.contains("[下書き](/下書き)"));
    let found = old.wiki.backlinks(garden, None, 10).unwrap();
    let titles: Vec<Option<String>> = found.into_iter().map(|link| link.title).collect();
    assert_eq!(
        titles,
        [Some("奈良".to_owned()), Some("京都".to_owned()), None]
    );
}

#[test]
fn lock_and_draft_of_schema_1_still_expire() {
    let old = Old::open("schema-1");
    let held = old.wiki.lock_status(old.id("/旅/奈良")).unwrap();
    assert_eq!(held.unwrap().user_name, "あや");
    assert!(matches!(
        old.wiki.resolve(&path("/下書き")),
        Err(ResolveError::Draft { .. })
    ));
    old.clock.advance(std::time::Duration::from_secs(600));
    old.wiki.sweep_locks().unwrap();
    assert_eq!(old.wiki.lock_status(old.id("/旅/奈良")).unwrap(), None);
    assert!(matches!(
        old.wiki.resolve(&path("/下書き")),
        Err(ResolveError::NotFound(_))
    ));
}
