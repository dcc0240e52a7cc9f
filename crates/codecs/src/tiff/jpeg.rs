//! JPEG streams of strips and tiles, which may lack the tables that all of them share (Adobe's TIFF Technical
//! Note 2).

use fumikura_image::{DecodeError, Pixels};

use super::layout::{Layout, Photometric};
use crate::jpeg::{SampleMeaning, decode_part};

const START: [u8; 2] = [0xFF, 0xD8];
const END: [u8; 2] = [0xFF, 0xD9];

/// Returns the stream of a part with the tables inserted.
pub(super) fn with_tables(tables: Option<&[u8]>, part: &[u8]) -> Vec<u8> {
    let tables = tables.and_then(|tables| tables.strip_prefix(&START));
    let tables = tables.map(|tables| tables.strip_suffix(&END).unwrap_or(tables));
    let part = part.strip_prefix(&START).unwrap_or(part);
    [&START, tables.unwrap_or_default(), part].concat()
}

/// Decodes a stream. `plan` is called with its width and height, and returns the divisor of each side.
pub(super) fn decode(
    stream: &[u8],
    layout: &Layout,
    plan: impl FnOnce(u32, u32) -> Result<u32, DecodeError>,
) -> Result<Pixels, DecodeError> {
    let meaning = match layout.photometric {
        Photometric::Ycc if !layout.is_planar => SampleMeaning::Ycc,
        Photometric::WhiteIsZero
        | Photometric::BlackIsZero
        | Photometric::Rgb
        | Photometric::Palette
        | Photometric::Inks
        | Photometric::Ycc
        | Photometric::CieLab
        | Photometric::IccLab => SampleMeaning::Plain,
    };
    decode_part(stream, meaning, plan)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_precede_the_part() {
        let tables = [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 0xFF, 0xD9];
        let part = [0xFF, 0xD8, 0xFF, 0xC0, 3, 0xFF, 0xD9];
        assert_eq!(
            with_tables(Some(&tables), &part),
            [0xFF, 0xD8, 0xFF, 0xDB, 1, 2, 0xFF, 0xC0, 3, 0xFF, 0xD9]
        );
        assert_eq!(with_tables(None, &part), part);
    }
}
