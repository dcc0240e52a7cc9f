//! The bitmaps of icons. They have no file header, and their height includes the mask.

use std::io::{BufRead, Cursor, Read, Seek, SeekFrom};

use image::codecs::bmp::BmpDecoder;

use super::pixels::Samples;
use super::{Channels, Pixels};
use crate::{DecodeError, Limits};

/// The length of the shortest header that is read, in bytes.
const HEADER: usize = 40;

/// The header of a bitmap.
struct Bitmap {
    width: u32,
    height: u32,
    bits: u32,
    /// True if the rows are stored from the top.
    is_downward: bool,
    /// The offset of the pixels from the header, in bytes.
    pixels: usize,
}

/// Decodes the bitmap at `offset`.
pub(super) fn decode(
    file: &mut (impl BufRead + Seek),
    offset: u64,
    limits: Limits,
) -> Result<Pixels, DecodeError> {
    file.seek(SeekFrom::Start(offset))?;
    let mut header = [0; HEADER];
    file.read_exact(&mut header)?;
    let bitmap = Bitmap::read(&header)?;
    limits.allow(bitmap.width, bitmap.height)?;
    let length = bitmap.pixels + bitmap.row() * bitmap.height as usize;
    let mut bytes = header.to_vec();
    let rest = (length + bitmap.mask_row() * bitmap.height as usize - HEADER) as u64;
    file.take(rest).read_to_end(&mut bytes)?;
    let mask = bytes.get(length..).unwrap_or_default().to_vec();
    bytes.truncate(length);
    match bitmap.bits {
        32 => bitmap.with_opacity(&bytes, &mask),
        _ => bitmap.with_mask(bytes, &mask, limits),
    }
}

impl Bitmap {
    fn read(header: &[u8; HEADER]) -> Result<Self, DecodeError> {
        let number = |at: usize| {
            u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]])
        };
        let length = number(0) as usize;
        let height = number(8).cast_signed();
        let bits = u32::from(u16::from_le_bytes([header[14], header[15]]));
        if !(HEADER..=124).contains(&length) || !matches!(bits, 1 | 4 | 8 | 16 | 24 | 32) {
            return Err(DecodeError::Damaged(
                "its bitmap has no known header".into(),
            ));
        }
        const MASKS: u32 = 3;
        let compression = number(16);
        if !matches!(compression, 0 | MASKS) {
            return Err(DecodeError::UnsupportedKind(
                "image/vnd.microsoft.icon with a compressed bitmap".into(),
            ));
        }
        let colours = match (bits, number(32)) {
            (..=8, 0) => 1 << bits,
            (..=8, stated) => stated.min(1 << bits),
            _ => 0,
        };
        let masks = if compression == MASKS && length == HEADER {
            12
        } else {
            0
        };
        Ok(Self {
            width: number(4).cast_signed().unsigned_abs(),
            // The height includes the mask.
            height: height.unsigned_abs() / 2,
            bits,
            is_downward: height < 0,
            pixels: length + masks + colours as usize * 4,
        })
    }

    /// Returns the number of bytes of a row of pixels.
    fn row(&self) -> usize {
        (self.width as usize * self.bits as usize).div_ceil(32) * 4
    }

    /// Returns the number of bytes of a row of the mask.
    fn mask_row(&self) -> usize {
        (self.width as usize).div_ceil(32) * 4
    }

    /// Returns the stored row that is the `y`-th from the top.
    fn stored(&self, y: u32) -> usize {
        match self.is_downward {
            true => y as usize,
            false => (self.height - 1 - y) as usize,
        }
    }

    /// Decodes the pixels with their opacity. An alpha channel takes precedence over the mask, which is for systems
    /// without opacity. If the alpha channel is zero throughout, the mask counts.
    fn with_opacity(&self, bytes: &[u8], mask: &[u8]) -> Result<Pixels, DecodeError> {
        let pixels = bytes.get(self.pixels..).unwrap_or_default();
        let rows: Vec<&[u8]> = pixels.chunks_exact(self.row().max(1)).collect();
        if rows.is_empty() {
            return Err(DecodeError::Damaged("its bitmap ends too early".into()));
        }
        let mut rgba = Vec::with_capacity(self.row() * self.height as usize);
        for y in 0..self.height {
            match rows.get(self.stored(y)) {
                Some(row) => {
                    for pixel in row.chunks_exact(4) {
                        rgba.extend([pixel[2], pixel[1], pixel[0], pixel[3]]);
                    }
                }
                None => rgba.resize(rgba.len() + self.row(), 0),
            }
        }
        if rgba.chunks_exact(4).all(|pixel| pixel[3] == 0) {
            self.apply(mask, &mut rgba);
        }
        self.finish(rgba)
    }

    fn with_mask(
        &self,
        mut bytes: Vec<u8>,
        mask: &[u8],
        limits: Limits,
    ) -> Result<Pixels, DecodeError> {
        let height = if self.is_downward {
            -i64::from(self.height)
        } else {
            i64::from(self.height)
        };
        let height = i32::try_from(height).unwrap_or(i32::MAX);
        bytes[8..12].copy_from_slice(&height.to_le_bytes());
        let mut decoder = BmpDecoder::new_without_file_header(Cursor::new(bytes))?;
        limits.apply(&mut decoder)?;
        let pixels = Samples::read(decoder, false)?.into_pixels()?;
        let mut rgba = pixels.into_image().into_rgba8().into_raw();
        self.apply(mask, &mut rgba);
        self.finish(rgba)
    }

    /// Clears the pixels that the mask covers. Does nothing if the mask covers all pixels or is missing.
    fn apply(&self, mask: &[u8], rgba: &mut [u8]) {
        let rows: Vec<&[u8]> = mask.chunks_exact(self.mask_row().max(1)).collect();
        let covers = |x: usize, y: u32| {
            let row = rows.get(self.stored(y));
            row.is_some_and(|row| row[x / 8] & (0x80 >> (x % 8)) != 0)
        };
        let width = self.width as usize;
        let all: Vec<bool> = (0..self.height)
            .flat_map(|y| (0..width).map(move |x| (x, y)))
            .map(|(x, y)| covers(x, y))
            .collect();
        let hides_all = all.iter().all(|&covered| covered);
        for (pixel, covered) in rgba.chunks_exact_mut(4).zip(all) {
            pixel[3] = if covered && !hides_all { 0 } else { 255 };
        }
    }

    fn finish(&self, rgba: Vec<u8>) -> Result<Pixels, DecodeError> {
        Pixels::new(self.width, self.height, Channels::Rgba, rgba)
            .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a bitmap of 2 × 1 pixels with these bytes and this mask.
    fn bitmap(bits: u16, palette: &[[u8; 4]], row: &[u8], mask: u8) -> Vec<u8> {
        let mut bytes = 40_u32.to_le_bytes().to_vec();
        bytes.extend([2_u32, 2].map(u32::to_le_bytes).concat());
        bytes.extend([1_u16, bits].map(u16::to_le_bytes).concat());
        bytes.extend([0; 16]);
        let colours = u32::try_from(palette.len()).unwrap();
        bytes.extend([colours, 0].map(u32::to_le_bytes).concat());
        bytes.extend(palette.concat());
        bytes.extend(row);
        bytes.extend([mask, 0, 0, 0]);
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: [[u8; 4]; 2]) {
        let pixels = decode(&mut Cursor::new(bytes), 0, Limits::default()).unwrap();
        assert_eq!(pixels.bytes(), expected.concat());
    }

    #[test]
    fn opacity_goes_before_the_mask() {
        let row = [1, 2, 3, 255, 4, 5, 6, 128];
        let shown = [[3, 2, 1, 255], [6, 5, 4, 128]];
        for mask in [0, 0x40, 0xC0] {
            check(&bitmap(32, &[], &row, mask), shown);
        }
        let row = [1, 2, 3, 0, 4, 5, 6, 0];
        check(&bitmap(32, &[], &row, 0x40), [[3, 2, 1, 255], [6, 5, 4, 0]]);
    }

    #[test]
    fn mask_clears_pixels_without_opacity() {
        let palette = [[1, 2, 3, 0], [4, 5, 6, 0]];
        let row = [0, 1, 0, 0];
        let shown = |first, second| [[3, 2, 1, first], [6, 5, 4, second]];
        check(&bitmap(8, &palette, &row, 0x80), shown(0, 255));
        check(&bitmap(8, &palette, &row, 0xC0), shown(255, 255));
        let row = [1, 2, 3, 4, 5, 6, 0, 0];
        check(&bitmap(24, &[], &row, 0x40), shown(255, 0));
    }

    #[test]
    fn bitmap_without_its_mask_is_whole() {
        let mut bytes = bitmap(24, &[], &[1, 2, 3, 4, 5, 6, 0, 0], 0);
        bytes.truncate(bytes.len() - 4);
        check(&bytes, [[3, 2, 1, 255], [6, 5, 4, 255]]);
    }
}
