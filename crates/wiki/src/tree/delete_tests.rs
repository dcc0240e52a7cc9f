//! Checks that a permanent deletion leaves only rows that belong to others.

use super::*;
use crate::fixture::{self, TestWiki};
use crate::tree::{RenameRequest, RestoreRequest};

impl TestWiki {
    /// A page with every kind of row.
    fn full_page(&self) -> PageId {
        self.page("/target", "");
        let page_id = self.page("/a", "# Title\n[t](/target) [waits](none) [self](/a)");
        fixture::file(&self.wiki, page_id, self.user, "file.txt");
        for to in ["/b", "/c"] {
            let request = RenameRequest {
                page_id,
                to: path(to),
                recursive: false,
                user: self.user,
                token: None,
            };
            self.wiki.tree().rename(&request).unwrap();
        }
        self.wiki.tree().delete(&self.request(page_id)).unwrap();
        let request = RestoreRequest {
            page_id,
            to: path("/d"),
            recursive: true,
            token: None,
        };
        self.wiki.tree().restore(&request).unwrap();
        page_id
    }

    fn request(&self, page_id: PageId) -> DeleteRequest {
        DeleteRequest {
            page_id,
            recursive: false,
            user: self.user,
            token: None,
        }
    }

    fn rows_with_id(&self, page: PageId) -> Vec<(String, usize)> {
        let read =
            |txn: &crate::store::ReadTxn| txn.rows_with_id(&page.to_bytes(), &page.to_string());
        self.wiki.store.read(read).unwrap()
    }
}

fn path(text: &str) -> PagePath {
    PagePath::new(text).unwrap()
}

#[test]
fn erased_page_leaves_only_its_last_path() {
    for bin_first in [false, true] {
        let test = TestWiki::new();
        let page = test.full_page();
        let before = test.rows_with_id(page);
        assert!(before.len() > 8, "{before:?}");
        let mut request = test.request(page);
        if bin_first {
            test.wiki.tree().delete(&request).unwrap();
        } else {
            let lock = test.wiki.locks().acquire(page, test.user).unwrap();
            request.token = Some(lock.token);
        }
        test.wiki.tree().erase(&request).unwrap();
        assert_eq!(
            sorted(test.rows_with_id(page)),
            last_path_rows(),
            "{bin_first}"
        );
    }
}

#[test]
fn links_to_an_erased_page_name_its_path() {
    let test = TestWiki::new();
    let page = test.full_page();
    test.page("/links", "[a](/d)");
    test.wiki.tree().erase(&test.request(page)).unwrap();
    assert_eq!(sorted(test.rows_with_id(page)), last_path_rows());
}

/// The rows of an erased page's last path.
fn last_path_rows() -> [(String, usize); 2] {
    ["former_paths", "left_path"].map(|table| (table.to_owned(), 1))
}

fn sorted(mut rows: Vec<(String, usize)>) -> Vec<(String, usize)> {
    rows.sort();
    rows
}
