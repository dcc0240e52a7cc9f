//! Walks everything beneath a folder: one folder after the other, each before those in it.

use cap_std::fs::{Dir, DirEntry};
use fumikura_fs::{AccessError, RelPath, Source, platform};

use super::probe::FsProbe;

/// The next step of a walk that has come to a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Read,
    /// Leaves out the folder, and everything beneath it.
    Skip,
    /// Ends the walk.
    Stop,
}

/// Walks a folder and those beneath it, without links and hidden folders. `enter` decides about each before it is read,
/// and `see` receives its entries that are not hidden. Returns true if all folders were visited, not only `most`, and
/// the walk was not stopped. Folders that can't be read are left out, except the first. They come in the order of the
/// disk: if there are more than `most`, these need not be those that are listed.
///
/// # Errors
/// If the first can't be read.
pub(super) fn walk(
    probe: &dyn FsProbe,
    source: &Source,
    most: usize,
    mut enter: impl FnMut(&RelPath, &Dir) -> Next,
    mut see: impl FnMut(&RelPath, &DirEntry),
) -> Result<bool, AccessError> {
    let mut left = vec![source.path().clone()];
    let mut visit = |folder: &RelPath, left: &mut Vec<RelPath>| -> Result<Next, AccessError> {
        let dir = probe.open(source, folder)?;
        let next = enter(folder, &dir);
        if next != Next::Read {
            return Ok(next);
        }
        for entry in dir.entries()? {
            let entry = entry?;
            let name = entry.file_name();
            let name = platform::bytes_of(&name);
            if name.starts_with(b".") {
                continue;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                left.push(folder.join(name));
            }
            see(folder, &entry);
        }
        Ok(next)
    };
    let mut visited = 0;
    while let Some(folder) = left.pop() {
        if visited == most {
            return Ok(false);
        }
        visited += 1;
        match visit(&folder, &mut left) {
            Ok(Next::Read | Next::Skip) => {}
            Ok(Next::Stop) => return Ok(false),
            Err(error) if visited == 1 => return Err(error),
            Err(_) => {}
        }
    }
    Ok(true)
}
