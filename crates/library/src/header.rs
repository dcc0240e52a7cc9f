//! Metadata of a picture beyond its `stat`, from its header.

use std::fs::File;
use std::io::{self, Seek};
use std::sync::Arc;
use std::time::Duration;

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use fumikura_fs::{AccessError, Source};
use fumikura_image::{
    CameraName, ExifMetadata, Head, LensName, TextMetadata, VideoTimes, is_truncated, kind_of,
    video_times,
};
use fumikura_xmp::{EmbeddedMarks, EmbeddedText, ExifText, Marks};

/// Metadata from the header of a picture, in one state of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HeaderMetadata {
    /// `None` if the header yields nothing, or the file is not a picture. A request for its thumbnail reports
    /// the reason.
    pub(super) head: Option<Head>,
    /// The time of capture by the camera's own clock. That of a video is an instant, in the time zone of this machine.
    pub(super) taken: Option<DateTime>,
    /// True if the camera has embedded a small picture in its notes.
    pub(super) embeds: bool,
    pub(super) camera: Option<CameraName>,
    pub(super) lens: Option<LensName>,
    /// True if the end of the picture is missing.
    pub(super) is_incomplete: bool,
    /// The duration of a video.
    pub(super) duration: Option<Duration>,
    /// The marks in the picture's own file; `None` if it has none.
    pub(super) embedded: Option<Arc<Marks>>,
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
        let VideoTimes { duration, taken } =
            kind.map_or_else(VideoTimes::default, |kind| video_times(kind, again, size));
        file.rewind()?;
        let EmbeddedMarks {
            marks,
            taken: taken_in_xmp,
            ..
        } = read_text(file.try_clone()?, size, &exif);
        file.rewind()?;
        Ok(Self {
            embedded: (marks != Marks::default()).then(|| Arc::new(marks.truncated())),
            head: Head::read(file, size),
            taken: exif
                .taken
                .or(taken_in_xmp)
                .or(taken.map(|taken| TimeZone::system().to_datetime(taken))),
            embeds: exif.embeds,
            camera: exif.camera,
            lens: exif.lens,
            is_incomplete,
            duration,
        })
    }
}

/// Returns the marks in a picture's own file, whole. A file that can't be read has none: its display reports why.
#[must_use]
pub fn embedded_marks(source: &Source) -> EmbeddedMarks {
    let read = || -> Result<EmbeddedMarks, AccessError> {
        let (mut file, found) = source.open()?;
        let size = found.stat().size;
        let exif = ExifMetadata::read(file.try_clone()?, size);
        file.rewind()?;
        Ok(read_text(file, size, &exif))
    };
    read().unwrap_or_else(|error| {
        tracing::debug!(%error, "the marks in a picture can't be read");
        EmbeddedMarks::default()
    })
}

/// Returns the time of capture in a picture's own file of `size` bytes: that of EXIF, else that of XMP. `None` for a file
/// that can't be read.
pub fn embedded_date(mut file: File, size: u64) -> Option<DateTime> {
    let exif = ExifMetadata::read(file.try_clone().ok()?, size);
    file.rewind().ok()?;
    exif.taken.or_else(|| read_text(file, size, &exif).taken)
}

fn read_text(file: File, size: u64, exif: &ExifMetadata) -> EmbeddedMarks {
    let text = TextMetadata::read(file, size);
    let texts = &exif.texts;
    EmbeddedMarks::read(&EmbeddedText {
        xmp: text.xmp.as_deref(),
        iptc: text.iptc.as_deref(),
        exif: ExifText {
            rating: texts.rating,
            keywords: texts.keywords.as_deref(),
            title: texts.title.as_deref(),
            caption: texts.caption.as_deref(),
            is_dated: exif.taken.is_some(),
        },
    })
}
