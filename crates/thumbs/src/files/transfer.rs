//! Files that are moved or copied into a folder.

use std::collections::HashSet;
use std::io;
use std::rc::Rc;

use jiff::Timestamp;

use super::bin::BinOf;
use super::copying;
use super::error::FileError;
use super::items::named;
use super::name;
use super::place::{Folder, Looked, Named, Opened, Touched, parted};
use super::system;
use crate::access::Source;
use crate::path;
use crate::stat::NodeKind;

/// What is done with a file whose name another one has in the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Existing {
    /// Nothing is done with any file: the person is to be asked.
    #[default]
    Refuse,
    /// It stays where it is.
    Skip,
    /// It gets another name: `a (2).jpg`.
    KeepBoth,
    /// The other one goes into the bin, if both are files.
    Replace,
}

/// How files come to the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Move,
    Copy,
}

/// A name that something has, and the one that it will have.
pub(super) struct Going {
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) looked: Looked,
}

/// One file or folder that is to go elsewhere, with its sidecars.
pub(super) struct Planned {
    pub(super) from: Source,
    pub(super) names: Vec<Going>,
    /// What is in the way, and goes into the bin before.
    pub(super) replaced: Vec<Named>,
    /// Whether it is on another disk, or is to stay where it is.
    is_copied: bool,
}

/// What is to be done, and how many are left alone.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) items: Vec<Planned>,
    pub(super) skipped: usize,
}

/// Where each of them goes, looked at before anything is done.
///
/// # Errors
/// [`FileError::Taken`] names all whose names are taken, if that is to be refused.
pub(super) fn planned(
    items: &[Source],
    to: &Folder,
    (how, existing): (How, Existing),
    opened: &mut Opened,
) -> Result<Plan, FileError> {
    let items = named(items)?;
    let mut planner = Planner {
        to,
        how,
        existing,
        given: HashSet::new(),
        taken: Vec::new(),
        plan: Plan::default(),
    };
    for item in &items {
        planner.add(item, opened)?;
    }
    match planner.taken.is_empty() {
        true => Ok(planner.plan),
        false => Err(FileError::Taken(planner.taken)),
    }
}

struct Planner<'a> {
    to: &'a Folder,
    how: How,
    existing: Existing,
    /// The names that others of them will have.
    given: HashSet<Vec<u8>>,
    taken: Vec<Vec<u8>>,
    plan: Plan,
}

impl Planner<'_> {
    fn add(&mut self, item: &Source, opened: &mut Opened) -> Result<(), FileError> {
        let (folder, old) = parted(item)?;
        let from = opened.folder(&folder)?;
        let looked = from.find(old)?;
        let is_folder = looked.stat.kind == NodeKind::Folder;
        let is_here = from.identity == self.to.identity;
        let is_copied = self.how == How::Copy || !from.identity.is_on_disk_of(self.to.identity);
        if is_copied {
            check_copied(old, looked)?;
        }
        let beneath = path::beneath(&item.absolute(), &self.to.itself().absolute());
        if is_folder && (beneath.is_some() || looked.identity == self.to.identity) {
            return Err(FileError::IntoItself(old.to_vec()));
        }
        if is_here && self.how == How::Move {
            self.plan.skipped += 1;
            return Ok(());
        }
        let suffixes = from.sidecars(old, looked)?;
        let mut new = old.to_vec();
        let mut replaced = Vec::new();
        if !self.is_free(old, &suffixes)? {
            match self.existing {
                Existing::Skip => {
                    self.plan.skipped += 1;
                    return Ok(());
                }
                Existing::KeepBoth => new = self.other_name(old, &suffixes)?,
                Existing::Replace => match self.replaceable(old, &suffixes, looked)? {
                    Some(found) => replaced = found,
                    None => self.taken.push(new.clone()),
                },
                Existing::Refuse => self.taken.push(new.clone()),
            }
        }
        let mut names = vec![Going {
            old: old.to_vec(),
            new: new.clone(),
            looked,
        }];
        for suffix in suffixes {
            let sidecar = [old, suffix].concat();
            names.push(Going {
                looked: from.find(&sidecar)?,
                old: sidecar,
                new: [&new, suffix].concat(),
            });
        }
        self.given
            .extend(names.iter().map(|going| going.new.clone()));
        self.plan.items.push(Planned {
            from: folder,
            names,
            replaced,
            is_copied,
        });
        Ok(())
    }

    /// Whether a name can be had, with those of the sidecars.
    fn is_free(&self, name: &[u8], suffixes: &[&[u8]]) -> Result<bool, FileError> {
        for name in with_sidecars(name, suffixes) {
            let fits = name.len() <= name::LONGEST;
            if !fits || self.given.contains(&name) || self.to.look(&name)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn other_name(&self, old: &[u8], suffixes: &[&[u8]]) -> Result<Vec<u8>, FileError> {
        for other in name::others(old) {
            if self.is_free(&other, suffixes)? {
                return Ok(other);
            }
        }
        Err(FileError::Taken(vec![old.to_vec()]))
    }

    /// What goes into the bin for it; none if that would be more than other files: the thing itself, say.
    fn replaceable(
        &self,
        name: &[u8],
        suffixes: &[&[u8]],
        item: Looked,
    ) -> Result<Option<Vec<Named>>, FileError> {
        // The other one's sidecars are not those of the new one.
        let mut all: Vec<&[u8]> = suffixes.to_vec();
        let other = self.to.look(name)?;
        for suffix in other.map_or(Ok(Vec::new()), |other| self.to.sidecars(name, other))? {
            if !all.contains(&suffix) {
                all.push(suffix);
            }
        }
        let mut found: Vec<Named> = Vec::new();
        for name in with_sidecars(name, &all) {
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
                .all(|(_, known)| known.identity != looked.identity)
            {
                found.push((name, looked));
            }
        }
        Ok(Some(found))
    }
}

fn check_copied(name: &[u8], looked: Looked) -> Result<(), FileError> {
    match looked.stat.kind {
        NodeKind::File => Ok(()),
        NodeKind::Folder => Err(FileError::FolderNotCopied(name.to_vec())),
        // A link is not what it leads to.
        NodeKind::Fifo | NodeKind::Socket | NodeKind::Device | NodeKind::Unknown => {
            Err(FileError::NotAFile(name.to_vec()))
        }
    }
}

fn with_sidecars(name: &[u8], suffixes: &[&[u8]]) -> impl Iterator<Item = Vec<u8>> {
    let sidecars = suffixes.iter().map(move |suffix| [name, suffix].concat());
    std::iter::once(name.to_vec()).chain(sidecars)
}

/// What is needed to do it.
pub(super) struct Desk<'a> {
    pub(super) to: &'a Folder,
    pub(super) how: How,
    /// The bin that serves the folder, where something goes into it.
    pub(super) bin: Option<&'a BinOf>,
    /// What replaced files are called there.
    pub(super) binned: &'a [Vec<u8>],
    pub(super) at: Timestamp,
}

/// It did not work.
pub(super) struct Failed {
    pub(super) error: FileError,
    /// Which of its steps are done nevertheless, and could not be taken back.
    pub(super) left: Vec<usize>,
}

/// How one step is taken back; whether it could be.
type Back<'a> = Box<dyn FnOnce() -> bool + 'a>;

/// All of one: it is copied first where that is needed, then what is in its way goes, then it comes. Its steps are those
/// of what it replaces, and then its names.
///
/// # Errors
/// [`Failed`], after what was done of it was taken back.
pub(super) fn carry(
    item: &Planned,
    from: &Rc<Folder>,
    desk: &Desk<'_>,
    touched: &mut Touched,
    step: copying::Step<'_>,
) -> Result<(), Failed> {
    let mut done: Vec<(usize, Back<'_>)> = Vec::new();
    let outcome = follow(item, from, desk, &mut done, step);
    touched.add(desk.to);
    touched.add(from);
    if let (Some(bin), false) = (desk.bin, item.replaced.is_empty()) {
        bin.touch(touched);
    }
    outcome.map_err(|error| {
        let taken_back = done.into_iter().rev().map(|(at, back)| (at, back()));
        let left = taken_back.filter(|(_, is_back)| !is_back).map(|(at, _)| at);
        Failed {
            left: left.collect(),
            error,
        }
    })
}

fn follow<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    done: &mut Vec<(usize, Back<'a>)>,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let mut copies = match item.is_copied {
        true => copied(item, from, desk, step)?,
        false => Vec::new(),
    };
    for (at, ((name, looked), binned)) in item.replaced.iter().zip(desk.binned).enumerate() {
        let bin = desk
            .bin
            .expect("BUG: there is a bin where something goes into it");
        check_still(desk.to, name, *looked)?;
        bin.put((desk.to, name), binned, desk.at)?;
        let to = desk.to;
        done.push((at, Box::new(move || bin.give_back(binned, (to, name)))));
    }
    if !item.is_copied {
        if by_names(item, from, desk, done)? {
            return Ok(());
        }
        // One disk that is mounted twice: names don't go from one to the other.
        copies = copied(item, from, desk, step)?;
    }
    let first = item.replaced.len();
    let mut settled = Vec::new();
    for (at, (going, copy)) in item.names.iter().zip(copies).enumerate() {
        let original = copy.original;
        let identity = copy.settle(&going.new)?;
        let to = desk.to;
        let is_original_there = move || matches!(from.look(&going.old), Ok(Some(_)));
        let back = move || is_original_there() && to.unlink(&going.new, identity);
        done.push((first + at, Box::new(back)));
        settled.push((going, original));
    }
    if desk.how == How::Move {
        system::sync(&desk.to.dir).map_err(|error| FileError::io(&item.names[0].new, error))?;
        for (going, original) in settled {
            remove_original(from, &going.old, original)?;
        }
    }
    Ok(())
}

fn copied<'a>(
    item: &Planned,
    from: &Folder,
    desk: &Desk<'a>,
    step: copying::Step<'_>,
) -> Result<Vec<copying::Copy<'a>>, FileError> {
    let mut copies = Vec::new();
    for going in &item.names {
        check_copied(&going.old, going.looked)?;
        let copy = copying::copy((from, &going.old), desk.to, step)?;
        // It is noted in which state it was.
        if copy.original != going.looked {
            return Err(FileError::Changing(going.old.clone()));
        }
        copies.push(copy);
    }
    Ok(copies)
}

/// False where nothing was done, as names can't go there.
fn by_names<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    done: &mut Vec<(usize, Back<'a>)>,
) -> Result<bool, FileError> {
    let first = item.replaced.len();
    for (at, going) in item.names.iter().enumerate() {
        check_still(from, &going.old, going.looked)?;
        let (there, here) = ((&from.dir, &going.old[..]), (&desk.to.dir, &going.new[..]));
        match system::rename(there, here) {
            Ok(()) => {}
            Err(error) if at == 0 && error.kind() == io::ErrorKind::CrossesDevices => {
                return Ok(false);
            }
            Err(error) => return Err(refused(error, &going.old, &going.new)),
        }
        let back = move || system::rename(here, there).is_ok();
        done.push((first + at, Box::new(back)));
    }
    Ok(true)
}

/// Whether it is what was looked at when all was planned.
pub(super) fn check_still(folder: &Folder, name: &[u8], looked: Looked) -> Result<(), FileError> {
    let now = folder.find(name)?;
    let is_same = now.identity == looked.identity
        && (now.stat == looked.stat || now.stat.kind == NodeKind::Folder);
    match is_same {
        true => Ok(()),
        false => Err(FileError::Changing(name.to_vec())),
    }
}

fn refused(error: io::Error, from: &[u8], to: &[u8]) -> FileError {
    if error.kind() == io::ErrorKind::AlreadyExists {
        FileError::Taken(vec![to.to_vec()])
    } else {
        FileError::io(from, error)
    }
}

/// It is deleted as what was copied, or not at all. If somebody else was quicker, the copy is all there is, and stays.
fn remove_original(from: &Folder, name: &[u8], copied: Looked) -> Result<(), FileError> {
    match from.look(name)? {
        None => return Ok(()),
        Some(now) if now != copied => return Err(FileError::Changing(name.to_vec())),
        Some(_) => {}
    }
    match system::unlink(&from.dir, name) {
        Ok(()) => Ok(()),
        Err(_) if matches!(from.look(name), Ok(None)) => Ok(()),
        Err(error) => Err(FileError::io(name, error)),
    }
}

/// Moves one file or folder to where it was: by its name, or from another disk by a copy.
///
/// # Errors
/// [`FileError`]; it is where it was then.
pub(super) fn move_back(
    (from, old): (&Folder, &[u8]),
    (to, new): (&Folder, &[u8]),
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    match system::rename((&from.dir, old), (&to.dir, new)) {
        Ok(()) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {}
        Err(error) => return Err(refused(error, old, new)),
    }
    check_copied(old, from.find(old)?)?;
    let copy = copying::copy((from, old), to, step)?;
    let original = copy.original;
    let identity = copy.settle(new)?;
    system::sync(&to.dir).map_err(|error| FileError::io(new, error))?;
    remove_original(from, old, original).inspect_err(|_| {
        if matches!(from.look(old), Ok(Some(_))) && !to.unlink(new, identity) {
            tracing::warn!("a copy that is not wanted can't be deleted");
        }
    })
}
