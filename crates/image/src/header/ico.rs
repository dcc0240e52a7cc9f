//! The header of an icon: a directory of pictures, each a PNG or a bitmap.

use std::io::{BufRead, Seek, SeekFrom};

use image::metadata::Orientation;

use super::chunks::array;
use super::{Head, png};

/// Reads the header. `None` if it can't be read.
pub(super) fn head(file: &mut (impl BufRead + Seek)) -> Option<Head> {
    let offset = largest(file)?.offset;
    if is_png(file, offset)? {
        return png::head(file);
    }
    let length = u32::from_le_bytes(array(file).ok()?);
    let width = i32::from_le_bytes(array(file).ok()?);
    let height = i32::from_le_bytes(array(file).ok()?);
    // The height includes the mask.
    let height = height.unsigned_abs() / 2;
    (40..=124)
        .contains(&length)
        .then(|| Head::of(width.unsigned_abs(), height, Orientation::NoTransforms))
        .flatten()
}

/// Returns the offset of the picture that is shown, and true if it is a PNG.
pub(crate) fn icon_entry(file: &mut (impl BufRead + Seek)) -> Option<(u64, bool)> {
    let offset = largest(file)?.offset;
    Some((offset, is_png(file, offset)?))
}

/// Returns true if a PNG begins at `offset`. The file is at `offset` afterwards.
fn is_png(file: &mut (impl BufRead + Seek), offset: u64) -> Option<bool> {
    file.seek(SeekFrom::Start(offset)).ok()?;
    let is_png = array(file).ok()? == png::SIGNATURE;
    file.seek(SeekFrom::Start(offset)).ok()?;
    Some(is_png)
}

/// The location of a picture in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct IconLocation {
    offset: u64,
    /// The length in bytes.
    length: u64,
}

impl IconLocation {
    pub(super) fn end(self) -> u64 {
        self.offset + self.length
    }
}

/// Returns the picture that has the most pixels, and of those the most colours; the last of equal
/// ones.
pub(super) fn largest(file: &mut impl BufRead) -> Option<IconLocation> {
    let [0, 0, 1, 0, few, many] = array(file).ok()? else {
        return None;
    };
    let mut entries = Vec::new();
    for _ in 0..u16::from_le_bytes([few, many]) {
        let [width, height, _, _, _, _, depth, deep, rest @ ..]: [u8; 16] = array(file).ok()?;
        let [a, b, c, d, offset @ ..] = rest;
        let location = IconLocation {
            offset: u32::from_le_bytes(offset).into(),
            length: u32::from_le_bytes([a, b, c, d]).into(),
        };
        let side = |side| match side {
            0 => 256,
            side => u32::from(side),
        };
        let worth = (
            side(width) * side(height),
            u16::from_le_bytes([depth, deep]),
        );
        entries.push((worth, location));
    }
    let last = entries.pop()?;
    let best = entries.into_iter().fold(
        last,
        |best, entry| {
            if entry.0 > best.0 { entry } else { best }
        },
    );
    Some(best.1)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::png::tests::png_with;
    use super::*;

    /// Builds an icon of these pictures: sides, depth, content.
    fn icon(pictures: &[(u8, u8, &[u8])]) -> Vec<u8> {
        let count = u8::try_from(pictures.len()).unwrap();
        let mut bytes = vec![0, 0, 1, 0, count, 0];
        let mut offset = 6 + 16 * pictures.len();
        for (side, depth, content) in pictures {
            bytes.extend([*side, *side, 0, 0, 1, 0, *depth, 0]);
            bytes.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
            bytes.extend(u32::try_from(offset).unwrap().to_le_bytes());
            offset += content.len();
        }
        for (.., content) in pictures {
            bytes.extend(*content);
        }
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<(u32, u32)>) {
        let found = head(&mut Cursor::new(bytes));
        assert_eq!(found.map(|head| (head.width, head.height)), expected);
    }

    #[test]
    fn largest_picture_states_the_size() {
        let bitmap = [
            &40_u32.to_le_bytes()[..],
            &16_u32.to_le_bytes(),
            &32_u32.to_le_bytes(),
        ]
        .concat();
        let png = png_with(&[]);
        check(&icon(&[(16, 32, &bitmap)]), Some((16, 16)));
        check(&icon(&[(3, 32, &png), (16, 32, &bitmap)]), Some((16, 16)));
        check(&icon(&[(3, 32, &png), (16, 8, &bitmap)]), Some((16, 16)));
        check(&icon(&[(16, 32, &png), (16, 8, &bitmap)]), Some((3, 2)));
        check(&icon(&[(0, 32, &png), (16, 32, &bitmap)]), Some((3, 2)));
        check(&icon(&[]), None);
        check(&icon(&[(16, 32, b"short")]), None);
    }
}
