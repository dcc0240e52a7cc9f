//! Detection of Windows bitmaps that lack rows.

use std::io::{self, BufRead, Seek};

use super::super::chunks::array;

/// Compressions of rows, which have no fixed length.
const RLE8: u32 = 1;
const RLE4: u32 = 2;

/// The fields of a header that determine the length of the pixels.
struct Header {
    width: u64,
    height: u64,
    bits: u64,
    compression: u32,
    /// The number of bytes of all pixels; 0 if the file does not state it.
    stated: u64,
}

/// Returns true if the pixels reach beyond the end of the file. The padding of the last row may be missing.
pub(super) fn is_truncated(file: &mut (impl BufRead + Seek), length: u64) -> io::Result<bool> {
    file.rewind()?;
    let [_, _, _, _, _, _, _, _, _, _, offset @ ..]: [u8; 14] = array(file)?;
    let header = Header::read(file)?;
    let offset = u64::from(u32::from_le_bytes(offset));
    Ok(header
        .pixels()
        .is_some_and(|pixels| offset.saturating_add(pixels) > length))
}

impl Header {
    fn read(file: &mut impl BufRead) -> io::Result<Self> {
        let size = u32::from_le_bytes(array(file)?);
        if size == 12 {
            let [width, height] = [short(file)?, short(file)?];
            let _planes = short(file)?;
            return Ok(Self {
                width,
                height,
                bits: short(file)?,
                compression: 0,
                stated: 0,
            });
        }
        let [width, height] = [side(file)?, side(file)?];
        let _planes = short(file)?;
        let bits = short(file)?;
        let [compression, stated] = match size {
            // The shortest header of OS/2 ends here.
            16 => [0; 2],
            _ => [
                u32::from_le_bytes(array(file)?),
                u32::from_le_bytes(array(file)?),
            ],
        };
        Ok(Self {
            width,
            height,
            bits,
            compression,
            stated: stated.into(),
        })
    }

    /// Returns the number of bytes of the pixels; `None` if it is unknown.
    fn pixels(&self) -> Option<u64> {
        match self.compression {
            RLE8 | RLE4 => (self.stated > 0).then_some(self.stated),
            _ => {
                let bits = self.width.checked_mul(self.bits)?;
                let rows = self.height.checked_sub(1)?;
                let row = bits.div_ceil(32) * 4;
                row.checked_mul(rows)?.checked_add(bits.div_ceil(8))
            }
        }
    }
}

fn short(file: &mut impl BufRead) -> io::Result<u64> {
    Ok(u16::from_le_bytes(array(file)?).into())
}

/// Reads a side. A negative height means rows from the top.
fn side(file: &mut impl BufRead) -> io::Result<u64> {
    Ok(i32::from_le_bytes(array(file)?).unsigned_abs().into())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    /// Builds a picture 3 pixels wide, with these numbers of bits per pixel and of bytes of pixels.
    fn bmp(height: i32, bits: u8, compression: u8, stated: u8, pixels: usize) -> Vec<u8> {
        let mut bytes = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0".to_vec();
        bytes.extend(40_u32.to_le_bytes());
        bytes.extend(3_i32.to_le_bytes());
        bytes.extend(height.to_le_bytes());
        bytes.extend([1, 0, bits, 0, compression, 0, 0, 0, stated, 0, 0, 0]);
        bytes.resize(0x36 + pixels, 7);
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        let found = is_truncated(&mut Cursor::new(bytes), bytes.len() as u64);
        assert_eq!(found.unwrap(), expected);
    }

    #[test]
    fn bitmap_without_its_last_rows_is_truncated() {
        for height in [2, -2] {
            // Rows of 9 bytes and 3 bytes of padding.
            check(&bmp(height, 24, 0, 0, 24), false);
            check(&bmp(height, 24, 0, 0, 21), false);
            check(&bmp(height, 24, 0, 0, 20), true);
            check(&bmp(height, 24, 0, 0, 0), true);
        }
        check(&bmp(2, 1, 0, 0, 5), false);
        check(&bmp(2, 1, 0, 0, 4), true);
    }

    #[test]
    fn compressed_bitmap_is_as_long_as_it_states() {
        check(&bmp(2, 8, 1, 10, 10), false);
        check(&bmp(2, 8, 1, 10, 9), true);
        check(&bmp(2, 8, 1, 0, 1), false);
    }

    #[test]
    fn short_headers_are_read() {
        let core = b"BM\0\0\0\0\0\0\0\0\x1a\0\0\0\x0c\0\0\0\x03\0\x02\0\x01\0\x18\0";
        check(&[&core[..], &[0; 24]].concat(), false);
        check(&[&core[..], &[0; 20]].concat(), true);
        let os2 = b"BM\0\0\0\0\0\0\0\0\x1e\0\0\0\x10\0\0\0\x03\0\0\0\x02\0\0\0\x01\0\x18\0";
        check(&[&os2[..], &[0; 24]].concat(), false);
        check(&[&os2[..], &[0; 20]].concat(), true);
    }
}
