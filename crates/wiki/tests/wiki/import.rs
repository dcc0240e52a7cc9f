//! Imports archives: completely, or not at all.

use std::ops::ControlFlow;

use fumikura_wiki::*;

use crate::archive_support::{
    ID, OTHER, archive, asset, exported, file, full, id_at, ignore_progress, import, manifest,
    page, pages, request, small, stored_files, text_at,
};
use crate::support::{TestWiki, path};

#[test]
fn import_into_new_wiki_reproduces_the_original() {
    let (from, to) = (full(), TestWiki::new());
    // The two generate their ids in the same way, at different times.
    to.advance(1);
    let root = id_at(&to, "/");
    let done = import(&to, &exported(&from), OnConflict::Fail).unwrap();
    assert_eq!((done.created.len(), done.added.len()), (5, 3));
    assert_eq!(
        (done.replaced.len(), done.unchanged, done.skipped),
        (0, 1, 0)
    );
    assert_eq!(done.warnings, []);
    // The root page existed already; all others keep their ids.
    assert_eq!(id_at(&to, "/"), root);
    let of = |test| pages(test).into_iter().filter(|(path, _)| !path.is_root());
    assert!(of(&from).eq(of(&to)));
    for (at, id) in of(&from) {
        assert_eq!(from.text(id), to.text(id), "{at}");
        assert_eq!(
            to.wiki.pages().meta(id, None).unwrap().revisions,
            Some((1, 1))
        );
        let files = |test: &TestWiki| test.wiki.assets().of_page(id, false).unwrap();
        let facts = |asset: Asset| (asset.id, asset.file_name, asset.mime, asset.sha256);
        let ours = files(&to).into_iter().map(facts);
        assert!(ours.eq(files(&from).into_iter().map(facts)), "{at}");
        let links = |test: &TestWiki| test.wiki.links().backlinks(id, None, 100).unwrap().len();
        assert_eq!(links(&from), links(&to), "{at}");
    }
    // A link that waits for a path is bound to a page that is created later.
    let later = to.page("/later", "now");
    assert_eq!(
        to.wiki.links().backlinks(later, None, 100).unwrap().len(),
        1
    );
    // Another export has the same contents.
    let again = TestWiki::new();
    import(&again, &exported(&to), OnConflict::Fail).unwrap();
    assert_eq!(text_at(&again, "/旅"), text_at(&from, "/旅"));
}

#[test]
fn conflicting_pages_stop_import_in_fail_mode() {
    let test = TestWiki::new();
    test.page("/a", "mine");
    let refused = import(&test, &small("/a", "theirs"), OnConflict::Fail);
    let at = path("/a");
    assert!(matches!(refused, Err(ImportError::Taken(PathTaken::Page(taken))) if taken == at));
    assert_eq!(text_at(&test, "/a"), "mine");
    // The initial root page of a wiki does not conflict, an edited one does.
    let done = import(&test, &small("/", "theirs"), OnConflict::Fail).unwrap();
    assert_eq!(done.replaced.len(), 1);
    assert_eq!(text_at(&test, "/"), "theirs");
    let list = test
        .wiki
        .revisions()
        .list(id_at(&test, "/"), None, 10)
        .unwrap();
    assert_eq!(list.items.len(), 1);
    assert_eq!(list.items[0].info.user_name, "Ben");
    let refused = import(&test, &small("/", "others"), OnConflict::Fail);
    assert!(matches!(refused, Err(ImportError::Taken(_))));
}

#[test]
fn conflicting_pages_are_skipped_or_replaced_on_request() {
    let (from, to) = (full(), TestWiki::new());
    let mine = to.page("/旅/京都", "mine, back to [旅](/旅)");
    let theirs = exported(&from);
    to.upload(mine, "図.png", b"another").unwrap();
    to.upload(mine, "mine", b"mine").unwrap();

    let done = import(&to, &theirs, OnConflict::Skip).unwrap();
    assert_eq!((done.created.len(), done.skipped), (4, 2));
    assert_eq!(to.text(mine), "mine, back to [旅](/旅)");
    assert_eq!(done.added.len(), 0);

    to.wiki.take_changes();
    let done = import(&to, &theirs, OnConflict::Replace).unwrap();
    let changes = to.wiki.take_changes();
    let count_changes = |page_id, kind| {
        let changes = changes.iter();
        changes.filter(|change| matches!(change, Change::Page { page_id: page, kind: change_kind, .. } if *page == page_id && *change_kind == kind))
            .count()
    };
    assert_eq!(
        (changes.len(), count_changes(mine, PageChange::Saved)),
        (5, 1),
        "{changes:#?}"
    );
    assert_eq!(done.replaced.len(), 1);
    assert_eq!(done.replaced[0].page_id, mine);
    assert_eq!((done.created.len(), done.unchanged), (0, 5));
    assert_eq!(to.text(mine), text_at(&from, "/旅/京都"));
    let meta = to.wiki.pages().meta(mine, None).unwrap();
    assert_eq!(meta.revisions, Some((1, 2)));
    assert_eq!(meta.revision.unwrap().user_name, "Ben");
    // Files replace those with their names. The others stay, and the replaced ones are in the trash.
    let names = |with| to.wiki.assets().of_page(mine, with).unwrap().len();
    assert_eq!((names(false), names(true)), (3, 4));
    assert_eq!((done.added.len(), done.superseded.len()), (3, 1));
    to.wiki.assets().restore(done.superseded[0].id).unwrap_err();

    // A second import changes nothing, and leaves nothing behind.
    let before = stored_files(&to);
    let done = import(&to, &theirs, OnConflict::Replace).unwrap();
    assert_eq!(
        (done.unchanged, done.replaced.len(), done.added.len()),
        (6, 0, 0)
    );
    assert_eq!(stored_files(&to), before);
}

#[test]
fn taken_ids_are_replaced_and_links_follow() {
    let test = TestWiki::new();
    let existing = test.page("/known", "mine");
    let existing_file = test.upload(existing, "f", b"mine").unwrap();
    let mut asset = asset(&existing_file.id.to_string(), "f", "f", b"theirs");
    asset["page"] = existing.to_string().into();
    let manifest = manifest(
        &[
            page(&existing.to_string(), "/a", "a"),
            page(OTHER, "/b", "b"),
        ],
        &[asset],
    );
    let entries: [(&str, &[u8]); 3] = [("a", b"[[/b]]"), ("b", b"[[/a]]"), ("f", b"theirs")];
    let done = import(&test, &archive(&entries, &manifest), OnConflict::Fail).unwrap();
    let (a, b) = (id_at(&test, "/a"), id_at(&test, "/b"));
    assert_ne!(a, existing);
    assert_eq!(b.to_string(), OTHER);
    let raw = test.wiki.pages().raw_source(b, None).unwrap().source;
    assert_eq!(raw, format!("[[page:{a}]]"));
    assert_ne!(done.added[0].id, existing_file.id);
    assert_eq!(
        test.wiki.assets().get(existing_file.id).unwrap().page_id,
        Some(existing)
    );
}

#[test]
fn locked_pages_stop_an_import() {
    let test = TestWiki::new();
    let page = test.page("/a", "mine");
    test.wiki
        .pages()
        .create_draft(&path("/draft"), test.aya)
        .unwrap();
    let lock = test.wiki.locks().acquire(page, test.aya).unwrap();
    for (at, mode) in [
        ("/a", OnConflict::Replace),
        ("/draft", OnConflict::Replace),
        ("/draft", OnConflict::Fail),
    ] {
        let refused = import(&test, &small(at, "theirs"), mode).unwrap_err();
        let ImportError::Locked {
            path: held,
            user_name,
            ..
        } = refused
        else {
            panic!("{refused}");
        };
        assert_eq!((held, user_name.as_str()), (path(at), "Aya"));
    }
    let done = import(&test, &small("/draft", "theirs"), OnConflict::Skip).unwrap();
    assert_eq!(done.skipped, 1);

    // Changes since the plan count too.
    let request = request(&test, OnConflict::Fail);
    let plan = test
        .wiki
        .archives()
        .plan_import(file(&small("/b", "theirs")), request, &mut ignore_progress)
        .unwrap();
    test.page("/b", "mine");
    assert!(matches!(
        test.wiki.archives().apply_import(plan),
        Err(ImportError::Taken(_))
    ));
    assert_eq!(text_at(&test, "/b"), "mine");

    // An expired lock holds nothing.
    test.wiki.locks().release(page, lock.token).unwrap();
    test.advance(600);
    import(&test, &small("/draft", "theirs"), OnConflict::Fail).unwrap();
    assert_eq!(text_at(&test, "/draft"), "theirs");
}

#[test]
fn entries_missing_from_the_manifest_are_reported() {
    let manifest = manifest(&[page(ID, "/a", "a")], &[]);
    let entries: [(&str, &[u8]); 3] = [("a", b"text"), ("__MACOSX/a", b""), ("b.md", b"other")];
    let test = TestWiki::new();
    let done = import(&test, &archive(&entries, &manifest), OnConflict::Fail).unwrap();
    assert_eq!(done.warnings, [ImportWarning::OtherEntries(2)]);
    assert_eq!(pages(&test).len(), 2);
}

#[test]
fn cancelled_import_leaves_nothing() {
    let archive = exported(&full());
    for steps in 0..9 {
        let test = TestWiki::new();
        let mut step = 0;
        let mut watch = |done, total| {
            assert!(done <= total);
            step += 1;
            if step > steps {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let request = request(&test, OnConflict::Fail);
        let ended = test
            .wiki
            .archives()
            .plan_import(file(&archive), request, &mut watch);
        assert!(
            matches!(ended.err(), Some(ImportError::Cancelled)),
            "{steps}"
        );
        assert_eq!(stored_files(&test), 0);
    }
    let test = TestWiki::new();
    let request = request(&test, OnConflict::Fail);
    let plan = test
        .wiki
        .archives()
        .plan_import(file(&archive), request, &mut ignore_progress)
        .unwrap();
    assert_eq!(stored_files(&test), 3);
    drop(plan);
    assert_eq!(stored_files(&test), 0);
}

#[test]
fn link_with_another_target_here_is_reported() {
    let test = TestWiki::new();
    let a = test.page("/a", "see [[/x]]");
    let x = test.page("/x", "");
    let rename = RenameRequest {
        page_id: x,
        to: path("/y"),
        user: test.aya,
        token: None,
        recursive: false,
    };
    test.wiki.tree().rename(&rename).unwrap();
    let manifest = manifest(&[page(ID, "/a", "a"), page(OTHER, "/x", "x")], &[]);
    let entries: [(&str, &[u8]); 2] = [("a", b"now [[/x]]"), ("x", b"theirs")];
    let done = import(&test, &archive(&entries, &manifest), OnConflict::Replace).unwrap();
    let [ImportWarning::Link(at, warning)] = done.warnings.as_slice() else {
        panic!("{:?}", done.warnings);
    };
    assert_eq!((at, warning.after.as_str()), (&path("/a"), "/y"));
    assert_eq!(test.text(a), "now [[/y]]");
}

#[test]
fn highly_compressible_export_can_be_imported() {
    let from = TestWiki::new();
    let page = from.page("/a", "text");
    let zeros = vec![0; 1 << 20];
    for number in 0..20 {
        from.upload(page, &format!("{number}.bin"), &zeros).unwrap();
    }
    let archive = exported(&from);
    // Contents that would inflate too much were stored uncompressed.
    assert!(archive.len() < 5 << 20, "{}", archive.len());
    let to = TestWiki::new();
    let imported = import(&to, &archive, OnConflict::Replace).unwrap();
    assert_eq!(imported.added.len(), 20);
    assert_eq!(stored_files(&to), 20);
}

#[test]
fn links_to_existing_pages_are_reported() {
    let test = TestWiki::new();
    let mine = test.page("/b", "mine");
    test.page("/here", "not in the archive");
    let pages = [
        page(ID, "/a", "a"),
        page(OTHER, "/b", "b"),
        page("01JD0000000000000000000002", "/c", "c"),
    ];
    let entries: [(&str, &[u8]); 3] = [
        ("a", b"[[/b]] [again](b) [[/c]] [[/nowhere]]"),
        ("b", b"theirs"),
        ("c", b"[[/here]] [[/a]]"),
    ];
    let theirs = archive(&entries, &manifest(&pages, &[]));
    let done = import(&test, &theirs, OnConflict::Skip).unwrap();
    let existing = |page, target| ImportWarning::Existing {
        page: path(page),
        target: path(target),
    };
    assert_eq!(
        done.warnings,
        [existing("/a", "/b"), existing("/c", "/here")]
    );
    assert_eq!(test.text(mine), "mine");
}

#[test]
fn links_within_the_archive_are_not_reported() {
    let (from, to) = (full(), TestWiki::new());
    to.advance(1);
    let theirs = exported(&from);
    import(&to, &theirs, OnConflict::Fail).unwrap();
    let lost = DeleteRequest {
        page_id: id_at(&to, "/旅"),
        user: to.aya,
        token: None,
        recursive: false,
    };
    to.wiki.tree().delete(&lost).unwrap();
    // Its link leads to a page that the archive also contains.
    let done = import(&to, &theirs, OnConflict::Skip).unwrap();
    assert_eq!((done.created.len(), done.skipped), (1, 5));
    assert_eq!(done.warnings, []);
}
