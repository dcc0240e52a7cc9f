//! Renames several entries of one folder at once: everything is checked first, the renames are ordered so that
//! no name blocks another, and all are reverted if one fails.

use std::collections::{HashMap, HashSet};
use std::io;

use super::companions::PictureFiles;
use super::error::FileError;
use super::folder::{Folder, NamedEntry};
use super::name::{self, NameError};
use super::sidecars::{foreign_sidecar, without_sidecars};
use super::system::{self, Slot};

/// The old and the new name of an entry.
pub(super) type Pair = (Vec<u8>, Vec<u8>);

/// Returns the pairs that change something, with those of the files that move with them.
///
/// # Errors
/// [`FileError`] if an entry is missing, or names are taken.
pub(super) fn plan(
    folder: &Folder,
    requested: &[Pair],
    picture_files: PictureFiles,
) -> Result<Vec<Pair>, FileError> {
    let mut pairs: Vec<Pair> = Vec::with_capacity(requested.len());
    let mut from: HashSet<&[u8]> = HashSet::new();
    for (old, new) in requested {
        folder.find(old)?;
        if !from.insert(old) {
            return Err(FileError::Duplicate(old.clone()));
        }
        pairs.push((old.clone(), new.clone()));
    }
    let is_moving = |name: &[u8]| from.contains(name);
    for (old, new) in requested {
        let entry = NamedEntry::new(old, folder.find(old)?);
        for companion in picture_files.companions_of(folder, &entry, &is_moving)? {
            let renamed = companion.name_for(new);
            if renamed.len() > name::MAX_LENGTH {
                let name = String::from_utf8_lossy(new).into_owned();
                let error = NameError::TooLong;
                return Err(FileError::InvalidName { name, error });
            }
            if !from.contains(&companion.name[..]) {
                pairs.push((companion.name, renamed));
            }
        }
    }
    pairs.retain(|(old, new)| old != new);
    check_free(folder, &pairs).map_err(|error| {
        if let FileError::Taken(names) = error {
            FileError::Taken(without_sidecars(names))
        } else {
            error
        }
    })?;
    let leaving: HashSet<&[u8]> = pairs.iter().map(|(old, _)| &old[..]).collect();
    let mut foreign = Vec::new();
    for (_, new) in &pairs {
        foreign.extend(foreign_sidecar(folder, new, &|name| {
            leaving.contains(name)
        })?);
    }
    if !foreign.is_empty() {
        return Err(FileError::Taken(foreign));
    }
    Ok(pairs)
}

/// Checks that all the new names are available.
pub(super) fn check_free(folder: &Folder, pairs: &[Pair]) -> Result<(), FileError> {
    let leaving: HashSet<&[u8]> = pairs.iter().map(|(old, _)| &old[..]).collect();
    let mut wanted: HashSet<&[u8]> = HashSet::new();
    let mut taken = Vec::new();
    for (old, new) in pairs {
        let is_free = wanted.insert(new)
            && (leaving.contains(&new[..]) || !is_taken_by_other(folder, old, new)?);
        if !is_free {
            taken.push(new.clone());
        }
    }
    if taken.is_empty() {
        Ok(())
    } else {
        Err(FileError::Taken(taken))
    }
}

/// Returns true if another entry has the new name. On a file system that ignores case, a file has many names.
fn is_taken_by_other(folder: &Folder, old: &[u8], new: &[u8]) -> Result<bool, FileError> {
    let Some(there) = folder.stat(new)? else {
        return Ok(false);
    };
    let is_same = folder.find(old)?.identity == there.identity;
    // Hard links are separate entries.
    Ok(!is_same || !old.eq_ignore_ascii_case(new) && !equal_ignoring_case(old, new))
}

fn equal_ignoring_case(old: &[u8], new: &[u8]) -> bool {
    let folded = |name| std::str::from_utf8(name).map(str::to_lowercase);
    matches!((folded(old), folded(new)), (Ok(old), Ok(new)) if old == new)
}

/// A system call.
pub(super) enum Call {
    Rename(Pair),
    Exchange(Pair),
}

/// A failed renaming.
pub(super) struct RenameFailure {
    /// The cause.
    pub(super) error: FileError,
    /// True if all names are as before. If not, the record of the plan allows an undo.
    pub(super) is_clean: bool,
}

/// Changes all names, or none.
///
/// # Errors
/// [`RenameFailure`], after the completed calls were reverted.
pub(super) fn apply(folder: &Folder, pairs: &[Pair]) -> Result<(), RenameFailure> {
    let mut done = Vec::new();
    let outcome = ordered(pairs)
        .into_iter()
        .try_for_each(|group| apply_group(folder, group, &mut done));
    let outcome = outcome.and_then(|()| {
        let first = pairs.first().map_or(&b""[..], |(old, _)| old);
        system::sync(&folder.dir).map_err(|error| FileError::io(first, error))
    });
    outcome.map_err(|error| RenameFailure {
        error,
        is_clean: revert(folder, done),
    })
}

/// Names that depend on each other.
enum Group {
    /// Each pair needs the old name of the one before it; the first new name is free.
    Chain(Vec<Pair>),
    /// A chain whose last new name is the first old name.
    Cycle(Vec<Pair>),
}

/// Returns the pairs in an order in which every name is free when it is needed.
fn ordered(pairs: &[Pair]) -> Vec<Group> {
    let by_old: HashMap<&[u8], usize> = pairs
        .iter()
        .enumerate()
        .map(|(at, (old, _))| (&old[..], at))
        .collect();
    let mut visited = vec![false; pairs.len()];
    let mut groups = Vec::new();
    let wanted: HashSet<&[u8]> = pairs.iter().map(|(_, new)| &new[..]).collect();
    // Chains begin with the pairs whose old name no other pair needs. The remaining pairs form cycles.
    let beginnings = (0..pairs.len()).filter(|&at| !wanted.contains(&pairs[at].0[..]));
    for start in beginnings.chain(0..pairs.len()) {
        let mut group = Vec::new();
        let mut next = Some(start);
        while let Some(at) = next
            && !visited[at]
        {
            visited[at] = true;
            group.push(pairs[at].clone());
            next = by_old.get(&pairs[at].1[..]).copied();
        }
        if group.is_empty() {
            continue;
        }
        // The last new name is the first old name.
        let is_cycle = group.last().map(|(_, new)| new) == group.first().map(|(old, _)| old);
        groups.push(if is_cycle {
            Group::Cycle(group)
        } else {
            group.reverse();
            Group::Chain(group)
        });
    }
    groups
}

fn apply_group(folder: &Folder, group: Group, done: &mut Vec<Call>) -> Result<(), FileError> {
    match group {
        Group::Chain(chain) => chain
            .into_iter()
            .try_for_each(|pair| call(folder, Call::Rename(pair), done)),
        Group::Cycle(cycle) => rotate(folder, cycle, done),
    }
}

/// Rotates the names by exchanges, so that no file ever has a name that the user did not choose. If the file system
/// can't exchange names, one file temporarily has a name that describes the operation.
fn rotate(folder: &Folder, cycle: Vec<Pair>, done: &mut Vec<Call>) -> Result<(), FileError> {
    let Some((first, second)) = cycle.first().cloned() else {
        return Ok(());
    };
    let exchanged = system::exchange(&folder.dir, &first, &second);
    if exchanged.map_err(|error| FileError::io(&first, error))? {
        done.push(Call::Exchange((first.clone(), second)));
        // The first name now refers to the entry that had the second one, and so on. The last exchange sets two names
        // at once.
        let further = cycle.iter().skip(1).take(cycle.len().saturating_sub(2));
        for (_, new) in further {
            call(folder, Call::Exchange((first.clone(), new.clone())), done)?;
        }
        return Ok(());
    }
    rotate_via_temporary_name(folder, cycle, done)
}

pub(super) fn rotate_via_temporary_name(
    folder: &Folder,
    mut cycle: Vec<Pair>,
    done: &mut Vec<Call>,
) -> Result<(), FileError> {
    let Some((first, _)) = cycle.first().cloned() else {
        return Ok(());
    };
    let temporary = free_temporary_name(folder, &first)?;
    call(folder, Call::Rename((first, temporary.clone())), done)?;
    cycle[0].0 = temporary;
    cycle.reverse();
    cycle
        .into_iter()
        .try_for_each(|pair| call(folder, Call::Rename(pair), done))
}

fn call(folder: &Folder, call: Call, done: &mut Vec<Call>) -> Result<(), FileError> {
    let dir = &folder.dir;
    let (outcome, old) = match &call {
        Call::Rename((old, new)) => {
            // On a file system that ignores case, the new name already refers to the same file, and the rename
            // changes nothing. An intermediate name distinguishes this from a second name of the file.
            match system::rename(Slot::new(dir, old), Slot::new(dir, new)) {
                Err(error)
                    if error.kind() == io::ErrorKind::AlreadyExists
                        && (old.eq_ignore_ascii_case(new) || equal_ignoring_case(old, new)) =>
                {
                    return rename_via_temporary_name(folder, old, new, done);
                }
                outcome => (outcome, old),
            }
        }
        Call::Exchange((a, b)) => (exchanged(folder, a, b), a),
    };
    match outcome {
        Ok(()) => {
            done.push(call);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let (Call::Rename((_, new)) | Call::Exchange((_, new))) = call;
            Err(FileError::Taken(vec![new]))
        }
        Err(error) => Err(FileError::io(old, error)),
    }
}

fn rename_via_temporary_name(
    folder: &Folder,
    old: &[u8],
    new: &[u8],
    done: &mut Vec<Call>,
) -> Result<(), FileError> {
    let dir = &folder.dir;
    let temporary = free_temporary_name(folder, old)?;
    for (from, to) in [(old, &temporary[..]), (&temporary[..], new)] {
        match system::rename(Slot::new(dir, from), Slot::new(dir, to)) {
            Ok(()) => done.push(Call::Rename((from.to_vec(), to.to_vec()))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(FileError::Taken(vec![to.to_vec()]));
            }
            Err(error) => return Err(FileError::io(old, error)),
        }
    }
    Ok(())
}

fn free_temporary_name(folder: &Folder, name: &[u8]) -> Result<Vec<u8>, FileError> {
    for temporary in name::temporary_names(name) {
        if folder.stat(&temporary)?.is_none() {
            return Ok(temporary);
        }
    }
    Err(FileError::Taken(vec![name.to_vec()]))
}

fn exchanged(folder: &Folder, a: &[u8], b: &[u8]) -> io::Result<()> {
    if system::exchange(&folder.dir, a, b)? {
        Ok(())
    } else {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Reverts the calls in reverse order. Returns true if all could be reverted.
fn revert(folder: &Folder, done: Vec<Call>) -> bool {
    let dir = &folder.dir;
    let mut is_clean = true;
    for call in done.into_iter().rev() {
        let outcome = match &call {
            Call::Rename((old, new)) => system::rename(Slot::new(dir, new), Slot::new(dir, old)),
            Call::Exchange((a, b)) => exchanged(folder, a, b),
        };
        if let Err(error) = outcome {
            tracing::error!(%error, "a file can't be renamed back");
            is_clean = false;
        }
    }
    is_clean
}
