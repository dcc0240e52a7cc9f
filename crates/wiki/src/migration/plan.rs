//! The plan of an import: the page of each note and the page and name of each file.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use jiff::civil::Date;

use super::item_key;
use super::offer::offered_of;
use super::place::{FreePaths, daily_path, path_for};
use crate::assets::{Asset, asset_if_present, live_files};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId, UserId};
use crate::latest_text::newest;
use crate::locks::{GateError, Moment, UnlockedPage};
use crate::model::asset::AssetState;
use crate::model::migration::MigratedItem;
use crate::model::page::{PagePathState, SourceHead};
use crate::parts::Migrations;
use crate::path::PagePath;
use crate::repository::saved;
use crate::settings;
use crate::store::{MIGRATED_ITEM, Read, ReadSets, StorageError};
use crate::tree::path_status::{self, PathStatus};

/// The folder of templates.
const TEMPLATES: &str = "/templates";

/// The parameters of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationRequest {
    /// The source's path, by which a later import finds the pages of this one.
    pub source: String,
    /// The name of the source's format.
    pub format: String,
    /// The page below which new pages are put.
    pub into: PagePath,
    pub user: UserId,
    /// The name of the page with the report.
    pub report: String,
}

/// A note of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingPage {
    /// The id of the note in its source.
    pub origin: String,
    /// The folders and the name, valid or not.
    pub place: Vec<String>,
    pub role: PageRole,
    /// The hash of the converted text.
    pub sha256: [u8; 32],
    pub created: Option<Timestamp>,
    pub changed: Option<Timestamp>,
}

/// The role of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageRole {
    Page,
    /// The daily note of a day, which gets the path that the settings give such notes.
    Daily(Date),
    Template,
}

/// A file of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingAsset {
    /// The id of the file in its source.
    pub origin: String,
    /// The name, valid or not.
    pub name: String,
    /// The note that it belongs to, by its number; none for the page with the report.
    pub owner: Option<usize>,
}

/// The fate of each note and file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationPlan {
    /// In the order of the notes.
    pub pages: Vec<PagePlan>,
    /// In the order of the files.
    pub assets: Vec<AssetPlan>,
    /// The path of the page with the report.
    pub report: PagePath,
}

/// The fate of a note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PagePlan {
    /// The path of its page; the last one if that is deleted.
    pub path: PagePath,
    pub action: PageAction,
    /// True for a new page whose name is not that of the note.
    pub renamed: bool,
    /// The name of the file of the report that has the text of the note, if it changed both there and here, and was
    /// not offered before.
    pub offer: Option<FileName>,
    pub(super) existing: Option<ExistingPage>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ExistingPage {
    pub(super) id: PageId,
    pub(super) sha256: [u8; 32],
    pub(super) revision: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageAction {
    Create,
    /// The page is as the last import wrote it, and gets the changed text of the source.
    Update,
    /// The source is unchanged since the last import.
    Unchanged,
    /// The source and the page were changed.
    ChangedHere,
    /// The page was deleted.
    DeletedHere,
    /// A user is editing the page.
    Locked,
}

impl PageAction {
    /// Returns true if the page gets a text.
    #[must_use]
    pub fn writes(self) -> bool {
        matches!(self, Self::Create | Self::Update)
    }
}

/// The fate of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetPlan {
    /// The path of its page.
    pub page: PagePath,
    /// The number of the note of that page; none for the page with the report, and if it is the page of no note.
    pub owner: Option<usize>,
    pub name: FileName,
    pub action: AssetAction,
    pub(super) existing: Option<(AssetId, [u8; 32])>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssetAction {
    Attach,
    /// The file of the last import is unchanged here. It is replaced if the contents of the source differ.
    Compare,
    /// The file of the last import was changed or deleted here.
    Kept,
}

impl Migrations<'_> {
    /// Plans an import. Nothing is changed.
    ///
    /// # Errors
    /// If the database fails.
    pub fn plan(
        &self,
        request: &MigrationRequest,
        pages: &[IncomingPage],
        assets: &[IncomingAsset],
    ) -> Result<MigrationPlan, StorageError> {
        let moment = self.lock_time.moment();
        self.store
            .read(|txn| plan_in(txn, request, (pages, assets), moment))
    }
}

pub(super) fn plan_in(
    txn: &(impl Read + ReadSets),
    request: &MigrationRequest,
    (pages, assets): (&[IncomingPage], &[IncomingAsset]),
    moment: Moment,
) -> Result<MigrationPlan, StorageError> {
    let mut plan = Planning {
        txn,
        request,
        moment,
        offered: offered_of(txn, &request.source)?,
        daily_pattern: settings::read(txn)?.templates.daily_path,
        paths: FreePaths::default(),
    };
    let incoming = pages;
    let pages: Result<Vec<PagePlan>, StorageError> =
        pages.iter().map(|page| plan.page(page)).collect();
    let mut pages = pages?;
    let (report, _) = path_for(&request.into, std::slice::from_ref(&request.report));
    let report = plan.free(&report)?;
    let mut names = HashMap::new();
    let own_pages = pages.iter().enumerate();
    let own_pages = own_pages.filter_map(|(number, page)| Some((page.existing?.id, number)));
    let own_pages: HashMap<PageId, usize> = own_pages.collect();
    let assets: Result<Vec<AssetPlan>, StorageError> = assets
        .iter()
        .map(|asset| plan.asset(asset, (&pages, &own_pages), &report, &mut names))
        .collect();
    let assets = assets?;
    let names = names.entry(report.clone()).or_default();
    for (page, incoming) in pages.iter_mut().zip(incoming) {
        let is_offered = plan.offered.get(&incoming.origin) == Some(&incoming.sha256);
        if page.action == PageAction::ChangedHere && !is_offered {
            let name = page.path.as_str().rsplit('/').next().unwrap_or_default();
            page.offer = Some(unused_name(&valid_name(&format!("{name}.md")), names));
        }
    }
    Ok(MigrationPlan {
        assets,
        pages,
        report,
    })
}

struct Planning<'p, R> {
    txn: &'p R,
    request: &'p MigrationRequest,
    moment: Moment,
    daily_pattern: String,
    paths: FreePaths,
    /// The hashes of the texts that wait for a decision, by the origins of their notes.
    offered: HashMap<String, [u8; 32]>,
}

impl<R: Read + ReadSets> Planning<'_, R> {
    fn item(&self, origin: &str) -> Result<Option<MigratedItem>, StorageError> {
        let key = item_key(&self.request.source, origin);
        self.txn.get(MIGRATED_ITEM, &key)
    }

    fn free(&mut self, wanted: &PagePath) -> Result<PagePath, StorageError> {
        let (txn, moment) = (self.txn, self.moment);
        self.paths.give(wanted, |path| {
            let status = path_status::read(txn, path, moment, |_| false)?;
            Ok(matches!(status, PathStatus::Taken(_)))
        })
    }

    fn page(&mut self, page: &IncomingPage) -> Result<PagePlan, StorageError> {
        if let Some(MigratedItem::Page {
            page_id,
            sha256,
            revision,
        }) = self.item(&page.origin)?
            && let Some(info) = saved(self.txn, page_id)?
        {
            let path = info.path_state.path().clone();
            let existing = Some(ExistingPage {
                id: page_id,
                sha256,
                revision,
            });
            let action = match info.path_state {
                PagePathState::LastDeleted(_) => PageAction::DeletedHere,
                PagePathState::Current(_) if sha256 == page.sha256 => PageAction::Unchanged,
                PagePathState::Current(_) => {
                    let head: SourceHead = newest(self.txn, &info)?;
                    let is_own = head.revision == revision && head.amends == 0;
                    match UnlockedPage::verify(self.txn, info, None, self.moment) {
                        Ok(_) if is_own => PageAction::Update,
                        Ok(_) => PageAction::ChangedHere,
                        Err(GateError::Storage(error)) => return Err(error),
                        Err(GateError::Required { .. } | GateError::Invalid) => PageAction::Locked,
                    }
                }
            };
            return Ok(PagePlan {
                path,
                action,
                renamed: false,
                offer: None,
                existing,
            });
        }
        let (wanted, changed) = self.wanted(page);
        let path = self.free(&wanted)?;
        Ok(PagePlan {
            renamed: changed || path != wanted,
            path,
            action: PageAction::Create,
            offer: None,
            existing: None,
        })
    }

    fn wanted(&self, page: &IncomingPage) -> (PagePath, bool) {
        match page.role {
            PageRole::Daily(day) => {
                if let Some(path) = daily_path(&self.daily_pattern, day) {
                    return (path, false);
                }
            }
            PageRole::Template => {
                let templates = PagePath::new(TEMPLATES).expect("BUG: a valid path");
                return path_for(&templates, &page.place);
            }
            // The root page is not replaced by a note.
            PageRole::Page if page.place.is_empty() && self.request.into.is_root() => {
                let name = page.origin.rsplit('/').next().unwrap_or_default();
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                return path_for(&self.request.into, &[stem.to_owned()]);
            }
            PageRole::Page => {}
        }
        path_for(&self.request.into, &page.place)
    }

    fn asset(
        &self,
        asset: &IncomingAsset,
        (pages, own_pages): (&[PagePlan], &HashMap<PageId, usize>),
        report: &PagePath,
        names: &mut HashMap<PagePath, HashSet<FileName>>,
    ) -> Result<AssetPlan, StorageError> {
        if let Some(MigratedItem::File { id, sha256 }) = self.item(&asset.origin)?
            && let Some(file) = asset_if_present(self.txn, id)?
        {
            let is_own = file.state == AssetState::Live && file.sha256 == sha256;
            let page = file.page_id.map(|id| saved(self.txn, id)).transpose()?;
            if let Some(info) = page.flatten() {
                return Ok(AssetPlan {
                    page: info.path_state.path().clone(),
                    owner: own_pages.get(&info.page_id).copied(),
                    name: file.file_name,
                    action: if is_own {
                        AssetAction::Compare
                    } else {
                        AssetAction::Kept
                    },
                    existing: Some((id, sha256)),
                });
            }
        }
        let present = |owner: &usize| pages[*owner].action != PageAction::DeletedHere;
        let owner = asset.owner.filter(present);
        let page = owner.map_or(report, |owner| &pages[owner].path);
        let names = match names.entry(page.clone()) {
            std::collections::hash_map::Entry::Occupied(names) => names.into_mut(),
            std::collections::hash_map::Entry::Vacant(names) => {
                let existing = owner.and_then(|owner| pages[owner].existing);
                let files: Vec<Asset> = match existing {
                    Some(page) => live_files(self.txn, page.id)?,
                    None => Vec::new(),
                };
                names.insert(files.into_iter().map(|file| file.file_name).collect())
            }
        };
        let name = unused_name(&valid_name(&asset.name), names);
        Ok(AssetPlan {
            page: page.clone(),
            owner,
            name,
            action: AssetAction::Attach,
            existing: None,
        })
    }
}

/// Returns a name or, if it is taken, one like it with a number.
fn unused_name(wanted: &FileName, names: &mut HashSet<FileName>) -> FileName {
    let mut name = wanted.clone();
    let mut number = 2;
    while !names.insert(name.clone()) {
        name = wanted.numbered(number);
        number += 1;
    }
    name
}

/// Returns a valid name for a file.
fn valid_name(name: &str) -> FileName {
    if let Ok(name) = FileName::new(name) {
        return name;
    }
    let bad: HashSet<usize> = fumikura_base::characters::unshowable(name)
        .map(|(at, _)| at)
        .collect();
    let kept = name.char_indices().filter(|(at, _)| !bad.contains(at));
    let kept: String = kept
        .map(|(_, c)| if c == '/' || c.is_control() { '-' } else { c })
        .collect();
    let mut stem = kept.trim().trim_start_matches('.').to_owned();
    let ending = stem.rfind('.').map(|at| stem.split_off(at));
    let ending = ending
        .filter(|ending| ending.len() <= 20)
        .unwrap_or_default();
    if stem.is_empty() {
        stem = "file".to_owned();
    }
    loop {
        match FileName::new(&format!("{stem}{ending}")) {
            Ok(name) => return name,
            Err(_) if stem.chars().count() > 1 => {
                stem.pop();
            }
            Err(_) => return FileName::new("file").expect("BUG: a valid name"),
        }
    }
}
