//! Helpers for the tests of renaming, deleting and restoring.

use fumikura_wiki::*;

use crate::support::{TestWiki, path};

impl TestWiki {
    /// Renames a page as Aya, without a token.
    pub(crate) fn rename(
        &self,
        page_id: PageId,
        to: &str,
        recursive: bool,
    ) -> Result<RenameOutcome, RenameError> {
        self.wiki
            .tree()
            .rename(&self.renaming(page_id, to, recursive))
    }

    pub(crate) fn renaming(&self, page_id: PageId, to: &str, recursive: bool) -> RenameRequest {
        RenameRequest {
            page_id,
            to: path(to),
            recursive,
            user: self.aya,
            token: None,
        }
    }

    /// Deletes a page as Aya, without a token.
    pub(crate) fn delete(
        &self,
        page_id: PageId,
        recursive: bool,
    ) -> Result<DeleteOutcome, DeleteError> {
        self.wiki.tree().delete(&self.deleting(page_id, recursive))
    }

    /// Permanently deletes a page, as Aya, without a token.
    pub(crate) fn erase(
        &self,
        page_id: PageId,
        recursive: bool,
    ) -> Result<DeleteOutcome, DeleteError> {
        self.wiki.tree().erase(&self.deleting(page_id, recursive))
    }

    pub(crate) fn deleting(&self, page_id: PageId, recursive: bool) -> DeleteRequest {
        DeleteRequest {
            page_id,
            recursive,
            user: self.aya,
            token: None,
        }
    }

    /// Restores a page, without a token.
    pub(crate) fn restore(
        &self,
        page_id: PageId,
        to: &str,
        recursive: bool,
    ) -> Result<RestoreOutcome, RestoreError> {
        self.wiki.tree().restore(&RestoreRequest {
            page_id,
            to: path(to),
            recursive,
            token: None,
        })
    }

    /// Pages at these paths, each with its path as its text.
    pub(crate) fn pages<const N: usize>(&self, at: [&str; N]) -> [PageId; N] {
        at.map(|at| self.page(at, at))
    }

    /// The page at a path.
    #[track_caller]
    pub(crate) fn at(&self, at: &str) -> PageId {
        self.wiki.pages().resolve(&path(at)).unwrap().id
    }

    /// The paths of all pages except the root page, in the trash or not; those in the trash with a cross.
    pub(crate) fn page_paths(&self) -> Vec<String> {
        let query = ListingQuery {
            prefix: PagePath::root(),
            cursor: Some(PagePath::root()),
            backwards: false,
            limit: 1_000_000,
            with_deleted: true,
        };
        let pages = self.wiki.pages().list(&query).unwrap().items.into_iter();
        let mark = |deleted| if deleted { "†" } else { "" };
        pages
            .map(|page| format!("{}{}", page.path, mark(page.deleted)))
            .collect()
    }
}
