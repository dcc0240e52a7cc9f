//! Reads the trash in parts: each page is returned once, despite changes between two parts.

use fumikura_wiki::*;

use crate::support::Bench;

/// The whole trash in parts of `size`. `between` runs after each of them.
fn by_parts(bench: &Bench, size: usize, mut between: impl FnMut(usize)) -> Vec<DeletedPage> {
    let mut told: Vec<DeletedPage> = Vec::new();
    for number in 0.. {
        let after = told.last().map(DeletedPage::cursor);
        let part = bench.wiki.trash(after.as_ref(), size).unwrap();
        if part.is_empty() {
            break;
        }
        assert!(part.len() <= size);
        told.extend(part);
        between(number);
    }
    told
}

fn paths(pages: &[DeletedPage]) -> Vec<&str> {
    pages.iter().map(|page| page.path.as_str()).collect()
}

/// Deletions of one page and of several, some at the same time, some from the same path.
fn bench() -> Bench {
    let bench = Bench::new();
    let [a, ..] = bench.pages(["/a", "/a/1", "/a/2", "/a/3"]);
    let [b, c] = bench.pages(["/b", "/c"]);
    bench.delete(b, false).unwrap();
    bench.delete(a, true).unwrap();
    bench.advance(1);
    bench.delete(c, false).unwrap();
    let again = bench.page("/b", "");
    bench.delete(again, false).unwrap();
    bench
}

#[test]
fn parts_of_any_size_cover_the_trash() {
    let bench = bench();
    let whole = bench.wiki.trash(None, 100).unwrap();
    assert_eq!(whole.len(), 7);
    for size in 1..=8 {
        assert_eq!(by_parts(&bench, size, |_| {}), whole, "{size}");
    }
    assert_eq!(bench.wiki.trash(None, 0).unwrap(), []);
}

#[test]
fn deletion_between_reads_shifts_no_entries() {
    let bench = bench();
    let before = bench.wiki.trash(None, 100).unwrap();
    let told = by_parts(&bench, 2, |number| {
        let page = bench.page(&format!("/new/{number}"), "");
        bench.delete(page, false).unwrap();
    });
    assert_eq!(told, before);
}

#[test]
fn removal_between_reads_hides_no_entries() {
    let bench = bench();
    let before = bench.wiki.trash(None, 100).unwrap();
    let all = paths(&before);
    for gone in 0..before.len() {
        let bench = self::bench();
        let pages = bench.wiki.trash(None, 100).unwrap();
        let told = by_parts(&bench, 1, |number| {
            // The page at the cursor of the next part is permanently deleted.
            if number == gone {
                bench.erase(pages[gone].page_id, false).unwrap();
            }
        });
        assert_eq!(paths(&told), all, "{gone}");
    }
    let told = by_parts(&bench, 3, |number| {
        if number == 0 {
            bench.restore(before[0].page_id, "/x", false).unwrap();
            bench.restore(before[6].page_id, "/y", false).unwrap();
        }
    });
    assert_eq!(paths(&told), all[..6]);
}
