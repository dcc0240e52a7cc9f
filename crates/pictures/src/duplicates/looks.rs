//! The looks of pictures: the hashes that come with their thumbnails, and the distance between two of them.

use std::array;
use std::collections::VecDeque;
use std::io::Seek;

use fumikura_fs::SourceFile;
use fumikura_image::{Format, Head, Limits, Mode, PictureHash, Size, Variant};
use fumikura_library::{Likeness, embedded_date};
use fumikura_thumbs::{Priority, Ticket};
use jiff::civil::DateTime;

use super::candidates::Candidate;
use super::hash_index::Tone;
use super::placeholder::{PARTS, Placeholder};
use super::sharpness::Sharpness;
use super::{DuplicatesProgress, SearchCancelled};
use crate::pictures::Pictures;

/// The number of thumbnails that are requested at once.
const REQUESTED: usize = 64;
/// The sizes of thumbnails from which a hash is computed: the first one that is in the cache. Otherwise the first one is
/// made, in which groups are shown.
const SIZES: [u16; 5] = [192, 256, 384, 128, 512];
/// The difference between placeholders of the same shape, in pixels of their sides, which have up to 32.
const SAME_SHAPE: usize = 3;
/// The time between shots of one series, in seconds.
const SERIES: i64 = 10;

/// The look of a picture, and the time when it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    pub(super) differences: u64,
    /// The mean colours of its parts.
    pub(super) colours: [[u8; 3]; PARTS * PARTS],
    /// The size of the placeholder, which has the shape of the picture.
    pub(super) shape: (usize, usize),
    pub(super) taken: Option<DateTime>,
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

    /// Returns the greatest sum of the differences of all channels of all parts.
    pub(super) fn colours_in_all_parts(self) -> u32 {
        self.colours * 3 * (PARTS * PARTS) as u32
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
        let placeholder = Placeholder::decode(hash.placeholder())?;
        Some(Self {
            differences: hash.differences(),
            colours: placeholder.colours,
            shape: placeholder.shape,
            taken,
            pixels: None,
            sharpness: None,
        })
    }

    /// Returns the sums of the colours of all parts.
    pub(super) fn tone(&self) -> Tone {
        let sum = |channel: usize| {
            self.colours
                .iter()
                .map(|colour| u16::from(colour[channel]))
                .sum()
        };
        array::from_fn(sum)
    }

    /// True if two pictures look alike.
    pub(super) fn is_like(&self, other: &Self, tolerance: Tolerance) -> bool {
        let most = match is_series(self.taken, other.taken) {
            true => tolerance.series,
            false => tolerance.differences,
        };
        (self.differences ^ other.differences).count_ones() <= most
            && self.has_look_of(other, tolerance)
    }

    /// True if the shapes and the colours of two pictures are alike.
    pub(super) fn has_look_of(&self, other: &Self, tolerance: Tolerance) -> bool {
        let ((width, height), (other_width, other_height)) = (self.shape, other.shape);
        let channels = self.colours.as_flattened().iter();
        let both = channels.zip(other.colours.as_flattened());
        // In this form, the processor subtracts many at once.
        let distance =
            both.map(|(&one, &other)| (i32::from(one) - i32::from(other)).unsigned_abs());
        width.abs_diff(other_width) < SAME_SHAPE
            && height.abs_diff(other_height) < SAME_SHAPE
            && distance.sum::<u32>() <= tolerance.colours_in_all_parts()
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
            self.taken = embedded_date(file, size);
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
