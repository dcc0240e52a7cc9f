//! One entry of a folder, and the answer that holds a page of them.

use std::sync::Arc;

use jiff::civil::{Date, DateTime};

use super::picture_type::PictureType;
use super::snapshot::SnapshotId;
use crate::camera::CameraName;
use crate::decode::{Head, ThumbHash};
use crate::fingerprint::{PictureVersion, ThumbId};
use crate::path::RelPath;
use crate::roots::Root;
use crate::sidecar::Marks;
use crate::stat::{Ctime, Mtime};

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

impl EntryKind {
    /// What a regular file is by its name.
    #[must_use]
    pub fn of_file(name: &[u8]) -> Self {
        // What it holds is decided by its content later: this is only the cheap guess of a listing, which opens no file.
        match PictureType::of(name) {
            Some(_) => Self::Picture,
            None => Self::Other,
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
    /// The folder in which it is, from the listing's own: the folder itself, unless all that lies beneath was asked for.
    pub folder: RelPath,
    /// The name in the file system's bytes; it may hold anything but a slash and a zero byte.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
    /// Bytes; 0 for folders.
    pub size: u64,
    /// The last change of the content.
    pub mtime: Mtime,
    /// The last change of the status.
    pub ctime: Ctime,
    /// Pictures: the id of its thumbnails in the present state.
    pub id: Option<ThumbId>,
    /// Pictures: what the header tells, as far as it has been read.
    pub head: Option<Head>,
    /// Pictures: when it was taken, by the camera's own clock, as far as that has been read.
    pub taken: Option<DateTime>,
    /// Pictures: what the sidecar says, as far as it has been read.
    pub marks: Arc<Marks>,
    /// Pictures: whether the camera has put a small picture into the file, as far as it has been read.
    pub embeds: bool,
    /// Pictures: true if the file ends before the picture does, as far as it has been read.
    pub is_incomplete: bool,
    /// Pictures: the camera, as far as that has been read.
    pub camera: Option<CameraName>,
    /// Pictures: what stands for it until its thumbnail comes, if one was made before.
    pub hash: Option<ThumbHash>,
    /// Pictures: decoding this state of the file has failed before and will not be tried again.
    pub undecodable: bool,
}

impl Entry {
    /// Pictures: the present state.
    #[must_use]
    pub fn version(&self) -> Option<PictureVersion> {
        let ctime = self.ctime;
        self.id.map(|id| PictureVersion { id, ctime })
    }
}

/// What entries beside each other have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupKey {
    /// The day, or the first of the month; none of folders, and of what has gone meanwhile.
    Date(Option<Date>),
    /// The folder in which they are, from the listing's own.
    Folder(RelPath),
}

/// Entries beside each other that are of one day or month, or in one folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Which.
    pub key: GroupKey,
    /// How many entries come before.
    pub first: usize,
    /// How many there are.
    pub count: usize,
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
    /// Of how many pictures the header or the sidecar is still to be read.
    pub unread: usize,
    /// How many folders are left out of those that lie beneath, where these were asked for: they can't be read, or are
    /// too many.
    pub left_out: usize,
    /// Whether there are more names, which are still being read.
    pub is_growing: bool,
    /// How many entries come before these.
    pub offset: usize,
    /// All groups, in their order, if they were asked for.
    pub groups: Option<Vec<Group>>,
    /// Those that were asked for. One that vanished while the folder was read is left out.
    pub entries: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_guessed_by_their_extension() {
        for name in [
            &b"a.jpg"[..],
            b"A.JPEG",
            b"\xff.Png",
            b"a.b.svg",
            b"a.svgz",
            b"a.NEF",
        ] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Picture);
        }
        for name in [&b"jpg"[..], b"a.jpg.txt", b"a.", b""] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Other);
        }
    }
}
