//! Decoding of the first frame of a GIF, as far as it is present.

use std::io::Read;

use ::gif::{ColorOutput, DecodeOptions, Decoder, DecodingError, Frame};
use image::metadata::Orientation;

use super::{Channels, Picture, Pixels, Raster};
use crate::{DecodeError, Limits};

/// The number of bytes of a decoded pixel.
const PIXEL: usize = 4;

/// The distance between two rows of the first pass of an interlaced frame.
const FIRST_PASS: u16 = 8;

/// Decodes the first frame.
pub(super) fn decode(file: impl Read, limits: Limits) -> Result<Picture, DecodeError> {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::Indexed);
    let mut decoder = options.read_info(file).map_err(refused)?;
    let screen = (u32::from(decoder.width()), u32::from(decoder.height()));
    limits.allow(screen.0, screen.1)?;
    let frame = decoder.next_frame_info().map_err(refused)?.cloned();
    let frame = frame.ok_or_else(|| DecodeError::Damaged("it has no frame".into()))?;
    limits.allow(frame.width.into(), frame.height.into())?;
    let palette = palette(&decoder, &frame)?;
    let mut canvas = Canvas {
        width: screen.0 as usize,
        bytes: vec![0; screen.0 as usize * screen.1 as usize * PIXEL],
    };
    let mut stored = Vec::new();
    for y in rows(&frame) {
        let mut row = vec![0; usize::from(frame.width)];
        match decoder.fill_buffer(&mut row).map_err(refused) {
            Ok(true) => stored.push((y, row)),
            Ok(false) => break,
            // The rows that were read before are shown.
            Err(DecodeError::Damaged(_)) if !stored.is_empty() => break,
            Err(error) => return Err(error),
        }
    }
    let is_whole = stored.len() == usize::from(frame.height);
    stored.sort_unstable_by_key(|(y, _)| *y);
    for (place, (y, row)) in stored.iter().enumerate() {
        canvas.paint(&frame, *y, row, &palette);
        // A missing row of a later pass of an interlaced frame repeats the row above it.
        let next = stored.get(place + 1).map_or(frame.height, |(y, _)| *y);
        if frame.interlaced && !is_whole {
            let missing = y + 1..next.min(y.saturating_add(FIRST_PASS));
            missing.for_each(|y| canvas.paint(&frame, y, row, &palette));
        }
    }
    let profile = decoder.icc_profile().map(<[u8]>::to_vec);
    let pixels = Pixels::new(screen.0, screen.1, Channels::Rgba, canvas.bytes)
        .ok_or_else(|| DecodeError::Damaged("it has no pixels".into()))?;
    Ok(Picture {
        reduced: 1,
        width: screen.0,
        height: screen.1,
        raster: Raster::Interleaved(pixels),
        orientation: Orientation::NoTransforms,
        profile,
    })
}

fn refused(error: DecodingError) -> DecodeError {
    if let DecodingError::Io(error) = error {
        return error.into();
    }
    DecodeError::Damaged(error.to_string())
}

/// Returns the frame's palette, with opacity.
fn palette<R: Read>(
    decoder: &Decoder<R>,
    frame: &Frame<'_>,
) -> Result<Vec<[u8; PIXEL]>, DecodeError> {
    let (colours, _) = decoder.palette().map_err(refused)?.as_chunks();
    let opaque = |&[red, green, blue]: &[u8; 3]| [red, green, blue, 255];
    let mut palette: Vec<_> = colours.iter().map(opaque).collect();
    if let Some(clear) = frame.transparent
        && let Some(colour) = palette.get_mut(usize::from(clear))
    {
        *colour = [0; PIXEL];
    }
    Ok(palette)
}

/// Returns the rows of a frame in the order in which they are stored (GIF89a, appendix E).
fn rows(frame: &Frame<'_>) -> impl Iterator<Item = u16> {
    let passes: &[(u16, usize)] = match frame.interlaced {
        true => &[(0, 8), (4, 8), (2, 4), (1, 2)],
        false => &[(0, 1)],
    };
    let height = frame.height;
    let rows = passes
        .iter()
        .map(move |&(first, step)| (first..height).step_by(step));
    rows.flatten()
}

struct Canvas {
    width: usize,
    bytes: Vec<u8>,
}

impl Canvas {
    /// Paints a row of the frame as far as it is on the screen.
    fn paint(&mut self, frame: &Frame<'_>, y: u16, row: &[u8], palette: &[[u8; PIXEL]]) {
        let left = usize::from(frame.left).min(self.width);
        let first = (usize::from(frame.top) + usize::from(y)) * self.width + left;
        let last = first + row.len().min(self.width - left);
        let Some(target) = self.bytes.get_mut(first * PIXEL..last * PIXEL) else {
            return;
        };
        for (pixel, &number) in target.chunks_exact_mut(PIXEL).zip(row) {
            if let Some(colour) = palette.get(usize::from(number)) {
                pixel.copy_from_slice(colour);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interlaced_rows_are_in_their_order() {
        let frame = Frame {
            height: 10,
            interlaced: true,
            ..Frame::default()
        };
        let rows: Vec<_> = rows(&frame).collect();
        assert_eq!(rows, [0, 8, 4, 2, 6, 1, 3, 5, 7, 9]);
    }

    /// The frame has two colours, the second of which is transparent, and reaches beyond the screen.
    #[test]
    fn frame_is_drawn_at_its_offset() {
        let mut file = b"GIF89a\x02\0\x01\0\x80\0\0\xff\0\0\0\0\xff".to_vec();
        file.extend(b"!\xf9\x04\x01\0\0\x01\0");
        file.extend(b",\x01\0\0\0\x02\0\x01\0\0");
        // LZW with two bits per colour: a clear code, 0, 1, the end.
        file.extend([2, 2, 0b0100_0100, 0b0101_0000, 0, b';']);
        let picture = decode(&file[..], Limits::default()).unwrap();
        let Raster::Interleaved(pixels) = picture.raster else {
            panic!("{:?}", picture.raster);
        };
        assert_eq!(pixels.bytes(), [0, 0, 0, 0, 255, 0, 0, 255]);
    }
}
