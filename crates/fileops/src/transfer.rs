//! Plans for moving or copying files and folders into a folder, made before anything is done.

use std::collections::HashSet;
use std::rc::Rc;

use fumikura_fs::{NodeKind, Source, path};
use serde::Deserialize;

use super::companions::{Companion, PictureFiles};
use super::error::FileError;
use super::folder::{EntryStatus, Folder, NamedEntry, OpenFolders, split_source};
use super::identical::{self, FilePair};
use super::items::{Items, top_level_items};
use super::name;
use super::protected_paths::ProtectedPaths;
use super::record::OperationKind;
use super::sidecars::foreign_sidecar;
use super::tree::{self, Purpose, Tree};

/// The handling of a file whose name is taken in the destination folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = ExistingFile))]
#[serde(rename_all = "snake_case")]
pub enum ExistingPolicy {
    /// Nothing is done with any item: the user is asked.
    #[default]
    Refuse,
    /// The item stays in its place.
    Skip,
    /// The item gets another name: `a (2).jpg`.
    KeepBoth,
    /// The existing entry moves to the trash, if both are files.
    Replace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TransferKind {
    Move,
    Copy,
}

/// The kind of a transfer, and the treatment of taken names and of pictures of several files.
#[derive(Debug, Clone, Copy)]
pub(super) struct TransferOptions {
    pub(super) kind: TransferKind,
    pub(super) existing: ExistingPolicy,
    pub(super) picture_files: PictureFiles,
}

/// The old and the new name of an entry.
pub(super) struct NameChange {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) status: EntryStatus,
}

/// A planned transfer of one file or folder, with the files that move with it.
pub(super) struct PlannedItem {
    pub(super) from: Source,
    pub(super) names: Vec<NameChange>,
    /// The entries in its way, which move to the trash first.
    pub(super) replaced: Vec<NamedEntry>,
    /// True if the item is on another disk, or is copied by request.
    pub(super) is_copied: bool,
    /// The content of a folder that is copied.
    pub(super) tree: Option<Rc<Tree>>,
}

impl PlannedItem {
    /// Returns the amount of work: the number of bytes, and one for each entry without bytes.
    pub(super) fn size(&self) -> u64 {
        let files = self
            .names
            .iter()
            .map(|change| change.status.stat.size.max(1));
        match &self.tree {
            Some(tree) => tree.size(),
            None => files.sum(),
        }
    }
}

impl TransferKind {
    pub(super) fn operation_kind(self) -> OperationKind {
        match self {
            Self::Move => OperationKind::Move,
            Self::Copy => OperationKind::Copy,
        }
    }

    /// Returns the purpose of a folder's scan.
    pub(super) fn purpose(self) -> Purpose {
        match self {
            Self::Move => Purpose::Move,
            Self::Copy => Purpose::Copy,
        }
    }
}

/// The planned items, and the number of skipped ones.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) items: Vec<PlannedItem>,
    pub(super) skipped: usize,
}

/// Plans the target of each item, before anything is done.
///
/// # Errors
/// [`FileError::TakenInDestination`] with all taken names, if these are to be refused.
pub(super) fn plan(
    items: &[Source],
    to: &Folder,
    options: TransferOptions,
    protected: &ProtectedPaths<'_>,
    opened: &mut OpenFolders,
) -> Result<Plan, FileError> {
    let items = top_level_items(items)?;
    let mut planner = Planner {
        items: &items,
        protected,
        to,
        options,
        assigned: HashSet::new(),
        taken: Vec::new(),
        pairs: Vec::new(),
        plan: Plan::default(),
    };
    for item in &items.sources {
        planner.add(item, opened)?;
    }
    let Planner {
        taken, pairs, plan, ..
    } = planner;
    match options.existing {
        _ if taken.is_empty() => Ok(plan),
        ExistingPolicy::Refuse => Err(FileError::TakenInDestination {
            names: taken,
            identical: identical::count(&pairs),
        }),
        ExistingPolicy::Skip | ExistingPolicy::KeepBoth | ExistingPolicy::Replace => {
            Err(FileError::Taken(taken))
        }
    }
}

struct Planner<'a> {
    items: &'a Items,
    protected: &'a ProtectedPaths<'a>,
    to: &'a Folder,
    options: TransferOptions,
    /// The names that other planned items will have.
    assigned: HashSet<Vec<u8>>,
    taken: Vec<Vec<u8>>,
    /// The items that would be refused, and the files that have their names.
    pairs: Vec<FilePair>,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, item: &Source, opened: &mut OpenFolders) -> Result<(), FileError> {
        let (folder, old) = split_source(item)?;
        let from = opened.folder(&folder)?;
        let status = from.find(old)?;
        if self.options.kind == TransferKind::Move {
            self.protected.check(item, status)?;
        }
        let items = self.items;
        let is_moving = |name: &[u8]| items.contains(&from, name);
        let entry = NamedEntry::new(old, status);
        let picture_files = self.options.picture_files;
        if picture_files.is_companion(&from, &entry, &is_moving)? {
            return Ok(());
        }
        let is_folder = status.stat.kind == NodeKind::Folder;
        let is_here = from.identity == self.to.identity;
        let is_copied = self.options.kind == TransferKind::Copy
            || !from.identity.is_on_disk_of(self.to.identity);
        if is_copied && !is_folder {
            check_file(old, status)?;
        }
        let descendant = path::strip_base(&item.absolute(), &self.to.source().absolute());
        if is_folder && (descendant.is_some() || status.identity == self.to.identity) {
            return Err(FileError::IntoItself(old.to_vec()));
        }
        if is_here && self.options.kind == TransferKind::Move {
            self.plan.skipped += 1;
            return Ok(());
        }
        let companions = picture_files.companions_of(&from, &entry, &is_moving)?;
        let mut new = old.to_vec();
        let mut replaced = Vec::new();
        if let Some(taken) = self.taken_name(old, &companions)? {
            match self.options.existing {
                ExistingPolicy::Skip => {
                    self.plan.skipped += 1;
                    return Ok(());
                }
                ExistingPolicy::KeepBoth => new = self.alternative_name(old, &companions)?,
                ExistingPolicy::Replace => match self.replaceable(old, &companions, status)? {
                    Some(found) => replaced = found,
                    None => self.taken.push(taken),
                },
                ExistingPolicy::Refuse => {
                    if let Some(there) = self.to.stat(old)? {
                        let there = (self.to.source_of(old), there.stat);
                        self.pairs.push([(from.source_of(old), status.stat), there]);
                    }
                    self.taken.push(taken);
                }
            }
        }
        let mut names = vec![NameChange {
            old: old.to_vec(),
            new: new.clone(),
            status,
        }];
        names.extend(companions.into_iter().map(|companion| NameChange {
            new: companion.name_for(&new),
            old: companion.name,
            status: companion.status,
        }));
        let scanned = (is_folder && is_copied)
            .then(|| {
                tree::scan(
                    from.entry(old),
                    self.options.kind.purpose(),
                    Some(self.to.identity),
                )
            })
            .transpose()?;
        self.assigned
            .extend(names.iter().map(|change| change.new.clone()));
        self.plan.items.push(PlannedItem {
            from: folder,
            names,
            replaced,
            is_copied,
            tree: scanned.map(Rc::new),
        });
        Ok(())
    }

    /// Returns the first of a name and its companions' names that is taken; `None` if all are free.
    fn taken_name(
        &self,
        name: &[u8],
        companions: &[Companion],
    ) -> Result<Option<Vec<u8>>, FileError> {
        let all: Vec<Vec<u8>> = with_companions(name, companions).collect();
        for name in &all {
            let fits = name.len() <= name::MAX_LENGTH;
            if !fits || self.assigned.contains(name) || self.to.stat(name)?.is_some() {
                return Ok(Some(name.clone()));
            }
        }
        for name in &all {
            if let Some(foreign) = foreign_sidecar(self.to, name, &|_| false)? {
                return Ok(Some(foreign));
            }
        }
        Ok(None)
    }

    fn alternative_name(&self, old: &[u8], companions: &[Companion]) -> Result<Vec<u8>, FileError> {
        for other in name::alternatives(old) {
            if self.taken_name(&other, companions)?.is_none() {
                return Ok(other);
            }
        }
        Err(FileError::Taken(vec![old.to_vec()]))
    }

    /// Returns the entries that move to the trash for an item; `None` if one of them is not just another file, for
    /// example the item itself.
    fn replaceable(
        &self,
        name: &[u8],
        companions: &[Companion],
        item: EntryStatus,
    ) -> Result<Option<Vec<NamedEntry>>, FileError> {
        let mut all: Vec<Vec<u8>> = with_companions(name, companions).collect();
        let own = all.clone();
        // The other files of the existing picture do not belong to the new one.
        if let Some(other) = self.to.stat(name)? {
            let other = NamedEntry::new(name, other);
            let picture_files = self.options.picture_files;
            let others =
                picture_files.companions_of(self.to, &other, &|excluded| excluded == name)?;
            all.extend(others.into_iter().map(|companion| companion.name));
        }
        for name in &own {
            all.extend(foreign_sidecar(self.to, name, &|_| false)?);
        }
        for companion in companions {
            let is_there = self.to.stat(&companion.name_for(name))?.is_some();
            // A sidecar that a third picture shares must not be replaced.
            if is_there && companion.is_shared_in(self.to, name, &own)? {
                return Ok(None);
            }
        }
        let mut found: Vec<NamedEntry> = Vec::new();
        for name in all {
            if self.assigned.contains(&name) {
                return Ok(None);
            }
            let Some(status) = self.to.stat(&name)? else {
                continue;
            };
            let is_it = status.identity == item.identity;
            if is_it || status.stat.kind != NodeKind::File || item.stat.kind != NodeKind::File {
                return Ok(None);
            }
            if found
                .iter()
                .all(|existing| existing.status.identity != status.identity)
            {
                found.push(NamedEntry { name, status });
            }
        }
        Ok(Some(found))
    }
}

/// Checks that an entry that is not a folder can be copied: only regular files can.
pub(super) fn check_file(name: &[u8], status: EntryStatus) -> Result<(), FileError> {
    match status.stat.kind {
        NodeKind::File => Ok(()),
        NodeKind::Folder => Err(FileError::Changing(name.to_vec())),
        // A link is not its target.
        NodeKind::Fifo | NodeKind::Socket | NodeKind::Device | NodeKind::Unknown => {
            Err(FileError::NotAFile(name.to_vec()))
        }
    }
}

fn with_companions(name: &[u8], companions: &[Companion]) -> impl Iterator<Item = Vec<u8>> {
    let others = companions.iter().map(|companion| companion.name_for(name));
    std::iter::once(name.to_vec()).chain(others)
}
