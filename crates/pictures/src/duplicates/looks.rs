//! The looks of pictures: the hashes that come with their thumbnails, and the distance between two of them.

use std::collections::VecDeque;
use std::io::Seek;

use fumikura_fs::SourceFile;
use fumikura_image::{ExifMetadata, Format, Head, Limits, Mode, PictureHash, Size, Variant};
use fumikura_library::Likeness;
use fumikura_thumbs::{Priority, Ticket};
use jiff::civil::DateTime;

use super::candidates::Candidate;
use super::sharpness::Sharpness;
use super::{DuplicatesProgress, SearchCancelled};
use crate::pictures::Pictures;

/// The number of thumbnails that are requested at once.
const REQUESTED: usize = 64;
/// The sizes of thumbnails from which a hash is computed: the first one that is in the cache. Otherwise the first one is
/// made, in which groups are shown.
const SIZES: [u16; 5] = [192, 256, 384, 128, 512];
/// The columns and rows of the parts whose colours are compared.
const PARTS: usize = 4;
/// The difference between placeholders of the same shape, in pixels of their sides, which have up to 32.
const SAME_SHAPE: usize = 3;
/// The time between shots of one series, in seconds.
const SERIES: i64 = 10;

/// The look of a picture, and the time when it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    differences: u64,
    /// The mean colours of its parts.
    colours: [[u8; 3]; PARTS * PARTS],
    /// The size of the placeholder, which has the shape of the picture.
    shape: (usize, usize),
    taken: Option<DateTime>,
    /// The number of pixels; `None` if the header can't be read.
    pub(super) pixels: Option<u64>,
    pub(super) sharpness: Option<Sharpness>,
}

/// The greatest distances between pictures that look alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerance {
    /// The number of different bits of the difference hashes.
    pub(super) differences: u32,
    /// The same for pictures of one series, which is no less.
    pub(super) series: u32,
    /// The mean difference of a channel of the colours.
    colours: u32,
}

impl Tolerance {
    /// Returns the tolerance of a likeness; `None` if contents are compared.
    pub(super) fn of(likeness: Likeness) -> Option<Self> {
        match likeness {
            Likeness::Identical => None,
            Likeness::Close => Some(CLOSE),
            Likeness::Similar => Some(SIMILAR),
        }
    }
}

const CLOSE: Tolerance = Tolerance {
    differences: 7,
    series: 7,
    colours: 10,
};
const SIMILAR: Tolerance = Tolerance {
    differences: 11,
    series: 18,
    colours: 24,
};

impl Look {
    /// Returns the look of a picture. `None` if the hash contains no valid placeholder.
    #[must_use]
    pub fn of(hash: &PictureHash, taken: Option<DateTime>) -> Option<Self> {
        let (width, height, pixels) = thumbhash::thumb_hash_to_rgba(hash.placeholder()).ok()?;
        let colour = |at: usize| {
            let columns = part(at % PARTS, width);
            let rows = part(at / PARTS, height);
            let places =
                rows.flat_map(|row| columns.clone().map(move |column| row * width + column));
            mean(places.filter_map(|place| pixels.get(4 * place..4 * place + 4)))
        };
        Some(Self {
            differences: hash.differences(),
            colours: std::array::from_fn(colour),
            shape: (width, height),
            taken,
            pixels: None,
            sharpness: None,
        })
    }

    /// True if two pictures look alike.
    pub(super) fn is_like(&self, other: &Self, tolerance: Tolerance) -> bool {
        let most = match is_series(self.taken, other.taken) {
            true => tolerance.series,
            false => tolerance.differences,
        };
        let ((width, height), (other_width, other_height)) = (self.shape, other.shape);
        let channels = self.colours.iter().flatten();
        let others = other.colours.iter().flatten();
        let distance: u32 = channels
            .zip(others)
            .map(|(a, b)| u32::from(a.abs_diff(*b)))
            .sum();
        (self.differences ^ other.differences).count_ones() <= most
            && width.abs_diff(other_width) < SAME_SHAPE
            && height.abs_diff(other_height) < SAME_SHAPE
            && distance <= tolerance.colours * 3 * (PARTS * PARTS) as u32
    }

    /// True if two pictures are probably of one shot: they look the same, and no times of capture contradict that.
    pub(super) fn is_same_shot(&self, other: &Self) -> bool {
        let times = self.taken.zip(other.taken);
        self.is_like(other, CLOSE) && times.is_none_or(|(one, other)| one == other)
    }
}

/// True if two pictures were taken shortly after each other.
pub(super) fn is_series(one: Option<DateTime>, other: Option<DateTime>) -> bool {
    let times = one.zip(other);
    times.is_some_and(|(one, other)| one.duration_since(other).as_secs().abs() <= SERIES)
}

/// Returns the pixels of a part of a row or column.
fn part(at: usize, pixels: usize) -> std::ops::Range<usize> {
    let first = (at * pixels / PARTS).min(pixels.saturating_sub(1));
    first..((at + 1) * pixels / PARTS).max(first + 1)
}

/// Returns the mean colour of pixels on white.
fn mean<'a>(pixels: impl Iterator<Item = &'a [u8]>) -> [u8; 3] {
    let (mut sum, mut count) = ([0_u32; 3], 0);
    for pixel in pixels {
        let alpha = u32::from(pixel[3]);
        for (sum, &channel) in sum.iter_mut().zip(pixel) {
            *sum += (u32::from(channel) * alpha + 255 * (255 - alpha)) / 255;
        }
        count += 1;
    }
    sum.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX))
}

impl Pictures {
    /// Hashes what candidates look like, as far as that is not known from their thumbnails, and reads when they were taken.
    /// Returns the number of those that can't be decoded.
    pub(super) fn hash_looks(
        &self,
        candidates: &mut [Candidate],
        progress: DuplicatesProgress<'_>,
    ) -> Result<usize, SearchCancelled> {
        let total = candidates.len() as u64;
        let (mut unreadable, mut done) = (0, 0);
        let mut requested = VecDeque::with_capacity(REQUESTED);
        let mut at = 0;
        while at < candidates.len() || !requested.is_empty() {
            if !progress(done, total) {
                return Err(SearchCancelled);
            }
            let Some(candidate) = candidates
                .get_mut(at)
                .filter(|_| requested.len() < REQUESTED)
            else {
                let (of, file, ticket) = requested.pop_front().expect("BUG: none was requested");
                let candidate: &mut Candidate = &mut candidates[of];
                candidate.hash = self.hash_when_made(&file, ticket);
                unreadable += usize::from(candidate.hash.is_none());
                done += 1;
                continue;
            };
            candidate.read_header();
            if candidate.hash.is_some() || candidate.is_video {
                done += 1;
            } else if let Ok(file) = candidate.source.find() {
                let ticket = self.request_small(&file);
                requested.push_back((at, file, ticket));
            } else {
                (done, unreadable) = (done + 1, unreadable + 1);
            }
            at += 1;
        }
        progress(total, total);
        Ok(unreadable)
    }

    /// Requests a thumbnail of a picture, in a size that is in the cache.
    fn request_small(&self, file: &SourceFile) -> Ticket {
        let variants = SIZES.map(thumbnail);
        let cached = |variant: &Variant| self.thumbs.has_thumbnail(file.id(), *variant);
        let variant = variants.into_iter().find(cached).unwrap_or(variants[0]);
        self.thumbs
            .request_wait(file, variant, Priority::Background)
    }

    /// Returns the hash that was computed with a thumbnail, or else from the thumbnail itself.
    fn hash_when_made(&self, file: &SourceFile, ticket: Ticket) -> Option<PictureHash> {
        let thumbnail = match ticket.wait() {
            Ok(thumbnail) => thumbnail,
            Err(error) => {
                tracing::debug!(%error, "a picture is not compared with others");
                return None;
            }
        };
        if let Some(hash) = &thumbnail.hash {
            return Some(hash.clone());
        }
        let loaded = self.thumbs.load(&thumbnail);
        let loaded =
            loaded.inspect_err(|error| tracing::debug!(%error, "a thumbnail can't be read"));
        let hash = PictureHash::of_thumbnail(&loaded.ok()??, Limits::default());
        let hash = hash.inspect_err(|error| tracing::debug!(%error, "a thumbnail is damaged"));
        let hash = hash.ok()?;
        if thumbnail.version == file.version() {
            self.library.note(file.source(), file.stat(), &hash);
        }
        Some(hash)
    }
}

impl Candidate {
    /// Reads the size of the picture and when it was taken, unless that was read before.
    fn read_header(&mut self) {
        if self.pixels.is_some() || self.is_video {
            return;
        }
        // The request for its thumbnail reports what is wrong.
        let Ok((mut file, found)) = self.source.open() else {
            return;
        };
        let size = found.stat().size;
        if self.taken.is_none()
            && let Ok(file) = file.try_clone()
        {
            self.taken = ExifMetadata::read(file, size).taken;
        }
        let head = file.rewind().ok().and_then(|()| Head::read(file, size));
        self.pixels = head.map(|head| u64::from(head.width) * u64::from(head.height));
    }
}

fn thumbnail(side: u16) -> Variant {
    Variant {
        size: Size::new(side, side).expect("BUG: it is a valid size"),
        mode: Mode::Shrink,
        format: Format::Jpg,
        ..Variant::default()
    }
}
