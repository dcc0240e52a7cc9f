//! The wiki that is measured, and the operations on it.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use fumikura_tests::generator::{Generator, HUB};
use fumikura_tests::writer::Writer;
use fumikura_wiki::{Depth, ListingQuery, PageId, PagePath, RenameRequest, Wiki};
use jiff::Timestamp;

/// The path to which the hub is moved.
const HUB_RENAMED: &str = "/hub elsewhere";

/// An open wiki with its one writer.
pub(crate) struct Subject {
    writer: Writer,
}

impl Subject {
    pub(crate) fn open(folder: &Path) -> Result<Self> {
        Ok(Self {
            writer: Writer::open(folder)?,
        })
    }

    fn wiki(&self) -> &Wiki {
        self.writer.wiki()
    }

    /// Creates the pages with these numbers and, the first time, the hub.
    pub(crate) fn grow(&self, numbers: Range<usize>) -> Result<()> {
        self.writer.grow(numbers)
    }

    fn page(&self, path: &str) -> Result<PageId> {
        Ok(self.wiki().pages().resolve(&PagePath::new(path)?)?.id)
    }

    pub(crate) fn save(&self, number: usize, source: String) -> Result<()> {
        let page = self.page(&Generator::path(number))?;
        let saved = self
            .wiki()
            .pages()
            .save(self.writer.request(page, source))?;
        anyhow::ensure!(saved.changed, "a save changed nothing");
        Ok(())
    }

    pub(crate) fn check(&self, depth: Depth) -> Result<()> {
        let faults = self.wiki().check(depth)?.faults;
        anyhow::ensure!(faults.is_empty(), "{faults:?}");
        Ok(())
    }

    pub(crate) fn read(&self, number: usize) -> Result<usize> {
        let page = self.page(&Generator::path(number))?;
        Ok(self.wiki().pages().source(page, None)?.source.len())
    }

    pub(crate) fn list(&self, number: usize) -> Result<()> {
        let listing = self.wiki().pages().list(&ListingQuery {
            prefix: PagePath::root(),
            cursor: Some(PagePath::new(&Generator::path(number))?),
            backwards: number.is_multiple_of(2),
            limit: 50,
            with_deleted: false,
        })?;
        listing.items.first().context("an empty list")?;
        Ok(())
    }

    /// Reads the top level of the tree as of a moment.
    pub(crate) fn past_tree(&self, at: Timestamp) -> Result<()> {
        let past = self.wiki().past(at);
        let top = past.children(&PagePath::root(), None, 1000)?;
        top.items.first().context("an empty tree")?;
        Ok(())
    }

    /// Reads a page as of a moment, by its path.
    pub(crate) fn past_read(&self, number: usize, at: Timestamp) -> Result<usize> {
        let past = self.wiki().past(at);
        let page = past.resolve(&PagePath::new(&Generator::path(number))?)?;
        Ok(past.source(page.id)?.source.len())
    }

    pub(crate) fn search(&self, typed: &str, limit: usize) -> Result<usize> {
        Ok(self.wiki().search().find(typed, limit)?.len())
    }

    /// Renames the page with a thousand inbound links, back and forth.
    pub(crate) fn rename_hub(&self, round: usize) -> Result<()> {
        let (from, to) = if round.is_multiple_of(2) {
            (HUB, HUB_RENAMED)
        } else {
            (HUB_RENAMED, HUB)
        };
        self.move_page(from, to)
    }

    /// Restores the hub's path after an odd number of renames.
    pub(crate) fn name_hub_again(&self) -> Result<()> {
        match self.wiki().pages().resolve(&PagePath::new(HUB)?) {
            Ok(_) => Ok(()),
            Err(_) => self.move_page(HUB_RENAMED, HUB),
        }
    }

    fn move_page(&self, from: &str, to: &str) -> Result<()> {
        self.wiki().tree().rename(&RenameRequest {
            page_id: self.page(from)?,
            to: PagePath::new(to)?,
            recursive: false,
            user: self.writer.user(),
            token: None,
        })?;
        Ok(())
    }
}
