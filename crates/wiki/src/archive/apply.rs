//! Import of an archive: all of its pages and files in one transaction.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::error::ImportError;
use super::plan::{Decision, ImportPlan, PlannedPage, decide};
use super::reader::Archive;
use crate::assets::{Asset, Placed, enter_imported, live_files};
use crate::id::{AssetId, PageId};
use crate::links::{LinkWarning, StoredText};
use crate::locks::{UnlockedPage, remove_draft};
use crate::model::page::{PageIndex, PageInfo, PagePathState};
use crate::model::user::User;
use crate::pages::{Revised, first_revision, put_new, revise};
use crate::path::PagePath;
use crate::store::{
    ASSET, PAGE_INDEX, PAGE_PATH, PendingFilesGuard, Read, StorageError, USER, WriteTxn,
};
use crate::tree::ChangedPage;
use crate::wiki::Wiki;

/// The outcome of an import.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Imported {
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
    pub put_away: Vec<Asset>,
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

impl Wiki {
    /// Imports an archive: all of it, or nothing. Pages and files keep their ids unless an id is in use here.
    /// The files are moved to their locations before the rows are written: a crash between the two leaves files
    /// without rows, which the next start removes.
    ///
    /// # Errors
    /// Returns [`ImportError`], also if a page has come into conflict since the plan was made.
    pub fn apply_import(&self, mut plan: ImportPlan) -> Result<Imported, ImportError> {
        let now = self.clock.now();
        let mut placed = Vec::new();
        let done = self
            .place_files(&mut plan, now, &mut placed)
            .and_then(|files| self.store.write(|txn| self.bring_in(txn, plan, files, now)));
        if done.is_err() {
            for (id, _coming) in &placed {
                self.unlink_unless_known(*id);
            }
        }
        done
    }

    /// Moves every file to its location, and records the moved files in `placed`.
    fn place_files(
        &self,
        plan: &mut ImportPlan,
        now: Timestamp,
        placed: &mut Vec<(AssetId, PendingFilesGuard)>,
    ) -> Result<Vec<Vec<Placed>>, ImportError> {
        let by = (plan.request.user, now);
        let mut all = Vec::with_capacity(plan.pages.len());
        for page in &mut plan.pages {
            let mut files = Vec::with_capacity(page.files.len());
            for (id, name, written) in std::mem::take(&mut page.files) {
                let is_known = |id: AssetId| {
                    self.store.read(|txn| {
                        Ok::<_, StorageError>(txn.get(ASSET, &id.to_bytes())?.is_some())
                    })
                };
                let other = AssetId::generate(now, &*self.entropy);
                let id = if is_known(id)? { other } else { id };
                let coming = vec![id.to_bytes(), other.to_bytes()];
                let coming = self.store.pending_files.add(coming);
                let file = Placed::place(&self.asset_files, written, name, by, [id, other])?;
                placed.push((file.id, coming));
                files.push(file);
            }
            all.push(files);
        }
        Ok(all)
    }

    fn bring_in(
        &self,
        txn: &WriteTxn,
        plan: ImportPlan,
        files: Vec<Vec<Placed>>,
        now: Timestamp,
    ) -> Result<Imported, ImportError> {
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
            brought: BTreeSet::new(),
            done: Imported::default(),
        };
        let moment = self.moment();
        let mut coming = Vec::new();
        for (page, files) in pages.into_iter().zip(files) {
            let decision = if page.skipped {
                Decision::Skip
            } else {
                decide(txn, &page.part.path, request.on_conflict, moment)?
            };
            match decision {
                Decision::Skip => {
                    import.done.skipped += 1;
                    import.note_if_same(&page)?;
                    import.leave_out(&files);
                }
                Decision::Replace(there) => coming.push((page, files, Some(there))),
                Decision::Create(dead) => {
                    if let Some(draft) = dead {
                        remove_draft(txn, &draft)?;
                    }
                    coming.push((page, files, None));
                }
            }
        }
        // All pages are at their paths before the first text is read, because they link to each other.
        let mut ids = Vec::with_capacity(coming.len());
        for (page, _, there) in &coming {
            ids.push(match there {
                Some(there) => there.info.page_id,
                None => self.place_page(txn, page, now)?,
            });
        }
        import.brought.extend(&ids);
        for ((page, files, there), id) in coming.into_iter().zip(ids) {
            import.page(&page, id, there)?;
            import.files(id, files)?;
        }
        if others > 0 {
            let warning = ImportWarning::OtherEntries(others);
            import.done.warnings.push(warning);
        }
        Ok(import.done)
    }

    /// Puts a new page at its path, with its own id if the id is not in use here.
    fn place_page(
        &self,
        txn: &WriteTxn,
        page: &PlannedPage,
        now: Timestamp,
    ) -> Result<PageId, StorageError> {
        let wanted = page.part.id;
        let id = match txn.get(PAGE_INDEX, &wanted.to_bytes())? {
            None => wanted,
            Some(_) => PageId::generate(now, &*self.entropy),
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
    brought: BTreeSet<PageId>,
    done: Imported,
}

impl Import<'_> {
    fn page(
        &mut self,
        page: &PlannedPage,
        page_id: PageId,
        there: Option<UnlockedPage>,
    ) -> Result<(), ImportError> {
        let path = page.part.path.clone();
        let text = self.archive.text(&page.part.entry)?;
        let changed = |revision| ChangedPage {
            page_id,
            path: path.clone(),
            revision,
        };
        let warnings = match there {
            None => {
                let (user, now) = (&self.user, self.now);
                let stored = first_revision(self.txn, page_id, path.clone(), user, now, text)?;
                self.done.created.push(changed(1));
                self.warn_of_existing(&path, &stored)?;
                stored.warnings
            }
            Some(there) => {
                let revised = revise(self.txn, there, &self.user, self.now, &text)?;
                let Revised { revision, .. } = revised;
                if revised.changed {
                    self.done.replaced.push(changed(revision));
                } else {
                    self.done.unchanged += 1;
                }
                revised.warnings
            }
        };
        let warnings = warnings.into_iter();
        let warnings = warnings.map(|warning| ImportWarning::Link(path.clone(), warning));
        self.done.warnings.extend(warnings);
        Ok(())
    }

    /// Records a page that stays, if it is the very page of the archive.
    fn note_if_same(&mut self, page: &PlannedPage) -> Result<(), StorageError> {
        let here = self.txn.get(PAGE_PATH, page.part.path.as_str())?;
        if here == Some(page.part.id.to_bytes()) {
            self.brought.insert(page.part.id);
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
        for id in linked.difference(&self.brought) {
            if let Some(PageIndex::Page(PageInfo {
                path_state: PagePathState::Current(target),
                ..
            })) = self.txn.get(PAGE_INDEX, &id.to_bytes())?
            {
                self.done.warnings.push(ImportWarning::Existing {
                    page: page.clone(),
                    target,
                });
            }
        }
        Ok(())
    }

    /// Adds a page's files. A file that the page has already, with the same contents, stays.
    fn files(&mut self, page: PageId, files: Vec<Placed>) -> Result<(), StorageError> {
        let there = live_files(self.txn, page)?;
        for file in files {
            if there.iter().any(|own| file.is_same(own)) {
                self.leave_out(&[file]);
                continue;
            }
            let (added, put_away) = enter_imported(self.txn, page, file, self.now)?;
            self.done.added.push(added);
            self.done.put_away.extend(put_away);
        }
        Ok(())
    }

    /// Schedules files that are not needed to be unlinked after the commit.
    fn leave_out(&self, files: &[Placed]) {
        for file in files {
            self.txn.discard_file(&file.id.to_bytes());
        }
    }
}
