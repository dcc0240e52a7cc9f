//! The past of a page: lists, differences, rollbacks, and compaction.

use fumikura_wiki::*;

use crate::support::{TestWiki, name, path};

/// A page with the texts as its revisions, one per minute, by Aya.
fn page_with(test: &TestWiki, texts: &[&str]) -> PageId {
    let id = test.page("/a", texts[0]);
    for (before, text) in (1..).zip(&texts[1..]) {
        test.advance(60);
        let saved = test.wiki.pages().save(test.by_version(id, before, 0, text));
        assert_eq!(saved.unwrap().version.revision, before + 1);
    }
    id
}

fn numbers(
    test: &TestWiki,
    id: PageId,
    before: Option<u64>,
    limit: usize,
) -> (Vec<u64>, bool, u64) {
    let list = test.wiki.revisions().list(id, before, limit).unwrap();
    let numbers = list.items.iter().map(|item| item.info.revision).collect();
    (numbers, list.has_more, list.oldest)
}

#[test]
fn revisions_are_listed_newest_first_without_gaps() {
    let test = TestWiki::new();
    let id = page_with(&test, &["1", "二", "3", "4", "5"]);
    assert_eq!(
        numbers(&test, id, None, 10),
        (vec![5, 4, 3, 2, 1], false, 1)
    );
    assert_eq!(numbers(&test, id, None, 2), (vec![5, 4], true, 1));
    assert_eq!(numbers(&test, id, Some(4), 2), (vec![3, 2], true, 1));
    assert_eq!(numbers(&test, id, Some(2), 2), (vec![1], false, 1));
    for (before, expected) in [(0, vec![]), (1, vec![]), (u64::MAX, vec![5, 4, 3, 2, 1])] {
        assert_eq!(numbers(&test, id, Some(before), 10), (expected, false, 1));
    }
    let list = test.wiki.revisions().list(id, None, 10).unwrap();
    let first = list.items.last().unwrap();
    assert_eq!((first.info.user_name.as_str(), first.bytes), ("Aya", 1));
    assert_eq!(
        (list.items[3].bytes, &list.items[3].info.rename),
        (3, &None)
    );
    assert!(first.info.rename.is_some());
    assert!(list.items.iter().all(|item| item.path.as_str() == "/a"));
    test.wiki.revisions().compact(id, 3, None).unwrap();
    assert_eq!(numbers(&test, id, None, 2), (vec![5, 4], true, 3));
    assert_eq!(numbers(&test, id, Some(4), 2), (vec![3], false, 3));
    assert_eq!(numbers(&test, id, Some(3), 2), (vec![], false, 3));
}

#[test]
fn listed_sizes_are_those_of_the_read_texts() {
    let test = TestWiki::new();
    let id = page_with(&test, &["[x](/later)", "[x](/later) "]);
    let later = test.page("/later", "");
    test.rename(id, "/b", false).unwrap();
    test.rename(later, "/long/path", false).unwrap();
    let list = test.wiki.revisions().list(id, None, 10).unwrap();
    let sizes: Vec<u64> = list.items.iter().map(|item| item.bytes).collect();
    let read = |revision| test.wiki.pages().source(id, Some(revision)).unwrap().source;
    assert_eq!(sizes, [3, 2, 1].map(|revision| read(revision).len() as u64));
    // The rename is no change of the text.
    assert_eq!(sizes[0], sizes[1]);
    assert_eq!(test.wiki.revisions().diff(id, 2, 3).unwrap().text.hunks, []);
}

#[test]
fn draft_has_no_history() {
    let test = TestWiki::new();
    let at = PagePath::new("/draft").unwrap();
    let (id, lock) = test.wiki.pages().create_draft(&at, test.aya).unwrap();
    let wiki = &test.wiki;
    let token = Some(lock.token);
    assert!(matches!(
        wiki.revisions().list(id, None, 1),
        Err(PageError::Draft)
    ));
    assert!(matches!(
        wiki.revisions().diff(id, 1, 1),
        Err(PageError::Draft)
    ));
    assert!(matches!(
        wiki.revisions().rollback(id, 1, test.aya, token),
        Err(HistoryError::Page(PageError::Draft))
    ));
    assert!(matches!(
        wiki.revisions().compact(id, 1, token),
        Err(HistoryError::Page(PageError::Draft))
    ));
}

#[test]
fn revisions_are_compared_in_either_direction() {
    let test = TestWiki::new();
    let id = page_with(&test, &["a\nb\n", "a\nc\n", "a\nc\nd\n"]);
    let changes = |from, to| -> String {
        let diff = test.wiki.revisions().diff(id, from, to).unwrap();
        assert_eq!((diff.from.info.revision, diff.to.info.revision), (from, to));
        let mut all = String::new();
        for line in diff.text.hunks.iter().flat_map(|hunk| &hunk.lines) {
            all.push(match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            });
            all.extend(line.spans.iter().map(|span| span.text.as_str()));
        }
        all
    };
    assert_eq!(changes(1, 2), " a-b+c");
    assert_eq!(changes(2, 1), " a-c+b");
    assert_eq!(changes(1, 3), " a-b+c+d");
    assert_eq!(changes(2, 2), "");
    for unknown in [0, 4, u64::MAX] {
        for (from, to) in [(unknown, 1), (1, unknown)] {
            assert!(matches!(
                test.wiki.revisions().diff(id, from, to),
                Err(PageError::NoSuchRevision(revision)) if revision == unknown
            ));
        }
    }
}

#[test]
fn rollback_adds_a_revision_by_its_user() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one", "two", "three"]);
    test.advance(60);
    let done = test
        .wiki
        .revisions()
        .rollback(id, 1, test.ben, None)
        .unwrap();
    assert_eq!((done.version.revision, done.version.amends), (4, 0));
    assert!(done.changed);
    let test = test.reopen();
    assert_eq!(test.text(id), "one");
    let meta = test.wiki.pages().meta(id, None).unwrap();
    let made = meta.revision.unwrap();
    assert_eq!(
        (made.revision, made.user_name.as_str(), made.rename),
        (4, "Ben", None)
    );
    assert_eq!(meta.rename_revisions, [1]);
    assert_eq!(
        test.wiki.pages().source(id, Some(3)).unwrap().source,
        "three"
    );
    // The user who rolled back is the author of the new revision, and the only one who may amend it.
    let amend = |user| SaveRequest {
        user,
        amend: true,
        ..test.by_version(id, 4, 0, "one, better")
    };
    assert!(matches!(
        test.wiki.pages().save(amend(test.aya)),
        Err(SaveError::NotAuthor(author)) if author == "Ben"
    ));
    assert_eq!(
        test.wiki
            .pages()
            .save(amend(test.ben))
            .unwrap()
            .version
            .amends,
        1
    );
}

#[test]
fn rollback_to_the_same_text_adds_nothing() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one", "two", "one"]);
    for to in [1, 3] {
        let done = test
            .wiki
            .revisions()
            .rollback(id, to, test.ben, None)
            .unwrap();
        assert_eq!((done.version.revision, done.changed), (3, false));
    }
    assert_eq!(numbers(&test, id, None, 10).0, [3, 2, 1]);
    test.check_tables();
}

#[test]
fn rollback_to_missing_revision_is_refused() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one", "two", "three"]);
    test.wiki.revisions().compact(id, 2, None).unwrap();
    for to in [0, 4, u64::MAX] {
        assert!(matches!(
            test.wiki.revisions().rollback(id, to, test.aya, None),
            Err(HistoryError::Page(PageError::NoSuchRevision(revision))) if revision == to
        ));
    }
    assert!(matches!(
        test.wiki.revisions().rollback(id, 1, test.aya, None),
        Err(HistoryError::Page(PageError::Collected(1)))
    ));
    let unknown_id = UserId::from_bytes([9; 16]);
    assert!(matches!(
        test.wiki.revisions().rollback(id, 2, unknown_id, None),
        Err(HistoryError::NoUser)
    ));
    let nothing = PageId::from_bytes([9; 16]);
    assert!(matches!(
        test.wiki.revisions().rollback(nothing, 1, test.aya, None),
        Err(HistoryError::Page(PageError::NotFound))
    ));
    assert_eq!(test.text(id), "three");
}

#[test]
fn compaction_removes_old_revisions_without_gaps() {
    let test = TestWiki::new();
    let id = page_with(&test, &["1", "2", "3", "4", "5"]);
    test.wiki.revisions().compact(id, 4, None).unwrap();
    // Compacting again, or to an earlier revision, does nothing.
    for keep_from in [4, 2, 0] {
        test.wiki.revisions().compact(id, keep_from, None).unwrap();
    }
    let test = test.reopen();
    let meta = test.wiki.pages().meta(id, None).unwrap();
    assert_eq!(
        (meta.revisions, meta.rename_revisions),
        (Some((4, 5)), vec![])
    );
    // The path is known although the revision that set it was compacted away.
    assert_eq!(meta.path_then.as_str(), "/a");
    for collected in [1, 2, 3] {
        for refused in [
            test.wiki.pages().source(id, Some(collected)).map(drop),
            test.wiki.pages().meta(id, Some(collected)).map(drop),
            test.wiki.revisions().diff(id, collected, 5).map(drop),
            test.wiki.revisions().diff(id, 5, collected).map(drop),
        ] {
            assert!(
                matches!(refused, Err(PageError::Collected(revision)) if revision == collected)
            );
        }
    }
    assert_eq!(test.wiki.pages().source(id, Some(4)).unwrap().source, "4");
    for keep_from in [6, u64::MAX] {
        assert!(matches!(
            test.wiki.revisions().compact(id, keep_from, None),
            Err(HistoryError::NothingLeft { latest: 5, .. })
        ));
    }
    test.wiki.revisions().compact(id, 5, None).unwrap();
    test.wiki
        .pages()
        .save(test.by_version(id, 5, 0, "6"))
        .unwrap();
    assert_eq!(numbers(&test, id, None, 10), (vec![6, 5], false, 5));
    test.check_tables();
}

#[test]
fn rollback_and_compaction_need_and_keep_the_lock() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one", "two"]);
    let lock = test.wiki.locks().acquire(id, test.ben).unwrap();
    let wrong_token = Some(LockToken::from_bytes([7; 16]));
    let attempts = |token| {
        [
            test.wiki
                .revisions()
                .rollback(id, 1, test.ben, token)
                .map(drop),
            test.wiki.revisions().compact(id, 2, token),
        ]
    };
    for refused in attempts(None) {
        match refused {
            Err(HistoryError::Gate(GateError::Required {
                user_name, expire, ..
            })) => assert_eq!((user_name.as_str(), expire), ("Ben", lock.expire)),
            other => panic!("{other:?}"),
        }
    }
    for refused in attempts(wrong_token) {
        assert!(matches!(
            refused,
            Err(HistoryError::Gate(GateError::Invalid))
        ));
    }
    assert_eq!(numbers(&test, id, None, 10), (vec![2, 1], false, 1));
    for done in attempts(Some(lock.token)) {
        done.unwrap();
    }
    assert_eq!(numbers(&test, id, None, 10), (vec![3, 2], false, 2));
    assert_eq!(
        test.wiki.locks().status(id).unwrap().unwrap().expire,
        lock.expire
    );
    test.check_tables();
    // Without a lock, a token is an error.
    test.wiki.locks().release(id, lock.token).unwrap();
    for refused in attempts(Some(lock.token)) {
        assert!(matches!(
            refused,
            Err(HistoryError::Gate(GateError::Invalid))
        ));
    }
}

#[test]
fn revision_keeps_its_authors_name_at_the_time() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one"]);
    test.wiki.users().rename(test.aya, name("あや")).unwrap();
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "two"))
        .unwrap();
    test.wiki
        .revisions()
        .rollback(id, 1, test.aya, None)
        .unwrap();
    test.wiki.users().rename(test.aya, name("Aya")).unwrap();
    let names: Vec<String> = test
        .wiki
        .revisions()
        .list(id, None, 10)
        .unwrap()
        .items
        .into_iter()
        .map(|item| item.info.user_name)
        .collect();
    assert_eq!(names, ["あや", "あや", "Aya"]);
    // A rewritten revision has the current name of its author.
    let amend = SaveRequest {
        amend: true,
        ..test.by_version(id, 3, 0, "three")
    };
    test.wiki.pages().save(amend).unwrap();
    let newest = test.wiki.pages().meta(id, None).unwrap().revision;
    assert_eq!(newest.unwrap().user_name, "Aya");
}

#[test]
fn rollback_keeps_link_targets() {
    let test = TestWiki::new();
    let linked = test.page("/x", "");
    let id = test.page("/a", "[x](/x) [y](/y)");
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "none"))
        .unwrap();
    let late = test.page("/y", "");
    let done = test
        .wiki
        .revisions()
        .rollback(id, 1, test.ben, None)
        .unwrap();
    assert_eq!((done.version.revision, done.warnings), (3, vec![]));
    let raw = test.wiki.pages().raw_source(id, None).unwrap().source;
    assert_eq!(raw, format!("[x](page:{linked}) [y](page:{late})"));
    assert_eq!(test.text(id), "[x](/x) [y](/y)");
    test.check_tables();
    // A link that was bound since does not count as a change.
    let waiting = test.page("/b", "[z](/z)");
    test.page("/z", "");
    let done = test
        .wiki
        .revisions()
        .rollback(waiting, 1, test.ben, None)
        .unwrap();
    assert!(!done.changed);
}

#[test]
fn differences_use_current_paths() {
    let test = TestWiki::new();
    test.page("/x", "");
    let id = test.page("/a", "[x](/x) one");
    test.wiki
        .pages()
        .save(test.by_version(id, 1, 0, "[x](/x) two"))
        .unwrap();
    let diff = test.wiki.revisions().diff(id, 1, 2).unwrap();
    let spans = &diff.text.hunks[0].lines[1].spans;
    let texts: Vec<_> = spans
        .iter()
        .map(|span| (&*span.text, span.changed))
        .collect();
    assert_eq!(texts, [("[x](/x) ", false), ("two", true)]);
}

/// A page that was at /a/b, is at /z/b, and had this text in its first revision.
fn renamed_page(test: &TestWiki, text: &str) -> PageId {
    let id = test.page("/a/b", text);
    test.advance(1);
    test.rename(id, "/z/b", false).unwrap();
    test.wiki
        .pages()
        .save(test.by_version(id, 2, 0, "between"))
        .unwrap();
    id
}

#[test]
fn rollback_across_a_rename_keeps_the_path() {
    let test = TestWiki::new();
    let id = renamed_page(&test, "text");
    let done = test
        .wiki
        .revisions()
        .rollback(id, 1, test.ben, None)
        .unwrap();
    assert_eq!((done.version.revision, done.path.as_str()), (4, "/z/b"));
    assert_eq!(test.text(id), "text");
    assert_eq!(test.wiki.pages().path(id).unwrap().as_str(), "/z/b");
    let meta = |rev| test.wiki.pages().meta(id, Some(rev)).unwrap();
    assert_eq!(meta(4).rename_revisions, [1, 2]);
    assert_eq!(meta(4).revision.unwrap().rename, None);
    let paths = [1, 2, 3, 4].map(|rev| meta(rev).path_then.to_string());
    assert_eq!(paths, ["/a/b", "/z/b", "/z/b", "/z/b"]);
    let list = test.wiki.revisions().list(id, None, 10).unwrap();
    let listed: Vec<_> = list
        .items
        .iter()
        .rev()
        .map(|item| item.path.to_string())
        .collect();
    assert_eq!(listed, paths);
}

#[test]
fn differences_list_renames_separately() {
    let test = TestWiki::new();
    let id = renamed_page(&test, "text");
    test.advance(1);
    test.rename(id, "/y", false).unwrap();
    let renames = |from, to| -> Vec<(u64, Option<String>, String)> {
        let diff = test.wiki.revisions().diff(id, from, to).unwrap();
        let renames = diff.renames.into_iter().map(|at| {
            let rename = at.info.rename.unwrap();
            assert_eq!(rename.to, at.path);
            let from = rename.from.map(|path| path.to_string());
            (at.info.revision, from, rename.to.to_string())
        });
        renames.collect()
    };
    let first = (2, Some("/a/b".to_owned()), "/z/b".to_owned());
    let second = (4, Some("/z/b".to_owned()), "/y".to_owned());
    assert_eq!(renames(1, 4), [first.clone(), second.clone()]);
    assert_eq!(renames(4, 1), [first.clone(), second.clone()]);
    assert_eq!(renames(1, 3), [first]);
    assert_eq!(renames(2, 4), [second]);
    assert_eq!(renames(2, 3), []);
    // The text of a rename is the previous one.
    assert_eq!(test.wiki.revisions().diff(id, 1, 2).unwrap().text.hunks, []);
    // After the first revisions are compacted away, the path is still known.
    test.wiki.revisions().compact(id, 3, None).unwrap();
    let diff = test.wiki.revisions().diff(id, 3, 4).unwrap();
    assert_eq!(
        (diff.from.path.as_str(), diff.to.path.as_str()),
        ("/z/b", "/y")
    );
}

#[test]
fn rollback_resolves_links_from_the_old_path() {
    let test = TestWiki::new();
    let id = renamed_page(
        &test,
        "[c](c) [d](d) [x](/x) ![](asset:own) ![](asset:../e/f)",
    );
    let late = test.page("/a/c", "");
    test.page("/z/d", "");
    let done = test
        .wiki
        .revisions()
        .rollback(id, 1, test.ben, None)
        .unwrap();
    let raw = test.wiki.pages().raw_source(id, None).unwrap().source;
    let expected = format!("[c](page:{late}) [d](d) [x](/x) ![](asset:own) ![](asset:../e/f)");
    assert_eq!(raw, expected);
    let warned: Vec<_> = done
        .warnings
        .iter()
        .map(|w| (w.link.as_str(), w.before.as_str(), w.after.as_str()))
        .collect();
    assert_eq!(
        warned,
        [("d", "/a/d", "/z/d"), ("asset:../e/f", "/a/e/f", "/z/e/f")]
    );
    // Links that can only be resolved from the current path lead to the pages that are here.
    assert!(test.text(id).contains("[c](/a/c) [d](/z/d)"));
}

#[test]
fn history_of_a_deleted_page_is_read_only() {
    let test = TestWiki::new();
    let id = page_with(&test, &["one", "two"]);
    test.delete(id, false).unwrap();
    assert_eq!(numbers(&test, id, None, 10).0, [2, 1]);
    assert_eq!(test.wiki.revisions().diff(id, 1, 2).unwrap().text.added, 1);
    for refused in [
        test.wiki
            .revisions()
            .rollback(id, 1, test.aya, None)
            .map(drop),
        test.wiki.revisions().compact(id, 2, None),
    ] {
        assert!(matches!(
            refused,
            Err(HistoryError::Page(PageError::Deleted(_)))
        ));
    }
}

#[test]
fn history_lists_revisions_and_explains_renames() {
    let test = TestWiki::new();
    let linked = test.page("/x", "");
    let erased_page = test.page("/gone", "");
    let id = test.page("/a/b", "[x](/x) [y](y) [gone](/gone)");
    test.advance(60);
    test.rename(id, "/z/*b*", false).unwrap();
    test.rename(linked, "/x2", false).unwrap();
    test.erase(erased_page, false).unwrap();
    test.advance(60);
    let amend = SaveRequest {
        amend: true,
        ..test.by_version(id, 2, 0, "two")
    };
    test.wiki.pages().save(amend).unwrap();
    test.wiki
        .users()
        .rename(test.aya, name("あや [1]"))
        .unwrap();
    test.wiki
        .pages()
        .save(test.by_version(id, 2, 1, "three"))
        .unwrap();
    let text = test
        .wiki
        .revisions()
        .history(id, Wording::En, None)
        .unwrap();
    let expected = "\
# History of /z/\\*b\\*

- [Revision 3](/z/%2Ab%2A?rev=3), 2026-11-18 12:02:00 UTC, by あや \\[1\\]
- [Revision 2](/z/%2Ab%2A?rev=2), 2026-11-18 12:02:00 UTC, by Aya, amended once
  - The page was renamed from /a/b to /z/\\*b\\*.
  - Just before, the links in the page led from these paths to these pages:
    - /a/y → no page yet
    - /gone → a page that was permanently deleted
    - /x → [/x2](/x2)
- [Revision 1](/z/%2Ab%2A?rev=1), 2026-11-18 12:00:00 UTC, by Aya
  - The page was made at /a/b.
";
    assert_eq!(text, expected);
    test.wiki.revisions().compact(id, 3, None).unwrap();
    test.delete(id, false).unwrap();
    let text = test
        .wiki
        .revisions()
        .history(id, Wording::Ja, None)
        .unwrap();
    let expected = "\
# /z/\\*b\\* の履歴

このページは 2026-11-18 12\\:02\\:00 UTC に あや \\[1\\] が削除しました。

- [リビジョン 3](/z/%2Ab%2A?rev=3)　2026-11-18 12\\:02\\:00 UTC　あや \\[1\\]

リビジョン 1 から 2 までは整理されました。
";
    assert_eq!(text, expected.replace("\\:", ":"));
    let draft = test
        .wiki
        .pages()
        .create_draft(&path("/d"), test.aya)
        .unwrap()
        .0;
    assert!(matches!(
        test.wiki.revisions().history(draft, Wording::En, None),
        Err(PageError::Draft)
    ));
}
