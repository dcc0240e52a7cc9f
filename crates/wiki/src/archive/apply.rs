//! Import of an archive: all of its pages and files in one transaction.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::error::ImportError;
use super::plan::{Decision, ImportPlan, PlannedPage, decide};
use super::reader::Archive;
use crate::assets::{Asset, ImportedFile, add_imported, live_files, unlink_without_row};
use crate::id::{AssetId, PageId};
use crate::links::{LinkWarning, StoredText};
use crate::locks::{UnlockedPage, remove_draft};
use crate::model::page::{PageIndex, PageInfo, PagePathState};
use crate::model::user::User;
use crate::pages::{Revise, RevisionOutcome, first_revision, put_new, revise};
use crate::parts::Archives;
use crate::path::PagePath;
use crate::store::{
    ASSET, PAGE_INDEX, PAGE_PATH, PendingFilesGuard, Read, StorageError, USER, WriteTxn,
};
use crate::tree::ChangedPage;

/// The outcome of an import.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// The pages that were created.
    pub created: Vec<ChangedPage>,
    /// The pages whose text changed.
    pub replaced: Vec<ChangedPage>,
    /// The number of pages that had the archive's text already.
    pub unchanged: u64,
    /// The number of conflicting pages that stayed unchanged.
    pub skipped: u64,
    /// The files that were added.
    pub added: Vec<Asset>,
    /// The files that were deleted because others replaced them.
    pub superseded: Vec<Asset>,
    /// Warnings for the user.
    pub warnings: Vec<ImportWarning>,
}

/// A warning about an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportWarning {
    /// A link of a page means something else than a reader may think.
    Link(PagePath, LinkWarning),
    /// A created page links to an existing page that is not from the archive.
    Existing {
        /// The created page.
        page: PagePath,
        /// The page that it links to.
        target: PagePath,
    },
    /// The archive has entries that its manifest does not name; they were ignored.
    OtherEntries(u64),
}

impl Archives<'_> {
    /// Imports an archive: all of it, or nothing. Pages and files keep their ids unless an id is in use here.
    /// The files are moved to their locations before the rows are written: a crash between the two leaves files
    /// without rows, which the next start removes.
    ///
    /// # Errors
    /// Returns [`ImportError`], also if a page has come into conflict since the plan was made.
    pub fn apply_import(&self, mut plan: ImportPlan) -> Result<ImportReport, ImportError> {
        let now = self.clock.now();
        let mut moved = Vec::new();
        let done = self
            .place_files(&mut plan, now, &mut moved)
            .and_then(|files| {
                self.store
                    .write(|txn| self.write_pages(txn, plan, files, now))
            });
        if done.is_err() {
            for (id, _pending) in &moved {
                unlink_without_row(self.store, self.files, *id);
            }
        }
        done
    }

    /// Moves every file to its location, and records the moved files in `moved`.
    fn place_files(
        &self,
        plan: &mut ImportPlan,
        now: Timestamp,
        moved: &mut Vec<(AssetId, PendingFilesGuard)>,
    ) -> Result<Vec<Vec<ImportedFile>>, ImportError> {
        let by = (plan.request.user, now);
        let mut all = Vec::with_capacity(plan.pages.len());
        for page in &mut plan.pages {
            let mut files = Vec::with_capacity(page.files.len());
            for (id, name, written) in std::mem::take(&mut page.files) {
                let has_row = |id: AssetId| {
                    self.store.read(|txn| {
                        Ok::<_, StorageError>(txn.get(ASSET, &id.to_bytes())?.is_some())
                    })
                };
                let other = AssetId::generate(now, self.entropy);
                let id = if has_row(id)? { other } else { id };
                let pending = vec![id.to_bytes(), other.to_bytes()];
                let pending = self.store.pending_files.add(pending);
                let file = ImportedFile::place(self.files, written, name, by, [id, other])?;
                moved.push((file.id, pending));
                files.push(file);
            }
            all.push(files);
        }
        Ok(all)
    }

    fn write_pages(
        &self,
        txn: &WriteTxn,
        plan: ImportPlan,
        files: Vec<Vec<ImportedFile>>,
        now: Timestamp,
    ) -> Result<ImportReport, ImportError> {
        let ImportPlan {
            archive,
            request,
            pages,
            others,
        } = plan;
        let user = txn.get(USER, &request.user.to_bytes())?;
        let mut import = Import {
            txn,
            archive,
            user: user.ok_or(ImportError::NoUser)?,
            now,
            imported: BTreeSet::new(),
            report: ImportReport::default(),
        };
        let moment = self.lock_time.moment();
        let mut pending = Vec::new();
        for (page, files) in pages.into_iter().zip(files) {
            let decision = if page.skipped {
                Decision::Skip
            } else {
                decide(txn, &page.part.path, request.on_conflict, moment)?
            };
            match decision {
                Decision::Skip => {
                    import.report.skipped += 1;
                    import.record_if_same(&page)?;
                    import.discard(&files);
                }
                Decision::Replace(existing, way) => {
                    pending.push((page, files, Some((existing, way))));
                }
                Decision::Create(expired_draft) => {
                    if let Some(draft) = expired_draft {
                        remove_draft(txn, &draft)?;
                    }
                    pending.push((page, files, None));
                }
            }
        }
        // All pages are at their paths before the first text is read, because they link to each other.
        let mut ids = Vec::with_capacity(pending.len());
        for (page, _, existing) in &pending {
            ids.push(match existing {
                Some((existing, _)) => existing.info.page_id,
                None => self.place_page(txn, page, now)?,
            });
        }
        import.imported.extend(&ids);
        for ((page, files, existing), id) in pending.into_iter().zip(ids) {
            import.add_page(&page, id, existing)?;
            import.add_files(id, files)?;
        }
        if others > 0 {
            let warning = ImportWarning::OtherEntries(others);
            import.report.warnings.push(warning);
        }
        Ok(import.report)
    }

    /// Puts a new page at its path, with its own id if the id is not in use here.
    fn place_page(
        &self,
        txn: &WriteTxn,
        page: &PlannedPage,
        now: Timestamp,
    ) -> Result<PageId, StorageError> {
        let preferred = page.part.id;
        let id = match txn.get(PAGE_INDEX, &preferred.to_bytes())? {
            None => preferred,
            Some(_) => PageId::generate(now, self.entropy),
        };
        put_new(txn, id, &page.part.path)?;
        Ok(id)
    }
}

/// An import in its transaction.
struct Import<'t> {
    txn: &'t WriteTxn,
    archive: Archive,
    user: User,
    now: Timestamp,
    /// The archive's pages, by the ids that they have here.
    imported: BTreeSet<PageId>,
    report: ImportReport,
}

impl Import<'_> {
    fn add_page(
        &mut self,
        page: &PlannedPage,
        page_id: PageId,
        existing: Option<(UnlockedPage, Revise)>,
    ) -> Result<(), ImportError> {
        let path = page.part.path.clone();
        let text = self.archive.text(&page.part.entry)?;
        let changed = |revision| ChangedPage {
            page_id,
            path: path.clone(),
            revision,
        };
        let warnings = match existing {
            None => {
                let (user, now) = (&self.user, self.now);
                let stored = first_revision(self.txn, page_id, path.clone(), user, now, text)?;
                self.report.created.push(changed(1));
                self.warn_of_existing(&path, &stored)?;
                stored.warnings
            }
            Some((existing, way)) => {
                let by = (&self.user, self.now);
                let revised = revise(self.txn, existing, by, &text, way)?;
                let RevisionOutcome { revision, .. } = revised;
                if revised.changed {
                    self.report.replaced.push(changed(revision));
                } else {
                    self.report.unchanged += 1;
                }
                revised.warnings
            }
        };
        let warnings = warnings.into_iter();
        let warnings = warnings.map(|warning| ImportWarning::Link(path.clone(), warning));
        self.report.warnings.extend(warnings);
        Ok(())
    }

    /// Records a page that stays, if it is the very page of the archive.
    fn record_if_same(&mut self, page: &PlannedPage) -> Result<(), StorageError> {
        let here = self.txn.get(PAGE_PATH, page.part.path.as_str())?;
        if here == Some(page.part.id.to_bytes()) {
            self.imported.insert(page.part.id);
        }
        Ok(())
    }

    /// Warns of the links of a created page that lead to pages outside of the archive.
    fn warn_of_existing(
        &mut self,
        page: &PagePath,
        stored: &StoredText,
    ) -> Result<(), StorageError> {
        let linked = stored.targets.iter().filter_map(|target| target.page());
        let linked: BTreeSet<PageId> = linked.collect();
        for id in linked.difference(&self.imported) {
            if let Some(PageIndex::Page(PageInfo {
                path_state: PagePathState::Current(target),
                ..
            })) = self.txn.get(PAGE_INDEX, &id.to_bytes())?
            {
                self.report.warnings.push(ImportWarning::Existing {
                    page: page.clone(),
                    target,
                });
            }
        }
        Ok(())
    }

    /// Adds a page's files. A file that the page has already, with the same contents, stays.
    fn add_files(&mut self, page: PageId, files: Vec<ImportedFile>) -> Result<(), StorageError> {
        let existing = live_files(self.txn, page)?;
        for file in files {
            if existing.iter().any(|own| file.is_same(own)) {
                self.discard(&[file]);
                continue;
            }
            let (added, superseded) = add_imported(self.txn, page, file, self.now)?;
            self.report.added.push(added);
            self.report.superseded.extend(superseded);
        }
        Ok(())
    }

    /// Schedules files that are not needed to be unlinked after the commit.
    fn discard(&self, files: &[ImportedFile]) {
        for file in files {
            self.txn.discard_file(&file.id.to_bytes());
        }
    }
}
