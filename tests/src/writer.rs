//! Writes the pages of a wiki directly into its store, which is much faster than through a server.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use fumikura_base::clock::SystemClock;
use fumikura_base::entropy::SystemEntropy;
use fumikura_wiki::{PageId, PagePath, SaveRequest, UserId, Wiki};

use crate::generator::{Generator, HUB};
use crate::wiki_folder::{config, first_user, save_request};

/// An open wiki with its one writer.
pub struct Writer {
    wiki: Wiki,
    user: UserId,
}

impl Writer {
    /// Returns the database file of the wiki in this folder.
    #[must_use]
    pub fn database(folder: &Path) -> PathBuf {
        config(folder).database
    }

    /// Opens the wiki of this folder, or creates both.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub fn open(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let wiki = Wiki::open(
            &config(folder),
            Arc::new(SystemClock::new()),
            Arc::new(SystemEntropy),
        )?;
        let user = first_user(&wiki, "Writer")?;
        Ok(Self { wiki, user })
    }

    /// Returns the wiki.
    #[must_use]
    pub fn wiki(&self) -> &Wiki {
        &self.wiki
    }

    /// Creates the generator's pages with these numbers and, the first time, the hub.
    ///
    /// # Errors
    /// Fails if one of them exists already, or can't be written.
    pub fn grow(&self, numbers: Range<usize>) -> Result<()> {
        if numbers.start == 0 {
            self.create(HUB, "# Hub\n".to_owned())?;
        }
        let generator = Generator::new(numbers.start as u64);
        for number in numbers {
            self.create(&Generator::path(number), generator.text(number))?;
        }
        Ok(())
    }

    /// Creates a page.
    ///
    /// # Errors
    /// Fails if it exists already, or can't be written.
    pub fn create(&self, path: &str, source: String) -> Result<()> {
        let (page_id, lock) = self
            .wiki
            .pages()
            .create_draft(&PagePath::new(path)?, self.user)?;
        self.wiki.pages().save(SaveRequest {
            token: Some(lock.token),
            ..self.request(page_id, source)
        })?;
        Ok(())
    }

    /// Returns a request to save an unlocked page, whatever its latest revision is.
    #[must_use]
    pub fn request(&self, page_id: PageId, source: String) -> SaveRequest {
        save_request(page_id, self.user, source)
    }

    /// Returns the author of the pages.
    #[must_use]
    pub fn user(&self) -> UserId {
        self.user
    }
}
