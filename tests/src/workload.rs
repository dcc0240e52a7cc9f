//! A long sequence of changes to a wiki that depends only on its seed. Each step is one change, or is
//! refused, and two wikis that did the same steps are equal. So a wiki that was killed can be compared with
//! one that was not.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fumikura_base::clock::{Clock as _, ManualClock};
use fumikura_base::entropy::{Entropy, SeededEntropy};
use fumikura_wiki::*;
use jiff::tz::TimeZone;
use parking_lot::Mutex;

use crate::wiki_folder::{config, first_user, save_request};

/// The time of the first step.
const START_TIME: i64 = 1_795_003_200;
/// The number of pages in a request for all; there are never as many.
const PAGE_LIMIT: usize = 1000;
/// The kind of step that imports an archive.
const IMPORT: usize = 19;
/// The number of steps in a wiki whose archive is imported elsewhere.
const ARCHIVE_STEPS: u64 = 20;
/// The parts of paths.
const NAMES: [&str; 4] = ["a", "b", "旅", "京都"];

/// A wiki with its sequence of changes.
pub struct Workload {
    wiki: Wiki,
    clock: Arc<ManualClock>,
    entropy: Arc<StepEntropy>,
    seed: u64,
    user: UserId,
    /// The tokens that were issued, which the wiki never returns again.
    tokens: BTreeMap<PageId, LockToken>,
    /// True if this wiki's archive is imported elsewhere.
    is_import_source: bool,
    /// Called before each import of an archive; if set, every second step is an import.
    before_import: Option<fn() -> std::io::Result<()>>,
}

/// Randomness that depends on the step alone.
struct StepEntropy(Mutex<SeededEntropy>);

impl StepEntropy {
    fn begin(&self, step: u64) {
        *self.0.lock() = SeededEntropy::new(step);
    }
}

impl Entropy for StepEntropy {
    fn fill(&self, bytes: &mut [u8]) {
        let entropy = self.0.lock();
        entropy.fill(bytes);
    }
}

/// The random choices of a step.
struct StepChoices(SeededEntropy);

impl StepChoices {
    fn below(&self, bound: usize) -> usize {
        let mut bytes = [0; 8];
        self.0.fill(&mut bytes);
        usize::try_from(u64::from_le_bytes(bytes) % bound.max(1) as u64).unwrap_or(0)
    }

    fn one_in(&self, of: usize) -> bool {
        self.below(of) == 0
    }

    fn pick<'a, T>(&self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    fn path(&self) -> Result<PagePath> {
        let names: Vec<&str> = (0..=self.below(3))
            .map(|_| NAMES[self.below(NAMES.len())])
            .collect();
        Ok(PagePath::new(&format!("/{}", names.join("/")))?)
    }

    fn text(&self, step: u64) -> String {
        let mut text = format!("step {step}\n");
        for _ in 0..self.below(6) {
            let name = NAMES[self.below(NAMES.len())];
            let other = NAMES[self.below(NAMES.len())];
            let link = match self.below(4) {
                0 => format!("[[/{name}]]"),
                1 => format!("[x](/{name}/{other})"),
                2 => format!("[x]({name})"),
                _ => format!("`[x](/{name})`"),
            };
            text.push_str(&link);
            text.push('\n');
        }
        // Some are larger than a page of the database.
        text.push_str(&"長い文章。".repeat(self.below(400)));
        text
    }
}

impl Workload {
    /// Opens the wiki in `folder`, in which the work is done up to `clock`.
    ///
    /// # Errors
    /// Fails if it can't be opened.
    pub fn open(
        folder: &Path,
        seed: u64,
        clock: u64,
        tokens: BTreeMap<PageId, LockToken>,
    ) -> Result<Self> {
        let beginning = jiff::Timestamp::from_second(START_TIME)?;
        let now = beginning + Duration::from_secs(clock);
        let clock = Arc::new(ManualClock::new(now));
        let entropy = Arc::new(StepEntropy(Mutex::new(SeededEntropy::new(seed))));
        let (time, chance): (Arc<ManualClock>, Arc<StepEntropy>) = (clock.clone(), entropy.clone());
        let wiki = Wiki::open(&config(folder), time, chance)?;
        // The user exists before the first step.
        let user = first_user(&wiki, "Aya")?;
        Ok(Self {
            wiki,
            clock,
            entropy,
            seed,
            user,
            tokens,
            is_import_source: false,
            before_import: None,
        })
    }

    /// Makes a backup of the schedule an hour later, which removes those that no rule keeps. Returns its name.
    ///
    /// # Errors
    /// Fails if it can't be made, or is not proved.
    pub fn back_up(&self, backups: &Path) -> Result<String> {
        self.clock.advance(Duration::from_secs(60 * 60));
        let request = BackupRequest {
            backups,
            cause: BackupCause::Schedule,
            add: &|_| Ok(()),
            zone: TimeZone::UTC,
        };
        let watch = &mut |_, _| ControlFlow::Continue(());
        let made = self.wiki.backups().make(&request, watch)?;
        ensure!(made.record.proved_at.is_some(), "{:?}", made.record.faults);
        let name = made.path.file_name().context("a backup without a name")?;
        Ok(name.to_string_lossy().into_owned())
    }

    /// Makes every second step import an archive, and calls `announce` before each import.
    #[must_use]
    pub fn with_imports(self, announce: fn() -> std::io::Result<()>) -> Self {
        Self {
            before_import: Some(announce),
            ..self
        }
    }

    /// Returns the clock in seconds after the beginning.
    #[must_use]
    pub fn clock(&self) -> u64 {
        u64::try_from(self.clock.now().as_second() - START_TIME).unwrap_or(0)
    }

    /// Returns the tokens that were issued so far.
    #[must_use]
    pub fn tokens(&self) -> &BTreeMap<PageId, LockToken> {
        &self.tokens
    }

    /// Does a step, which follows the one before. A refusal is a valid outcome.
    ///
    /// # Errors
    /// Fails if the database or the disk fails.
    pub fn step(&mut self, number: u64) -> Result<()> {
        let step = self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.entropy.begin(step);
        self.clock.advance(Duration::from_secs(1));
        let chance = StepChoices(SeededEntropy::new(step.rotate_left(17)));
        let pages = self.pages()?;
        let page = chance.pick(&pages).copied();
        let importing = self.before_import.is_some() && chance.one_in(2);
        let kind = if importing { IMPORT } else { chance.below(21) };
        match (kind, page) {
            (0..=2, _) | (_, None) => self.create(&chance),
            (3..=5, Some(_)) => self.save_draft(&chance, number),
            (6..=8, Some(page)) => self.save(&chance, page, number),
            (9, Some(page)) => self.lock(page),
            (10 | 11, Some(page)) => self.rename(&chance, page),
            (12, Some(page)) => self.delete(&chance, page),
            (13, Some(_)) => self.restore(&chance),
            (14, Some(page)) => {
                ignore_refusal(self.wiki.revisions().rollback(page, 1, self.user, None))
            }
            (15, Some(page)) => {
                let keep_from = 1 + chance.below(6) as u64;
                ignore_refusal(self.wiki.revisions().compact(page, keep_from, None))
            }
            (16, Some(page)) => self.autosave(page, number),
            (17 | 18, Some(page)) => self.files(&chance, page, number),
            (IMPORT, Some(_)) => self.import(&chance, step),
            (_, Some(_)) => {
                self.clock.advance(Duration::from_secs(100));
                self.wiki.locks().sweep()?;
                Ok(())
            }
        }
    }

    fn pages(&self) -> Result<Vec<PageId>> {
        let listing = self.wiki.pages().list(&ListingQuery {
            prefix: PagePath::root(),
            cursor: None,
            backwards: false,
            limit: PAGE_LIMIT,
            with_deleted: false,
        })?;
        Ok(listing.items.iter().map(|item| item.page_id).collect())
    }

    fn create(&mut self, chance: &StepChoices) -> Result<()> {
        match self.wiki.pages().create_draft(&chance.path()?, self.user) {
            Ok((page, lock)) => {
                self.tokens.insert(page, lock.token);
                Ok(())
            }
            refused => ignore_refusal(refused),
        }
    }

    /// Saves one of the existing drafts.
    fn save_draft(&mut self, chance: &StepChoices, number: u64) -> Result<()> {
        let locks = self.wiki.locks().all()?;
        let Some(lock) = chance.pick(&locks) else {
            return Ok(());
        };
        let token = self.tokens.get(&lock.page_id).copied();
        let request = SaveRequest {
            token,
            ..self.request(lock.page_id, chance.text(number))
        };
        ignore_refusal(self.wiki.pages().save(request))
    }

    fn save(&self, chance: &StepChoices, page: PageId, number: u64) -> Result<()> {
        let request = SaveRequest {
            amend: chance.one_in(4),
            ..self.request(page, chance.text(number))
        };
        ignore_refusal(self.wiki.pages().save(request))
    }

    fn request(&self, page_id: PageId, source: String) -> SaveRequest {
        SaveRequest {
            tab: Some("tab".to_owned()),
            ..save_request(page_id, self.user, source)
        }
    }

    fn lock(&mut self, page: PageId) -> Result<()> {
        match self.wiki.locks().acquire(page, self.user) {
            Ok(lock) => {
                self.tokens.insert(page, lock.token);
                Ok(())
            }
            refused => ignore_refusal(refused),
        }
    }

    fn rename(&self, chance: &StepChoices, page_id: PageId) -> Result<()> {
        ignore_refusal(self.wiki.tree().rename(&RenameRequest {
            page_id,
            to: chance.path()?,
            recursive: chance.one_in(2),
            user: self.user,
            token: None,
        }))
    }

    fn delete(&self, chance: &StepChoices, page_id: PageId) -> Result<()> {
        let request = DeleteRequest {
            page_id,
            recursive: chance.one_in(2),
            user: self.user,
            token: None,
        };
        if chance.one_in(3) {
            ignore_refusal(self.wiki.tree().erase(&request))
        } else {
            ignore_refusal(self.wiki.tree().delete(&request))
        }
    }

    fn restore(&self, chance: &StepChoices) -> Result<()> {
        let bin = self.wiki.tree().trash(None, PAGE_LIMIT)?;
        let Some(deleted) = chance.pick(&bin) else {
            return Ok(());
        };
        ignore_refusal(self.wiki.tree().restore(&RestoreRequest {
            page_id: deleted.page_id,
            to: chance.path()?,
            recursive: chance.one_in(2),
            token: None,
        }))
    }

    fn autosave(&self, page_id: PageId, number: u64) -> Result<()> {
        ignore_refusal(self.wiki.autosave().put(UnsavedText {
            page_id,
            user: self.user,
            tab: "tab".to_owned(),
            path: PagePath::root(),
            base_revision: Some(1),
            seq: number,
            source: format!("unsaved {number}"),
        }))
    }

    fn files(&self, chance: &StepChoices, page: PageId, number: u64) -> Result<()> {
        let assets = self.wiki.assets().of_page(page, true)?;
        let zombies = self.wiki.assets().orphaned()?;
        match (chance.below(6), chance.pick(&assets), chance.pick(&zombies)) {
            (0, Some(asset), _) => ignore_refusal(self.wiki.assets().delete(asset.id)),
            (1, Some(asset), _) => ignore_refusal(self.wiki.assets().restore(asset.id)),
            (2, Some(asset), _) => ignore_refusal(self.wiki.assets().purge(asset.id)),
            (3, _, Some(zombie)) => ignore_refusal(self.wiki.assets().set_owner(zombie.id, page)),
            (4, _, Some(zombie)) => ignore_refusal(self.wiki.assets().purge(zombie.id)),
            _ => self.add_asset(chance, page, number),
        }
    }

    fn add_asset(&self, chance: &StepChoices, page: PageId, number: u64) -> Result<()> {
        let name = FileName::new(&format!("{}.bin", NAMES[chance.below(NAMES.len())]))?;
        let mut writer = match self.wiki.assets().begin(page, name, None) {
            Ok(writer) => writer,
            refused => return ignore_refusal(refused.map(drop)),
        };
        let part = number.to_le_bytes().repeat(1 + chance.below(2000));
        writer.write(&part)?;
        ignore_refusal(self.wiki.assets().finish(writer, self.user))
    }

    /// Imports the archive of another wiki, in which other steps were done.
    fn import(&self, chance: &StepChoices, seed: u64) -> Result<()> {
        if self.is_import_source {
            return Ok(());
        }
        let folder = tempfile::tempdir()?;
        // Far from the seeds of the steps here: the same randomness at the same time would give the same ids.
        let other = seed.rotate_left(32) ^ 0x5DEE_CE66_D1CE_4E5B;
        let other = Self::other_wiki(folder.path(), other)?;
        let archive = other.archive(folder.path(), ExportForm::Archive)?;
        let request = ImportRequest {
            user: self.user,
            on_conflict: match chance.below(6) {
                0 => OnConflict::Fail,
                1 => OnConflict::Skip,
                _ => OnConflict::Replace,
            },
            limit: WikiConfig::ASSET_LIMIT,
        };
        let plan = match self
            .wiki
            .archives()
            .plan_import(archive, request, &mut proceed)
        {
            Ok(plan) => plan,
            refused => return ignore_refusal(refused.map(drop)),
        };
        if let Some(announce) = self.before_import {
            announce()?;
        }
        ignore_refusal(self.wiki.archives().apply_import(plan))
    }

    /// Creates another wiki, and does a few steps in it.
    fn other_wiki(folder: &Path, seed: u64) -> Result<Self> {
        let mut other = Self {
            is_import_source: true,
            ..Self::open(folder, seed, 0, BTreeMap::new())?
        };
        for number in 0..ARCHIVE_STEPS {
            other.step(number)?;
        }
        Ok(other)
    }

    /// Ends all locks, and the drafts that they hold.
    ///
    /// # Errors
    /// Fails if the database or the disk fails.
    pub fn end_locks(&self) -> Result<()> {
        self.clock
            .advance(WikiConfig::LOCK_TTL + Duration::from_secs(1));
        self.wiki.locks().sweep()?;
        Ok(())
    }

    /// Returns an archive of the wiki, in an unnamed file.
    ///
    /// # Errors
    /// Fails if the wiki can't be read, or the archive can't be written in the folder.
    pub fn archive(&self, aside: &Path, form: ExportForm) -> Result<File> {
        let mut archive = tempfile::tempfile_in(aside)?;
        let export = self.wiki.archives().begin_export(aside, form)?;
        self.wiki
            .archives()
            .write_export(export, &mut archive, &mut proceed)?;
        archive.rewind()?;
        Ok(archive)
    }

    /// Returns all visible state of the wiki, as text.
    ///
    /// # Errors
    /// Fails if it can't be read.
    pub fn dump(&self) -> Result<String> {
        let mut dump = String::new();
        for page in self.every_page()? {
            self.dump_page(page, &mut dump)?;
        }
        writeln!(dump, "{:#?}", self.wiki.locks().all()?)?;
        writeln!(dump, "{:#?}", self.wiki.tree().trash(None, PAGE_LIMIT)?)?;
        writeln!(
            dump,
            "{:#?}",
            self.wiki.autosave().entries(self.user, None)?
        )?;
        for zombie in self.wiki.assets().orphaned()? {
            self.dump_file(&zombie, &mut dump)?;
        }
        Ok(dump)
    }

    fn every_page(&self) -> Result<Vec<PageId>> {
        let mut pages = self.pages()?;
        pages.extend(
            self.wiki
                .tree()
                .trash(None, PAGE_LIMIT)?
                .iter()
                .map(|page| page.page_id),
        );
        Ok(pages)
    }

    fn dump_page(&self, page: PageId, dump: &mut String) -> Result<()> {
        let meta = self.wiki.pages().meta(page, None)?;
        writeln!(dump, "{page} {meta:#?}")?;
        let (oldest, newest) = meta.revisions.context("a listed page has no revision")?;
        for revision in oldest..=newest {
            let raw = self.wiki.pages().raw_source(page, Some(revision))?;
            let source = self.wiki.pages().source(page, Some(revision))?;
            writeln!(dump, "{raw:?}\n{}", source.source)?;
        }
        writeln!(dump, "{:?}", self.wiki.links().of_page(page)?)?;
        for asset in self.wiki.assets().of_page(page, true)? {
            self.dump_file(&asset, dump)?;
        }
        Ok(())
    }

    fn dump_file(&self, asset: &Asset, dump: &mut String) -> Result<()> {
        let mut contents = Vec::new();
        self.wiki
            .assets()
            .open(asset.id)?
            .file
            .read_to_end(&mut contents)?;
        writeln!(dump, "{asset:#?} {}", contents.len())?;
        Ok(())
    }

    /// Returns the faults of the wiki.
    ///
    /// # Errors
    /// Fails if it can't be read.
    pub fn faults(&self, depth: Depth) -> Result<Vec<Fault>> {
        Ok(self.wiki.check(depth)?.faults)
    }
}

/// Lets a long operation continue.
fn proceed(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns an error only for a failing disk: any other outcome counts as done or refused. Every error type of
/// the wiki has a variant `Storage` that is transparent for it.
fn ignore_refusal<T, E: std::error::Error + Send + Sync + 'static>(
    outcome: Result<T, E>,
) -> Result<()> {
    match outcome {
        Err(error) if format!("{error:?}").contains("Storage(") => Err(error.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}
