//! The history of a page with very many revisions, and of one with very many links, in parts.

use fumikura_wiki::*;

use crate::support::TestWiki;

fn history(test: &TestWiki, id: PageId, before: Option<u64>) -> String {
    test.wiki
        .revisions()
        .history(id, Wording::En, before)
        .unwrap()
}

fn revisions(text: &str) -> usize {
    text.matches("- [Revision ").count()
}

#[test]
fn history_comes_in_parts_of_a_thousand_revisions() {
    let test = TestWiki::new();
    let id = test.page("/a", "0");
    for revision in 1..1_003 {
        let request = test.by_version(id, revision, 0, &revision.to_string());
        test.wiki.pages().save(request).unwrap();
    }
    let newest = history(&test, id, None);
    assert_eq!(revisions(&newest), 1_000);
    let end = "Revisions 1 to 3 are older, and not listed here.\n";
    assert!(newest.ends_with(end), "{newest}");
    let rest = history(&test, id, Some(4));
    assert_eq!(revisions(&rest), 3);
    assert!(!rest.contains("not listed"), "{rest}");
    test.wiki.revisions().compact(id, 3, None).unwrap();
    let newest = history(&test, id, None);
    let end = "Revision 3 is older, and not listed here.\n";
    assert!(newest.ends_with(end), "{newest}");
    let rest = history(&test, id, Some(4));
    assert!(rest.ends_with("Revisions 1 to 2 were removed.\n"), "{rest}");
}

#[test]
fn rename_lists_at_most_a_hundred_links() {
    let test = TestWiki::new();
    let links = |count: usize| -> String { (0..count).map(|n| format!("[[/x/{n}]]\n")).collect() };
    let id = test.page("/a", &links(101));
    test.rename(id, "/b", false).unwrap();
    let few = history(&test, id, None);
    assert_eq!(few.matches("→ no page yet").count(), 100);
    assert!(few.contains("    - and 1 more\n"), "{few}");
    // Renames with ten thousand links in total are listed, but no older ones.
    let request = test.by_version(id, 2, 0, &links(6_000));
    test.wiki.pages().save(request).unwrap();
    for at in ["/c", "/d", "/e"] {
        test.rename(id, at, false).unwrap();
    }
    let many = history(&test, id, None);
    assert_eq!(revisions(&many), 2);
    let end = "Revisions 1 to 4 are older, and not listed here.\n";
    assert!(many.ends_with(end), "{many}");
    assert_eq!(revisions(&history(&test, id, Some(5))), 4);
}
