//! The sharpness of pictures that look alike and have the same number of pixels.

use std::thread;

use fumikura_fs::Source;
use fumikura_image::{KeptMetadata, Rendition, RenditionFormat, Turn};
use image::ImageFormat;

use super::{DuplicatePicture, DuplicatesProgress, SearchCancelled};
use crate::pictures::Pictures;

/// The longer side of the rendition that is measured, in pixels. A blur that is not visible at this size does not matter.
const RENDITION: Rendition = Rendition {
    crop: None,
    turn: Turn::NONE,
    edge: Some(1024),
    format: RenditionFormat::Jpeg,
    quality: 90,
    sharpens: false,
    metadata: KeptMetadata::None,
    taken: None,
};
/// The number of pictures that are decoded at once.
const THREADS: usize = 2;
/// The number of pictures of a group that are measured. No more of them are shown.
const MEASURED: usize = 60;
/// The difference that is visible, in steps.
const VISIBLE: u16 = 12;

/// The sharpness of a picture: the energy of its edges, in steps of a sixteenth of an octave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sharpness(u16);

impl Sharpness {
    /// Measures the energy of a JPEG's edges by the Laplace operator. `None` if it has no edges, or can't be decoded.
    fn of(jpeg: &[u8]) -> Option<Self> {
        let picture = image::load_from_memory_with_format(jpeg, ImageFormat::Jpeg);
        let picture =
            picture.inspect_err(|error| tracing::debug!(%error, "a rendition is damaged"));
        let picture = picture.ok()?.into_luma8();
        let width = picture.width() as usize;
        let rows: Vec<&[u8]> = picture.chunks_exact(width).collect();
        let (mut energy, mut count) = (0_u64, 0_u64);
        for rows in rows.windows(3) {
            for at in 1..width.saturating_sub(1) {
                let around = [rows[0][at], rows[1][at - 1], rows[1][at + 1], rows[2][at]];
                let sum: u64 = around.into_iter().map(u64::from).sum();
                energy += (4 * u64::from(rows[1][at])).abs_diff(sum).pow(2);
                count += 1;
            }
        }
        let mean = energy.checked_div(count)? as f64;
        (mean >= 1.0).then(|| Self((16.0 * mean.log2()) as u16))
    }

    /// Returns true if a picture is visibly sharper than another one.
    pub(super) fn exceeds(self, other: Self) -> bool {
        self.0 > other.0.saturating_add(VISIBLE)
    }
}

impl Pictures {
    /// Measures the sharpness of the pictures with the most pixels of each group, if there are several.
    pub(super) fn measure_sharpness(
        &self,
        groups: &mut [Vec<DuplicatePicture>],
        compared: u64,
        progress: DuplicatesProgress<'_>,
    ) -> Result<(), SearchCancelled> {
        let mut measured: Vec<&mut DuplicatePicture> =
            groups.iter_mut().flat_map(|group| largest(group)).collect();
        let (mut done, total) = (compared, compared + measured.len() as u64);
        for part in measured.chunks_mut(THREADS) {
            if !progress(done, total) {
                return Err(SearchCancelled);
            }
            thread::scope(|scope| {
                for picture in part.iter_mut() {
                    scope.spawn(move || {
                        let sharpness = self.sharpness(&picture.file.source);
                        if let Some(look) = &mut picture.look {
                            look.sharpness = sharpness;
                        }
                    });
                }
            });
            done += part.len() as u64;
        }
        progress(total, total);
        Ok(())
    }

    fn sharpness(&self, source: &Source) -> Option<Sharpness> {
        let rendered = self.thumbs.render(source, RENDITION);
        let note = |error: &_| tracing::debug!(%error, "the sharpness of a picture is unknown");
        Sharpness::of(&rendered.inspect_err(note).ok()?)
    }
}

/// Returns the pictures of a group with the most pixels, if there are several.
fn largest(group: &mut [DuplicatePicture]) -> Vec<&mut DuplicatePicture> {
    let pixels = |picture: &DuplicatePicture| picture.look.as_ref().and_then(|look| look.pixels);
    let most = group.iter().filter_map(pixels).max();
    let largest = group.iter_mut().take(MEASURED);
    let largest = largest.filter(|picture| most.is_some() && pixels(picture) == most);
    let largest: Vec<_> = largest.collect();
    match largest.len() {
        0 | 1 => Vec::new(),
        _ => largest,
    }
}
