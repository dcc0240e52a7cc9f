//! Links: paths for users, ids in the store, and no link that silently changes its target.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

impl TestWiki {
    pub(crate) fn raw(&self, page: PageId) -> String {
        self.wiki.pages().raw_source(page, None).unwrap().source
    }

    pub(crate) fn put(&self, page: PageId, source: &str) -> SaveOutcome {
        let lock = self.wiki.locks().acquire(page, self.aya).unwrap();
        self.wiki
            .pages()
            .save(self.by_token(page, lock.token, source))
            .unwrap()
    }

    pub(crate) fn backlinks(&self, page: PageId) -> Vec<PageId> {
        let found = self.wiki.links().backlinks(page, None, usize::MAX).unwrap();
        found.into_iter().map(|link| link.page_id).collect()
    }
}

fn warning(link: &str, before: &str, after: &str) -> LinkWarning {
    let [link, before, after] = [link, before, after].map(str::to_owned);
    LinkWarning {
        link,
        before,
        after,
    }
}

#[test]
fn links_store_ids_and_display_paths() {
    let test = TestWiki::new();
    let garden = test.page("/庭", "");
    let text = "[a](/庭?x#y) [b](../庭) [[/庭|c]] ![d](/%E5%BA%AD)\n\n[r]: </庭> 't'\n";
    let page = test.page("/旅/京都", text);
    let id = format!("page:{garden}");
    assert_eq!(
        test.raw(page),
        format!("[a]({id}?x#y) [b]({id}) [[{id}|c]] ![d]({id})\n\n[r]: <{id}> 't'\n")
    );
    let shown = "[a](/庭?x#y) [b](/庭) [[/庭|c]] ![d](/庭)\n\n[r]: </庭> 't'\n";
    assert_eq!(test.text(page), shown);
    for again in [text, shown, &test.raw(page)] {
        let saved = test.put(page, again);
        assert!(!saved.changed, "{again}");
        assert_eq!((saved.source.as_str(), saved.warnings), (shown, vec![]));
    }
}

#[test]
fn ids_are_stored_in_canonical_form() {
    let test = TestWiki::new();
    let page = test.page("/a", "");
    let unknown_id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    let text = format!(
        "[a](PAGE:{}) [b](page:{}#c)",
        page.to_string().to_lowercase(),
        unknown_id.to_lowercase()
    );
    test.put(page, &text);
    assert_eq!(
        test.raw(page),
        format!("[a](page:{page}) [b](page:{unknown_id}#c)")
    );
    assert_eq!(test.text(page), format!("[a](/a) [b](page:{unknown_id}#c)"));
}

#[test]
fn path_is_encoded_as_its_link_form_requires() {
    let test = TestWiki::new();
    let odd = "/a b/(c)?#%[d]|e\\`<f>&'\"*!$^~{}/旅　路";
    test.page(odd, "");
    let encoded: String = odd[1..]
        .bytes()
        .map(|byte| format!("%{byte:02X}"))
        .collect();
    let encoded = format!("/{}", encoded.replace("%2F", "/"));
    let text = format!("[a]({encoded}) [b](<{encoded}>) [[{encoded}]]");
    let page = test.page("/p", &text);
    let plain =
        "/a%20b/%28c%29%3F%23%25%5Bd%5D%7Ce%5C%60%3Cf%3E%26%27%22%2A%21%24%5E%7E%7B%7D/旅　路";
    let angle = "/a b/(c)%3F%23%25%5Bd%5D%7Ce%5C%60%3Cf%3E%26'\"*!%24^~{}/旅　路";
    let wiki = "/a b/(c)%3F%23%25%5Bd%5D%7Ce%5C%60%3Cf%3E&'\"*!%24%5E~{}/旅　路";
    let shown = test.text(page);
    assert_eq!(shown, format!("[a]({plain}) [b](<{angle}>) [[{wiki}]]"));
    assert!(!test.put(page, &shown).changed);
}

#[test]
fn path_that_would_start_html_stays_an_id() {
    let test = TestWiki::new();
    let div = test.page("/div", "");
    let page = test.page("/p", &format!("[a](\n<page:{div}>)\n\n[b](<page:{div}>)\n"));
    let shown = format!("[a](\n<page:{div}>)\n\n[b](</div>)\n");
    assert_eq!(test.text(page), shown);
    assert!(!test.put(page, &shown).changed);
    assert_eq!(test.backlinks(div), [page]);
}

#[test]
fn link_tail_survives_encoded_parentheses() {
    let test = TestWiki::new();
    test.page("/a(b", "");
    let page = test.page("/p", "[x](/a(b?c)d)");
    assert_eq!(test.text(page), "[x](/a%28b?c\\)d)");
    assert!(!test.put(page, "[x](/a%28b?c\\)d)").changed);
    test.put(page, "[x](/a(b?c)d) [y](<page:x>)");
    assert_eq!(test.text(page), "[x](/a%28b?c\\)d) [y](<page:x>)");
}

#[test]
fn waiting_links_bind_to_and_follow_new_pages() {
    let test = TestWiki::new();
    let page = test.page("/a/b", "[x](c) [y](/a/c#z) [self](b)");
    assert_eq!(test.text(page), "[x](c) [y](/a/c#z) [self](/a/b)");
    let c = test.page("/a/c", "");
    assert_eq!(test.text(page), "[x](/a/c) [y](/a/c#z) [self](/a/b)");
    // The stored text is unchanged.
    assert!(test.raw(page).starts_with("[x](c) [y](/a/c#z)"));
    assert_eq!(test.backlinks(c), [page]);
    test.rename(c, "/elsewhere", false).unwrap();
    assert_eq!(
        test.text(page),
        "[x](/elsewhere) [y](/elsewhere#z) [self](/a/b)"
    );
    // Another page at the old path does not affect this page.
    let other = test.page("/a/c", "");
    assert_eq!(
        test.text(page),
        "[x](/elsewhere) [y](/elsewhere#z) [self](/a/b)"
    );
    assert_eq!(test.backlinks(other), []);
    let shown = test.text(page);
    assert!(!test.put(page, &shown).changed);
    // A move of the page itself does not affect its links.
    test.rename(page, "/x/y/z", false).unwrap();
    assert_eq!(
        test.text(page),
        "[x](/elsewhere) [y](/elsewhere#z) [self](/x/y/z)"
    );
    test.check_tables();
}

#[test]
fn draft_binds_no_links() {
    let test = TestWiki::new();
    let page = test.page("/a", "[x](/b)");
    let (draft, lock) = test
        .wiki
        .pages()
        .create_draft(&path("/b"), test.aya)
        .unwrap();
    test.put(page, "[x](/b) again");
    assert_eq!(test.raw(page), "[x](/b) again");
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/b"))]
    );
    test.wiki.locks().release(draft, lock.token).unwrap();
    test.check_tables();
    let b = test.page("/b", "");
    assert_eq!(test.backlinks(b), [page]);
}

#[test]
fn text_read_before_rename_keeps_its_links() {
    let test = TestWiki::new();
    let a = test.page("/a", "");
    let page = test.page("/p", "[x](/a)");
    let old = test.text(page);
    test.rename(a, "/b", false).unwrap();
    assert_eq!(test.put(page, &old).warnings, []);
    assert_eq!(test.text(page), "[x](/b)");
    // With another page at the old path the link still leads to the old page, and a warning is returned.
    let other = test.page("/a", "");
    let saved = test.put(page, &old);
    assert!(!saved.changed);
    assert_eq!(saved.warnings, [warning("/a", "/a", "/b")]);
    assert_eq!(test.text(page), "[x](/b)");
    // A link by id leads to the other page.
    test.put(page, &format!("[x](page:{other})"));
    assert_eq!(test.text(page), "[x](/a)");
    assert_eq!(
        (test.backlinks(a), test.backlinks(other)),
        (vec![], vec![page])
    );
}

#[test]
fn deleted_page_is_shown_by_its_last_path() {
    let test = TestWiki::new();
    let [first, a] = test.pages(["/first", "/a"]);
    test.rename(first, "/b", false).unwrap();
    let page = test.page("/p", "[x](/a#y) [[/b]]");
    test.delete(a, false).unwrap();
    test.rename(first, "/a", false).unwrap();
    test.advance(60);
    test.delete(first, false).unwrap();
    // Of two deleted pages with the same last path, the path refers to the one that left it last.
    let shown = "[x](/a@trash-2026-11-18T12:00#y) [[/a]]";
    assert_eq!(test.text(page), shown);
    assert!(!test.put(page, shown).changed);
    test.restore(a, "/c", false).unwrap();
    assert_eq!(test.text(page), "[x](/c#y) [[/a]]");
    assert!(!test.put(page, "[x](/c#y) [[/a]]").changed);
    test.put(page, "[[/a]] and more");
    test.restore(first, "/d", false).unwrap();
    assert_eq!(test.text(page), "[[/d]] and more");
    test.check_tables();
}

#[test]
fn erased_page_leaves_its_path_to_links() {
    let test = TestWiki::new();
    let a = test.page("/a", "");
    let page = test.page("/p", "[x](/a#y)");
    test.put(page, "[x](/a#y) [[/a]] `page:1`");
    test.delete(a, false).unwrap();
    test.erase(a, false).unwrap();
    let shown = "[x](/a#y) [[/a]] `page:1`";
    assert_eq!(test.text(page), shown);
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/a"))]
    );
    let old = test.wiki.pages().source(page, Some(1)).unwrap();
    assert_eq!(old.source, "[x](/a#y)");
    assert!(!test.put(page, shown).changed);
    test.check_tables();
    let other = test.page("/a", "");
    assert_eq!(test.backlinks(other), [page]);
    test.rename(other, "/c", false).unwrap();
    assert_eq!(test.text(page), "[x](/c#y) [[/c]] `page:1`");
    test.check_tables();
}

#[test]
fn text_read_before_deletion_keeps_its_links() {
    let test = TestWiki::new();
    let a = test.page("/a", "");
    let page = test.page("/p", "[x](/a#y)");
    let old = test.text(page);
    test.delete(a, false).unwrap();
    assert_eq!(test.text(page), "[x](/a#y)");
    let other = test.page("/a", "");
    let shown = "[x](/a@trash#y)";
    assert_eq!(test.text(page), shown);
    let saved = test.put(page, &old);
    assert!(!saved.changed);
    assert_eq!(saved.warnings, [warning("/a#y", "/a", "/a@trash")]);
    assert_eq!(test.backlinks(other), []);
    test.restore(a, "/c", false).unwrap();
    assert_eq!(test.text(page), "[x](/c#y)");
    // It was at /a once, deleted or not.
    assert!(!test.put(page, &old).changed);
    test.check_tables();
}

#[test]
fn ambiguous_old_path_means_its_current_page() {
    let test = TestWiki::new();
    let [x, y] = test.pages(["/x", "/y"]);
    let page = test.page("/p", "[x](/x) [y](/y)");
    let old = test.text(page);
    test.rename(x, "/was-x", false).unwrap();
    test.rename(y, "/x", false).unwrap();
    let new = "[x](/was-x) [y](/x)";
    assert_eq!(test.text(page), new);
    // The text as it is read now causes no warning.
    let saved = test.put(page, new);
    assert_eq!((saved.changed, saved.warnings), (false, vec![]));
    // The old text can't be distinguished from a new one, but a warning is returned.
    let saved = test.put(page, &old);
    assert_eq!(saved.warnings, [warning("/x", "/was-x", "/x")]);
    assert_eq!(test.text(page), "[x](/x) [y](/x)");
}

#[test]
fn left_path_means_the_last_page_there() {
    let test = TestWiki::new();
    let one = test.page("/a", "");
    let page = test.page("/p", "[one](/a)");
    test.rename(one, "/one", false).unwrap();
    test.advance(1);
    let two = test.page("/a", "");
    test.put(page, &format!("[one](/one) [two](page:{two})"));
    test.rename(two, "/two", false).unwrap();
    test.put(page, "[?](/a) [one](/one)");
    assert_eq!(test.text(page), "[?](/two) [one](/one)");
}

#[test]
fn links_of_a_deleted_page_return_when_restored() {
    let test = TestWiki::new();
    let target = test.page("/t", "");
    let page = test.page("/a", "[t](/t) [n](none)");
    test.delete(page, false).unwrap();
    assert_eq!(test.backlinks(target), []);
    assert_eq!(test.text(page), "[t](/t) [n](none)");
    let none = test.page("/none", "");
    assert_eq!(test.text(page), "[t](/t) [n](/none)");
    test.restore(page, "/b/c", false).unwrap();
    assert_eq!(test.text(page), "[t](/t) [n](/none)");
    assert_eq!(
        (test.backlinks(target), test.backlinks(none)),
        (vec![page], vec![page])
    );
    test.check_tables();
}

#[test]
fn old_revisions_are_unchanged_but_display_current_paths() {
    let test = TestWiki::new();
    let a = test.page("/a", "");
    let page = test.page("/p/q", "[a](/a) [b](b)");
    test.put(page, "two");
    test.page("/p/b", "");
    test.rename(a, "/c", false).unwrap();
    let read = |raw: bool| {
        let text = if raw {
            test.wiki.pages().raw_source(page, Some(1))
        } else {
            test.wiki.pages().source(page, Some(1))
        };
        text.unwrap().source
    };
    assert_eq!(read(true), format!("[a](page:{a}) [b](b)"));
    assert_eq!(read(false), "[a](/c) [b](b)");
    test.delete(a, false).unwrap();
    assert_eq!(read(false), "[a](/c) [b](b)");
    test.page("/c", "");
    assert_eq!(read(false), "[a](/c@trash) [b](b)");
    assert_eq!(test.wiki.links().of_page(page).unwrap(), []);
}

#[test]
fn code_html_and_front_matter_are_preserved() {
    let test = TestWiki::new();
    test.page("/a", "");
    let text = "---\nsee: [a](/a)\n---\r\n`[a](/a)` <b title=\"[a](/a)\">\n\n    [[/a]]\n\n```\n[a]: /a\n```\n\\[a](/a) \\[[/a]] <!-- [[/a]] -->\n\ttab\u{200b} \0\u{feff}か\u{3099}";
    let page = test.page("/p", text);
    assert_eq!(
        (test.raw(page), test.text(page)),
        (text.to_owned(), text.to_owned())
    );
    assert_eq!(test.wiki.links().of_page(page).unwrap(), []);
}

#[test]
fn amendment_removes_links_like_a_save() {
    let test = TestWiki::new();
    let a = test.page("/a", "");
    let page = test.page("/p", "[a](/a) [w](/w)");
    let amend = SaveRequest {
        amend: true,
        ..test.by_version(page, 1, 0, "[v](/v)")
    };
    test.wiki.pages().save(amend).unwrap();
    assert_eq!(test.backlinks(a), []);
    assert_eq!(
        test.wiki.links().of_page(page).unwrap(),
        [PageLink::Waiting(path("/v"))]
    );
    test.page("/w", "");
    assert_eq!(test.text(page), "[v](/v)");
}

#[test]
fn renamed_page_binds_its_relative_links_anew() {
    let test = TestWiki::new();
    let sibling = test.page("/b/x", "");
    let page = test.page("/a/p", "[x](x) [y](/y)");
    let renamed = test.rename(page, "/b/p", false).unwrap();
    let warnings: Vec<LinkWarning> = renamed.warnings.into_iter().map(|w| w.warning).collect();
    assert_eq!(warnings, [warning("x", "/a/x", "/b/x")]);
    assert_eq!(test.text(page), "[x](/b/x) [y](/y)");
    assert_eq!(test.backlinks(sibling), [page]);
    let waits = test.page("/c/p", "[q](../d/q)");
    test.rename(page, "/d/q", false).unwrap();
    assert_eq!(test.text(waits), "[q](/d/q)");
    test.check_tables();
}

#[test]
fn thousand_links_bind_and_follow_without_rewriting() {
    let test = TestWiki::new();
    let mut pages: Vec<PageId> = (0..1000)
        .map(|n| test.page(&format!("/links/{n}"), "[a](/target) [[/target#x]]"))
        .collect();
    // On a stopped clock, ids are in no order.
    pages.sort();
    let target = test.page("/target", "");
    assert!(test.backlinks(target) == pages);
    let rows = |page: &PageId| {
        let raw = test.wiki.pages().raw_source(*page, None).unwrap();
        (raw.version, raw.source)
    };
    let before: Vec<_> = pages.iter().map(rows).collect();
    test.rename(target, "/elsewhere", false).unwrap();
    assert!(pages.iter().map(rows).collect::<Vec<_>>() == before);
    for page in &pages {
        assert_eq!(test.text(*page), "[a](/elsewhere) [[/elsewhere#x]]");
    }
    assert!(test.backlinks(target) == pages);
    let some = test
        .wiki
        .links()
        .backlinks(target, Some(pages[9]), 3)
        .unwrap();
    let some: Vec<PageId> = some.iter().map(|link| link.page_id).collect();
    assert_eq!(some, pages[10..13]);
}

#[test]
fn wanted_and_orphan_pages_are_listed() {
    let test = TestWiki::new();
    let a = test.page("/a", "[x](/x) [y](/y) [self](/a)");
    test.page("/b", "[x](/x) [a](/a)");
    let wanted = |test: &TestWiki| -> Vec<(String, usize)> {
        let wanted = test.wiki.links().wanted_pages().unwrap().into_iter();
        let wanted = wanted.map(|page| (page.path.to_string(), page.links));
        // The root page, which comes with the wiki, links to a wanted page too.
        wanted.filter(|(path, _)| path != "/Reading list").collect()
    };
    let orphans = |test: &TestWiki| -> Vec<String> {
        let orphans = test.wiki.links().orphan_pages().unwrap().into_iter();
        orphans.map(|page| page.path.to_string()).collect()
    };
    assert_eq!(wanted(&test), [("/x".to_owned(), 2), ("/y".to_owned(), 1)]);
    assert_eq!(orphans(&test), ["/b"]);
    test.delete(a, false).unwrap();
    // A page in the trash is not wanted: it can be restored.
    assert_eq!(wanted(&test), [("/x".to_owned(), 1)]);
    test.page("/x", "");
    assert_eq!(orphans(&test), ["/b"]);
}
