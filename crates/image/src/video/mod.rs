//! The headers of videos: their size, orientation, duration and date. No frame is decoded.
//!
//! Each reader looks at a bounded number of elements, and reads within the budget of its window: no memory is allocated
//! for a length that a file only claims.

mod avi;
mod matroska;
mod mp4;

use std::fs::File;
use std::time::Duration;

use image::metadata::Orientation;
use jiff::{SignedDuration, Timestamp};

use crate::formats::PictureKind;
use crate::header::Head;
use crate::window::Window;

pub(crate) use avi::avi;
pub(crate) use matroska::{matroska, webm_or_matroska};
pub(crate) use mp4::mp4;

/// The number of elements of one level that are looked at.
const MAX_ELEMENTS: usize = 1024;
/// The longest duration that is believed.
const MAX_DURATION: Duration = Duration::from_secs(1000 * 60 * 60);

/// The facts of a video's header, as far as it states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct VideoHead {
    /// The width and height in pixels, as stored.
    size: Option<(u32, u32)>,
    /// The orientation in which it is shown.
    orientation: Option<Orientation>,
    duration: Option<Duration>,
    taken: Option<Timestamp>,
}

/// The duration and the date of a video, as far as its header states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VideoTimes {
    pub duration: Option<Duration>,
    /// The time of the recording.
    pub taken: Option<Timestamp>,
}

impl VideoHead {
    pub(crate) fn head(self) -> Option<Head> {
        let (width, height) = self.size?;
        let orientation = self.orientation.unwrap_or(Orientation::NoTransforms);
        Head::of(width, height, orientation)
    }

    fn set_duration(&mut self, seconds: f64) {
        let duration = Duration::try_from_secs_f64(seconds).ok();
        self.duration = duration.filter(|one| !one.is_zero() && *one <= MAX_DURATION);
    }

    /// Sets the time of the recording, after an epoch. Programs that don't know it write 0, and cameras without a clock
    /// write dates before there were such files: both are none.
    fn set_taken(&mut self, epoch: Timestamp, after: SignedDuration) {
        let taken = epoch.checked_add(after).ok();
        self.taken = taken.filter(|one| *one >= Timestamp::UNIX_EPOCH && !after.is_zero());
    }
}

/// Returns the duration and the date of the video in `file`, which is at its start and `length` bytes long. A picture has
/// neither.
#[must_use]
pub fn video_times(kind: PictureKind, file: File, length: u64) -> VideoTimes {
    let read = kind.facts().video;
    let head = read.and_then(|read| read(Window::new(file, length, crate::header::BUDGET)));
    let VideoHead {
        duration, taken, ..
    } = head.unwrap_or_default();
    VideoTimes { duration, taken }
}
