//! Metadata of a picture beyond its `stat`, from its header.

use std::fs::File;
use std::io::{self, Seek};
use std::time::Duration;

use jiff::civil::DateTime;

use fumikura_image::{CameraName, ExifMetadata, Head, is_truncated, kind_of, video_duration};

/// Metadata from the header of a picture, in one state of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct HeaderMetadata {
    /// `None` if the header yields nothing, or the file is not a picture. A request for its thumbnail reports
    /// the reason.
    pub(super) head: Option<Head>,
    /// The time of capture by the camera's own clock.
    pub(super) taken: Option<DateTime>,
    /// True if the camera has embedded a small picture in its notes.
    pub(super) embeds: bool,
    pub(super) camera: Option<CameraName>,
    /// True if the end of the picture is missing.
    pub(super) is_incomplete: bool,
    /// The duration of a video.
    pub(super) duration: Option<Duration>,
}

impl HeaderMetadata {
    pub(super) fn read(mut file: File, size: u64) -> io::Result<Self> {
        let exif = ExifMetadata::read(file.try_clone()?, size);
        // All handles share one position in the file.
        file.rewind()?;
        let kind = kind_of(&mut file).ok();
        let is_incomplete = match kind {
            Some(kind) => is_truncated(kind, &file, size)?,
            None => false,
        };
        file.rewind()?;
        let again = file.try_clone()?;
        let duration = kind.and_then(|kind| video_duration(kind, again, size));
        file.rewind()?;
        Ok(Self {
            head: Head::read(file, size),
            taken: exif.taken,
            embeds: exif.embeds,
            camera: exif.camera,
            is_incomplete,
            duration,
        })
    }
}
