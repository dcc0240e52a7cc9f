//! The transfer of an item into another folder: completely, with the files that it replaces and its sidecars, or not
//! at all.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use fumikura_fs::NodeKind;
use jiff::Timestamp;

use super::copying;
use super::error::FileError;
use super::execution::Tags;
use super::folder::{ChangedFolders, EntryRef, EntryStatus, Folder, NamedEntry};
use super::record::TreeMark;
use super::system;
use super::transfer::{NameChange, PlannedItem, TransferKind, check_file};
use super::trash::FolderTrash;
use super::tree::{self, Purpose, Tree};

pub(super) struct TransferContext<'a> {
    pub(super) to: &'a Folder,
    pub(super) kind: TransferKind,
    /// The trash that serves the target folder, if an entry moves into it.
    pub(super) trash: Option<&'a FolderTrash>,
    /// The names of the replaced files in the trash.
    pub(super) trash_names: &'a [Vec<u8>],
    pub(super) at: Timestamp,
    /// The tags that distinguish its steps from all others, for temporary names.
    pub(super) tags: Tags,
}

/// Records the content of a folder that is copied, or of its copy; the record is on the disk when this returns.
pub(super) type RecordTree<'a> = &'a mut dyn FnMut(TreeMark) -> Result<(), FileError>;

/// The callbacks of a transfer that copies.
pub(super) struct CopyHooks<'a> {
    pub(super) record_tree: RecordTree<'a>,
    pub(super) step: copying::Step<'a>,
}

/// A failed transfer.
pub(super) struct TransferFailure {
    pub(super) error: FileError,
    /// The steps that were done and could not be reverted.
    pub(super) left: Vec<usize>,
}

/// Reverts one step. Returns true on success.
type Revert<'a> = Box<dyn FnOnce() -> bool + 'a>;

/// The completed steps, each with its reversal.
type Steps<'a> = Vec<(usize, Revert<'a>)>;

/// A copy that has no final name yet.
enum Copy<'a> {
    File(copying::Copy<'a>),
    Folder(tree::Copy<'a>),
}

/// The original of a copy, which is deleted when the copy is in place.
enum Original {
    File(EntryStatus),
    /// The flag is true if the original is unchanged.
    Folder(Rc<Tree>, Rc<Cell<bool>>),
}

/// Transfers one item. It is copied first if necessary, then the entries in its way move to the trash, then it gets
/// its name. Its steps are those of the replaced entries, followed by its names. Before any part of a copied folder
/// is deleted, the mark of the copy is recorded.
///
/// # Errors
/// [`TransferFailure`], after the completed steps were reverted.
pub(super) fn transfer_item(
    item: &PlannedItem,
    from: &Rc<Folder>,
    context: &TransferContext<'_>,
    changed_folders: &mut ChangedFolders,
    hooks: CopyHooks<'_>,
) -> Result<(), TransferFailure> {
    let mut done = Vec::new();
    let outcome = apply_item(item, from, context, &mut done, hooks);
    changed_folders.add(context.to);
    changed_folders.add(from);
    if let (Some(trash), false) = (context.trash, item.replaced.is_empty()) {
        trash.touch(changed_folders);
    }
    outcome.map_err(|error| {
        let reverted = done.into_iter().rev().map(|(at, revert)| (at, revert()));
        let left = reverted
            .filter(|(_, is_reverted)| !is_reverted)
            .map(|(at, _)| at);
        TransferFailure {
            left: left.collect(),
            error,
        }
    })
}

fn apply_item<'a>(
    item: &'a PlannedItem,
    from: &'a Rc<Folder>,
    context: &TransferContext<'a>,
    done: &mut Steps<'a>,
    mut hooks: CopyHooks<'_>,
) -> Result<(), FileError> {
    let mut copies = match item.is_copied {
        true => copy_item(item, from, context, &mut hooks)?,
        false => Vec::new(),
    };
    for (at, (entry, trash_name)) in item.replaced.iter().zip(context.trash_names).enumerate() {
        let trash = context
            .trash
            .expect("BUG: entries are replaced only with a trash");
        check_unchanged(context.to, entry)?;
        let place = context.to.entry(&entry.name);
        trash.put(place, trash_name, context.at)?;
        done.push((at, Box::new(move || trash.restore(trash_name, place))));
    }
    if !item.is_copied {
        if rename_item(item, from, context, done)? {
            return Ok(());
        }
        // The same disk is mounted twice: a rename does not work between the two mounts.
        copies = copy_item(item, from, context, &mut hooks)?;
    }
    finalize(item, from, context, copies, done, hooks.record_tree)
}

/// Gives the copies their names, and in a move deletes the originals.
fn finalize<'a>(
    item: &'a PlannedItem,
    from: &'a Rc<Folder>,
    context: &TransferContext<'a>,
    copies: Vec<Copy<'a>>,
    done: &mut Steps<'a>,
    record_tree: RecordTree<'_>,
) -> Result<(), FileError> {
    let first = item.replaced.len();
    let mut marks = Vec::new();
    let mut settled = Vec::new();
    for ((change, copy), at) in item.names.iter().zip(copies).zip(first..) {
        let (original, revert): (Original, Revert<'a>) = match copy {
            Copy::File(copy) => {
                let original = Original::File(copy.original);
                let identity = copy.finalize(&change.new)?;
                let to = context.to;
                let is_original_there = move || matches!(from.stat(&change.old), Ok(Some(_)));
                let revert = move || is_original_there() && to.unlink(&change.new, identity);
                (original, Box::new(revert))
            }
            Copy::Folder(copy) => {
                let is_whole = Rc::new(Cell::new(true));
                let original = Original::Folder(Rc::clone(&copy.original), Rc::clone(&is_whole));
                let placed = copy.finalize(&change.new)?;
                marks.push(placed.mark());
                (
                    original,
                    Box::new(move || is_whole.get() && placed.revert()),
                )
            }
        };
        done.push((at, revert));
        settled.push((change, original, at));
    }
    // The other file system may have coarser times, so the copy is recorded with its current times.
    marks.into_iter().try_for_each(record_tree)?;
    if context.kind == TransferKind::Move {
        system::sync(&context.to.dir).map_err(|error| FileError::io(&item.names[0].new, error))?;
        // All originals are checked before any is deleted: a sidecar may have been written meanwhile.
        for (change, original, _) in &settled {
            if let Original::File(copied) = original {
                check_original(from.entry(&change.old), *copied)?;
            }
        }
        for (change, original, at) in settled {
            let entry = from.entry(&change.old);
            match original {
                Original::File(copied) => remove_original(entry, copied)?,
                Original::Folder(tree, is_whole) => {
                    tree::remove_original(entry, &tree, &context.tags.of(at), &is_whole)?;
                }
            }
        }
    }
    Ok(())
}

fn copy_item<'a>(
    item: &PlannedItem,
    from: &Folder,
    context: &TransferContext<'a>,
    hooks: &mut CopyHooks<'_>,
) -> Result<Vec<Copy<'a>>, FileError> {
    let mut copies = Vec::new();
    for (change, at) in item.names.iter().zip(item.replaced.len()..) {
        let tag = context.tags.of(at);
        copies.push(match change.status.stat.kind {
            NodeKind::Folder => {
                let entry = from.entry(&change.old);
                Copy::Folder(copy_folder(item, entry, context, &tag, hooks)?)
            }
            NodeKind::File
            | NodeKind::Fifo
            | NodeKind::Socket
            | NodeKind::Device
            | NodeKind::Unknown => {
                let entry = from.entry(&change.old);
                Copy::File(copy_file(change, entry, context.to, &tag, hooks.step)?)
            }
        });
    }
    Ok(copies)
}

fn copy_file<'a>(
    change: &NameChange,
    from: EntryRef<'_>,
    to: &'a Folder,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<copying::Copy<'a>, FileError> {
    check_file(&change.old, change.status)?;
    let copy = copying::copy(from, to, tag, step)?;
    // The record holds the planned state.
    if copy.original != change.status {
        return Err(FileError::Changing(change.old.clone()));
    }
    Ok(copy)
}

fn copy_folder<'a>(
    item: &PlannedItem,
    from: EntryRef<'_>,
    context: &TransferContext<'a>,
    tag: &str,
    hooks: &mut CopyHooks<'_>,
) -> Result<tree::Copy<'a>, FileError> {
    let tree = match &item.tree {
        Some(tree) => Rc::clone(tree),
        None => {
            let tree = tree::scan(from, context.kind.purpose(), Some(context.to.identity))?;
            // The copy was not planned.
            (hooks.record_tree)(tree.mark())?;
            Rc::new(tree)
        }
    };
    tree::copy(from, tree, context.to, tag, hooks.step)
}

/// Renames the item. Returns false if nothing was done, since a rename across file systems is impossible.
fn rename_item<'a>(
    item: &'a PlannedItem,
    from: &'a Rc<Folder>,
    context: &TransferContext<'a>,
    done: &mut Steps<'a>,
) -> Result<bool, FileError> {
    let first = item.replaced.len();
    for (at, change) in item.names.iter().enumerate() {
        check_unchanged(from, &NamedEntry::new(&change.old, change.status))?;
        let source_slot = from.entry(&change.old).slot();
        let target_slot = context.to.entry(&change.new).slot();
        match system::rename(source_slot, target_slot) {
            Ok(()) => {}
            Err(error) if at == 0 && error.kind() == io::ErrorKind::CrossesDevices => {
                return Ok(false);
            }
            // Through a link, the target folder is inside the moved folder.
            Err(error)
                if error.kind() == io::ErrorKind::InvalidInput
                    && change.status.stat.kind == NodeKind::Folder =>
            {
                return Err(FileError::IntoItself(change.old.clone()));
            }
            Err(error) => return Err(FileError::rename_error(error, &change.old, &change.new)),
        }
        let revert = move || system::rename(target_slot, source_slot).is_ok();
        done.push((first + at, Box::new(revert)));
    }
    Ok(true)
}

/// Checks that an entry is unchanged since the plan was made.
pub(super) fn check_unchanged(folder: &Folder, entry: &NamedEntry) -> Result<(), FileError> {
    let NamedEntry { name, status } = entry;
    let now = folder.find(name)?;
    let is_same = now.identity == status.identity
        && (now.stat == status.stat || now.stat.kind == NodeKind::Folder);
    match is_same {
        true => Ok(()),
        false => Err(FileError::Changing(name.clone())),
    }
}

/// Checks that the original is as it was copied. Returns false if it is gone.
fn check_original(original: EntryRef<'_>, copied: EntryStatus) -> Result<bool, FileError> {
    match original.folder.stat(original.name)? {
        None => Ok(false),
        Some(now) if now == copied => Ok(true),
        Some(_) => Err(FileError::Changing(original.name.to_vec())),
    }
}

/// Deletes an original that is unchanged since it was copied, or not at all. If another process deleted it first, the
/// copy is the only one, and stays.
fn remove_original(original: EntryRef<'_>, copied: EntryStatus) -> Result<(), FileError> {
    if !check_original(original, copied)? {
        return Ok(());
    }
    let EntryRef { folder: from, name } = original;
    match system::unlink(&from.dir, name) {
        Ok(()) => Ok(()),
        Err(_) if matches!(from.stat(name), Ok(None)) => Ok(()),
        Err(error) => Err(FileError::io(name, error)),
    }
}

/// Moves a file or folder back by a rename. Returns false if it is on another disk.
///
/// # Errors
/// [`FileError`]; the entry stays in its current place then.
pub(super) fn rename_back(now: EntryRef<'_>, then: EntryRef<'_>) -> Result<bool, FileError> {
    match system::rename(now.slot(), then.slot()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Ok(false),
        Err(error) => Err(FileError::rename_error(error, now.name, then.name)),
    }
}

/// Moves a file or folder back to another disk, by a copy.
///
/// # Errors
/// The errors of [`rename_back`].
pub(super) fn copy_back(
    now: EntryRef<'_>,
    then: EntryRef<'_>,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let (from, old) = (now.folder, now.name);
    let (to, new) = (then.folder, then.name);
    let status = from.find(old)?;
    if status.stat.kind == NodeKind::Folder {
        return copy_folder_back(now, then, tag, step);
    }
    check_file(old, status)?;
    let copy = copying::copy(now, to, tag, step)?;
    let original = copy.original;
    let identity = copy.finalize(new)?;
    system::sync(&to.dir).map_err(|error| FileError::io(new, error))?;
    remove_original(now, original).inspect_err(|_| {
        if matches!(from.stat(old), Ok(Some(_))) && !to.unlink(new, identity) {
            tracing::warn!("an unneeded copy can't be deleted");
        }
    })
}

fn copy_folder_back(
    now: EntryRef<'_>,
    then: EntryRef<'_>,
    tag: &str,
    step: copying::Step<'_>,
) -> Result<(), FileError> {
    let (to, new) = (then.folder, then.name);
    let tree = Rc::new(tree::scan(now, Purpose::Move, Some(to.identity))?);
    let placed = tree::copy(now, Rc::clone(&tree), to, tag, step)?.finalize(new)?;
    let is_whole = Cell::new(true);
    let synced = system::sync(&to.dir).map_err(|error| FileError::io(new, error));
    let removed = synced.and_then(|()| tree::remove_original(now, &tree, tag, &is_whole));
    removed.inspect_err(|_| {
        if is_whole.get() && !placed.revert() {
            tracing::warn!("an unneeded copy can't be deleted");
        }
    })
}
