//! Metadata of a picture beyond its `stat`, and the state of the file to which it belongs.

use std::sync::Arc;

use fumikura_fs::{Ctime, Fingerprint, Mtime, Stat};
use fumikura_image::{Crop, PictureHash};
use fumikura_xmp::SidecarMarks;

use super::entry::shown_crop;
use super::header::HeaderMetadata;

/// A state of a file that metadata is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileState {
    pub(super) size: u64,
    pub(super) mtime: Mtime,
    pub(super) ctime: Ctime,
}

impl FileState {
    pub(super) fn fingerprint(&self, path: Vec<u8>) -> Fingerprint {
        Fingerprint {
            path,
            size: self.size,
            mtime_seconds: self.mtime.seconds,
            mtime_nanoseconds: self.mtime.nanoseconds,
        }
    }
}

impl From<Stat> for FileState {
    fn from(stat: Stat) -> Self {
        Self {
            size: stat.size,
            mtime: stat.mtime,
            ctime: stat.ctime,
        }
    }
}

/// The progress and result of requesting the `stat` of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatState {
    Pending,
    /// A request is in progress.
    InProgress,
    /// The file had vanished.
    Vanished,
    Done(Stat),
}

impl StatState {
    /// Starts a request if there was none yet. If this returns true, the caller must make the request.
    pub(super) fn begin(&mut self) -> bool {
        let is_new = *self == Self::Pending;
        if is_new {
            *self = Self::InProgress;
        }
        is_new
    }

    pub(super) fn stat(self) -> Option<Stat> {
        match self {
            Self::Done(stat) => Some(stat),
            Self::Pending | Self::InProgress | Self::Vanished => None,
        }
    }
}

/// Metadata from reading a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ReadState<T> {
    Unread,
    /// The file could not be read, in this state if it is known. It is tried again in another state.
    Failed(Option<FileState>),
    Read(FileState, T),
}

impl<T> ReadState<T> {
    /// Returns the state of the file to which this belongs.
    pub(super) fn of(&self) -> Option<FileState> {
        match self {
            Self::Read(of, _) => Some(*of),
            Self::Failed(of) => *of,
            Self::Unread => None,
        }
    }

    pub(super) fn get(&self) -> Option<&T> {
        match self {
            Self::Read(_, metadata) => Some(metadata),
            Self::Unread | Self::Failed(_) => None,
        }
    }

    pub(super) fn is_unread(&self) -> bool {
        matches!(self, Self::Unread)
    }

    /// Discards metadata that belongs to another state of the file.
    pub(super) fn discard_if_stale(&mut self, stat_state: StatState) {
        if let (StatState::Done(stat), Some(of)) = (stat_state, self.of())
            && of != FileState::from(stat)
        {
            *self = Self::Unread;
        }
    }

    /// Takes metadata if there is none yet.
    pub(super) fn record(&mut self, other: Self) {
        if self.is_unread() {
            *self = other;
        }
    }
}

/// All metadata from reading the files of one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MetadataRead {
    /// Metadata of the picture itself.
    pub(super) header: ReadState<HeaderMetadata>,
    /// Marks of the sidecar.
    pub(super) marks: ReadState<Arc<SidecarMarks>>,
    /// The hash of the picture with its placeholder, once a thumbnail of it was made.
    pub(super) hash: ReadState<PictureHash>,
}

impl MetadataRead {
    /// The outcome for a picture that has not been read.
    pub(super) const UNREAD: Self = Self {
        header: ReadState::Unread,
        marks: ReadState::Unread,
        hash: ReadState::Unread,
    };

    /// Fills in metadata that this outcome lacks from an earlier one.
    pub(super) fn or(mut self, earlier: Self) -> Self {
        self.header.record(earlier.header);
        self.marks.record(earlier.marks);
        self.hash.record(earlier.hash);
        self
    }

    /// True if any metadata could be of use for the next reading of the folder.
    pub(super) fn is_reusable(&self) -> bool {
        self.header.of().is_some() || self.marks.of().is_some() || self.hash.of().is_some()
    }

    /// Returns the part of the picture that is shown; `None` for all of it.
    pub(super) fn crop(&self) -> Option<Crop> {
        let head = self.header.get()?.head?;
        shown_crop(head, &self.marks.get()?.marks)
    }

    /// True if any metadata is worth saving for later launches. Failures are not: they are tried again.
    pub(super) fn is_worth_saving(&self) -> bool {
        self.header.get().is_some() || self.marks.get().is_some() || self.hash.get().is_some()
    }
}
