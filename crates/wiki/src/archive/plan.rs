//! The plan of an import: the whole archive is checked, and its files are unpacked to temporary files in the
//! asset folder, before anything is changed.

use std::fs::File;
use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use super::bounds::{check_room, most_unpacked};
use super::contents::{FilePart, PagePart, contents};
use super::error::{EntryFault, ImportError};
use super::reader::Archive;
use crate::assets::{AssetFiles, Incoming, Written};
use crate::id::{AssetId, UserId};
use crate::locks::{GateError, Moment, UnlockedPage};
use crate::model::page::{DraftInfo, PageInfo, PageSource};
use crate::pages::newest;
use crate::path::PagePath;
use crate::repository;
use crate::store::{Read, StorageError};
use crate::tree::PathTaken;
use crate::tree::place::{self, Place};
use crate::users::Template;
use crate::wiki::Wiki;

/// The treatment of a page that exists at the path of a page in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    /// Nothing is imported. The untouched root page of a new wiki is not a conflict.
    Fail,
    /// The page stays unchanged, with its files.
    Skip,
    /// The page gets the archive's text as a new revision, and the archive's files in place of its own of the
    /// same names, which are deleted and can be restored.
    Replace,
}

/// The parameters of an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportRequest {
    /// The importing user.
    pub user: UserId,
    /// The treatment of conflicting pages.
    pub on_conflict: OnConflict,
    /// The maximum unpacked size in bytes.
    pub limit: u64,
}

/// A checked archive that is ready to be imported. Dropping it leaves nothing behind.
pub struct ImportPlan {
    pub(super) archive: Archive,
    pub(super) request: ImportRequest,
    pub(super) pages: Vec<PlannedPage>,
    /// The number of entries that belong to no page or file.
    pub(super) others: u64,
}

/// A page to import.
pub(super) struct PlannedPage {
    pub(super) part: PagePart,
    /// True if the existing page stays unchanged.
    pub(super) skipped: bool,
    /// Its unpacked files; empty if it is skipped.
    pub(super) files: Vec<(AssetId, crate::FileName, Written)>,
}

/// The treatment of a page.
pub(super) enum Decision {
    /// It is created. A draft whose lock has expired is removed first.
    Create(Option<DraftInfo>),
    /// The existing page gets its text.
    Replace(UnlockedPage),
    /// The existing page stays.
    Skip,
}

impl Wiki {
    /// Checks a whole archive, trusting nothing in it, and unpacks its files to temporary files in the asset
    /// folder. Reports the number of checked bytes and the total to `watch`, and stops when it breaks.
    ///
    /// # Errors
    /// Returns, as far as it can be known now, the error that the import itself would return.
    pub fn plan_import(
        &self,
        archive: File,
        request: ImportRequest,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<ImportPlan, ImportError> {
        let limit = request.limit.min(most_unpacked(archive.metadata()?.len()));
        let mut archive = Archive::open(archive, limit)?;
        let parts = contents(archive.manifest()?)?;
        for file in parts.iter().flat_map(|part| &part.files) {
            if file.size > self.asset_limit {
                return Err(ImportError::FileTooLarge {
                    entry: file.entry.clone(),
                    limit: self.asset_limit,
                });
            }
        }
        // The sizes are the declared ones: a file of another size is refused later. Nothing has been written so
        // far.
        let said = parts.iter().map(PagePart::files_size);
        if said.fold(0, u64::saturating_add) > limit {
            return Err(ImportError::TooMuch(limit));
        }
        let skipped = self.store.read(|txn| {
            let moment = self.moment();
            let skipped = |part: &PagePart| {
                let decision = decide(txn, &part.path, request.on_conflict, moment)?;
                Ok(matches!(decision, Decision::Skip))
            };
            parts
                .iter()
                .map(skipped)
                .collect::<Result<Vec<_>, ImportError>>()
        })?;
        let coming = parts.iter().zip(&skipped).filter(|(_, skipped)| !**skipped);
        let needed = coming.fold(0, |needed: u64, (part, _)| {
            let text = archive.said_size(&part.entry);
            needed
                .saturating_add(text)
                .saturating_add(part.files_size())
        });
        check_room(needed, self.asset_files.free_space()?)?;
        let mut named = 1;
        let mut look = Look {
            files: &self.asset_files,
            done: 0,
            total: total(&archive, &parts),
            watch,
        };
        look.tell(0)?;
        let mut pages = Vec::with_capacity(parts.len());
        for (part, skipped) in parts.into_iter().zip(skipped) {
            named += 1 + part.files.len();
            pages.push(look.page(&mut archive, part, skipped)?);
        }
        archive.looked_through();
        let others = archive.files().saturating_sub(named) as u64;
        Ok(ImportPlan {
            archive,
            request,
            pages,
            others,
        })
    }
}

/// Returns the number of bytes to unpack, as the archive declares it.
fn total(archive: &Archive, parts: &[PagePart]) -> u64 {
    parts.iter().fold(0, |total, part| {
        let text = archive.said_size(&part.entry);
        total.saturating_add(text).saturating_add(part.files_size())
    })
}

struct Look<'w> {
    files: &'w AssetFiles,
    done: u64,
    total: u64,
    watch: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl Look<'_> {
    fn page(
        &mut self,
        archive: &mut Archive,
        mut part: PagePart,
        skipped: bool,
    ) -> Result<PlannedPage, ImportError> {
        let text = archive.text(&part.entry)?;
        self.tell(text.len())?;
        let mut files = Vec::new();
        for file in std::mem::take(&mut part.files) {
            if skipped {
                self.look_through(archive, &file)?;
            } else {
                let written = self.unpack(archive, &file)?;
                files.push((file.id, file.name, written));
            }
        }
        Ok(PlannedPage {
            part,
            skipped,
            files,
        })
    }

    fn unpack(&mut self, archive: &mut Archive, file: &FilePart) -> Result<Written, ImportError> {
        let mut incoming = Incoming::begin(self.files)?;
        self.take(archive, file, &mut |bytes| Ok(incoming.write(bytes)?))?;
        let written = incoming.finish()?;
        agrees(file, written.size, &written.sha256)?;
        Ok(written)
    }

    fn look_through(&mut self, archive: &mut Archive, file: &FilePart) -> Result<(), ImportError> {
        let (mut size, mut hash) = (0, Sha256::new());
        self.take(archive, file, &mut |bytes| {
            size += bytes.len() as u64;
            hash.update(bytes);
            Ok(())
        })?;
        agrees(file, size, &hash.finalize().into())
    }

    fn take(
        &mut self,
        archive: &mut Archive,
        file: &FilePart,
        take: &mut dyn FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let too_long = || EntryFault::Size(file.size);
        archive.unpack(&file.entry, file.size, too_long, &mut |bytes| {
            take(bytes)?;
            self.tell(bytes.len())
        })
    }

    fn tell(&mut self, more: usize) -> Result<(), ImportError> {
        self.done = self.done.saturating_add(more as u64);
        // The declared sizes of an archive's texts may be wrong.
        match (self.watch)(self.done.min(self.total), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::BrokenOff),
        }
    }
}

/// Returns an error if a file is not the one that the manifest names.
fn agrees(file: &FilePart, size: u64, sha256: &[u8; 32]) -> Result<(), ImportError> {
    if size != file.size {
        return Err(EntryFault::Size(file.size).of(&file.entry).into());
    }
    if *sha256 != file.sha256 {
        return Err(EntryFault::Hash.of(&file.entry).into());
    }
    Ok(())
}

/// Decides the treatment of a page in the present state.
pub(super) fn decide(
    txn: &impl Read,
    path: &PagePath,
    on_conflict: OnConflict,
    moment: Moment,
) -> Result<Decision, ImportError> {
    let taken = match place::look(txn, path, moment, |_| false)? {
        Place::Free => return Ok(Decision::Create(None)),
        Place::Dead(draft) => return Ok(Decision::Create(Some(draft))),
        Place::Taken(_) if on_conflict == OnConflict::Skip => return Ok(Decision::Skip),
        Place::Taken(taken) => taken,
    };
    let info = match taken {
        PathTaken::Draft {
            path,
            user_name,
            expire,
            ..
        } => {
            return Err(ImportError::Locked {
                path,
                user_name,
                expire,
            });
        }
        PathTaken::Page(_) => page_at(txn, path)?,
    };
    if on_conflict == OnConflict::Fail && !is_untouched(txn, &info)? {
        return Err(PathTaken::Page(path.clone()).into());
    }
    match UnlockedPage::verify(txn, info, None, moment) {
        Ok(page) => Ok(Decision::Replace(page)),
        Err(GateError::Required {
            path,
            user_name,
            expire,
        }) => Err(ImportError::Locked {
            path,
            user_name,
            expire,
        }),
        Err(GateError::Storage(error)) => Err(error.into()),
        Err(GateError::Invalid) => unreachable!("BUG: no token was brought"),
    }
}

/// Returns the page at a path that has one.
fn page_at(txn: &impl Read, path: &PagePath) -> Result<PageInfo, StorageError> {
    let page = repository::page_at(txn, path)?;
    let info = page.map(|page| repository::saved(txn, page)).transpose()?;
    info.flatten().ok_or_else(|| StorageError::Damaged {
        table: "page_path",
        reason: format!("no page is at {path}, but something is"),
    })
}

/// True for the root page in its initial state.
fn is_untouched(txn: &impl Read, info: &PageInfo) -> Result<bool, StorageError> {
    if !info.path_state.path().is_root() || info.latest != 1 {
        return Ok(false);
    }
    let PageSource { head, source } = newest(txn, info)?;
    Ok(head.amends == 0 && Template::is(&source))
}
