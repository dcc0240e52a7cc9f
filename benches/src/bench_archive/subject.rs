//! The wiki that is measured, and the operations on it.

use std::fs::{self, File};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, ensure};
use fumikura_base::clock::SystemClock;
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::{Entropy, SeededEntropy, SystemEntropy};
use fumikura_tests::generator::Generator;
use fumikura_tests::wiki_folder::config;
use fumikura_tests::writer::Writer;
use fumikura_wiki::{
    BackupCause, BackupRequest, Depth, ExportForm, FileName, ImportRequest, OnConflict, PageId,
    PagePath, Wiki,
};
use jiff::tz::TimeZone;

use crate::ArchiveOptions;

/// The number of bytes that are written at once.
const PIECE: usize = 1 << 20;

/// A wiki with pages and files, in its folder.
pub(crate) struct Subject {
    data: PathBuf,
    writer: Writer,
    /// The number of its pages.
    pages: usize,
}

impl Subject {
    /// Creates the wiki. The files can't be compressed, as photos can't.
    pub(crate) fn grow(data: &Path, options: &ArchiveOptions) -> Result<Self> {
        let ArchiveOptions {
            pages,
            files,
            bytes,
            ..
        } = *options;
        let writer = Writer::open(data)?;
        writer.grow(0..pages)?;
        let subject = Self {
            data: data.to_owned(),
            writer,
            pages,
        };
        let entropy = SeededEntropy::new(1);
        for number in 0..files {
            let size = bytes / files + usize::from(number < bytes % files);
            let page = subject.page(number * pages / files)?;
            subject.add_file(page, number, size, &entropy)?;
        }
        Ok(subject)
    }

    pub(crate) fn data(&self) -> &Path {
        &self.data
    }

    fn wiki(&self) -> &Wiki {
        self.writer.wiki()
    }

    fn page(&self, number: usize) -> Result<PageId> {
        let path = PagePath::new(&Generator::path(number))?;
        Ok(self.wiki().pages().resolve(&path)?.id)
    }

    fn add_file(
        &self,
        page: PageId,
        number: usize,
        size: usize,
        entropy: &SeededEntropy,
    ) -> Result<()> {
        let name = FileName::new(&format!("photo {number}.jpg"))?;
        let assets = self.wiki().assets();
        let mut upload = assets.begin(page, name, Some(size as u64))?;
        let mut piece = vec![0; PIECE];
        let mut left = size;
        while left > 0 {
            let piece = &mut piece[..left.min(PIECE)];
            entropy.fill(piece);
            upload.write(piece)?;
            left -= piece.len();
        }
        assets.finish(upload, self.writer.user())?;
        Ok(())
    }

    /// Saves the pages with these numbers, or with those where the numbers start again, with other words.
    pub(crate) fn change(&self, numbers: Range<usize>) -> Result<()> {
        let pages = self.wiki().pages();
        let generator = Generator::new(numbers.end as u64);
        for number in numbers {
            let number = number % self.pages;
            let (page, text) = (self.page(number)?, generator.text(number));
            let saved = pages.save(self.writer.request(page, text))?;
            ensure!(saved.changed, "a save changed nothing");
        }
        Ok(())
    }

    pub(crate) fn export(&self, folder: &Path, name: &str) -> Result<PathBuf> {
        self.write(&folder.join(name), ExportForm::Archive)
    }

    pub(crate) fn export_full(&self, folder: &Path, name: &str) -> Result<PathBuf> {
        self.write(&folder.join(name), ExportForm::Full)
    }

    fn write(&self, place: &Path, form: ExportForm) -> Result<PathBuf> {
        let archives = self.wiki().archives();
        let export = archives.begin_export(&self.data, form)?;
        let written = durable::write_with(place, Access::Default, |file| {
            archives.write_export(export, file, &mut proceed)
        });
        let missing = written?.missing;
        ensure!(missing.is_empty(), "files are missing: {missing:?}");
        Ok(place.to_owned())
    }

    pub(crate) fn check(&self) -> Result<()> {
        let faults = self.wiki().check(Depth::Everything)?.faults;
        ensure!(faults.is_empty(), "{faults:?}");
        Ok(())
    }

    /// Makes a backup of the schedule. Returns the number of earlier ones that were removed.
    pub(crate) fn back_up(&self, backups: &Path) -> Result<usize> {
        let request = BackupRequest {
            backups,
            cause: BackupCause::Schedule,
            add: &|_| Ok(()),
            zone: TimeZone::UTC,
        };
        let made = self.wiki().backups().make(&request, &mut proceed)?;
        ensure!(made.record.proved_at.is_some(), "{:?}", made.record.faults);
        Ok(made.removed.len())
    }
}

/// Imports an archive into a new wiki.
pub(crate) fn import(archive: &Path, data: &Path) -> Result<()> {
    let writer = Writer::open(data)?;
    let archives = writer.wiki().archives();
    let request = ImportRequest {
        user: writer.user(),
        on_conflict: OnConflict::Replace,
        limit: u64::MAX,
    };
    let plan = archives.plan_import(File::open(archive)?, request, &mut proceed)?;
    let done = archives.apply_import(plan)?;
    ensure!(!done.created.is_empty(), "nothing was imported");
    Ok(())
}

/// Imports a full archive into an empty wiki.
pub(crate) fn restore(archive: &Path, data: &Path) -> Result<()> {
    fs::create_dir_all(data)?;
    let (clock, entropy) = (Arc::new(SystemClock::new()), Arc::new(SystemEntropy));
    let wiki = Wiki::open(&config(data), clock, entropy)?;
    let archives = wiki.archives();
    let archive = File::open(archive)?;
    let plan = archives.plan_restore(archive, u64::MAX, data, &mut proceed)?;
    let done = archives.apply_restore(plan)?;
    ensure!(done.missing.is_empty(), "files are missing");
    Ok(())
}

fn proceed(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
