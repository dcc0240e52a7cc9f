//! Links to pages in the trash whose paths belong to other pages: readable, and never without their targets.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

/// A page `/p` with a link to a page that was deleted from `/plan`, where another page is now.
struct Replaced {
    test: TestWiki,
    page: PageId,
    old: PageId,
    new: PageId,
}

impl Replaced {
    fn new() -> Self {
        let test = TestWiki::new();
        let old = test.page("/plan", "old");
        let page = test.page("/p", "[[/plan#x]] [y](/plan)");
        test.delete(old, false).unwrap();
        test.advance(1);
        let new = test.page("/plan", "new");
        Self {
            test,
            page,
            old,
            new,
        }
    }

    #[track_caller]
    fn reads(&self, expected: &str) {
        assert_eq!(self.test.text(self.page), expected);
        assert!(!self.test.put(self.page, expected).changed, "{expected}");
        self.test.check_tables();
    }

    /// A text that was read earlier still means the same.
    #[track_caller]
    fn keeps_meaning_of(&self, read: &str) {
        let raw = self.test.raw(self.page);
        let saved = self.test.put(self.page, read);
        assert!(!saved.changed, "{read} was {raw}");
        assert_eq!(saved.warnings, []);
    }

    fn link_targets(&self) -> Vec<PageLink> {
        self.test.wiki.links().of_page(self.page).unwrap()
    }
}

const READ: &str = "[[/plan@trash#x]] [y](/plan@trash)";

#[test]
fn link_survives_replacement_of_its_page() {
    let wiki = Replaced::new();
    wiki.reads(READ);
    let Replaced {
        test, page, old, ..
    } = &wiki;
    assert_eq!(test.raw(*page), format!("[[page:{old}#x]] [y](page:{old})"));
    let both = format!("{READ} and [n](page:{})", wiki.new);
    let saved = test.put(*page, &both);
    assert_eq!(saved.source, format!("{READ} and [n](/plan)"));
    assert_eq!(wiki.link_targets().len(), 2);
    wiki.reads(&format!("{READ} and [n](/plan)"));
}

#[test]
fn author_who_read_the_name_can_link_to_the_new_page() {
    let wiki = Replaced::new();
    let Replaced {
        test, page, new, ..
    } = &wiki;
    let old_text = "[[/plan#x]] [y](/plan)";
    let save = |source: &str, read: &str| {
        let lock = test.wiki.locks().acquire(*page, test.aya).unwrap();
        let request = SaveRequest {
            read: Some(text_digest(read)),
            ..test.by_token(*page, lock.token, source)
        };
        test.wiki.pages().save(request).unwrap()
    };
    // The author of a text that was read before means the old page.
    let saved = save(old_text, old_text);
    assert_eq!((saved.changed, saved.source.as_str()), (false, READ));
    let saved = save("[[/plan#x]] [y](/plan@trash)", READ);
    assert_eq!(saved.source, "[[/plan#x]] [y](/plan@trash)");
    assert_eq!(saved.warnings, []);
    let saved = save(old_text, &saved.source);
    assert_eq!(saved.source, old_text);
    assert_eq!(
        wiki.link_targets(),
        [PageLink::Page {
            path: Some(path("/plan")),
            page_id: *new,
            deleted: false,
        }]
    );
    test.check_tables();
}

#[test]
fn author_who_read_a_late_bound_link_can_link_to_the_new_page() {
    let test = TestWiki::new();
    let page = test.page("/p", "[x](/plan)");
    let old = test.page("/plan", "old");
    test.delete(old, false).unwrap();
    let new = test.page("/plan", "new");
    assert_eq!(test.text(page), "[x](/plan@trash)");
    let save = |source: &str| {
        let read = Some(text_digest(&test.text(page)));
        let request = SaveRequest {
            read,
            ..test.by_version(page, 1, 0, source)
        };
        test.wiki.pages().save(request).unwrap()
    };
    // The text as it was read keeps its link.
    assert!(!save("[x](/plan@trash)").changed);
    assert_eq!(save("[x](/plan)").source, "[x](/plan)");
    assert_eq!(test.raw(page), format!("[x](page:{new})"));
}

#[test]
fn unreplaceable_link_of_a_read_text_keeps_its_page() {
    let test = TestWiki::new();
    let text = "[a](\n</x y>)";
    let page = test.page("/p", text);
    let old = test.page("/x y", "old");
    // Its path would start HTML in the text.
    test.rename(old, "/div", false).unwrap();
    test.page("/x y", "new");
    assert_eq!(test.text(page), text);
    let request = SaveRequest {
        read: Some(text_digest(text)),
        ..test.by_version(page, 1, 0, text)
    };
    assert!(!test.wiki.pages().save(request).unwrap().changed);
    let expected = PageLink::Page {
        path: Some(path("/div")),
        page_id: old,
        deleted: false,
    };
    assert_eq!(test.wiki.links().of_page(page).unwrap(), [expected]);
}

#[test]
fn title_names_the_page_without_its_mark() {
    let wiki = Replaced::new();
    let Replaced { test, page, .. } = &wiki;
    test.put(*page, "# [[/plan@trash]]");
    let meta = test.wiki.pages().meta(*page, None).unwrap();
    assert_eq!(meta.title.as_deref(), Some("plan"));
}

#[test]
fn name_follows_every_change_of_both_pages() {
    let wiki = Replaced::new();
    let Replaced { test, old, new, .. } = &wiki;
    test.rename(*new, "/new", false).unwrap();
    wiki.keeps_meaning_of(READ);
    wiki.reads("[[/plan#x]] [y](/plan)");
    test.rename(*new, "/plan", false).unwrap();
    wiki.reads(READ);
    // Both are in the trash. The link still means the one to which the text links.
    test.delete(*new, false).unwrap();
    wiki.keeps_meaning_of(READ);
    wiki.reads("[[/plan#x]] [y](/plan)");
    test.page("/plan", "third");
    wiki.reads(
        "[[/plan@trash-2026-11-18T12:00:00.001Z#x]] [y](/plan@trash-2026-11-18T12:00:00.001Z)",
    );
    wiki.keeps_meaning_of(READ);
    test.restore(*old, "/old", false).unwrap();
    wiki.keeps_meaning_of(READ);
    wiki.reads("[[/old#x]] [y](/old)");
}

#[test]
fn page_restored_in_place_is_read_by_its_path() {
    let wiki = Replaced::new();
    let Replaced { test, old, new, .. } = &wiki;
    test.rename(*new, "/new", false).unwrap();
    test.restore(*old, "/plan", false).unwrap();
    wiki.keeps_meaning_of(READ);
    wiki.reads("[[/plan#x]] [y](/plan)");
}

#[test]
fn erased_page_leaves_its_links_to_the_path() {
    for is_replaced in [true, false] {
        let wiki = Replaced::new();
        let Replaced { test, old, new, .. } = &wiki;
        if !is_replaced {
            test.rename(*new, "/new", false).unwrap();
        }
        test.erase(*old, false).unwrap();
        wiki.keeps_meaning_of(READ);
        wiki.reads("[[/plan#x]] [y](/plan)");
        let expected = if is_replaced {
            PageLink::Page {
                path: Some(path("/plan")),
                page_id: *new,
                deleted: false,
            }
        } else {
            PageLink::Waiting(path("/plan"))
        };
        assert_eq!(wiki.link_targets(), [expected]);
    }
}

#[test]
fn name_means_its_page_in_every_text() {
    let wiki = Replaced::new();
    let Replaced { test, old, new, .. } = &wiki;
    let other = test.page("/q", "[[/plan@trash]] [[/plan]] [[/p@trash]]");
    assert_eq!(
        test.raw(other),
        format!("[[page:{old}]] [[page:{new}]] [[/p@trash]]")
    );
    assert_eq!(test.text(other), "[[/plan@trash]] [[/plan]] [[/p@trash]]");
    // A path that waits for a page goes on waiting.
    test.delete(wiki.page, false).unwrap();
    let shown = test.text(other);
    assert!(!test.put(other, &shown).changed);
    test.check_tables();
}

#[test]
fn real_page_at_a_name_keeps_its_path() {
    let wiki = Replaced::new();
    let Replaced { test, .. } = &wiki;
    let real = test.page("/plan@trash", "");
    // The text was read before the page was there, and links to another one.
    wiki.keeps_meaning_of(READ);
    wiki.reads("[[/plan@trash-2026-11-18#x]] [y](/plan@trash-2026-11-18)");
    let other = test.page("/q", "[[/plan@trash]]");
    assert_eq!(test.raw(other), format!("[[page:{real}]]"));
}

#[test]
fn name_is_found_like_a_path() {
    let Replaced { test, old, .. } = Replaced::new();
    let found = |name: &str| match test.wiki.pages().resolve(&path(name)) {
        Err(ResolveError::Deleted { path, page_id }) => Some((path.to_string(), page_id)),
        Err(ResolveError::NotFound(_)) => None,
        other => panic!("{name} is {other:?}"),
    };
    let expected = Some(("/plan".to_owned(), old));
    assert_eq!(found("/plan@trash"), expected);
    assert_eq!(found("/plan@trash-2026-11"), expected);
    for name in [
        "/plan@trash-2025",
        "/plan@trash-",
        "/plan/@trash",
        "/p@trash",
        "/@trash",
    ] {
        assert_eq!(found(name), None, "{name}");
    }
    let listed = test
        .wiki
        .tree()
        .deleted_pages_at(&path("/plan@trash"))
        .unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].page_id, listed[0].path.as_str()), (old, "/plan"));
}

#[test]
fn trashed_page_is_reported_beside_one_that_moved_earlier() {
    let test = TestWiki::new();
    let moved = test.page("/a", "");
    test.rename(moved, "/b", false).unwrap();
    test.advance(1);
    let deleted = test.page("/a", "");
    test.delete(deleted, false).unwrap();
    let in_trash = || match test.wiki.pages().resolve(&path("/a")) {
        Err(ResolveError::Moved { in_trash, .. }) => in_trash,
        other => panic!("{other:?}"),
    };
    assert_eq!(in_trash(), Some(deleted));
    test.advance(1);
    test.rename(moved, "/a", false).unwrap();
    test.rename(moved, "/c", false).unwrap();
    assert_eq!(in_trash(), None);
}
