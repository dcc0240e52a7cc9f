//! One entry of a folder, and the answer that holds a page of them.

use std::sync::Arc;

use jiff::civil::DateTime;

use super::snapshot::SnapshotId;
use crate::decode::Head;
use crate::fingerprint::ThumbId;
use crate::path::RelPath;
use crate::roots::Root;
use crate::stat::Mtime;

/// What an entry is, for the person who looks at the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A folder, or a symbolic link to one that stays inside the root.
    Folder,
    /// A file that is called like a picture. Whether it is one shows when it is decoded.
    Picture,
    /// Anything else.
    Other,
}

/// The extensions of pictures, in lower case. What a file holds is decided by its content later;
/// this is only the cheap guess for a listing, which opens no file.
const PICTURE_EXTENSIONS: [&[u8]; 27] = [
    b"jpg", b"jpeg", b"jpe", b"jfif", b"png", b"gif", b"webp", b"bmp", b"tif", b"tiff", b"avif",
    b"heic", b"heif", b"hif", b"jxl", b"apng", b"ico", b"svg", b"dng", b"nef", b"arw", b"pef",
    b"orf", b"rw2", b"cr2", b"cr3", b"raf",
];

impl EntryKind {
    /// What a regular file is by its name.
    pub(super) fn of_file(name: &[u8]) -> Self {
        let extension = extension(name).to_ascii_lowercase();
        if PICTURE_EXTENSIONS.contains(&extension.as_slice()) {
            Self::Picture
        } else {
            Self::Other
        }
    }
}

/// What follows the last dot; empty if nothing does.
pub(crate) fn extension(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&byte| byte == b'.') {
        Some(dot) => &name[dot + 1..],
        None => &[],
    }
}

/// One entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name in the file system's bytes; it may hold anything but a slash and a zero byte.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// Bytes; 0 for folders.
    pub size: u64,
    /// The last change.
    pub mtime: Mtime,
    /// Pictures: the id of its thumbnails in the present state.
    pub id: Option<ThumbId>,
    /// Pictures: what the header tells, as far as it has been read.
    pub head: Option<Head>,
    /// Pictures: when it was taken, by the camera's own clock, as far as that has been read.
    pub taken: Option<DateTime>,
    /// Pictures: decoding this state of the file has failed before and will not be tried again.
    pub undecodable: bool,
}

/// A page of a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The root.
    pub root: Arc<Root>,
    /// The folder beneath it.
    pub path: RelPath,
    /// Of which reading of the folder this is a part.
    pub snapshot: SnapshotId,
    /// How many entries are asked for, of all that are not hidden.
    pub total: usize,
    /// How many pictures there are, of any kind of entries that is asked for.
    pub pictures: usize,
    /// How many pictures' headers are still to be read.
    pub unread: usize,
    /// How many entries come before these.
    pub offset: usize,
    /// Those that were asked for. One that vanished while the folder was read is left out.
    pub entries: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_guessed_by_their_extension() {
        for name in [&b"a.jpg"[..], b"A.JPEG", b"\xff.Png", b"a.b.svg", b"a.NEF"] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Picture);
        }
        for name in [&b"jpg"[..], b"a.jpg.txt", b"a.", b"", b"a.svgz"] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Other);
        }
    }
}
