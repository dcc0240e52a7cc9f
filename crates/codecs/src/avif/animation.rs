//! The frames of an animated AVIF, as an animated WebP: engines give no access to single frames, or don't play AVIF.

use fumikura_image::{
    Channels, DecodeError, Limits, Pixels,
    cicp::{Cicp, Hdr},
    isobmff::{Sequence, Track},
    upright,
};
use image::DynamicImage;
use image::metadata::Orientation;

use super::av1::{ColourCodes, Frame, FrameStream};
use super::canvas::{Canvas, Sample};
use super::{codes_of, matrix_of, unsupported, yuv};
use crate::colour::divide_by_opacity;
use crate::webp::{Animation, encode_fast};

/// The pixels of the frames in a part: at least, at most, and as a part of those that are decoded before it. The cost of
/// all parts is thus a multiple of that of the frames.
const MIN_PIXELS: u64 = 8_000_000;
const MAX_PIXELS: u64 = 40_000_000;
const PART_OF_SKIPPED: u64 = 2;
/// The maximum of the pixels that are decoded for a part, from the nearest frame that stands alone.
const MAX_DECODED_PIXELS: u64 = 1_000_000_000;
/// The maximum number of pixels of a frame.
const MAX_FRAME_PIXELS: u64 = 24_000_000;
const QUALITY: u8 = 92;

/// Returns an animated WebP with some frames from an index on. Its chunk `FRMS` has that index and the durations of all
/// frames.
pub(super) fn frames(bytes: &[u8], from: u32, limits: Limits) -> Result<Vec<u8>, DecodeError> {
    let sequence = Sequence::read(bytes)?.ok_or_else(|| unsupported("a single picture"))?;
    let track = &sequence.colours;
    let (width, height) = (track.width, track.height);
    limits.allow(width, height)?;
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_FRAME_PIXELS {
        return Err(DecodeError::TooManyPixels {
            width,
            height,
            limit: MAX_FRAME_PIXELS,
        });
    }
    let from = from as usize;
    if from >= track.samples.len() {
        return Err(DecodeError::Damaged("it has fewer frames".into()));
    }
    let key = key_of(&sequence, from);
    let skipped = (from - key) as u64 * pixels;
    let room = (skipped / PART_OF_SKIPPED).clamp(MIN_PIXELS, MAX_PIXELS);
    let count = usize::try_from(room / pixels).unwrap_or(1).max(1);
    let end = from.saturating_add(count).min(track.samples.len());
    if (end - key) as u64 * pixels > MAX_DECODED_PIXELS {
        let words = "its frames depend on too many before them";
        return Err(DecodeError::TooLarge(words.to_owned()));
    }
    let durations = track.samples.iter().map(|sample| sample.duration);
    let durations: Vec<u32> = durations.collect();
    let mut animation = Animation::new((width, height), sequence.plays);
    animation.add_table(u32::try_from(from).unwrap_or(0), &durations);
    let mut player = Player::open(&sequence, bytes, key..end)?;
    for (number, duration) in durations.iter().enumerate().take(end).skip(key) {
        let frames = player.next()?;
        if number >= from {
            let image = player.image(&frames)?;
            animation.add_frame(&encode_fast(&image, QUALITY)?, *duration);
        }
    }
    Ok(animation.finish())
}

/// Returns the index from which the frame can be decoded.
fn key_of(sequence: &Sequence<'_>, from: usize) -> usize {
    let mut key = sequence.colours.key_before(from);
    while let Some(opacity) = &sequence.opacity {
        let shared = sequence.colours.key_before(opacity.key_before(key));
        if shared == key {
            break;
        }
        key = shared;
    }
    key
}

/// The frames of one moment.
struct Moment {
    colours: Frame,
    opacity: Option<Frame>,
}

struct Player<'a> {
    sequence: &'a Sequence<'a>,
    colours: FrameStream<'a>,
    opacity: Option<FrameStream<'a>>,
}

impl<'a> Player<'a> {
    fn open(
        sequence: &'a Sequence<'a>,
        bytes: &'a [u8],
        range: std::ops::Range<usize>,
    ) -> Result<Self, DecodeError> {
        let open = |track: &Track<'a>| {
            if track.kind != *b"av01" {
                return Err(unsupported(&String::from_utf8_lossy(&track.kind)));
            }
            let samples = track.samples.get(range.clone()).unwrap_or_default();
            let contents = samples.iter().map(|sample| sample.content(bytes));
            let contents = contents.collect::<Result<_, _>>()?;
            FrameStream::open(contents, (track.width, track.height))
        };
        Ok(Self {
            sequence,
            colours: open(&sequence.colours)?,
            opacity: sequence.opacity.as_ref().map(open).transpose()?,
        })
    }

    fn next(&mut self) -> Result<Moment, DecodeError> {
        Ok(Moment {
            colours: self.colours.next()?,
            opacity: self.opacity.as_mut().map(FrameStream::next).transpose()?,
        })
    }

    /// Returns the frame in sRGB.
    fn image(&self, moment: &Moment) -> Result<DynamicImage, DecodeError> {
        let stated = self.sequence.colours.colours()?;
        let numbers = match stated.numbers {
            Some(numbers) => codes_of(numbers),
            None => moment.colours.numbers(),
        };
        let cicp = Cicp {
            primaries: numbers.primaries,
            transfer: numbers.transfer,
        };
        let mut canvas = match Hdr::of(cicp).filter(|_| stated.profile.is_none()) {
            None => painted::<u8>(moment, numbers)?,
            Some(hdr) => {
                let light = painted::<u16>(moment, numbers)?;
                let samples = hdr.to_srgb(&light.samples, light.channels.count());
                let canvas = Canvas {
                    samples,
                    ..Canvas::new(light.width, light.height, light.channels)
                };
                return image_of(canvas, None);
            }
        };
        if self.sequence.is_multiplied {
            divide_by_opacity(&mut canvas.samples, canvas.channels.count());
        }
        let profile = match stated.profile {
            Some(profile) => Some(profile.to_vec()),
            None => cicp.profile(),
        };
        image_of(canvas, profile.as_deref())
    }
}

fn painted<T: Sample>(moment: &Moment, numbers: ColourCodes) -> Result<Canvas<T>, DecodeError> {
    let channels = match moment.opacity {
        None => Channels::Rgb,
        Some(_) => Channels::Rgba,
    };
    let frame = &moment.colours;
    let mut canvas = Canvas::new(frame.width(), frame.height(), channels);
    let matrix = matrix_of(numbers, frame.depth())?;
    yuv::paint(frame, &matrix, &mut canvas, (0, 0))?;
    if let Some(opacity) = &moment.opacity {
        yuv::paint_opacity(opacity, &mut canvas, (0, 0));
    }
    Ok(canvas)
}

fn image_of(canvas: Canvas<u8>, profile: Option<&[u8]>) -> Result<DynamicImage, DecodeError> {
    let pixels = Pixels::new(canvas.width, canvas.height, canvas.channels, canvas.samples)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))?;
    Ok(upright(pixels, Orientation::NoTransforms, profile))
}
