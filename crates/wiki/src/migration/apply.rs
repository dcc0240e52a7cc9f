//! Writes the pages and files of an import.

use std::error::Error;
use std::io;
use std::ops::ControlFlow;

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

use super::item_key;
use super::offer::{file_origin, withdraw};
use super::plan::{
    AssetAction, IncomingAsset, IncomingPage, MigrationPlan, MigrationRequest, PageAction,
    PagePlan, plan_in,
};
use crate::assets::{ImportedFile, IncomingFile, add_imported, unlink_without_row};
use crate::file_name::FileName;
use crate::id::{AssetId, MigrationId, PageId};
use crate::latest_text::newest;
use crate::locks::{GateError, Moment, UnlockedPage, remove_draft};
use crate::migration::MigrationError;
use crate::model::migration::{
    MigratedFile, MigratedItem, MigratedPage, Migration, MigrationCounts, MigrationRecord,
};
use crate::model::page::{MAX_SOURCE_BYTES, SourceHead};
use crate::model::user::User;
use crate::pages::{Revise, add_text, first_revision, put_new, revise};
use crate::parts::Migrations;
use crate::path::PagePath;
use crate::repository::{page_at, saved};
use crate::store::{
    MIGRATED_ITEM, MIGRATION, PendingFilesGuard, Read, StorageError, USER, WriteTxn,
};
use crate::tree::path_status::{self, PathStatus};

/// The reason why a text or file of a source can't be read.
pub type ContentError = Box<dyn Error + Send + Sync>;

/// Two times of a note that differ by less are one: programs write a new file in several steps.
const SAME_TIME: SignedDuration = SignedDuration::from_secs(60);

/// The contents of a source, which are read when they are written.
pub trait MigrationContents {
    /// Returns the text of a note, with links to the paths of the plan.
    ///
    /// # Errors
    /// The reason why it can't be read.
    fn text(&mut self, page: usize, plan: &MigrationPlan) -> Result<String, ContentError>;

    /// Passes the contents of a file to `write`, piece by piece.
    ///
    /// # Errors
    /// The reason why it can't be read, and the errors of `write`.
    fn file(
        &mut self,
        asset: usize,
        write: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<(), ContentError>;

    /// Returns the text of the page with the report.
    fn report(&mut self, plan: &MigrationPlan, counts: &MigrationCounts) -> String;
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationOutcome {
    pub counts: MigrationCounts,
    /// The written import; none if nothing has changed since the last one.
    pub written: Option<WrittenMigration>,
}

/// An import that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenMigration {
    pub migration: Migration,
    /// The path of the page with the report.
    pub report: PagePath,
}

/// The files of an import in their locations, which have no rows yet.
struct PlacedFiles {
    /// In the order of the source; none for those that are not new.
    files: Vec<Option<ImportedFile>>,
    /// The texts to offer, with the numbers of their notes.
    offers: Vec<(usize, ImportedFile)>,
}

/// The items of a source.
#[derive(Clone, Copy)]
struct Incoming<'i> {
    request: &'i MigrationRequest,
    pages: &'i [IncomingPage],
    assets: &'i [IncomingAsset],
}

impl Migrations<'_> {
    /// Imports all pages and files, or nothing. The files are moved to their locations before the rows are written: a
    /// crash between the two leaves files without rows, which the next start removes. Reports the number of written
    /// items to `watch`, and stops when it breaks.
    ///
    /// # Errors
    /// [`MigrationError`]; nothing has changed then.
    pub fn apply(
        &self,
        request: &MigrationRequest,
        (pages, assets): (&[IncomingPage], &[IncomingAsset]),
        contents: &mut dyn MigrationContents,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<MigrationOutcome, MigrationError> {
        let incoming = Incoming {
            request,
            pages,
            assets,
        };
        let plan = self.plan(request, pages, assets)?;
        let total = (pages.len() + assets.len()) as u64;
        let mut done = 0;
        let mut advance = || {
            done += 1;
            match watch(done, total) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(MigrationError::Cancelled),
            }
        };
        let mut placed = Vec::new();
        let written = self
            .place_files(incoming, &plan, contents, &mut placed, &mut advance)
            .and_then(|files| {
                if placed_nothing(&plan, &files) {
                    return Ok(MigrationOutcome {
                        counts: unchanged_counts(&plan),
                        written: None,
                    });
                }
                self.store.write(|txn| {
                    self.write_all(txn, (incoming, &plan), files, contents, &mut advance)
                })
            });
        if written.is_err() {
            for (id, _pending) in &placed {
                unlink_without_row(self.store, self.files, *id);
            }
        }
        written
    }

    /// Moves the files that are new or have changed to their locations, and records them in `placed`.
    fn place_files(
        &self,
        incoming: Incoming<'_>,
        plan: &MigrationPlan,
        contents: &mut dyn MigrationContents,
        placed: &mut Vec<(AssetId, PendingFilesGuard)>,
        advance: &mut dyn FnMut() -> Result<(), MigrationError>,
    ) -> Result<PlacedFiles, MigrationError> {
        let mut files = Vec::with_capacity(plan.assets.len());
        for (number, asset) in plan.assets.iter().enumerate() {
            advance()?;
            let unreadable = |reason| MigrationError::Content {
                origin: incoming.assets[number].origin.clone(),
                reason,
            };
            let is_new = match (asset.action, asset.existing) {
                (AssetAction::Attach, _) => true,
                (AssetAction::Compare, Some((_, sha256))) => {
                    let mut hash = Sha256::new();
                    let read = contents.file(number, &mut |piece| {
                        hash.update(piece);
                        Ok(())
                    });
                    read.map_err(unreadable)?;
                    <[u8; 32]>::from(hash.finalize()) != sha256
                }
                (AssetAction::Compare, None) | (AssetAction::Kept, _) => false,
            };
            if !is_new {
                files.push(None);
                continue;
            }
            let mut file = IncomingFile::begin(self.files)?;
            let read = contents.file(number, &mut |piece| file.write(piece));
            read.map_err(unreadable)?;
            files.push(Some(self.place(
                file,
                &asset.name,
                incoming.request,
                placed,
            )?));
        }
        let mut offers = Vec::new();
        for (number, page) in plan.pages.iter().enumerate() {
            let Some(name) = &page.offer else {
                continue;
            };
            let unreadable = |reason| MigrationError::Content {
                origin: incoming.pages[number].origin.clone(),
                reason,
            };
            let text = contents.text(number, plan).map_err(unreadable)?;
            let text = checked(text, &page.path)?;
            let mut file = IncomingFile::begin(self.files)?;
            file.write(text.as_bytes())?;
            let file = self.place(file, name, incoming.request, placed)?;
            offers.push((number, file));
        }
        Ok(PlacedFiles { files, offers })
    }

    /// Moves a file to its location, and records it in `placed`.
    fn place(
        &self,
        file: IncomingFile,
        name: &FileName,
        request: &MigrationRequest,
        placed: &mut Vec<(AssetId, PendingFilesGuard)>,
    ) -> Result<ImportedFile, MigrationError> {
        let now = self.clock.now();
        let written = file.finish()?;
        let ids = [(); 2].map(|()| AssetId::generate(now, self.entropy));
        let pending = ids.iter().map(|id| id.to_bytes()).collect();
        let pending = self.store.pending_files.add(pending);
        let by = (request.user, now);
        let file = ImportedFile::place(self.files, written, name.clone(), by, ids)?;
        placed.push((file.id, pending));
        Ok(file)
    }

    fn write_all(
        &self,
        txn: &WriteTxn,
        (incoming, plan): (Incoming<'_>, &MigrationPlan),
        PlacedFiles { files, offers }: PlacedFiles,
        contents: &mut dyn MigrationContents,
        advance: &mut dyn FnMut() -> Result<(), MigrationError>,
    ) -> Result<MigrationOutcome, MigrationError> {
        let Incoming {
            request,
            pages,
            assets,
        } = incoming;
        let now = self.clock.now();
        let moment = self.lock_time.moment();
        if plan_in(txn, request, (pages, assets), moment)? != *plan {
            return Err(MigrationError::Changed);
        }
        let user = txn.get(USER, &request.user.to_bytes())?;
        let mut writing = Writing {
            txn,
            request,
            user: user.ok_or(MigrationError::NoUser)?,
            now,
            record_pages: Vec::new(),
            record_files: Vec::new(),
            counts: MigrationCounts::default(),
        };
        // All pages are at their paths before the first text is read, because they link to each other.
        let mut ids = Vec::with_capacity(pages.len());
        for page in &plan.pages {
            ids.push(match page.existing {
                Some(existing) => existing.id,
                None => self.place_page(txn, &page.path)?,
            });
        }
        let report = self.place_page(txn, &plan.report)?;
        for (number, page) in plan.pages.iter().enumerate() {
            advance()?;
            let text = || {
                let read = contents.text(number, plan);
                read.map_err(|reason| MigrationError::Content {
                    origin: pages[number].origin.clone(),
                    reason,
                })
            };
            writing.page(&pages[number], page, ids[number], moment, text)?;
        }
        for (number, file) in files.into_iter().enumerate() {
            let asset = &plan.assets[number];
            let page = match asset.owner {
                Some(owner) => ids[owner],
                None if asset.page == plan.report => report,
                None => page_at(txn, &asset.page)?.unwrap_or(report),
            };
            let existing = asset
                .existing
                .filter(|_| asset.action == AssetAction::Compare);
            match file {
                Some(file) => writing.file(&assets[number].origin, page, file, existing)?,
                None if existing.is_some() => writing.counts.files_unchanged += 1,
                None => writing.counts.files_kept += 1,
            }
        }
        for (number, file) in offers {
            writing.offer(&pages[number], report, file)?;
        }
        let text = contents.report(plan, &writing.counts);
        let path = plan.report.clone();
        first_revision(txn, report, path.clone(), &writing.user, now, text)?;
        writing.record_pages.push(MigratedPage {
            origin: None,
            page_id: report,
            revision: 1,
            before: None,
        });
        let id = MigrationId::generate(now, self.entropy);
        let migration = writing.finish(id, report)?;
        Ok(MigrationOutcome {
            counts: migration.counts,
            written: Some(WrittenMigration {
                migration,
                report: path,
            }),
        })
    }

    /// Puts a new page at its path.
    fn place_page(&self, txn: &WriteTxn, path: &PagePath) -> Result<PageId, MigrationError> {
        let moment = self.lock_time.moment();
        match path_status::read(txn, path, moment, |_| false)? {
            PathStatus::Free => {}
            PathStatus::ExpiredDraft(draft) => remove_draft(txn, &draft)?,
            PathStatus::Taken(_) => return Err(MigrationError::Changed),
        }
        let id = PageId::generate(self.clock.now(), self.entropy);
        put_new(txn, id, path)?;
        Ok(id)
    }
}

/// An import in its transaction.
struct Writing<'w> {
    txn: &'w WriteTxn,
    request: &'w MigrationRequest,
    user: User,
    now: Timestamp,
    record_pages: Vec<MigratedPage>,
    record_files: Vec<MigratedFile>,
    counts: MigrationCounts,
}

impl Writing<'_> {
    fn page(
        &mut self,
        incoming: &IncomingPage,
        plan: &PagePlan,
        page_id: PageId,
        moment: Moment,
        text: impl FnOnce() -> Result<String, MigrationError>,
    ) -> Result<(), MigrationError> {
        let revision = match plan.action {
            PageAction::Create => {
                self.counts.created += 1;
                self.create(incoming, &plan.path, page_id, checked(text()?, &plan.path)?)?
            }
            PageAction::Update => {
                self.counts.updated += 1;
                self.update(incoming, page_id, moment, &checked(text()?, &plan.path)?)?
            }
            PageAction::Unchanged => {
                self.counts.unchanged += 1;
                return Ok(());
            }
            PageAction::ChangedHere | PageAction::DeletedHere | PageAction::Locked => {
                self.counts.kept += 1;
                return Ok(());
            }
        };
        let item = MigratedItem::Page {
            page_id,
            sha256: incoming.sha256,
            revision,
        };
        self.put_item(&incoming.origin, &item)?;
        self.record_pages.push(MigratedPage {
            origin: Some(incoming.origin.clone()),
            page_id,
            revision,
            before: plan.existing.map(|it| (it.sha256, it.revision)),
        });
        Ok(())
    }

    fn put_item(&self, origin: &str, item: &MigratedItem) -> Result<(), StorageError> {
        let key = item_key(&self.request.source, origin);
        self.txn.put(MIGRATED_ITEM, &key, item)
    }

    /// Creates a page: a revision at the time when the note was created, and another one if it was changed later.
    fn create(
        &self,
        incoming: &IncomingPage,
        path: &PagePath,
        page_id: PageId,
        text: String,
    ) -> Result<u64, MigrationError> {
        let past = |at: Option<Timestamp>| at.map(|at| at.min(self.now));
        let changed = past(incoming.changed.or(incoming.created)).unwrap_or(self.now);
        let created = past(incoming.created).unwrap_or(changed).min(changed);
        let is_later = changed.duration_since(created) >= SAME_TIME;
        let first = if is_later { created } else { changed };
        let stored = first_revision(self.txn, page_id, path.clone(), &self.user, first, text)?;
        if !is_later {
            return Ok(1);
        }
        let info = saved(self.txn, page_id)?.ok_or(MigrationError::Changed)?;
        let head: SourceHead = newest(self.txn, &info)?;
        let by = (&self.user, changed);
        Ok(add_text(self.txn, info, &head, by, &stored)?)
    }

    fn update(
        &self,
        incoming: &IncomingPage,
        page_id: PageId,
        moment: Moment,
        text: &str,
    ) -> Result<u64, MigrationError> {
        let info = saved(self.txn, page_id)?.ok_or(MigrationError::Changed)?;
        let head: SourceHead = newest(self.txn, &info)?;
        let changed = incoming.changed.filter(|at| *at > head.created_at);
        let at = changed.map_or(self.now, |at| at.min(self.now));
        let page = match UnlockedPage::verify(self.txn, info, None, moment) {
            Ok(page) => page,
            Err(GateError::Storage(error)) => return Err(error.into()),
            Err(GateError::Required { .. } | GateError::Invalid) => {
                return Err(MigrationError::Changed);
            }
        };
        Ok(revise(self.txn, page, (&self.user, at), text, Revise::Add)?.revision)
    }

    fn file(
        &mut self,
        origin: &str,
        page: PageId,
        file: ImportedFile,
        before: Option<(AssetId, [u8; 32])>,
    ) -> Result<(), StorageError> {
        let (added, _replaced) = add_imported(self.txn, page, file, self.now)?;
        let item = MigratedItem::File {
            id: added.id,
            sha256: added.sha256,
        };
        self.put_item(origin, &item)?;
        self.record_files.push(MigratedFile {
            origin: origin.to_owned(),
            id: added.id,
            before,
        });
        self.counts.attached += 1;
        Ok(())
    }

    /// Makes the text of a note a file of the report, in the place of those that an earlier import offered.
    fn offer(
        &mut self,
        incoming: &IncomingPage,
        report: PageId,
        file: ImportedFile,
    ) -> Result<(), StorageError> {
        withdraw(self.txn, &self.request.source, &incoming.origin, self.now)?;
        let (added, _replaced) = add_imported(self.txn, report, file, self.now)?;
        self.record_files.push(MigratedFile {
            origin: file_origin(&incoming.origin, incoming.sha256),
            id: added.id,
            before: None,
        });
        Ok(())
    }

    fn finish(self, id: MigrationId, report: PageId) -> Result<Migration, StorageError> {
        let head = Migration {
            id,
            source: self.request.source.clone(),
            format: self.request.format.clone(),
            into: self.request.into.clone(),
            created_at: self.now,
            user_name: self.user.name.to_string(),
            counts: self.counts,
            report,
            undone: false,
        };
        let record = MigrationRecord {
            head: head.clone(),
            pages: self.record_pages,
            files: self.record_files,
        };
        self.txn.put(MIGRATION, &id.to_bytes(), &record)?;
        Ok(head)
    }
}

/// Returns true if an import would write nothing but its report: the source is as the last import found it.
fn placed_nothing(plan: &MigrationPlan, placed: &PlacedFiles) -> bool {
    let is_written = |page: &PagePlan| page.action.writes() || page.offer.is_some();
    let has_items = !plan.pages.is_empty() || !plan.assets.is_empty();
    has_items && !plan.pages.iter().any(is_written) && placed.files.iter().all(Option::is_none)
}

/// Counts the items of a source of which nothing is written.
fn unchanged_counts(plan: &MigrationPlan) -> MigrationCounts {
    let mut counts = MigrationCounts::default();
    for page in &plan.pages {
        match page.action {
            PageAction::Unchanged => counts.unchanged += 1,
            PageAction::Create
            | PageAction::Update
            | PageAction::ChangedHere
            | PageAction::DeletedHere
            | PageAction::Locked => counts.kept += 1,
        }
    }
    for asset in &plan.assets {
        match asset.action {
            AssetAction::Compare => counts.files_unchanged += 1,
            AssetAction::Attach | AssetAction::Kept => counts.files_kept += 1,
        }
    }
    counts
}

fn checked(text: String, path: &PagePath) -> Result<String, MigrationError> {
    if text.len() > MAX_SOURCE_BYTES {
        return Err(MigrationError::TooLong {
            path: path.clone(),
            bytes: text.len(),
        });
    }
    Ok(text)
}
