//! A wiki with rows in every table, and a way to break its rules.

mod concurrency;
mod damage;
mod repair;
mod rules;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc;
use std::time::Duration;

use fumikura_base::clock::{Clock, ManualClock};
use fumikura_base::entropy::SeededEntropy;

use super::*;
use crate::autosave::UnsavedText;
use crate::fixture::{config, file, page};
use crate::id::{AssetId, LockToken, PageId, UserId};
use crate::model::asset::AssetState;
use crate::model::autosave::AutosaveTombstone;
use crate::model::history::FormerPaths;
use crate::model::page::{PageIndex, PageInfo, PagePathState, RenameInfo};
use crate::model::user::UserName;
use crate::path::PagePath;
use crate::store::*;
use crate::tree::{DeleteRequest, RenameRequest};
use crate::users::Template;

type Id = [u8; 16];
const UNKNOWN: Id = [9; 16];
const TAB: &str = "tab";

/// Breaks a rule.
type Breakage = fn(&SampleWiki, &WriteTxn);

/// A wiki with rows in every table, and their ids.
struct SampleWiki {
    wiki: Wiki,
    clock: Arc<ManualClock>,
    user: Id,
    root: Id,
    /// A page with two revisions, a title, links, a former path and a file; it is locked.
    page: Id,
    token: Id,
    deleted: Id,
    asset: Id,
    autosave: Id,
    folder: tempfile::TempDir,
}

fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

impl SampleWiki {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
        let wiki = open(folder.path(), &clock);
        let name = UserName::new("Aya").unwrap();
        let registered = wiki.users().register(name, Template::En).unwrap();
        let (user, root) = (registered.user.id, registered.root_page.unwrap());
        let deleted = page(&wiki, user, "/deleted", "");
        let deletion = DeleteRequest {
            page_id: deleted,
            user,
            token: None,
            recursive: false,
        };
        wiki.tree().delete(&deletion).unwrap();
        let source = "# Title\n[root](/) and [nowhere](/nowhere)";
        let id = page(&wiki, user, "/before", source);
        let renaming = RenameRequest {
            page_id: id,
            user,
            to: path("/page"),
            token: None,
            recursive: false,
        };
        wiki.tree().rename(&renaming).unwrap();
        let lock = wiki.locks().acquire(id, user).unwrap();
        wiki.pages().create_draft(&path("/draft"), user).unwrap();
        let asset = file(&wiki, id, user, "a.txt");
        let unsaved = UnsavedText {
            page_id: id,
            user,
            tab: TAB.to_owned(),
            path: path("/page"),
            base_revision: Some(2),
            seq: 1,
            source: "unsaved".to_owned(),
        };
        let autosave = wiki.autosave().put(unsaved).unwrap();
        Self {
            wiki,
            clock,
            user: user.to_bytes(),
            root: root.to_bytes(),
            page: id.to_bytes(),
            token: lock.token.to_bytes(),
            deleted: deleted.to_bytes(),
            asset: asset.to_bytes(),
            autosave: autosave.to_bytes(),
            folder,
        }
    }

    fn faults(&self) -> Vec<Fault> {
        self.wiki.check(Depth::Everything).unwrap().faults
    }

    fn info(&self, txn: &WriteTxn) -> PageInfo {
        match txn.get(PAGE_INDEX, &self.page).unwrap().unwrap() {
            PageIndex::Page(info) => info,
            PageIndex::Draft(_) => unreachable!(),
        }
    }

    fn put_info(&self, txn: &WriteTxn, change: impl FnOnce(&mut PageInfo)) {
        let mut info = self.info(txn);
        change(&mut info);
        put(txn, PAGE_INDEX, &self.page, &PageIndex::Page(info));
    }
}

fn open(folder: &Path, clock: &Arc<ManualClock>) -> Wiki {
    try_open(folder, clock).unwrap()
}

fn try_open(folder: &Path, clock: &Arc<ManualClock>) -> Result<Wiki, OpenError> {
    let clock: Arc<ManualClock> = Arc::clone(clock);
    Wiki::open(&config(folder), clock, Arc::new(SeededEntropy::new(1)))
}

fn put<'k, K: Key, V: Record>(
    txn: &WriteTxn,
    table: Table<K, V>,
    key: impl std::borrow::Borrow<K::SelfType<'k>>,
    value: &V,
) {
    txn.put(table, key, value).unwrap();
}

/// Changes a row.
fn edit<'k, K: Key, V: Record>(
    txn: &WriteTxn,
    table: Table<K, V>,
    key: impl std::borrow::Borrow<K::SelfType<'k>> + Copy,
    change: impl FnOnce(&mut V),
) {
    let mut value = txn.get(table, key).unwrap().unwrap();
    change(&mut value);
    put(txn, table, key, &value);
}

/// Breaks each rule in a wiki of its own. Then a fault at the place with these words is reported, and
/// the check completes.
#[track_caller]
fn check(cases: &[(Breakage, &str, &str)]) {
    for (number, (break_it, place, words)) in cases.iter().enumerate() {
        let sample = SampleWiki::new();
        let broken = sample.wiki.store.write(|txn| {
            break_it(&sample, txn);
            Ok::<_, StorageError>(())
        });
        broken.unwrap();
        let faults = sample.faults();
        let reported = faults
            .iter()
            .any(|fault| fault.place == *place && fault.words.contains(words));
        assert!(
            reported,
            "case {number}: {words:?} of {place} is not among {faults:#?}"
        );
    }
}

#[test]
fn full_wiki_has_no_faults() {
    assert_eq!(SampleWiki::new().faults(), []);
}
