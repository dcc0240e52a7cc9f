//! The transfer of an item into another folder: completely, with the files that it replaces and its sidecars, or not
//! at all.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use fumikura_fs::NodeKind;
use jiff::Timestamp;

use super::copying;
use super::error::FileError;
use super::place::{EntryRef, Folder, Looked, NamedEntry, Touched};
use super::record::TreeMark;
use super::system;
use super::transfer::{Going, How, Planned, check_file};
use super::trash::TrashOf;
use super::tree::{self, Purpose, Tree};
use super::work::Tags;

/// The context of a transfer.
pub(super) struct Desk<'a> {
    pub(super) to: &'a Folder,
    pub(super) how: How,
    /// The trash that serves the target folder, if an entry moves into it.
    pub(super) bin: Option<&'a TrashOf>,
    /// The names of the replaced files in the trash.
    pub(super) binned: &'a [Vec<u8>],
    pub(super) at: Timestamp,
    /// The tags that distinguish its steps from all others, for temporary names.
    pub(super) tags: Tags,
}

/// Records the content of a folder that is copied, or of its copy; the record is on the disk when this returns.
pub(super) type Note<'a> = &'a mut dyn FnMut(TreeMark) -> Result<(), FileError>;

/// The callbacks of a transfer that copies.
pub(super) struct CopyHooks<'a> {
    pub(super) note: Note<'a>,
    pub(super) step: copying::Step<'a>,
}

/// A failed transfer.
pub(super) struct Failed {
    pub(super) error: FileError,
    /// The steps that were done and could not be reverted.
    pub(super) left: Vec<usize>,
}

/// Reverts one step. Returns true on success.
type Back<'a> = Box<dyn FnOnce() -> bool + 'a>;

/// The completed steps, each with its reversal.
type Steps<'a> = Vec<(usize, Back<'a>)>;

/// A copy that has no final name yet.
enum Copy<'a> {
    File(copying::Copy<'a>),
    Folder(tree::Copy<'a>),
}

/// The original of a copy, which is deleted when the copy is in place.
enum Original {
    File(Looked),
    /// The flag is true if the original is unchanged.
    Folder(Rc<Tree>, Rc<Cell<bool>>),
}

/// Transfers one item. It is copied first if necessary, then the entries in its way move to the trash, then it gets
/// its name. Its steps are those of the replaced entries, followed by its names. Before any part of a copied folder
/// is deleted, the mark of the copy is recorded.
///
/// # Errors
/// [`Failed`], after the completed steps were reverted.
pub(super) fn carry(
    item: &Planned,
    from: &Rc<Folder>,
    desk: &Desk<'_>,
    touched: &mut Touched,
    hooks: CopyHooks<'_>,
) -> Result<(), Failed> {
    let mut done = Vec::new();
    let outcome = follow(item, from, desk, &mut done, hooks);
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
    mut hooks: CopyHooks<'_>,
) -> Result<(), FileError> {
    let mut copies = match item.is_copied {
        true => copied(item, from, desk, &mut hooks)?,
        false => Vec::new(),
    };
    for (at, (entry, binned)) in item.replaced.iter().zip(desk.binned).enumerate() {
        let bin = desk
            .bin
            .expect("BUG: there is a bin where something goes into it");
        check_still(desk.to, entry)?;
        let place = desk.to.entry(&entry.name);
        bin.put(place, binned, desk.at)?;
        done.push((at, Box::new(move || bin.give_back(binned, place))));
    }
    if !item.is_copied {
        if by_names(item, from, desk, done)? {
            return Ok(());
        }
        // The same disk is mounted twice: a rename does not work between the two mounts.
        copies = copied(item, from, desk, &mut hooks)?;
    }
    settle(item, from, desk, copies, done, hooks.note)
}

/// Gives the copies their names, and in a move deletes the originals.
fn settle<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    copies: Vec<Copy<'a>>,
    done: &mut Steps<'a>,
    note: Note<'_>,
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
    // The other file system may have coarser times, so the copy is recorded with its current times.
    marks.into_iter().try_for_each(note)?;
    if desk.how == How::Move {
        system::sync(&desk.to.dir).map_err(|error| FileError::io(&item.names[0].new, error))?;
        // All originals are checked before any is deleted: a sidecar may have been written meanwhile.
        for (going, original, _) in &settled {
            if let Original::File(copied) = original {
                is_there_as_copied(from.entry(&going.old), *copied)?;
            }
        }
        for (going, original, at) in settled {
            let entry = from.entry(&going.old);
            match original {
                Original::File(copied) => remove_original(entry, copied)?,
                Original::Folder(tree, is_whole) => {
                    tree::remove_original(entry, &tree, &desk.tags.of(at), &is_whole)?;
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
    hooks: &mut CopyHooks<'_>,
) -> Result<Vec<Copy<'a>>, FileError> {
    let mut copies = Vec::new();
    for (going, at) in item.names.iter().zip(item.replaced.len()..) {
        let tag = desk.tags.of(at);
        copies.push(match going.looked.stat.kind {
            NodeKind::Folder => {
                let entry = from.entry(&going.old);
                Copy::Folder(copied_folder(item, entry, desk, &tag, hooks)?)
            }
            NodeKind::File
            | NodeKind::Fifo
            | NodeKind::Socket
            | NodeKind::Device
            | NodeKind::Unknown => {
                let entry = from.entry(&going.old);
                Copy::File(copied_file(going, entry, desk.to, &tag, hooks.step)?)
            }
        });
    }
    Ok(copies)
}

fn copied_file<'a>(
    going: &Going,
    from: EntryRef<'_>,
    to: &'a Folder,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<copying::Copy<'a>, FileError> {
    check_file(&going.old, going.looked)?;
    let copy = copying::copy(from, to, tag, step)?;
    // The record holds the planned state.
    if copy.original != going.looked {
        return Err(FileError::Changing(going.old.clone()));
    }
    Ok(copy)
}

fn copied_folder<'a>(
    item: &Planned,
    from: EntryRef<'_>,
    desk: &Desk<'a>,
    tag: &str,
    hooks: &mut CopyHooks<'_>,
) -> Result<tree::Copy<'a>, FileError> {
    let tree = match &item.tree {
        Some(tree) => Rc::clone(tree),
        None => {
            let tree = tree::survey(from, desk.how.purpose(), Some(desk.to.identity))?;
            // The copy was not planned.
            (hooks.note)(tree.mark())?;
            Rc::new(tree)
        }
    };
    tree::copy(from, tree, desk.to, tag, hooks.step)
}

/// Renames the item. Returns false if nothing was done, since a rename across file systems is impossible.
fn by_names<'a>(
    item: &'a Planned,
    from: &'a Rc<Folder>,
    desk: &Desk<'a>,
    done: &mut Steps<'a>,
) -> Result<bool, FileError> {
    let first = item.replaced.len();
    for (at, going) in item.names.iter().enumerate() {
        check_still(from, &NamedEntry::new(&going.old, going.looked))?;
        let there = from.entry(&going.old).slot();
        let here = desk.to.entry(&going.new).slot();
        match system::rename(there, here) {
            Ok(()) => {}
            Err(error) if at == 0 && error.kind() == io::ErrorKind::CrossesDevices => {
                return Ok(false);
            }
            // Through a link, the target folder is inside the moved folder.
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

/// Checks that an entry is unchanged since the plan was made.
pub(super) fn check_still(folder: &Folder, entry: &NamedEntry) -> Result<(), FileError> {
    let NamedEntry { name, looked } = entry;
    let now = folder.find(name)?;
    let is_same = now.identity == looked.identity
        && (now.stat == looked.stat || now.stat.kind == NodeKind::Folder);
    match is_same {
        true => Ok(()),
        false => Err(FileError::Changing(name.clone())),
    }
}

/// Checks that the original is as it was copied. Returns false if it is gone.
fn is_there_as_copied(original: EntryRef<'_>, copied: Looked) -> Result<bool, FileError> {
    match original.folder.look(original.name)? {
        None => Ok(false),
        Some(now) if now == copied => Ok(true),
        Some(_) => Err(FileError::Changing(original.name.to_vec())),
    }
}

/// Deletes an original that is unchanged since it was copied, or not at all. If another process deleted it first, the
/// copy is the only one, and stays.
fn remove_original(original: EntryRef<'_>, copied: Looked) -> Result<(), FileError> {
    if !is_there_as_copied(original, copied)? {
        return Ok(());
    }
    let EntryRef { folder: from, name } = original;
    match system::unlink(&from.dir, name) {
        Ok(()) => Ok(()),
        Err(_) if matches!(from.look(name), Ok(None)) => Ok(()),
        Err(error) => Err(FileError::io(name, error)),
    }
}

/// Moves one file or folder back by a rename. Returns false if it is on another disk.
///
/// # Errors
/// [`FileError`]; the entry stays in its current place then.
pub(super) fn name_back(now: EntryRef<'_>, then: EntryRef<'_>) -> Result<bool, FileError> {
    match system::rename(now.slot(), then.slot()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
        Err(error) => Err(FileError::taken_or_io(error, now.name, then.name)),
    }
}

/// Moves one file or folder back to another disk, by a copy.
///
/// # Errors
/// The errors of [`name_back`].
pub(super) fn copy_back(
    now: EntryRef<'_>,
    then: EntryRef<'_>,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let (from, old) = (now.folder, now.name);
    let (to, new) = (then.folder, then.name);
    let looked = from.find(old)?;
    if looked.stat.kind == NodeKind::Folder {
        return folder_back(now, then, tag, step);
    }
    check_file(old, looked)?;
    let copy = copying::copy(now, to, tag, step)?;
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
    now: EntryRef<'_>,
    then: EntryRef<'_>,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let (to, new) = (then.folder, then.name);
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
