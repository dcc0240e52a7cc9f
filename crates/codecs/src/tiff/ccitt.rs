//! Black and white in the encodings of fax machines (ITU-T T.4 and T.6), with hayro-ccitt.

use std::io::{self, Cursor, Read};

use hayro_ccitt::{DecodeSettings, Decoder, DecoderContext, EncodingMode, decode};

use super::layout::Fax;

/// Decompresses a part of `width` × `height` pixels: a bit each, 1 for black. Rows behind damage are missing.
pub(super) fn unpacking_reader<'a>(
    mut input: impl Read,
    fax: Fax,
    width: u32,
    height: u32,
) -> io::Result<Box<dyn Read + 'a>> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let settings = DecodeSettings {
        columns: width,
        rows: height,
        end_of_block: true,
        end_of_line: matches!(fax, Fax::Group3 { .. }),
        rows_are_byte_aligned: fax == Fax::Rle,
        encoding: match fax {
            Fax::Group4 => EncodingMode::Group4,
            Fax::Group3 {
                is_two_dimensional: true,
            } => EncodingMode::Group3_2D { k: 4 },
            Fax::Rle | Fax::Group3 { .. } => EncodingMode::Group3_1D,
        },
        invert_black: false,
    };
    let mut rows = Rows::default();
    let result = decode(&bytes, &mut rows, &mut DecoderContext::new(settings));
    match result {
        Err(error) if rows.whole == 0 => Err(io::Error::new(io::ErrorKind::InvalidData, error)),
        Ok(_) | Err(_) => {
            rows.bytes.truncate(rows.whole);
            Ok(Box::new(Cursor::new(rows.bytes)))
        }
    }
}

/// Rows of bits, each of which begins at a byte.
#[derive(Default)]
struct Rows {
    bytes: Vec<u8>,
    /// The number of bytes of the whole rows.
    whole: usize,
    /// The number of bits in the last byte; 0 if the next bit begins a byte.
    bits: u32,
}

impl Decoder for Rows {
    fn push_pixel(&mut self, white: bool) {
        if self.bits == 0 {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut()
            && !white
        {
            *last |= 0x80 >> self.bits;
        }
        self.bits = (self.bits + 1) % 8;
    }

    fn push_pixel_chunk(&mut self, white: bool, chunk_count: u32) {
        let byte = if white { 0 } else { 0xFF };
        let count = usize::try_from(chunk_count).unwrap_or(0);
        self.bytes.resize(self.bytes.len() + count, byte);
    }

    fn next_line(&mut self) {
        self.bits = 0;
        self.whole = self.bytes.len();
    }
}
