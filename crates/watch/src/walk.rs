//! Walks everything beneath a folder: one folder after the other, each before those in it.

use cap_std::fs::{Dir, DirEntry};
use fumikura_fs::{
    AccessError, RelPath, Source,
    platform::{self, Identity},
};

use super::probe::FsProbe;

/// A folder that is about to be read.
pub(super) struct Opened {
    pub(super) dir: Dir,
    pub(super) identity: Identity,
    /// True if it is on another file system than the folder above, and that one's changes are not reported to this
    /// machine.
    pub(super) is_remote: bool,
}

/// The action for a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enter {
    Read,
    /// Leaves out the folder, and everything beneath it.
    LeaveOut,
    /// Ends the walk.
    Stop,
}

/// A visitor of the folders on a walk.
pub(super) trait Visitor {
    /// Decides about a folder before it is read.
    fn enter(&mut self, _folder: &RelPath, _opened: &Opened) -> Enter {
        Enter::Read
    }

    /// Receives an entry of a folder, unless it is hidden.
    fn see(&mut self, _folder: &RelPath, _entry: &DirEntry) {}
}

/// The start of a walk.
pub(super) struct Start {
    pub(super) folder: RelPath,
    /// The file system of the folder above, if it matters.
    pub(super) above: Option<u64>,
}

/// Walks the folders from one on, without links and hidden folders. Returns true if it has visited all of them, not
/// only `most`, and was not stopped. Folders that can't be read are left out, except the first. They come in the order
/// of the disk: if there are more than `most`, these need not be those that are listed.
///
/// # Errors
/// If the first can't be read.
pub(super) fn walk(
    probe: &dyn FsProbe,
    source: &Source,
    start: Start,
    most: usize,
    visitor: &mut dyn Visitor,
) -> Result<bool, AccessError> {
    let mut left = vec![(start.folder, start.above)];
    let mut entered = 0;
    while let Some((folder, above)) = left.pop() {
        if entered == most {
            return Ok(false);
        }
        entered += 1;
        let read = probe.open(source, &folder, above).and_then(|opened| {
            let enter = visitor.enter(&folder, &opened);
            if enter == Enter::Read {
                read(&folder, &opened, &mut left, visitor)?;
            }
            Ok(enter)
        });
        match read {
            Ok(Enter::Read | Enter::LeaveOut) => {}
            Ok(Enter::Stop) => return Ok(false),
            Err(error) if entered == 1 => return Err(error),
            Err(_) => {}
        }
    }
    Ok(true)
}

fn read(
    folder: &RelPath,
    opened: &Opened,
    left: &mut Vec<(RelPath, Option<u64>)>,
    visitor: &mut dyn Visitor,
) -> Result<(), AccessError> {
    for entry in opened.dir.entries()? {
        let entry = entry?;
        let name = entry.file_name();
        let name = platform::bytes_of(&name);
        if name.starts_with(b".") {
            continue;
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            left.push((folder.join(name), Some(opened.identity.device())));
        }
        visitor.see(folder, &entry);
    }
    Ok(())
}
