//! Videos: one frame, decoded with the system's GStreamer, which is loaded at run time and may be missing.
//!
//! The program of the decoding process loads it before the first video, and enters its sandbox afterwards: the
//! libraries and plugins are the system's, and only the videos are hostile.

mod library;
mod player;

use std::fs::File;
use std::time::{Duration, Instant};

use fumikura_image::{
    Channels, Codec, DecodeError, Head, Limits, Picture, PictureKind, Raster, TargetSize, kind_of,
};
use image::metadata::Orientation;

use library::Functions;
use player::{Demuxer, Frame, PlayError, Player, Seek};

/// The time for finding a frame. The best one found so far is used then.
const TIME: Duration = Duration::from_secs(8);
/// Shorter videos are decoded up to the frame, since they may have a single key frame.
const SHORT: Duration = Duration::from_secs(20);
/// The places of a frame, in tenths of the duration. Later ones are tried if the earlier ones are of one colour.
const PLACES: [u32; 3] = [1, 3, 6];
/// The number of pixels that are compared to detect a frame of one colour.
const SAMPLES: usize = 4096;
/// The mean deviation from the mean brightness, of 255, up to which a frame is of one colour.
const DULL: u64 = 6;

/// Decodes videos.
#[derive(Debug)]
pub struct Video {
    gstreamer: Result<Functions, String>,
}

impl Video {
    /// Loads the system's GStreamer. Without it, every video fails with [`DecodeError::NoVideoDecoder`].
    ///
    /// # Safety
    /// No other thread reads or changes the environment meanwhile.
    #[must_use]
    #[expect(unsafe_code, reason = "a variable of the environment is set")]
    pub unsafe fn load() -> Self {
        Self {
            // SAFETY: the caller promises the same.
            gstreamer: unsafe { Functions::load() },
        }
    }
}

impl Codec for Video {
    fn decodes(&self, kind: PictureKind) -> bool {
        kind.facts().is_video()
    }

    fn decode(
        &self,
        mut file: File,
        length: u64,
        _: TargetSize,
        limits: Limits,
    ) -> Result<Picture, DecodeError> {
        let demuxer = demuxer_of(kind_of(&mut file)?)?;
        let missing = |reason: &String| DecodeError::NoVideoDecoder(reason.clone());
        let gstreamer = self.gstreamer.as_ref().map_err(missing)?;
        let head = Head::read(file.try_clone()?, length);
        if let Some(head) = head {
            limits.allow(head.width, head.height)?;
        }
        let deadline = Instant::now() + TIME;
        let Frame { width, height, rgb } =
            best_frame(gstreamer, demuxer, (file, length), deadline)?;
        limits.allow(width, height)?;
        let raster = Raster::new(width, height, Channels::Rgb, rgb);
        Ok(Picture {
            raster: raster.ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))?,
            reduced: 1,
            width,
            height,
            orientation: head
                .and_then(|head| Orientation::from_exif(head.orientation))
                .unwrap_or(Orientation::NoTransforms),
            profile: None,
        })
    }
}

fn demuxer_of(kind: PictureKind) -> Result<Demuxer, DecodeError> {
    match kind {
        PictureKind::Mp4 | PictureKind::Quicktime => Ok(Demuxer::Quicktime),
        PictureKind::Webm | PictureKind::Matroska => Ok(Demuxer::Matroska),
        PictureKind::Avi => Ok(Demuxer::Avi),
        PictureKind::Jpeg
        | PictureKind::Png
        | PictureKind::Gif
        | PictureKind::Webp
        | PictureKind::Avif
        | PictureKind::Heif
        | PictureKind::Jxl
        | PictureKind::Tiff
        | PictureKind::Bmp
        | PictureKind::Ico
        | PictureKind::Svg
        | PictureKind::Svgz
        | PictureKind::Raw => Err(DecodeError::UnsupportedKind(kind.mime().into())),
    }
}

/// Returns the first frame that shows something, of several places; else the first one.
fn best_frame(
    gstreamer: &Functions,
    demuxer: Demuxer,
    file: (File, u64),
    deadline: Instant,
) -> Result<Frame, DecodeError> {
    let player = Player::open(gstreamer, demuxer, file, deadline).map_err(decode_error)?;
    let mut first = player.frame().map_err(decode_error);
    let Some(duration) = player.duration() else {
        return first;
    };
    for tenths in PLACES {
        let place = duration * tenths / 10;
        let seek = match duration <= SHORT {
            true => Seek::Exact(place),
            false => Seek::KeyFrame(place),
        };
        // The rest of a video may be missing, or can't be reached. What was found so far is shown.
        let Ok(frame) = player.seek(seek).and_then(|()| player.frame()) else {
            break;
        };
        if !is_dull(&frame) {
            return Ok(frame);
        }
        first = first.or(Ok(frame));
    }
    first
}

/// Returns true if a frame is of nearly one colour: black, white, or a fade between scenes.
fn is_dull(frame: &Frame) -> bool {
    let pixels = frame.rgb.as_chunks::<3>().0;
    let step = (pixels.len() / SAMPLES).max(1);
    let brightness = |[red, green, blue]: &[u8; 3]| {
        (u64::from(*red) * 2 + u64::from(*green) * 5 + u64::from(*blue)) / 8
    };
    let samples: Vec<u64> = pixels.iter().step_by(step).map(brightness).collect();
    let count = (samples.len() as u64).max(1);
    let mean = samples.iter().sum::<u64>() / count;
    let deviation: u64 = samples.iter().map(|one| one.abs_diff(mean)).sum();
    deviation / count <= DULL
}

fn decode_error(error: PlayError) -> DecodeError {
    match error {
        PlayError::NoDecoder(reason) => DecodeError::NoVideoDecoder(reason),
        PlayError::Damaged(reason) => DecodeError::Damaged(reason),
        PlayError::Late => DecodeError::Damaged(format!("no frame in {} s", TIME.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(rgb: &[[u8; 3]], expected: bool) {
        let frame = Frame {
            width: u32::try_from(rgb.len()).unwrap(),
            height: 1,
            rgb: rgb.concat(),
        };
        assert_eq!(is_dull(&frame), expected);
    }

    #[test]
    fn frames_of_one_colour_are_dull() {
        check(&[[0; 3]; 9], true);
        check(&[[250, 255, 255], [255, 250, 250]], true);
        check(&[[20; 3], [10; 3], [16; 3]], true);
        check(&[[0; 3], [0; 3], [200, 90, 40]], false);
    }
}
