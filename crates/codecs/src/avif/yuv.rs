//! Conversion of luma and chroma to red, green and blue (ITU-T H.273, 8.3).

use fumikura_image::DecodeError;

use super::av1::{ColourCodes, Frame};
use super::canvas::{Canvas, Sample};
use super::unsupported;

/// The conversion of the three numbers of a pixel to its colour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix {
    luma: Scale,
    chroma: Scale,
    conversion: Conversion,
}

/// A linear map of a sample to 0…1.
#[derive(Debug, Clone, Copy)]
struct Scale {
    zero: f32,
    factor: f32,
}

impl Scale {
    fn apply(self, sample: f32) -> f32 {
        (sample - self.zero) * self.factor
    }
}

#[derive(Debug, Clone, Copy)]
enum Conversion {
    /// The samples are green, blue and red.
    Identity,
    Differences {
        red_by_second: f32,
        green_by_first: f32,
        green_by_second: f32,
        blue_by_first: f32,
    },
}

impl Matrix {
    /// Returns `None` if no matrix has this number.
    pub(super) fn of(numbers: ColourCodes, depth: u32) -> Option<Self> {
        let (red, blue) = match numbers.matrix {
            0 => (0.0, 0.0),
            1 => (0.2126, 0.0722),
            4 => (0.30, 0.11),
            // An unspecified matrix is taken for the most common one.
            2 | 5 | 6 => (0.299, 0.114),
            7 => (0.212, 0.087),
            9 => (0.2627, 0.0593),
            _ => return None,
        };
        let luma = scale(numbers.is_full, depth);
        if numbers.matrix == 0 {
            return Some(Self {
                luma,
                chroma: luma,
                conversion: Conversion::Identity,
            });
        }
        let green = 1.0 - red - blue;
        #[expect(clippy::cast_precision_loss, reason = "at most 4096")]
        let zero = (1_u32 << (depth - 1)) as f32;
        let factor = match numbers.is_full {
            true => luma.factor,
            false => luma.factor * 219.0 / 224.0,
        };
        Some(Self {
            luma,
            chroma: Scale { zero, factor },
            conversion: Conversion::Differences {
                red_by_second: 2.0 * (1.0 - red),
                green_by_first: -2.0 * blue * (1.0 - blue) / green,
                green_by_second: -2.0 * red * (1.0 - red) / green,
                blue_by_first: 2.0 * (1.0 - blue),
            },
        })
    }

    fn colour(&self, luma: f32, first: f32, second: f32) -> [f32; 3] {
        let luma = self.luma.apply(luma);
        let (first, second) = (self.chroma.apply(first), self.chroma.apply(second));
        match self.conversion {
            Conversion::Identity => [second, luma, first],
            Conversion::Differences {
                red_by_second,
                green_by_first,
                green_by_second,
                blue_by_first,
            } => [
                luma + red_by_second * second,
                luma + green_by_first * first + green_by_second * second,
                luma + blue_by_first * first,
            ],
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most 4096")]
fn scale(is_full: bool, depth: u32) -> Scale {
    let step = (1_u32 << (depth - 8)) as f32;
    if is_full {
        let max = ((1_u32 << depth) - 1) as f32;
        Scale {
            zero: 0.0,
            factor: 1.0 / max,
        }
    } else {
        Scale {
            zero: 16.0 * step,
            factor: 1.0 / (219.0 * step),
        }
    }
}

/// Paints the frame with its upper left corner at a position, as far as the canvas reaches.
pub(super) fn paint<T: Sample>(
    frame: &Frame,
    matrix: &Matrix,
    canvas: &mut Canvas<T>,
    (left, top): (u32, u32),
) -> Result<(), DecodeError> {
    let count = canvas.channels.count();
    let Some(subsampling) = frame.subsampling() else {
        for (y, row) in (top..).zip(0..frame.height() as usize) {
            let luma = frame.row(0, row);
            for (pixel, &luma) in canvas.row(left, y).chunks_exact_mut(count).zip(&luma) {
                pixel[..3].fill(T::of(matrix.luma.apply(f32::from(luma))));
            }
        }
        return Ok(());
    };
    let is_full_size = !subsampling.across && !subsampling.down;
    if matches!(matrix.conversion, Conversion::Identity) && !is_full_size {
        return Err(unsupported("matrix 0 with fewer colours than pixels"));
    }
    let mut first = Chroma::new(frame, 1);
    let mut second = Chroma::new(frame, 2);
    for (y, row) in (top..).zip(0..frame.height() as usize) {
        let target = canvas.row(left, y);
        if target.is_empty() {
            break;
        }
        let luma = frame.row(0, row);
        let (first, second) = (first.row(row), second.row(row));
        let colours = luma.iter().zip(first).zip(second);
        for (pixel, ((&luma, &first), &second)) in target.chunks_exact_mut(count).zip(colours) {
            let colour = matrix.colour(luma.into(), first, second).map(T::of);
            pixel[..3].copy_from_slice(&colour);
        }
    }
    Ok(())
}

/// Paints the frame with its sides divided by `by`, an even number. Means of squares are converted to colours.
pub(super) fn paint_reduced<T: Sample>(
    frame: &Frame,
    matrix: &Matrix,
    canvas: &mut Canvas<T>,
    by: usize,
) -> Result<(), DecodeError> {
    let count = canvas.channels.count();
    let subsampling = frame.subsampling();
    let halved = |is_half: bool| if is_half { by / 2 } else { by };
    let chroma = subsampling.map(|it| (halved(it.across), halved(it.down)));
    let is_full_size = chroma.is_none_or(|sides| sides == (by, by));
    if matches!(matrix.conversion, Conversion::Identity) && !is_full_size {
        return Err(unsupported("matrix 0 with fewer colours than pixels"));
    }
    let mut luma = BlockMeans::new(frame, 0, (by, by));
    let mut differences =
        chroma.map(|sides| [1, 2].map(|plane| BlockMeans::new(frame, plane, sides)));
    for (y, row) in (0..canvas.height).zip(0..) {
        let pixels = canvas.row(0, y).chunks_exact_mut(count);
        let luma = luma.row(row);
        let Some([first, second]) = &mut differences else {
            for (pixel, &luma) in pixels.zip(luma) {
                pixel[..3].fill(T::of(matrix.luma.apply(luma)));
            }
            continue;
        };
        let colours = luma.iter().zip(first.row(row)).zip(second.row(row));
        for (pixel, ((&luma, &first), &second)) in pixels.zip(colours) {
            let colour = matrix.colour(luma, first, second).map(T::of);
            pixel[..3].copy_from_slice(&colour);
        }
    }
    Ok(())
}

/// The means of rectangles of a plane's samples. At the right and the lower edge they have fewer samples.
struct BlockMeans<'a> {
    frame: &'a Frame,
    plane: usize,
    across: usize,
    down: usize,
    sums: Vec<u32>,
    means: Vec<f32>,
}

impl<'a> BlockMeans<'a> {
    fn new(frame: &'a Frame, plane: usize, (across, down): (usize, usize)) -> Self {
        let (width, _) = frame.samples(plane);
        Self {
            frame,
            plane,
            across,
            down,
            sums: vec![0; width],
            means: Vec::new(),
        }
    }

    /// Returns a row of means. It is empty below the plane.
    #[expect(
        clippy::cast_precision_loss,
        reason = "sums of a few samples of 12 bits"
    )]
    fn row(&mut self, y: usize) -> &[f32] {
        let (_, height) = self.frame.samples(self.plane);
        let rows = (y * self.down).min(height)..((y + 1) * self.down).min(height);
        let down = rows.len();
        self.means.clear();
        if down == 0 {
            return &self.means;
        }
        self.sums.fill(0);
        for row in rows {
            let row = self.frame.row(self.plane, row);
            for (sum, sample) in self.sums.iter_mut().zip(row) {
                *sum += u32::from(sample);
            }
        }
        self.means
            .extend(self.sums.chunks(self.across).map(|square| {
                let sum: u32 = square.iter().sum();
                sum as f32 / (square.len() * down) as f32
            }));
        &self.means
    }
}

/// Paints the frame's luma as opacity.
pub(super) fn paint_opacity<T: Sample>(
    frame: &Frame,
    canvas: &mut Canvas<T>,
    (left, top): (u32, u32),
) {
    let count = canvas.channels.count();
    let scale = scale(frame.numbers().is_full, frame.depth());
    for (y, row) in (top..).zip(0..frame.height() as usize) {
        let opacity = frame.row(0, row);
        let pixels = canvas.row(left, y).chunks_exact_mut(count);
        for (pixel, &opacity) in pixels.zip(&opacity) {
            pixel[count - 1] = T::of(scale.apply(f32::from(opacity)));
        }
    }
}

/// A chroma plane, upsampled to one sample per pixel by linear interpolation: the nearer sample weighs three
/// times as much.
struct Chroma<'a> {
    frame: &'a Frame,
    plane: usize,
    across: bool,
    down: bool,
    /// The rows that were read last, with their numbers.
    read: [(usize, Vec<u16>); 2],
    blended: Vec<f32>,
    row: Vec<f32>,
}

impl<'a> Chroma<'a> {
    fn new(frame: &'a Frame, plane: usize) -> Self {
        let is = |is: fn(super::av1::Subsampling) -> bool| frame.subsampling().is_some_and(is);
        Self {
            frame,
            plane,
            across: is(|subsampling| subsampling.across),
            down: is(|subsampling| subsampling.down),
            read: [(usize::MAX, Vec::new()), (usize::MAX, Vec::new())],
            blended: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Returns the samples of a row of pixels.
    fn row(&mut self, y: usize) -> &[f32] {
        let (_, height) = self.frame.samples(self.plane);
        let (near, far) = match self.down {
            true => neighbours(y, height),
            false => (y, y),
        };
        self.read(near);
        self.read(far);
        let of = |row: usize| &self.read[row % 2].1;
        self.blended.clear();
        let samples = of(near).iter().zip(of(far));
        self.blended
            .extend(samples.map(|(&near, &far)| blend(near.into(), far.into())));
        if !self.across {
            return &self.blended;
        }
        self.row.clear();
        let width = self.frame.width() as usize;
        self.row.extend((0..width).map(|x| {
            let (near, far) = neighbours(x, self.blended.len());
            blend(self.blended[near], self.blended[far])
        }));
        &self.row
    }

    /// Reads a row into its slot. Adjacent rows have different slots.
    fn read(&mut self, row: usize) {
        let place = &mut self.read[row % 2];
        if place.0 != row {
            *place = (row, self.frame.row(self.plane, row));
        }
    }
}

fn blend(near: f32, far: f32) -> f32 {
    0.75 * near + 0.25 * far
}

/// Returns the nearest sample to a pixel, of `count` samples with two pixels each, and the second nearest.
fn neighbours(pixel: usize, count: usize) -> (usize, usize) {
    let near = pixel / 2;
    let far = match pixel % 2 {
        0 => near.saturating_sub(1),
        _ => (near + 1).min(count - 1),
    };
    (near, far)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(matrix: u8, is_full: bool, depth: u32, samples: [u16; 3], expected: [u8; 3]) {
        let numbers = ColourCodes {
            primaries: 1,
            transfer: 13,
            matrix,
            is_full,
        };
        let [luma, first, second] = samples;
        let matrix = Matrix::of(numbers, depth).unwrap();
        let colour = matrix.colour(luma.into(), first.into(), second.into());
        assert_eq!(colour.map(u8::of), expected);
    }

    #[test]
    fn white_black_and_colours() {
        check(6, true, 8, [255, 128, 128], [255; 3]);
        check(6, false, 8, [235, 128, 128], [255; 3]);
        check(1, false, 10, [64, 512, 512], [0; 3]);
        check(9, true, 12, [4095, 2048, 2048], [255; 3]);
        // Red in the three matrices.
        check(6, true, 8, [76, 85, 255], [254, 0, 0]);
        check(6, false, 8, [81, 90, 240], [254, 0, 0]);
        check(1, false, 8, [63, 102, 240], [255, 1, 0]);
        check(9, true, 10, [269, 369, 1023], [255, 0, 0]);
        check(0, true, 8, [1, 2, 3], [3, 1, 2]);
    }

    #[test]
    fn unknown_matrices_are_rejected() {
        for matrix in [3, 8, 10, 14, 255] {
            let numbers = ColourCodes {
                primaries: 1,
                transfer: 13,
                matrix,
                is_full: true,
            };
            assert!(Matrix::of(numbers, 8).is_none());
        }
    }

    #[test]
    fn pixel_has_two_neighbouring_samples() {
        assert_eq!(neighbours(0, 3), (0, 0));
        assert_eq!(neighbours(1, 3), (0, 1));
        assert_eq!(neighbours(2, 3), (1, 0));
        assert_eq!(neighbours(5, 3), (2, 2));
    }
}
