//! Simulates a power failure after any sync of a day's work: every acknowledged change is there, and no partial one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::ManualClock;
use fumikura_base::entropy::SeededEntropy;

use crate::autosave::UnsavedText;
use crate::check::Depth;
use crate::file_name::FileName;
use crate::fixture::config;
use crate::id::{LockToken, PageId, UserId};
use crate::model::user::UserName;
use crate::pages::{Precondition, SaveRequest};
use crate::path::PagePath;
use crate::store::crash_simulation::Disk;
use crate::store::dump::Dump;
use crate::tree::{DeleteRequest, RenameRequest, RestoreRequest};
use crate::users::Template;
use crate::wiki::Wiki;

/// The state at a number of syncs of the database.
struct AcknowledgedState {
    syncs: u64,
    dump: Dump,
}

fn wiki_on(disk: &Disk, folder: &Path) -> (Wiki, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new("2026-11-18T12:00:00Z".parse().unwrap()));
    let config = config(folder);
    let store = disk.store();
    let time: Arc<ManualClock> = Arc::clone(&clock);
    let wiki = Wiki::with_store(store, &config, time, Arc::new(SeededEntropy::new(1)));
    (wiki, clock)
}

/// Does a day's work on a disk. Returns the acknowledged state after each step.
fn work(disk: &Disk, folder: &Path) -> Vec<AcknowledgedState> {
    let (wiki, clock) = wiki_on(disk, folder);
    let mut workload = Workload {
        disk,
        wiki: &wiki,
        clock: &clock,
        acknowledged: Vec::new(),
    };
    workload.record();
    workload.run();
    workload.acknowledged
}

struct Workload<'a> {
    disk: &'a Disk,
    wiki: &'a Wiki,
    clock: &'a ManualClock,
    acknowledged: Vec<AcknowledgedState>,
}

impl Workload<'_> {
    fn record(&mut self) {
        self.acknowledged.push(AcknowledgedState {
            syncs: self.disk.syncs(),
            dump: self.wiki.store.dump().unwrap(),
        });
        self.clock.advance(Duration::from_secs(1));
    }

    fn run(&mut self) {
        let name = UserName::new("Aya").unwrap();
        let aya = self
            .wiki
            .users()
            .register(name, Template::En)
            .unwrap()
            .user
            .id;
        self.record();
        let trip = self.page(aya, "/旅", "see [[/旅/京都]] and [later](/later)\n");
        let kyoto = self.page(aya, "/旅/京都", "back to [旅](/旅)\n");
        let later = self.page(aya, "/later", "now it is there\n");
        let lock = self.wiki.locks().acquire(kyoto, aya).unwrap();
        self.record();
        let lock = self.wiki.locks().renew(kyoto, lock.token).unwrap();
        self.record();
        self.autosave(kyoto, aya, "half a thought");
        self.save(kyoto, aya, Some(lock.token), "a whole thought\n");
        self.save(kyoto, aya, None, "another one\n");
        let amendment = SaveRequest {
            amend: true,
            ..request(kyoto, aya, None, "the same one, better\n")
        };
        assert!(self.wiki.pages().save(amendment).unwrap().changed);
        self.record();
        let (draft, _) = self
            .wiki
            .pages()
            .create_draft(&path("/draft"), aya)
            .unwrap();
        self.record();
        let held = self.wiki.locks().take_over(draft, aya).unwrap();
        self.record();
        self.wiki.locks().release(draft, held.token).unwrap();
        self.record();
        self.wiki.locks().acquire(trip, aya).unwrap();
        self.record();
        self.wiki.locks().break_lock(trip).unwrap();
        self.record();
        self.wiki
            .pages()
            .create_draft(&path("/forgotten"), aya)
            .unwrap();
        self.record();
        self.clock.advance(Duration::from_secs(400));
        assert_eq!(self.wiki.locks().sweep().unwrap().len(), 1);
        self.record();
        self.move_and_delete((trip, kyoto, later), aya);
    }

    /// Moves, deletes and compacts.
    fn move_and_delete(&mut self, (trip, kyoto, other): (PageId, PageId, PageId), user: UserId) {
        let move_to = |page_id, to: &str, recursive| RenameRequest {
            page_id,
            to: path(to),
            recursive,
            user,
            token: None,
        };
        let delete = |page_id, recursive| DeleteRequest {
            page_id,
            recursive,
            user,
            token: None,
        };
        self.wiki
            .tree()
            .rename(&move_to(kyoto, "/京都", false))
            .unwrap();
        self.record();
        self.wiki
            .tree()
            .rename(&move_to(kyoto, "/旅/京都", false))
            .unwrap();
        self.record();
        self.wiki
            .tree()
            .rename(&move_to(trip, "/trips", true))
            .unwrap();
        self.record();
        self.upload(kyoto, user, "map.txt");
        let map = self.wiki.assets().of_page(kyoto, false).unwrap()[0].id;
        let name = FileName::new("plan.txt").unwrap();
        self.wiki.assets().rename(map, name).unwrap();
        self.record();
        self.wiki.tree().delete(&delete(trip, true)).unwrap();
        self.record();
        let back = RestoreRequest {
            page_id: trip,
            to: path("/旅"),
            recursive: true,
            token: None,
        };
        self.wiki.tree().restore(&back).unwrap();
        self.record();
        self.wiki
            .revisions()
            .rollback(kyoto, 2, user, None)
            .unwrap();
        self.record();
        self.wiki.revisions().compact(kyoto, 3, None).unwrap();
        self.record();
        self.wiki.tree().erase(&delete(trip, false)).unwrap();
        self.record();
        self.wiki.tree().erase(&delete(kyoto, false)).unwrap();
        self.record();
        self.wiki.assets().set_owner(map, other).unwrap();
        self.record();
        self.wiki.assets().purge(map).unwrap();
        self.record();
    }

    fn upload(&mut self, page: PageId, user: UserId, name: &str) {
        let name = FileName::new(name).unwrap();
        let mut writer = self.wiki.assets().begin(page, name, None).unwrap();
        writer.write(b"contents").unwrap();
        self.wiki.assets().finish(writer, user).unwrap();
        self.record();
    }

    fn page(&mut self, user: UserId, at: &str, source: &str) -> PageId {
        let (page, lock) = self.wiki.pages().create_draft(&path(at), user).unwrap();
        self.record();
        self.save(page, user, Some(lock.token), source);
        page
    }

    fn save(&mut self, page_id: PageId, user: UserId, token: Option<LockToken>, source: &str) {
        let saved = self
            .wiki
            .pages()
            .save(request(page_id, user, token, source));
        assert!(saved.unwrap().changed);
        self.record();
    }

    fn autosave(&mut self, page_id: PageId, user: UserId, source: &str) {
        let text = UnsavedText {
            page_id,
            user,
            tab: "tab".to_owned(),
            path: path("/旅/京都"),
            base_revision: Some(1),
            seq: 1,
            source: source.to_owned(),
        };
        self.wiki.autosave().put(text).unwrap();
        self.record();
    }
}

fn request(page_id: PageId, user: UserId, token: Option<LockToken>, source: &str) -> SaveRequest {
    SaveRequest {
        page_id,
        user,
        source: source.to_owned(),
        token,
        if_match: token.is_none().then_some(Precondition::Any),
        amend: false,
        keep_lock: false,
        tab: Some("tab".to_owned()),
        read: None,
    }
}

fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

/// The state after the disk is opened again.
fn reopened_dump(disk: &Disk, seed: u64) -> Dump {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path());
    disk.save_to(&config.database, seed);
    let clock = Arc::new(ManualClock::new("2026-11-18T13:00:00Z".parse().unwrap()));
    let wiki = Wiki::open(&config, clock, Arc::new(SeededEntropy::new(2))).unwrap();
    let mut faults = wiki.check(Depth::Everything).unwrap().faults;
    // The files are on another disk.
    faults.retain(|fault| fault.place != "asset/");
    assert!(faults.is_empty(), "{faults:?}");
    wiki.store.dump().unwrap()
}

#[test]
fn every_acknowledged_change_survives_a_power_failure_whole() {
    let folder = tempfile::tempdir().unwrap();
    let whole = Disk::default();
    let acknowledged = work(&whole, folder.path());
    assert!(acknowledged.len() > 15);
    let first = acknowledged[0].syncs;
    for syncs in first..=whole.syncs() {
        let disk = Disk::losing_power_after(syncs);
        work(&disk, folder.path());
        // The last step before the power failure, and the step that may have completed.
        let at = acknowledged.partition_point(|done| done.syncs <= syncs) - 1;
        let next = acknowledged.get(at + 1);
        for seed in 0..3 {
            let found = reopened_dump(&disk, seed);
            let is_next = next.is_some_and(|next| next.dump == found);
            assert!(
                found == acknowledged[at].dump || is_next,
                "after {syncs} syncs (and a part by {seed}) it is neither as after step {at} nor \
                 as after the next"
            );
        }
    }
}
