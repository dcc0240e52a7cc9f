//! The plan of an import: the whole archive is checked, and its files are unpacked to temporary files in the
//! asset folder, before anything is changed.

use std::fs::File;
use std::ops::ControlFlow;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::bounds::{check_free_space, max_unpacked};
use super::contents::{ArchiveFile, ArchivePage, contents};
use super::error::{EntryFault, ImportError};
use super::reader::Archive;
use crate::assets::{AssetFiles, IncomingFile, ReceivedFile};
use crate::id::{AssetId, UserId};
use crate::latest_text::newest;
use crate::locks::{GateError, Moment, UnlockedPage};
use crate::model::page::{DraftInfo, PageInfo, PageSource};
use crate::pages::Revise;
use crate::parts::Archives;
use crate::path::PagePath;
use crate::repository;
use crate::store::{Read, StorageError};
use crate::tree::PathTaken;
use crate::tree::path_status::{self, PathStatus};
use crate::users::Template;

/// The handling of a page at the path of an archived page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = ConflictPolicy))]
#[serde(rename_all = "snake_case")]
pub enum OnConflict {
    /// Nothing is imported. The untouched root page of a new wiki is not a conflict: its first revision gets the
    /// archive's text.
    #[default]
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
    pub(super) part: ArchivePage,
    /// True if the existing page stays unchanged.
    pub(super) skipped: bool,
    /// Its unpacked files; empty if it is skipped.
    pub(super) files: Vec<(AssetId, crate::FileName, ReceivedFile)>,
}

/// The treatment of a page.
pub(super) enum Decision {
    /// It is created. A draft whose lock has expired is removed first.
    Create(Option<DraftInfo>),
    /// The existing page gets its text.
    Replace(UnlockedPage, Revise),
    /// The existing page stays.
    Skip,
}

impl Archives<'_> {
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
        let limit = request.limit.min(max_unpacked(archive.metadata()?.len()));
        let mut archive = Archive::open(archive, limit)?;
        let parts = contents(archive.manifest()?)?;
        for file in parts.iter().flat_map(|part| &part.files) {
            if file.size > self.limit {
                return Err(ImportError::FileTooLarge {
                    entry: file.entry.clone(),
                    limit: self.limit,
                });
            }
        }
        // The sizes are the declared ones: a file of another size is refused later. Nothing has been written so
        // far.
        let declared = parts.iter().map(ArchivePage::files_size);
        if declared.fold(0, u64::saturating_add) > limit {
            return Err(ImportError::TooMuch(limit));
        }
        let skipped = self.store.read(|txn| {
            let moment = self.lock_time.moment();
            let skipped = |part: &ArchivePage| {
                let decision = decide(txn, &part.path, request.on_conflict, moment)?;
                Ok(matches!(decision, Decision::Skip))
            };
            parts
                .iter()
                .map(skipped)
                .collect::<Result<Vec<_>, ImportError>>()
        })?;
        let imported = parts.iter().zip(&skipped).filter(|(_, skipped)| !**skipped);
        let needed = imported.fold(0, |needed: u64, (part, _)| {
            let text = archive.declared_size(&part.entry);
            needed
                .saturating_add(text)
                .saturating_add(part.files_size())
        });
        check_free_space(needed, self.files.free_space()?)?;
        let mut entries = 1;
        let mut check = ArchiveCheck {
            files: self.files,
            done: 0,
            total: total(&archive, &parts),
            watch,
        };
        check.report_progress(0)?;
        let mut pages = Vec::with_capacity(parts.len());
        for (part, skipped) in parts.into_iter().zip(skipped) {
            entries += 1 + part.files.len();
            pages.push(check.page(&mut archive, part, skipped)?);
        }
        archive.lift_limit();
        let others = archive.files().saturating_sub(entries) as u64;
        Ok(ImportPlan {
            archive,
            request,
            pages,
            others,
        })
    }
}

/// Returns the number of bytes to unpack, as the archive declares it.
fn total(archive: &Archive, parts: &[ArchivePage]) -> u64 {
    parts.iter().fold(0, |total, part| {
        let text = archive.declared_size(&part.entry);
        total.saturating_add(text).saturating_add(part.files_size())
    })
}

struct ArchiveCheck<'w> {
    files: &'w AssetFiles,
    done: u64,
    total: u64,
    watch: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl ArchiveCheck<'_> {
    fn page(
        &mut self,
        archive: &mut Archive,
        mut part: ArchivePage,
        skipped: bool,
    ) -> Result<PlannedPage, ImportError> {
        let text = archive.text(&part.entry)?;
        self.report_progress(text.len())?;
        let mut files = Vec::new();
        for file in std::mem::take(&mut part.files) {
            if skipped {
                self.verify(archive, &file)?;
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

    fn unpack(
        &mut self,
        archive: &mut Archive,
        file: &ArchiveFile,
    ) -> Result<ReceivedFile, ImportError> {
        let mut incoming = IncomingFile::begin(self.files)?;
        self.read(archive, file, &mut |bytes| Ok(incoming.write(bytes)?))?;
        let written = incoming.finish()?;
        check_contents(file, written.size, &written.sha256)?;
        Ok(written)
    }

    fn verify(&mut self, archive: &mut Archive, file: &ArchiveFile) -> Result<(), ImportError> {
        let (mut size, mut hash) = (0, Sha256::new());
        self.read(archive, file, &mut |bytes| {
            size += bytes.len() as u64;
            hash.update(bytes);
            Ok(())
        })?;
        check_contents(file, size, &hash.finalize().into())
    }

    fn read(
        &mut self,
        archive: &mut Archive,
        file: &ArchiveFile,
        read_piece: &mut dyn FnMut(&[u8]) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let too_long = || EntryFault::Size(file.size);
        archive.unpack(&file.entry, file.size, too_long, &mut |bytes| {
            read_piece(bytes)?;
            self.report_progress(bytes.len())
        })
    }

    fn report_progress(&mut self, more: usize) -> Result<(), ImportError> {
        self.done = self.done.saturating_add(more as u64);
        // The declared sizes of an archive's texts may be wrong.
        match (self.watch)(self.done.min(self.total), self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ImportError::Cancelled),
        }
    }
}

/// Returns an error if a file is not the one that the manifest names.
fn check_contents(file: &ArchiveFile, size: u64, sha256: &[u8; 32]) -> Result<(), ImportError> {
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
    let taken = match path_status::read(txn, path, moment, |_| false)? {
        PathStatus::Free => return Ok(Decision::Create(None)),
        PathStatus::ExpiredDraft(draft) => return Ok(Decision::Create(Some(draft))),
        PathStatus::Taken(_) if on_conflict == OnConflict::Skip => return Ok(Decision::Skip),
        PathStatus::Taken(taken) => taken,
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
    let way = match on_conflict {
        OnConflict::Fail => Revise::Overwrite,
        OnConflict::Skip | OnConflict::Replace => Revise::Add,
    };
    match UnlockedPage::verify(txn, info, None, moment) {
        Ok(page) => Ok(Decision::Replace(page, way)),
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
pub(super) fn is_untouched(txn: &impl Read, info: &PageInfo) -> Result<bool, StorageError> {
    if !info.path_state.path().is_root() || info.latest != 1 {
        return Ok(false);
    }
    let PageSource { head, source } = newest(txn, info)?;
    Ok(head.amends == 0 && Template::is_template(&source))
}
