//! An entry of a folder, and the listing that holds a page of entries.

use std::sync::Arc;
use std::time::Duration;

use fumikura_fs::{Ctime, Mtime, PictureVersion, RelPath, Root, ThumbId};
use fumikura_image::{
    CameraName, CompanionKind, Crop, CropCorners, Head, LensName, PictureHash, Turn,
};
use fumikura_xmp::{CameraRawCrop, Marks, Rating};
use jiff::civil::{Date, DateTime};
use serde::Serialize;

use super::picture_type::PictureType;
use super::snapshot_id::SnapshotId;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = FolderEntryKind))]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    /// A folder, or a symbolic link to one that stays inside the root.
    Folder,
    /// A file with the extension of a picture or a video. Its content is checked only when it is decoded.
    Picture,
    /// Anything else.
    Other,
}

impl EntryKind {
    /// Guesses the kind of a regular file from its name.
    #[must_use]
    pub fn of_file(name: &[u8]) -> Self {
        // The content decides later. A listing opens no file, so this is only a cheap guess.
        match PictureType::of(name) {
            Some(_) => Self::Picture,
            None => Self::Other,
        }
    }
}

/// An entry of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The folder of the entry, relative to the listed folder. It is the listed folder itself, unless everything
    /// beneath was requested.
    pub folder: RelPath,
    /// The name in the file system's bytes; it may contain any byte except a slash and zero.
    pub name: Vec<u8>,
    pub kind: EntryKind,
    /// Bytes; 0 for folders.
    pub size: u64,
    /// The last change of the content.
    pub mtime: Mtime,
    /// The last change of the status.
    pub ctime: Ctime,
    /// Pictures: the id of the thumbnails of the current state.
    pub id: Option<ThumbId>,
    /// Pictures: metadata of the header, as far as it has been read.
    pub head: Option<Head>,
    /// Pictures: the time of capture in the file, by the camera's own clock, as far as it has been read.
    pub own_taken: Option<DateTime>,
    /// Pictures: the marks of the sidecar, as far as they have been read.
    pub marks: Arc<Marks>,
    /// Pictures: true if the camera has embedded a small picture in the file, as far as it has been read.
    pub embeds: bool,
    /// Pictures: true if the file ends before the picture does, as far as it has been read.
    pub is_incomplete: bool,
    /// True for a video, by the name. It is listed among the pictures.
    pub is_video: bool,
    /// Videos: the duration, as far as it has been read.
    pub duration: Option<Duration>,
    /// Pictures: the camera, as far as it has been read.
    pub camera: Option<CameraName>,
    /// Pictures: the lens, as far as it has been read.
    pub lens: Option<LensName>,
    /// Pictures: the hash of its looks, with the placeholder until the thumbnail arrives, if a thumbnail was made before.
    pub hash: Option<PictureHash>,
    /// Pictures: decoding this state of the file has failed before and will not be tried again.
    pub undecodable: bool,
    /// Pictures: its other files, if these are not entries of their own.
    pub companions: Vec<Companion>,
}

/// Another file of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    pub kind: CompanionKind,
    /// The file itself. It has no companions.
    pub entry: Entry,
}

impl Entry {
    /// Returns the current version of a picture.
    #[must_use]
    pub fn version(&self) -> Option<PictureVersion> {
        let ctime = self.ctime;
        self.id.map(|id| PictureVersion { id, ctime })
    }

    /// Calls a function with the entry itself, and with those of its companions.
    pub fn each_file(&mut self, mut each: impl FnMut(&mut Self)) {
        each(self);
        for companion in &mut self.companions {
            each(&mut companion.entry);
        }
    }

    /// Returns the name of the camera; empty if it is unknown.
    #[must_use]
    pub fn camera_name(&self) -> &'static str {
        self.camera.map_or("", CameraName::as_str)
    }

    /// Returns the name of the lens; empty if it is unknown.
    #[must_use]
    pub fn lens_name(&self) -> &'static str {
        self.lens.map_or("", LensName::as_str)
    }

    /// Returns the time of capture: that of the sidecar, or else that in the file.
    #[must_use]
    pub fn taken(&self) -> Option<DateTime> {
        self.marks.taken.or(self.own_taken)
    }

    /// Returns the rating as a number: 1 to 5 stars, or -1 for rejected.
    #[must_use]
    pub fn stars(&self) -> Option<i8> {
        self.marks.rating.map(Rating::number)
    }

    /// Returns the turn that brings the picture from the orientation of its file to that of its sidecar, as far as both
    /// have been read.
    #[must_use]
    pub fn turn(&self) -> Turn {
        let stated = self.marks.orientation.and_then(Turn::of_number);
        let own = self.head.and_then(|head| Turn::of_number(head.orientation));
        match (own, stated) {
            (Some(own), Some(stated)) if !self.is_video => own.inverse().then(stated),
            _ => Turn::NONE,
        }
    }

    /// Returns the part of the picture that its sidecar shows, before its turn, as far as both files have been read;
    /// `None` for all of it.
    #[must_use]
    pub fn crop(&self) -> Option<Crop> {
        let head = self.head.filter(|_| !self.is_video)?;
        shown_crop(head, &self.marks)
    }

    /// Returns the width and height in pixels as the picture is shown, cropped and turned as its sidecar says.
    #[must_use]
    pub fn shown_size(&self) -> Option<(u32, u32)> {
        let head = self.head?;
        let whole = (head.width, head.height);
        let (width, height) = self.crop().map_or(whole, |crop| crop.size_in(whole));
        Some(match self.turn().is_sideways() {
            true => (height, width),
            false => (width, height),
        })
    }
}

/// Returns the part of an upright picture that its marks show; `None` for all of it.
#[must_use]
pub fn shown_crop(head: Head, marks: &Marks) -> Option<Crop> {
    let ([top, left, bottom, right], angle) = marks.crop?.fractions();
    let corners = CropCorners {
        left,
        top,
        right,
        bottom,
        angle,
    };
    // The marks are about the picture as it is stored.
    let own = Turn::of_number(head.orientation)?;
    let crop = Crop::of_corners(corners, stored_size(head, own))?.turned(own);
    Some(crop).filter(|crop| !crop.is_whole())
}

/// Returns the mark of a crop of an upright picture.
#[must_use]
pub fn crop_mark(head: Head, crop: Crop) -> Option<CameraRawCrop> {
    let own = Turn::of_number(head.orientation)?;
    let stored = crop.turned(own.inverse());
    let corners = stored.corners(stored_size(head, own));
    let sides = [corners.top, corners.left, corners.bottom, corners.right];
    CameraRawCrop::new(sides, corners.angle)
}

fn stored_size(head: Head, own: Turn) -> (u32, u32) {
    match own.is_sideways() {
        true => (head.height, head.width),
        false => (head.width, head.height),
    }
}

/// Returns the id of the thumbnails of a part of a picture.
pub(super) fn cropped_id(id: ThumbId, crop: Crop) -> ThumbId {
    id.derived(crop.to_string().as_bytes())
}

/// The common property of the entries in a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupKey {
    /// The day, or the first day of the month or the year; `None` for folders and for entries that have vanished.
    Date(Option<Date>),
    /// The camera; `None` if it is unknown.
    Camera(Option<CameraName>),
    /// The rating; `None` without one.
    Rating(Option<Rating>),
    /// The folders of a listing that is grouped by camera or rating.
    Folders,
    /// The folder of the entries, relative to the listed folder.
    Folder(RelPath),
}

/// Adjacent entries with the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    pub key: GroupKey,
    /// The number of entries before the group.
    pub first: usize,
    /// The number of its entries.
    pub count: usize,
}

/// The size of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct FolderSize {
    /// The number of files.
    pub files: usize,
    /// The sum of their sizes; absent on a remote disk, on which asking for each is slow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// The number of bytes that can still be written to the disk; absent if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub free: Option<u64>,
}

/// A page of a folder's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    pub root: Arc<Root>,
    /// The folder beneath the root.
    pub path: RelPath,
    /// The snapshot that this page is part of.
    pub snapshot: SnapshotId,
    /// The number of entries that match the query. Hidden entries are not counted.
    pub total: usize,
    /// The number of pictures, whatever kind of entries is requested. Joined files count as one.
    pub pictures: usize,
    /// The number of pictures whose header or sidecar is still to be read.
    pub unread: usize,
    /// The number of folders that are left out, if everything beneath was requested: they can't be read, or are too
    /// many.
    pub left_out: usize,
    /// True if more names are still being read.
    pub is_growing: bool,
    /// The number of entries before this page.
    pub offset: usize,
    /// All groups in their order, if they were requested.
    pub groups: Option<Vec<Group>>,
    /// The entries of the page. An entry that vanished while the folder was read is left out.
    pub entries: Vec<Entry>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_recognized_by_their_extension() {
        for name in [
            &b"a.jpg"[..],
            b"A.JPEG",
            b"\xff.Png",
            b"a.b.svg",
            b"a.svgz",
            b"a.NEF",
            b"a.mp4",
        ] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Picture);
        }
        for name in [&b"jpg"[..], b"a.jpg.txt", b"a.", b""] {
            assert_eq!(EntryKind::of_file(name), EntryKind::Other);
        }
    }
}
