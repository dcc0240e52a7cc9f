//! Luma and chroma in one stream, with chroma shared by several pixels (TIFF 6.0, section 21): blocks of
//! pixels' luma, each followed by its two samples of chroma.

use std::io::{self, Read};

/// Reads the blocks of a row of blocks, and returns each pixel's luma and chroma.
pub(super) struct Blocks {
    width: usize,
    across: usize,
    down: usize,
    bytes: Vec<u8>,
}

impl Blocks {
    /// Creates a reader for rows of `width` pixels.
    pub(super) fn new(width: u32, (across, down): (u32, u32)) -> Self {
        let (width, across, down) = (width as usize, across as usize, down as usize);
        Self {
            width,
            across,
            down,
            bytes: vec![0; width.div_ceil(across) * (across * down + 2)],
        }
    }

    /// Reads the next rows, as many as a block has: three samples a pixel.
    pub(super) fn next(&mut self, input: &mut impl Read) -> io::Result<Vec<Vec<u8>>> {
        input.read_exact(&mut self.bytes)?;
        Ok((0..self.down).map(|y| self.row(y)).collect())
    }

    fn row(&self, y: usize) -> Vec<u8> {
        let luma = self.across * self.down;
        let mut row = Vec::with_capacity(self.width * 3);
        for block in self.bytes.chunks_exact(luma + 2) {
            for x in 0..self.across {
                row.extend([block[y * self.across + x], block[luma], block[luma + 1]]);
            }
        }
        row.truncate(self.width * 3);
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_of_a_block_share_its_chroma() {
        let bytes = [1, 2, 3, 4, 90, 91, 5, 6, 7, 8, 92, 93];
        let rows = Blocks::new(3, (2, 2)).next(&mut &bytes[..]).unwrap();
        assert_eq!(
            rows,
            [
                [1, 90, 91, 2, 90, 91, 5, 92, 93],
                [3, 90, 91, 4, 90, 91, 7, 92, 93]
            ]
        );
    }
}
