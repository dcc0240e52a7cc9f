//! The wiki that is measured, and what is done to it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_wiki::{
    Depth, ListingQuery, PageId, PagePath, Precondition, RenameRequest, SaveRequest, Template,
    UserId, UserName, Wiki, WikiConfig,
};

use fumikura_tests::generator::{Generator, HUB};

/// Where the hub is moved to.
const ELSEWHERE: &str = "/hub elsewhere";

/// An open wiki with its one writer.
pub(crate) struct Subject {
    wiki: Wiki,
    user: UserId,
}

impl Subject {
    pub(crate) fn database(folder: &Path) -> PathBuf {
        folder.join("wiki.redb")
    }

    pub(crate) fn open(folder: &Path) -> Result<Self> {
        let config = WikiConfig {
            database: Self::database(folder),
            assets: folder.join("asset"),
            asset_limit: WikiConfig::ASSET_LIMIT,
            lock_ttl: WikiConfig::LOCK_TTL,
            patience: WikiConfig::PATIENCE,
        };
        let wiki = Wiki::open(
            &config,
            Arc::new(SystemClock::new()),
            Arc::new(SystemEntropy),
        )?;
        let user = match wiki.users()?.into_iter().next() {
            Some(user) => user.id,
            None => {
                wiki.register(UserName::new("Writer")?, Template::En)?
                    .user
                    .id
            }
        };
        Ok(Self { wiki, user })
    }

    /// Makes the pages of these numbers; the first time, also the hub.
    pub(crate) fn grow(&self, numbers: Range<usize>) -> Result<()> {
        if numbers.start == 0 {
            self.create(HUB, "# Hub\n".to_owned())?;
        }
        let generator = Generator::new(numbers.start as u64);
        for number in numbers {
            self.create(&Generator::path(number), generator.text(number))?;
        }
        Ok(())
    }

    fn create(&self, path: &str, source: String) -> Result<()> {
        let (page_id, lock) = self.wiki.create_draft(&PagePath::new(path)?, self.user)?;
        let request = SaveRequest {
            token: Some(lock.token),
            ..self.request(page_id, source)
        };
        self.wiki.save(request)?;
        Ok(())
    }

    fn request(&self, page_id: PageId, source: String) -> SaveRequest {
        SaveRequest {
            page_id,
            user: self.user,
            source,
            token: None,
            if_match: Some(Precondition::Any),
            amend: false,
            tab: None,
        }
    }

    fn page(&self, path: &str) -> Result<PageId> {
        Ok(self.wiki.resolve(&PagePath::new(path)?)?.id)
    }

    pub(crate) fn save(&self, number: usize, source: String) -> Result<()> {
        let page = self.page(&Generator::path(number))?;
        let saved = self.wiki.save(self.request(page, source))?;
        anyhow::ensure!(saved.changed, "a save changed nothing");
        Ok(())
    }

    pub(crate) fn check(&self, depth: Depth) -> Result<()> {
        let faults = self.wiki.check(depth)?.faults;
        anyhow::ensure!(faults.is_empty(), "{faults:?}");
        Ok(())
    }

    pub(crate) fn read(&self, number: usize) -> Result<usize> {
        let page = self.page(&Generator::path(number))?;
        Ok(self.wiki.source(page, None)?.source.len())
    }

    pub(crate) fn list(&self, number: usize) -> Result<()> {
        let listing = self.wiki.list_pages(&ListingQuery {
            prefix: PagePath::root(),
            cursor: Some(PagePath::new(&Generator::path(number))?),
            backwards: number.is_multiple_of(2),
            limit: 50,
            with_deleted: false,
        })?;
        listing.items.first().context("an empty list")?;
        Ok(())
    }

    pub(crate) fn search(&self, typed: &str, limit: usize) -> Result<usize> {
        Ok(self.wiki.search(typed, limit)?.len())
    }

    /// Renames the page that a thousand others link to, to and fro.
    pub(crate) fn rename_hub(&self, round: usize) -> Result<()> {
        let (from, to) = if round.is_multiple_of(2) {
            (HUB, ELSEWHERE)
        } else {
            (ELSEWHERE, HUB)
        };
        self.move_page(from, to)
    }

    /// After an odd number of renamings.
    pub(crate) fn name_hub_again(&self) -> Result<()> {
        match self.wiki.resolve(&PagePath::new(HUB)?) {
            Ok(_) => Ok(()),
            Err(_) => self.move_page(ELSEWHERE, HUB),
        }
    }

    fn move_page(&self, from: &str, to: &str) -> Result<()> {
        self.wiki.rename(&RenameRequest {
            page_id: self.page(from)?,
            to: PagePath::new(to)?,
            recursive: false,
            user: self.user,
            token: None,
        })?;
        Ok(())
    }
}
