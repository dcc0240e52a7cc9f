//! All that lies beneath a folder: one folder after the other, each before those that lie in it.

use cap_std::fs::{Dir, DirEntry};

use super::look::Eyes;
use crate::access::{AccessError, Source};
use crate::path::RelPath;
use crate::platform;

/// A folder that is about to be read.
pub(super) struct Opened {
    pub(super) dir: Dir,
    /// The number of the file system that it is on.
    pub(super) device: u64,
    /// Whether it is on another one than the folder in which it lies, of which this machine is not told.
    pub(super) is_remote: bool,
}

/// What is done with a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enter {
    Read,
    /// It, and all that lies beneath it, is left out.
    LeaveOut,
    /// The walk is over.
    Stop,
}

/// Whoever walks.
pub(super) trait Visitor {
    /// Before a folder is read.
    fn enter(&mut self, _folder: &RelPath, _opened: &Opened) -> Enter {
        Enter::Read
    }

    /// One that lies in it, unless it is hidden.
    fn see(&mut self, _folder: &RelPath, _entry: &DirEntry) {}
}

/// Where a walk begins.
pub(super) struct Start {
    pub(super) folder: RelPath,
    /// The file system of the folder in which it lies, unless nobody cares.
    pub(super) above: Option<u64>,
}

/// Goes through the folders from one on, without links and what is hidden; whether through all of them, and not only
/// `most`. What can't be read is left out, but for the first. They come in whatever order the disk has them: of more than
/// `most`, these need not be those that are listed.
///
/// # Errors
/// When the first can't be read.
pub(super) fn walk(
    (eyes, source): (&dyn Eyes, &Source),
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
        let read = eyes.open(source, &folder, above).and_then(|opened| {
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
            left.push((folder.join(name), Some(opened.device)));
        }
        visitor.see(folder, &entry);
    }
    Ok(())
}
