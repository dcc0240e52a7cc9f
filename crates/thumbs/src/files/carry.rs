//! Files and folders on their way into another folder: all of one, with what it replaces and its sidecars, or nothing.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use jiff::Timestamp;

use super::bin::BinOf;
use super::copying;
use super::error::FileError;
use super::place::{Folder, Looked, Touched};
use super::record::TreeMark;
use super::system;
use super::transfer::{Going, How, Planned, check_file};
use super::tree::{self, Purpose, Tree};
use super::work::Tags;
use crate::stat::NodeKind;

/// What is needed to do it.
pub(super) struct Desk<'a> {
    pub(super) to: &'a Folder,
    pub(super) how: How,
    /// The bin that serves the folder, where something goes into it.
    pub(super) bin: Option<&'a BinOf>,
    /// What replaced files are called there.
    pub(super) binned: &'a [Vec<u8>],
    pub(super) at: Timestamp,
    /// Tell its steps from all others, where one needs a name for a moment.
    pub(super) tags: Tags,
}

/// Notes what lies in a folder that is copied, or in its copy; it is on the disk when this returns.
pub(super) type Note<'a> = &'a mut dyn FnMut(TreeMark) -> Result<(), FileError>;

/// It did not work.
pub(super) struct Failed {
    pub(super) error: FileError,
    /// Which of its steps are done nevertheless, and could not be taken back.
    pub(super) left: Vec<usize>,
}

/// How one step is taken back; whether it could be.
type Back<'a> = Box<dyn FnOnce() -> bool + 'a>;

/// The steps that are done, each with its way back.
type Steps<'a> = Vec<(usize, Back<'a>)>;

/// A copy that has no final name yet.
enum Copy<'a> {
    File(copying::Copy<'a>),
    Folder(tree::Copy<'a>),
}

/// What was copied, and goes when the copy is in place.
enum Original {
    File(Looked),
    /// With whether it is as it was.
    Folder(Rc<Tree>, Rc<Cell<bool>>),
}

/// All of one: it is copied first where that is needed, then what is in its way goes, then it comes. Its steps are those
/// of what it replaces, and then its names. Before anything of a folder that was copied goes, it is noted by what its copy
/// is known.
///
/// # Errors
/// [`Failed`], after what was done of it was taken back.
pub(super) fn carry(
    item: &Planned,
    from: &Rc<Folder>,
    desk: &Desk<'_>,
    (touched, note): (&mut Touched, Note<'_>),
    step: copying::Step<'_>,
) -> Result<(), Failed> {
    let mut done = Vec::new();
    let outcome = follow(item, from, desk, &mut done, (note, step));
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
    done: &mut Steps<'a>,
    (note, step): (Note<'_>, copying::Step<'_>),
) -> Result<(), FileError> {
    let mut copies = match item.is_copied {
        true => copied(item, from, desk, (note, step))?,
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
        copies = copied(item, from, desk, (note, step))?;
    }
    settle(item, from, desk, copies, (done, note))
}

/// The copies get their names, and in a move the originals go.
fn settle<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    copies: Vec<Copy<'a>>,
    (done, note): (&mut Steps<'a>, Note<'_>),
) -> Result<(), FileError> {
    let first = item.replaced.len();
    let mut marks = Vec::new();
    let mut settled = Vec::new();
    for ((going, copy), at) in item.names.iter().zip(copies).zip(first..) {
        let (original, back): (Original, Back<'a>) = match copy {
            Copy::File(copy) => {
                let original = Original::File(copy.original);
                let identity = copy.settle(&going.new)?;
                let to = desk.to;
                let is_original_there = move || matches!(from.look(&going.old), Ok(Some(_)));
                let back = move || is_original_there() && to.unlink(&going.new, identity);
                (original, Box::new(back))
            }
            Copy::Folder(copy) => {
                let is_whole = Rc::new(Cell::new(true));
                let original = Original::Folder(Rc::clone(&copy.original), Rc::clone(&is_whole));
                let placed = copy.settle(&going.new)?;
                marks.push(placed.mark());
                (
                    original,
                    Box::new(move || is_whole.get() && placed.take_back()),
                )
            }
        };
        done.push((at, back));
        settled.push((going, original, at));
    }
    // The other file system may keep times that are coarser: the copy is known by what it has now.
    marks.into_iter().try_for_each(note)?;
    if desk.how == How::Move {
        system::sync(&desk.to.dir).map_err(|error| FileError::io(&item.names[0].new, error))?;
        // All of them before any goes: a sidecar may have been written meanwhile.
        for (going, original, _) in &settled {
            if let Original::File(copied) = original {
                is_there_as_copied((from, &going.old), *copied)?;
            }
        }
        for (going, original, at) in settled {
            let spot = (&**from, &going.old[..]);
            match original {
                Original::File(copied) => remove_original(spot, copied)?,
                Original::Folder(tree, is_whole) => {
                    tree::remove_original(spot, &tree, &desk.tags.of(at), &is_whole)?;
                }
            }
        }
    }
    Ok(())
}

fn copied<'a>(
    item: &Planned,
    from: &Folder,
    desk: &Desk<'a>,
    (note, step): (Note<'_>, copying::Step<'_>),
) -> Result<Vec<Copy<'a>>, FileError> {
    let mut copies = Vec::new();
    for (going, at) in item.names.iter().zip(item.replaced.len()..) {
        let tag = desk.tags.of(at);
        copies.push(match going.looked.stat.kind {
            NodeKind::Folder => {
                let spot = (from, &going.old[..]);
                Copy::Folder(copied_folder(item, spot, (desk, &tag), (note, step))?)
            }
            NodeKind::File
            | NodeKind::Fifo
            | NodeKind::Socket
            | NodeKind::Device
            | NodeKind::Unknown => Copy::File(copied_file(going, from, (desk.to, &tag), step)?),
        });
    }
    Ok(copies)
}

fn copied_file<'a>(
    going: &Going,
    from: &Folder,
    (to, tag): (&'a Folder, &str),
    step: copying::Step<'_>,
) -> Result<copying::Copy<'a>, FileError> {
    check_file(&going.old, going.looked)?;
    let copy = copying::copy((from, &going.old), (to, tag), step)?;
    // It is noted in which state it was.
    if copy.original != going.looked {
        return Err(FileError::Changing(going.old.clone()));
    }
    Ok(copy)
}

fn copied_folder<'a>(
    item: &Planned,
    spot: (&Folder, &[u8]),
    (desk, tag): (&Desk<'a>, &str),
    (note, step): (Note<'_>, copying::Step<'_>),
) -> Result<tree::Copy<'a>, FileError> {
    let tree = match &item.tree {
        Some(tree) => Rc::clone(tree),
        None => {
            let tree = tree::survey(spot, desk.how.purpose(), Some(desk.to.identity))?;
            // Nobody knew before that it would be copied.
            note(tree.mark())?;
            Rc::new(tree)
        }
    };
    tree::copy(spot, tree, desk.to, tag, step)
}

/// False where nothing was done, as names can't go there.
fn by_names<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    done: &mut Steps<'a>,
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
            // By a link, the folder into which it is to go lies in it.
            Err(error)
                if error.kind() == io::ErrorKind::InvalidInput
                    && going.looked.stat.kind == NodeKind::Folder =>
            {
                return Err(FileError::IntoItself(going.old.clone()));
            }
            Err(error) => return Err(FileError::taken_or_io(error, &going.old, &going.new)),
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

/// False where it has gone.
fn is_there_as_copied((from, name): (&Folder, &[u8]), copied: Looked) -> Result<bool, FileError> {
    match from.look(name)? {
        None => Ok(false),
        Some(now) if now == copied => Ok(true),
        Some(_) => Err(FileError::Changing(name.to_vec())),
    }
}

/// It is deleted as what was copied, or not at all. If somebody else was quicker, the copy is all there is, and stays.
fn remove_original((from, name): (&Folder, &[u8]), copied: Looked) -> Result<(), FileError> {
    if !is_there_as_copied((from, name), copied)? {
        return Ok(());
    }
    match system::unlink(&from.dir, name) {
        Ok(()) => Ok(()),
        Err(_) if matches!(from.look(name), Ok(None)) => Ok(()),
        Err(error) => Err(FileError::io(name, error)),
    }
}

/// Moves one file or folder to where it was by its name; false where it is on another disk.
///
/// # Errors
/// [`FileError`]; it is where it was then.
pub(super) fn name_back(
    (from, old): (&Folder, &[u8]),
    (to, new): (&Folder, &[u8]),
) -> Result<bool, FileError> {
    match system::rename((&from.dir, old), (&to.dir, new)) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
        Err(error) => Err(FileError::taken_or_io(error, old, new)),
    }
}

/// Moves one file or folder to where it was, on another disk, by a copy.
///
/// # Errors
/// As [`name_back`].
pub(super) fn copy_back(
    now: (&Folder, &[u8]),
    (to, new): (&Folder, &[u8]),
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let (from, old) = now;
    let looked = from.find(old)?;
    if looked.stat.kind == NodeKind::Folder {
        return folder_back(now, (to, new), tag, step);
    }
    check_file(old, looked)?;
    let copy = copying::copy(now, (to, tag), step)?;
    let original = copy.original;
    let identity = copy.settle(new)?;
    system::sync(&to.dir).map_err(|error| FileError::io(new, error))?;
    remove_original(now, original).inspect_err(|_| {
        if matches!(from.look(old), Ok(Some(_))) && !to.unlink(new, identity) {
            tracing::warn!("a copy that is not wanted can't be deleted");
        }
    })
}

fn folder_back(
    now: (&Folder, &[u8]),
    (to, new): (&Folder, &[u8]),
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let tree = Rc::new(tree::survey(now, Purpose::Move, Some(to.identity))?);
    let placed = tree::copy(now, Rc::clone(&tree), to, tag, step)?.settle(new)?;
    let is_whole = Cell::new(true);
    let synced = system::sync(&to.dir).map_err(|error| FileError::io(new, error));
    let removed = synced.and_then(|()| tree::remove_original(now, &tree, tag, &is_whole));
    removed.inspect_err(|_| {
        if is_whole.get() && !placed.take_back() {
            tracing::warn!("a copy that is not wanted can't be deleted");
        }
    })
}
