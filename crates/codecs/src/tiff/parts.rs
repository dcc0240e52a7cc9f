//! The strips or tiles in which a picture is stored.

use std::io::{Read, Seek};

use fumikura_image::{
    DecodeError,
    tiff::{Tiff, tag},
};

use super::canvas::ChannelRoute;
use super::error::unsupported;
use super::layout::Layout;

/// A strip or tile: a rectangle of the picture, or of one sample of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) left: u32,
    pub(super) top: u32,
    /// The pixels of a stored row. Those of a tile may reach beyond the picture.
    pub(super) width: u32,
    pub(super) height: u32,
    /// The offset of its bytes in the file.
    pub(super) offset: u64,
    pub(super) length: u64,
    /// The number of samples of a pixel that are stored side by side.
    pub(super) per_pixel: usize,
    pub(super) routes: Vec<ChannelRoute>,
    /// The numbers of pixels, across and down, that share one of its samples.
    pub(super) scale: (u32, u32),
}

impl Part {
    /// Returns a part for the whole picture, whose bytes come from elsewhere.
    pub(super) fn whole(layout: &Layout) -> Self {
        Self {
            left: 0,
            top: 0,
            width: layout.width,
            height: layout.height,
            offset: 0,
            length: 0,
            per_pixel: layout.interleaved(),
            routes: routes(layout, 0),
            scale: (1, 1),
        }
    }
}

/// The largest number of parts: more than a picture within the limits has, with tiles of the usual sizes.
const MAX_PARTS: usize = 1 << 20;

/// The locations of all parts of a picture.
#[derive(Debug)]
pub(super) struct Parts {
    offsets: Vec<u64>,
    lengths: Vec<u64>,
    across: u32,
    down: u32,
    planes: usize,
}

impl Parts {
    pub(super) fn read<R: Read + Seek>(
        tiff: &mut Tiff<R>,
        layout: &Layout,
    ) -> Result<Self, DecodeError> {
        let (offsets, lengths) = match layout.is_tiled {
            true => (tag::TILE_OFFSETS, tag::TILE_LENGTHS),
            false => (tag::STRIP_OFFSETS, tag::STRIP_LENGTHS),
        };
        let planes = if layout.is_planar { layout.samples } else { 1 };
        let across = layout.width.div_ceil(layout.part.0);
        let down = layout.height.div_ceil(layout.part.1);
        let count = (across as usize * down as usize).saturating_mul(planes);
        if count > MAX_PARTS {
            return Err(unsupported("more parts than are read"));
        }
        Ok(Self {
            offsets: tiff.numbers(offsets, MAX_PARTS)?,
            lengths: tiff.numbers(lengths, MAX_PARTS)?,
            across,
            down,
            planes,
        })
    }

    /// Returns true if the whole picture is in one part of exactly its size.
    pub(super) fn is_single(&self, layout: &Layout) -> bool {
        (self.across, self.down, self.planes) == (1, 1, 1)
            && layout.part == (layout.width, layout.height)
    }

    /// Returns the offsets and lengths of all parts, as far as they are stated.
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, u64)> {
        let lengths = self.lengths.iter().copied().chain(std::iter::repeat(0));
        self.offsets.iter().copied().zip(lengths)
    }

    /// Returns the shown parts. A part without a stated length reaches to the end of the file, `end`.
    pub(super) fn each(&self, layout: &Layout, end: u64) -> impl Iterator<Item = Part> {
        let per_plane = self.across as usize * self.down as usize;
        let places = self.places().take(per_plane * self.planes).enumerate();
        places.filter_map(move |(number, (offset, length))| {
            let plane = number / per_plane;
            let routes = routes(layout, plane);
            if routes.is_empty() {
                return None;
            }
            let place = u32::try_from(number % per_plane).ok()?;
            let (column, row) = (place % self.across, place / self.across);
            let (left, top) = (column * layout.part.0, row * layout.part.1);
            let height = match layout.is_tiled {
                true => layout.part.1,
                false => layout.part.1.min(layout.height - top),
            };
            let is_sparse = offset == 0 && length == 0;
            Some(Part {
                left,
                top,
                width: layout.part.0,
                height,
                offset,
                length: match length {
                    0 if !is_sparse => end.saturating_sub(offset),
                    length => length,
                },
                per_pixel: layout.interleaved(),
                routes,
                scale: match layout.is_planar && matches!(plane, 1 | 2) {
                    true => layout.subsampling,
                    false => (1, 1),
                },
            })
        })
    }
}

/// Returns the channels of a plane's samples.
fn routes(layout: &Layout, plane: usize) -> Vec<ChannelRoute> {
    let colours = layout.photometric.colours();
    let opacity = layout.opacity.map(|opacity| opacity.sample);
    let all = (0..colours).chain(opacity).zip(0..);
    let routes = all.map(|(sample, channel)| ChannelRoute { sample, channel });
    match layout.is_planar {
        false => routes.collect(),
        true => routes
            .filter(|route| route.sample == plane)
            .map(|route| ChannelRoute { sample: 0, ..route })
            .collect(),
    }
}
