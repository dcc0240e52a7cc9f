//! Reads the trash in parts: each page is returned once, despite changes between two parts.

use fumikura_wiki::*;

use crate::support::TestWiki;

/// The whole trash in parts of `size`. `between` runs after each of them.
fn read_in_parts(test: &TestWiki, size: usize, mut between: impl FnMut(usize)) -> Vec<DeletedPage> {
    let mut listed: Vec<DeletedPage> = Vec::new();
    for number in 0.. {
        let after = listed.last().map(DeletedPage::cursor);
        let part = test.wiki.tree().trash(after.as_ref(), size).unwrap();
        if part.is_empty() {
            break;
        }
        assert!(part.len() <= size);
        listed.extend(part);
        between(number);
    }
    listed
}

fn paths(pages: &[DeletedPage]) -> Vec<&str> {
    pages.iter().map(|page| page.path.as_str()).collect()
}

/// Deletions of one page and of several, some at the same time, some from the same path.
fn sample_wiki() -> TestWiki {
    let test = TestWiki::new();
    let [a, ..] = test.pages(["/a", "/a/1", "/a/2", "/a/3"]);
    let [b, c] = test.pages(["/b", "/c"]);
    test.delete(b, false).unwrap();
    test.delete(a, true).unwrap();
    test.advance(1);
    test.delete(c, false).unwrap();
    let again = test.page("/b", "");
    test.delete(again, false).unwrap();
    test
}

#[test]
fn parts_of_any_size_cover_the_trash() {
    let test = sample_wiki();
    let whole = test.wiki.tree().trash(None, 100).unwrap();
    assert_eq!(whole.len(), 7);
    for size in 1..=8 {
        assert_eq!(read_in_parts(&test, size, |_| {}), whole, "{size}");
    }
    assert_eq!(test.wiki.tree().trash(None, 0).unwrap(), []);
}

#[test]
fn deletion_between_reads_shifts_no_entries() {
    let test = sample_wiki();
    let before = test.wiki.tree().trash(None, 100).unwrap();
    let listed = read_in_parts(&test, 2, |number| {
        let page = test.page(&format!("/new/{number}"), "");
        test.delete(page, false).unwrap();
    });
    assert_eq!(listed, before);
}

#[test]
fn removal_between_reads_hides_no_entries() {
    let test = sample_wiki();
    let before = test.wiki.tree().trash(None, 100).unwrap();
    let all = paths(&before);
    for gone in 0..before.len() {
        let test = self::sample_wiki();
        let pages = test.wiki.tree().trash(None, 100).unwrap();
        let listed = read_in_parts(&test, 1, |number| {
            // The page at the cursor of the next part is permanently deleted.
            if number == gone {
                test.erase(pages[gone].page_id, false).unwrap();
            }
        });
        assert_eq!(paths(&listed), all, "{gone}");
    }
    let listed = read_in_parts(&test, 3, |number| {
        if number == 0 {
            test.restore(before[0].page_id, "/x", false).unwrap();
            test.restore(before[6].page_id, "/y", false).unwrap();
        }
    });
    assert_eq!(paths(&listed), all[..6]);
}
