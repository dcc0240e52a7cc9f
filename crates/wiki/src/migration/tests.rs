//! Tests of imports from other programs.

use super::*;
use crate::fixture::{self, TestWiki};
use crate::id::PageId;
use crate::model::migration::MigrationCounts;
use crate::path::PagePath;
use crate::wiki::Wiki;

/// A source with notes and files, by name.
#[derive(Default, Clone)]
struct Notes {
    notes: Vec<(&'static str, &'static str)>,
    files: Vec<(&'static str, &'static str)>,
}

impl Notes {
    fn pages(&self) -> Vec<IncomingPage> {
        let page = |(origin, text): &(&str, &str)| IncomingPage {
            origin: (*origin).to_owned(),
            place: origin.split('/').map(str::to_owned).collect(),
            role: PageRole::Page,
            sha256: Sha256::digest(text).into(),
            created: "2019-01-02T03:04:05Z".parse().ok(),
            changed: "2020-01-02T03:04:05Z".parse().ok(),
        };
        self.notes.iter().map(page).collect()
    }

    fn assets(&self) -> Vec<IncomingAsset> {
        let asset = |(name, _): &(&str, &str)| IncomingAsset {
            origin: (*name).to_owned(),
            name: (*name).to_owned(),
            owner: Some(0),
        };
        self.files.iter().map(asset).collect()
    }
}

impl MigrationContents for Notes {
    fn text(&mut self, page: usize, _plan: &MigrationPlan) -> Result<String, ContentError> {
        Ok(self.notes[page].1.to_owned())
    }

    fn file(
        &mut self,
        asset: usize,
        write: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
    ) -> Result<(), ContentError> {
        Ok(write(self.files[asset].1.as_bytes())?)
    }

    fn report(&mut self, plan: &MigrationPlan, counts: &MigrationCounts) -> String {
        format!("{} of {}", counts.created, plan.pages.len())
    }
}

fn import(test: &TestWiki, notes: &Notes) -> Result<MigrationOutcome, MigrationError> {
    let request = MigrationRequest {
        source: "/vault".to_owned(),
        format: "obsidian".to_owned(),
        into: path("/in"),
        user: test.user,
        report: "Report".to_owned(),
    };
    let incoming = (&*notes.pages(), &*notes.assets());
    let migrations = test.wiki.migrations();
    migrations.apply(&request, incoming, &mut notes.clone(), &mut |_, _| {
        ControlFlow::Continue(())
    })
}

fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

fn at(wiki: &Wiki, at: &str) -> Option<PageId> {
    Some(wiki.pages().resolve(&path(at)).ok()?.id)
}

#[track_caller]
fn text(test: &TestWiki, place: &str) -> String {
    let page = at(&test.wiki, place).unwrap();
    test.wiki.pages().source(page, None).unwrap().source
}

fn save(test: &TestWiki, place: &str, text: &str) {
    let page = at(&test.wiki, place).unwrap();
    let lock = test.wiki.locks().acquire(page, test.user).unwrap();
    let request = crate::pages::SaveRequest {
        page_id: page,
        user: test.user,
        source: text.to_owned(),
        token: Some(lock.token),
        if_match: None,
        amend: false,
        keep_lock: false,
        tab: None,
        read: None,
    };
    test.wiki.pages().save(request).unwrap();
}

fn files(test: &TestWiki, place: &str) -> Vec<String> {
    let page = at(&test.wiki, place).unwrap();
    let files = test.wiki.assets().of_page(page, false).unwrap();
    files
        .into_iter()
        .map(|file| file.file_name.to_string())
        .collect()
}

#[track_caller]
fn check_integrity(test: &TestWiki) {
    let report = test.wiki.check(crate::Depth::Everything).unwrap();
    assert_eq!(report.faults, [], "{report:?}");
}

fn notes() -> Notes {
    Notes {
        notes: vec![("a", "[b](b/c)"), ("b/c", "[a](/in/a)"), ("d", "d")],
        files: vec![("x.txt", "x")],
    }
}

#[test]
fn imported_pages_keep_their_dates() {
    let test = TestWiki::new();
    let outcome = import(&test, &notes()).unwrap();
    let counts = MigrationCounts {
        created: 3,
        attached: 1,
        ..MigrationCounts::default()
    };
    assert_eq!(outcome.counts, counts);
    assert_eq!(outcome.written.unwrap().report, path("/in/Report"));
    assert_eq!(text(&test, "/in/Report"), "3 of 3");
    assert_eq!(text(&test, "/in/a"), "[b](/in/b/c)");
    assert_eq!(files(&test, "/in/a"), ["x.txt"]);
    let page = at(&test.wiki, "/in/b/c").unwrap();
    let times = test.wiki.store.read(|txn| {
        let time = |number| {
            let head = crate::store::PAGE_SOURCE.read_as::<crate::model::page::SourceHead>();
            let head = txn.get(head, (&page.to_bytes(), number))?;
            Ok::<_, StorageError>(head.unwrap().created_at.to_string())
        };
        Ok::<_, StorageError>([time(1)?, time(2)?])
    });
    assert_eq!(
        times.unwrap(),
        ["2019-01-02T03:04:05Z", "2020-01-02T03:04:05Z"]
    );
    check_integrity(&test);
}

#[test]
fn undone_import_leaves_nothing_but_the_trash() {
    let test = TestWiki::new();
    let outcome = import(&test, &notes()).unwrap();
    let id = outcome.written.unwrap().migration.id;
    save(&test, "/in/d", "mine");
    let undone = test.wiki.migrations().undo(id, test.user).unwrap();
    assert_eq!((undone.trashed, undone.restored), (3, 0));
    assert_eq!(undone.kept, [path("/in/d")]);
    assert_eq!(at(&test.wiki, "/in/a"), None);
    assert_eq!(text(&test, "/in/d"), "mine");
    let again = test.wiki.migrations().undo(id, test.user);
    assert!(matches!(again, Err(MigrationError::Undone)));
    assert!(test.wiki.migrations().list().unwrap()[0].undone);
    check_integrity(&test);

    let again = import(&test, &notes()).unwrap();
    assert_eq!(again.counts.created, 2);
    assert_eq!(text(&test, "/in/d"), "mine");
    assert_eq!(files(&test, "/in/a"), ["x.txt"]);
    check_integrity(&test);
}

#[test]
fn second_import_spares_what_changed_here() {
    let test = TestWiki::new();
    let first = notes();
    import(&test, &first).unwrap();
    save(&test, "/in/a", "mine");
    let mut second = notes();
    second.notes[0].1 = "changed there";
    second.notes[2].1 = "changed there";
    second.files[0].1 = "changed file";
    let outcome = import(&test, &second).unwrap();
    let counts = MigrationCounts {
        updated: 1,
        unchanged: 1,
        kept: 1,
        attached: 1,
        ..MigrationCounts::default()
    };
    assert_eq!(outcome.counts, counts);
    assert_eq!(text(&test, "/in/a"), "mine");
    assert_eq!(text(&test, "/in/d"), "changed there");
    assert_eq!(files(&test, "/in/a"), ["x.txt"]);
    check_integrity(&test);

    let id = outcome.written.unwrap().migration.id;
    let undone = test.wiki.migrations().undo(id, test.user).unwrap();
    assert_eq!((undone.trashed, undone.restored), (1, 1));
    assert_eq!(text(&test, "/in/d"), "d");
    let page = at(&test.wiki, "/in/a").unwrap();
    let file = test.wiki.assets().of_page(page, false).unwrap().remove(0);
    assert_eq!(file.size, 1);
    check_integrity(&test);
    let third = import(&test, &second).unwrap();
    assert_eq!(third.counts, counts);
}

#[test]
fn deleted_and_locked_pages_stay() {
    let test = TestWiki::new();
    import(&test, &notes()).unwrap();
    let [a, d] = ["/in/a", "/in/d"].map(|place| at(&test.wiki, place).unwrap());
    let request = crate::tree::DeleteRequest {
        page_id: a,
        recursive: false,
        user: test.user,
        token: None,
    };
    test.wiki.tree().delete(&request).unwrap();
    test.wiki.locks().acquire(d, test.user).unwrap();
    let mut second = notes();
    second.notes[0].1 = "changed there";
    second.notes[2].1 = "changed there";
    let outcome = import(&test, &second).unwrap();
    let counts = outcome.counts;
    assert_eq!(
        (counts.kept, counts.unchanged, counts.files_kept),
        (2, 1, 1)
    );
    assert_eq!(at(&test.wiki, "/in/a"), None);
    assert_eq!(text(&test, "/in/d"), "d");
    check_integrity(&test);
}

#[test]
fn taken_paths_stay_with_their_pages() {
    let test = TestWiki::new();
    test.page("/in/a", "before");
    import(&test, &notes()).unwrap();
    assert_eq!(text(&test, "/in/a"), "before");
    assert_eq!(text(&test, "/in/a 2"), "[b](/in/b/c)");
    check_integrity(&test);
}

#[test]
fn failed_import_changes_nothing() {
    struct Failing(Notes);
    impl MigrationContents for Failing {
        fn text(&mut self, page: usize, plan: &MigrationPlan) -> Result<String, ContentError> {
            if page == 2 {
                return Err("unreadable".into());
            }
            self.0.text(page, plan)
        }
        fn file(
            &mut self,
            asset: usize,
            write: &mut dyn FnMut(&[u8]) -> std::io::Result<()>,
        ) -> Result<(), ContentError> {
            self.0.file(asset, write)
        }
        fn report(&mut self, plan: &MigrationPlan, counts: &MigrationCounts) -> String {
            self.0.report(plan, counts)
        }
    }
    let test = TestWiki::new();
    let notes = notes();
    let request = MigrationRequest {
        source: "/vault".to_owned(),
        format: "obsidian".to_owned(),
        into: path("/in"),
        user: test.user,
        report: "Report".to_owned(),
    };
    let incoming = (&*notes.pages(), &*notes.assets());
    let mut watch = |_, _| ControlFlow::Continue(());
    let migrations = test.wiki.migrations();
    let failed = migrations.apply(&request, incoming, &mut Failing(notes.clone()), &mut watch);
    assert!(matches!(failed, Err(MigrationError::Content { origin, .. }) if origin == "d"));
    let mut cancel = |done, _| match done {
        3 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let cancelled = migrations.apply(&request, incoming, &mut notes.clone(), &mut cancel);
    assert!(matches!(cancelled, Err(MigrationError::Cancelled)));
    assert_eq!(at(&test.wiki, "/in/a"), None);
    assert_eq!(test.wiki.migrations().list().unwrap(), []);
    let page = fixture::page(&test.wiki, test.user, "/p", "p");
    assert!(test.wiki.assets().of_page(page, true).unwrap().is_empty());
    check_integrity(&test);
}

#[test]
fn text_changed_on_both_sides_is_offered() {
    let test = TestWiki::new();
    let migrations = test.wiki.migrations();
    import(&test, &notes()).unwrap();
    save(&test, "/in/a", "mine");
    let mut second = notes();
    second.notes[0].1 = "theirs";
    let outcome = import(&test, &second).unwrap();
    let report = outcome.written.unwrap().report;
    assert_eq!(files(&test, report.as_str()), ["a.md"]);
    let [offer] = migrations.offered().unwrap().try_into().unwrap();
    assert_eq!((offer.path, &*offer.origin), (path("/in/a"), "a"));
    let compared = test.wiki.compare_offered(offer.id).unwrap();
    assert_eq!(
        (compared.text.as_str(), compared.difference.added),
        ("theirs", 1)
    );
    check_integrity(&test);

    // It is offered once.
    assert_eq!(import(&test, &second).unwrap().written, None);
    save(&test, "/in/a", "mine again");
    let stale = migrations.take_offered(offer.id, Some(compared.version), test.user);
    assert!(matches!(stale, Err(MigrationError::PageChanged)));
    let taken = migrations.take_offered(offer.id, None, test.user).unwrap();
    assert_eq!((taken.path, taken.revision), (path("/in/a"), 5));
    assert_eq!(text(&test, "/in/a"), "theirs");
    assert_eq!(migrations.offered().unwrap(), []);
    assert_eq!(files(&test, report.as_str()), [""; 0]);
    assert_eq!(import(&test, &second).unwrap().written, None);
    second.notes[0].1 = "theirs later";
    assert_eq!(import(&test, &second).unwrap().counts.updated, 1);
    check_integrity(&test);
}

#[test]
fn kept_page_is_offered_later_changes_only() {
    let test = TestWiki::new();
    let migrations = test.wiki.migrations();
    import(&test, &notes()).unwrap();
    save(&test, "/in/a", "mine");
    let mut second = notes();
    second.notes[0].1 = "theirs";
    import(&test, &second).unwrap();
    let offer = migrations.offered().unwrap().remove(0);
    migrations.keep_own(offer.id).unwrap();
    assert_eq!(migrations.offered().unwrap(), []);
    assert_eq!(import(&test, &second).unwrap().written, None);
    for theirs in ["theirs later", "theirs at last"] {
        second.notes[0].1 = theirs;
        let outcome = import(&test, &second).unwrap();
        assert_eq!((outcome.counts.kept, outcome.counts.updated), (1, 0));
    }
    let [offer] = migrations.offered().unwrap().try_into().unwrap();
    let compared = test.wiki.compare_offered(offer.id).unwrap();
    assert_eq!(compared.text, "theirs at last");
    assert_eq!(text(&test, "/in/a"), "mine");
    check_integrity(&test);

    let latest = migrations.list().unwrap().remove(0);
    migrations.undo(latest.id, test.user).unwrap();
    assert_eq!(migrations.offered().unwrap(), []);
    check_integrity(&test);
}

#[test]
fn unchanged_source_writes_nothing() {
    let test = TestWiki::new();
    import(&test, &notes()).unwrap();
    let again = import(&test, &notes()).unwrap();
    assert_eq!(again.written, None);
    assert_eq!(
        (again.counts.unchanged, again.counts.files_unchanged),
        (3, 1)
    );
    assert_eq!(at(&test.wiki, "/in/Report 2"), None);
    assert_eq!(test.wiki.migrations().list().unwrap().len(), 1);
}
