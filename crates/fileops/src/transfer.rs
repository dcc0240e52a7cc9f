//! Plans for moving or copying files and folders into a folder, made before anything is done.

use std::collections::HashSet;
use std::rc::Rc;

use fumikura_fs::{NodeKind, Source, path};

use super::error::FileError;
use super::items::{Items, named};
use super::name;
use super::place::{Folder, Looked, NamedEntry, Opened, parted};
use super::protected_paths::ProtectedPaths;
use super::record::OperationKind;
use super::sidecars::{Sidecar, foreign_sidecar, goes_along, sidecars};
use super::tree::{self, Purpose, Tree};

/// The treatment of an item whose name is taken in the target folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
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

/// The kind of a transfer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Move,
    Copy,
}

/// The kind of a transfer, and the treatment of taken names.
#[derive(Debug, Clone, Copy)]
pub(super) struct TransferOptions {
    pub(super) how: How,
    pub(super) existing: Existing,
}

/// The old and the new name of an entry.
pub(super) struct Going {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) looked: Looked,
}

/// A planned transfer of one file or folder, with its sidecars.
pub(super) struct Planned {
    pub(super) from: Source,
    pub(super) names: Vec<Going>,
    /// The entries in its way, which move to the trash first.
    pub(super) replaced: Vec<NamedEntry>,
    /// True if the item is on another disk, or is copied by request.
    pub(super) is_copied: bool,
    /// The content of a folder that is copied.
    pub(super) tree: Option<Rc<Tree>>,
}

impl Planned {
    /// Returns the amount of work: the number of bytes, and one for each entry without bytes.
    pub(super) fn size(&self) -> u64 {
        let files = self.names.iter().map(|going| going.looked.stat.size.max(1));
        match &self.tree {
            Some(tree) => tree.size(),
            None => files.sum(),
        }
    }
}

impl How {
    /// Returns the kind of the operation.
    pub(super) fn kind(self) -> OperationKind {
        match self {
            Self::Move => OperationKind::Move,
            Self::Copy => OperationKind::Copy,
        }
    }

    /// Returns the purpose of a folder's survey.
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
    pub(super) items: Vec<Planned>,
    pub(super) skipped: usize,
}

/// Plans the target of each item, before anything is done.
///
/// # Errors
/// [`FileError::Taken`] with all taken names, if these are to be refused.
pub(super) fn planned(
    items: &[Source],
    to: &Folder,
    options: TransferOptions,
    protected: &ProtectedPaths<'_>,
    opened: &mut Opened,
) -> Result<Plan, FileError> {
    let items = named(items)?;
    let mut planner = Planner {
        items: &items,
        protected,
        to,
        options,
        given: HashSet::new(),
        taken: Vec::new(),
        plan: Plan::default(),
    };
    for item in &items.sources {
        planner.add(item, opened)?;
    }
    match planner.taken.is_empty() {
        true => Ok(planner.plan),
        false => Err(FileError::Taken(planner.taken)),
    }
}

struct Planner<'a> {
    items: &'a Items,
    protected: &'a ProtectedPaths<'a>,
    to: &'a Folder,
    options: TransferOptions,
    /// The names that other planned items will have.
    given: HashSet<Vec<u8>>,
    taken: Vec<Vec<u8>>,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, item: &Source, opened: &mut Opened) -> Result<(), FileError> {
        let (folder, old) = parted(item)?;
        let from = opened.folder(&folder)?;
        let looked = from.find(old)?;
        if self.options.how == How::Move {
            self.protected.check(item, looked)?;
        }
        let items = self.items;
        let goes = |name: &[u8]| items.goes(&from, name);
        let entry = NamedEntry::new(old, looked);
        if goes_along(&from, &entry, &goes)? {
            return Ok(());
        }
        let is_folder = looked.stat.kind == NodeKind::Folder;
        let is_here = from.identity == self.to.identity;
        let is_copied =
            self.options.how == How::Copy || !from.identity.is_on_disk_of(self.to.identity);
        if is_copied && !is_folder {
            check_file(old, looked)?;
        }
        let beneath = path::beneath(&item.absolute(), &self.to.itself().absolute());
        if is_folder && (beneath.is_some() || looked.identity == self.to.identity) {
            return Err(FileError::IntoItself(old.to_vec()));
        }
        if is_here && self.options.how == How::Move {
            self.plan.skipped += 1;
            return Ok(());
        }
        let along = sidecars(&from, &entry, &goes)?;
        let mut new = old.to_vec();
        let mut replaced = Vec::new();
        if let Some(taken) = self.taken_of(old, &along)? {
            match self.options.existing {
                Existing::Skip => {
                    self.plan.skipped += 1;
                    return Ok(());
                }
                Existing::KeepBoth => new = self.other_name(old, &along)?,
                Existing::Replace => match self.replaceable(old, &along, looked)? {
                    Some(found) => replaced = found,
                    None => self.taken.push(taken),
                },
                Existing::Refuse => self.taken.push(taken),
            }
        }
        let mut names = vec![Going {
            old: old.to_vec(),
            new: new.clone(),
            looked,
        }];
        names.extend(along.into_iter().map(|sidecar| Going {
            new: sidecar.beside(&new),
            old: sidecar.name,
            looked: sidecar.looked,
        }));
        let surveyed = (is_folder && is_copied)
            .then(|| {
                tree::survey(
                    from.entry(old),
                    self.options.how.purpose(),
                    Some(self.to.identity),
                )
            })
            .transpose()?;
        self.given
            .extend(names.iter().map(|going| going.new.clone()));
        self.plan.items.push(Planned {
            from: folder,
            names,
            replaced,
            is_copied,
            tree: surveyed.map(Rc::new),
        });
        Ok(())
    }

    /// Returns the first of a name and its sidecars' names that is taken; `None` if all are free.
    fn taken_of(&self, name: &[u8], along: &[Sidecar]) -> Result<Option<Vec<u8>>, FileError> {
        for name in with_sidecars(name, along) {
            let fits = name.len() <= name::LONGEST;
            if !fits || self.given.contains(&name) || self.to.look(&name)?.is_some() {
                return Ok(Some(name));
            }
        }
        foreign_sidecar(self.to, name, &|_| false)
    }

    fn other_name(&self, old: &[u8], along: &[Sidecar]) -> Result<Vec<u8>, FileError> {
        for other in name::others(old) {
            if self.taken_of(&other, along)?.is_none() {
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
        along: &[Sidecar],
        item: Looked,
    ) -> Result<Option<Vec<NamedEntry>>, FileError> {
        let mut all: Vec<Vec<u8>> = with_sidecars(name, along).collect();
        // The sidecars of the existing picture do not belong to the new one.
        if let Some(other) = self.to.look(name)? {
            let other = NamedEntry::new(name, other);
            let others = sidecars(self.to, &other, &|gone| gone == name)?;
            all.extend(others.into_iter().map(|sidecar| sidecar.name));
        }
        all.extend(foreign_sidecar(self.to, name, &|_| false)?);
        for sidecar in along {
            let is_there = self.to.look(&sidecar.beside(name))?.is_some();
            // A sidecar that a third picture shares must not be replaced.
            if is_there && sidecar.is_shared_in(self.to, name)? {
                return Ok(None);
            }
        }
        let mut found: Vec<NamedEntry> = Vec::new();
        for name in all {
            if self.given.contains(&name) {
                return Ok(None);
            }
            let Some(looked) = self.to.look(&name)? else {
                continue;
            };
            let is_it = looked.identity == item.identity;
            if is_it || looked.stat.kind != NodeKind::File || item.stat.kind != NodeKind::File {
                return Ok(None);
            }
            if found
                .iter()
                .all(|known| known.looked.identity != looked.identity)
            {
                found.push(NamedEntry { name, looked });
            }
        }
        Ok(Some(found))
    }
}

/// Checks that an entry that is no folder can be copied: only files are.
pub(super) fn check_file(name: &[u8], looked: Looked) -> Result<(), FileError> {
    match looked.stat.kind {
        NodeKind::File => Ok(()),
        NodeKind::Folder => Err(FileError::Changing(name.to_vec())),
        // A link is not its target.
        NodeKind::Fifo | NodeKind::Socket | NodeKind::Device | NodeKind::Unknown => {
            Err(FileError::NotAFile(name.to_vec()))
        }
    }
}

fn with_sidecars(name: &[u8], along: &[Sidecar]) -> impl Iterator<Item = Vec<u8>> {
    let sidecars = along.iter().map(|sidecar| sidecar.beside(name));
    std::iter::once(name.to_vec()).chain(sidecars)
}
