//! The header of a PNG (W3C, Portable Network Graphics). Its chunks are skipped, not unpacked: a few of them are
//! compressed, and may hold a thousand times their own length.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use image::metadata::Orientation;

use super::Head;
use super::chunks::{array, read_start};
use crate::tiff::orientation_in;

pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The length of the checksum behind each chunk, in bytes.
const CHECKSUM: i64 = 4;

/// The chunks that affect the presentation of the picture.
#[derive(Debug, Default)]
pub(crate) struct PngNotes {
    /// EXIF, before the pixels or behind them.
    pub(crate) exif: Option<Vec<u8>>,
    /// The code points of the primaries and of the transfer curve (ITU-T H.273).
    pub(crate) cicp: Option<(u8, u8)>,
    pub(crate) has_profile: bool,
    pub(crate) is_srgb: bool,
    /// The exponent of the curve, in parts of 100,000.
    pub(crate) gamma: Option<u32>,
    /// White, red, green and blue: coordinates in CIE xy, in parts of 100,000.
    pub(crate) chromaticities: Option<[u32; 8]>,
}

/// Reads the header. `None` if it can't be read. `file` is at the signature.
pub(super) fn head(file: &mut (impl BufRead + Seek)) -> Option<Head> {
    let (width, height) = size(file)?;
    let orientation = match notes_before_pixels(file).ok()?.exif {
        Some(exif) => orientation_in(&exif),
        None => exif_behind_pixels(file).and_then(|exif| orientation_in(&exif)),
    };
    Head::of(
        width,
        height,
        orientation.unwrap_or(Orientation::NoTransforms),
    )
}

/// Returns all that the chunks state. `file` is at the signature.
pub(crate) fn png_notes(file: &mut (impl BufRead + Seek)) -> Option<PngNotes> {
    size(file)?;
    let notes = notes_before_pixels(file).ok()?;
    Some(match notes.exif {
        Some(_) => notes,
        None => PngNotes {
            exif: exif_behind_pixels(file),
            ..notes
        },
    })
}

fn notes_before_pixels(file: &mut (impl BufRead + Seek)) -> io::Result<PngNotes> {
    let mut notes = PngNotes::default();
    loop {
        let length = u32::from_be_bytes(array(file)?);
        let kind = array(file)?;
        match &kind {
            b"IDAT" | b"IEND" => return Ok(notes),
            b"iCCP" => notes.has_profile = true,
            b"sRGB" => notes.is_srgb = true,
            b"eXIf" | b"cICP" | b"gAMA" | b"cHRM" => {
                let content = read_start(file, length)?;
                let rest = i64::from(length) - i64::try_from(content.len()).unwrap_or(0);
                file.seek_relative(rest + CHECKSUM)?;
                notes.take(kind, content);
                continue;
            }
            _ => {}
        }
        file.seek_relative(i64::from(length) + CHECKSUM)?;
    }
}

impl PngNotes {
    fn take(&mut self, kind: [u8; 4], content: Vec<u8>) {
        match (&kind, &content[..]) {
            // Only RGB in full range is valid in a PNG.
            (b"cICP", &[primaries, transfer, 0, _]) => self.cicp = Some((primaries, transfer)),
            (b"gAMA", &[a, b, c, d]) => self.gamma = Some(u32::from_be_bytes([a, b, c, d])),
            (b"cHRM", places) => {
                let (numbers, _) = places.as_chunks();
                let numbers: Vec<_> = numbers
                    .iter()
                    .map(|&bytes| u32::from_be_bytes(bytes))
                    .collect();
                self.chromaticities = numbers.try_into().ok();
            }
            (b"eXIf", _) => self.exif = Some(content),
            _ => {}
        }
    }
}

/// The number of bytes at the end of a file that are searched for EXIF.
const TAIL: u64 = 16 << 10;

/// Finds EXIF behind the pixels, where some programs write it: within the last bytes of the file, in a chunk from
/// which chunks lead to the end of the picture. A walk from the start would take a step for each chunk of pixels.
fn exif_behind_pixels(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    behind_pixels(file, TAIL, *b"eXIf", |exif| Some(exif.to_vec()))
}

/// Returns what `read` makes of the first chunk of a kind within the last `length` bytes of the file.
fn behind_pixels(
    file: &mut (impl BufRead + Seek),
    length: u64,
    wanted: [u8; 4],
    read: impl Fn(&[u8]) -> Option<Vec<u8>>,
) -> Option<Vec<u8>> {
    let end = file.seek(SeekFrom::End(0)).ok()?;
    file.seek(SeekFrom::Start(end.saturating_sub(length)))
        .ok()?;
    let mut tail = Vec::new();
    file.take(length).read_to_end(&mut tail).ok()?;
    let mut windows = tail.windows(4).enumerate();
    windows.find_map(|(at, kind)| {
        let start = at.checked_sub(4).filter(|_| *kind == wanted)?;
        let found = content(&tail, start)?;
        reaches_end_chunk(&tail, start)
            .then(|| read(found))
            .flatten()
    })
}

/// The number of bytes at the end of a file that are searched for a packet, which is longer than EXIF.
const XMP_TAIL: u64 = 64 << 10;
/// The maximum length of a packet that is unpacked, in bytes.
const MAX_XMP: usize = 1 << 20;

/// Returns the XMP packet, before the pixels or behind them. `file` is at the signature.
pub(crate) fn xmp(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    size(file)?;
    loop {
        let length = u32::from_be_bytes(array(file).ok()?);
        match &array(file).ok()? {
            b"IDAT" | b"IEND" => return behind_pixels(file, XMP_TAIL, *b"iTXt", packet_in),
            b"iTXt" => {
                let text = read_start(file, length).ok()?;
                if let Some(packet) = packet_in(&text) {
                    return Some(packet);
                }
                let rest = i64::from(length) - i64::try_from(text.len()).ok()?;
                file.seek_relative(rest + CHECKSUM).ok()?;
            }
            _ => file.seek_relative(i64::from(length) + CHECKSUM).ok()?,
        }
    }
}

/// Returns the packet in an international text: a keyword, two bytes for the compression, two empty texts, and the text.
fn packet_in(text: &[u8]) -> Option<Vec<u8>> {
    let rest = text.strip_prefix(b"XML:com.adobe.xmp\0")?;
    let (&[is_packed, 0], rest) = rest.split_first_chunk()? else {
        return None;
    };
    let mut parts = rest.splitn(3, |&byte| byte == 0);
    let packet = parts.nth(2)?;
    match is_packed {
        0 => Some(packet.to_vec()),
        _ => fdeflate::decompress_to_vec_bounded(packet, MAX_XMP).ok(),
    }
}

/// Returns the content of the chunk at `start`.
fn content(bytes: &[u8], start: usize) -> Option<&[u8]> {
    let length = u32::from_be_bytes(*bytes.get(start..)?.first_chunk()?);
    let length = usize::try_from(length).ok()?;
    bytes.get(start + 8..)?.get(..length)
}

fn reaches_end_chunk(bytes: &[u8], start: usize) -> bool {
    let mut at = start;
    while let Some(content) = content(bytes, at) {
        if bytes.get(at + 4..at + 8) == Some(b"IEND") {
            return true;
        }
        at += 12 + content.len();
    }
    false
}

/// Returns the compressed colour profile.
pub(crate) fn packed_profile(file: &mut (impl BufRead + Seek)) -> Option<Vec<u8>> {
    size(file)?;
    let mut chunk = chunk(file, *b"iCCP").ok()??;
    // A name, a zero byte, and zero for the only compression method.
    let name = chunk.iter().position(|&byte| byte == 0)?;
    let packed = chunk.split_off(name + 1);
    packed.strip_prefix(&[0]).map(<[u8]>::to_vec)
}

/// Returns the picture's size in pixels, from the first chunk.
fn size(file: &mut impl BufRead) -> Option<(u32, u32)> {
    if array(file).ok()? != SIGNATURE || array(file).ok()? != *b"\0\0\0\x0dIHDR" {
        return None;
    }
    let width = u32::from_be_bytes(array(file).ok()?);
    let height = u32::from_be_bytes(array(file).ok()?);
    // Depth, colour type, compression, filter, interlacing, and the checksum.
    let _rest: [u8; 9] = array(file).ok()?;
    Some((width, height))
}

/// Returns the first chunk of a kind before the pixels.
fn chunk(file: &mut (impl BufRead + Seek), wanted: [u8; 4]) -> io::Result<Option<Vec<u8>>> {
    loop {
        let length = u32::from_be_bytes(array(file)?);
        match array(file)? {
            kind if kind == wanted => return read_start(file, length).map(Some),
            [b'I', b'D', b'A', b'T'] | [b'I', b'E', b'N', b'D'] => return Ok(None),
            _ => file.seek_relative(i64::from(length) + CHECKSUM)?,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Cursor;

    use super::*;

    /// Builds a PNG of 3 × 2 pixels that ends before its pixels, with these chunks before them.
    pub(crate) fn png_with(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        let header: &[u8] = &[0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0];
        let all = [(b"IHDR", header)]
            .into_iter()
            .chain(chunks.iter().copied());
        for (kind, content) in all.chain([(b"IDAT", &[][..])]) {
            bytes.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
            bytes.extend(kind);
            bytes.extend(content);
            // Checksums are not verified.
            bytes.extend([0; 4]);
        }
        bytes
    }

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<(u32, u32, u8)>) {
        let found = head(&mut Cursor::new(bytes));
        let found = found.map(|head| (head.width, head.height, head.orientation));
        assert_eq!(found, expected);
    }

    #[test]
    fn size_and_orientation_come_before_pixels() {
        let turned = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        check(&png_with(&[]), Some((3, 2, 1)));
        check(
            &png_with(&[(b"zTXt", &[0; 5000]), (b"eXIf", turned)]),
            Some((2, 3, 6)),
        );
        check(&png_with(&[(b"eXIf", b"nonsense")]), Some((3, 2, 1)));
    }

    #[test]
    fn orientation_may_come_behind_pixels() {
        let turned = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let chunk = |kind: &[u8; 4], content: &[u8]| {
            let length = u32::try_from(content.len()).unwrap().to_be_bytes();
            [&length[..], kind, content, &[0; 4]].concat()
        };
        let start = png_with(&[]);
        let (exif, end) = (chunk(b"eXIf", turned), chunk(b"IEND", b""));
        check(&[&start[..], &exif, &end].concat(), Some((2, 3, 6)));
        // The letters within the pixels are not a chunk.
        let pixels = chunk(b"IDAT", &exif[..exif.len() - 9]);
        check(&[&start[..], &pixels, &end].concat(), Some((3, 2, 1)));
    }

    #[test]
    fn colours_are_noted() {
        let places = [
            31_270_u32, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
        ];
        let chromaticities = places.map(u32::to_be_bytes).concat();
        let bytes = png_with(&[
            (b"cICP", &[12, 13, 0, 1]),
            (b"gAMA", &45_455_u32.to_be_bytes()),
            (b"cHRM", &chromaticities),
            (b"sRGB", &[0]),
        ]);
        let notes = png_notes(&mut Cursor::new(bytes)).unwrap();
        assert_eq!((notes.cicp, notes.gamma), (Some((12, 13)), Some(45_455)));
        assert_eq!(notes.chromaticities, Some(places));
        assert!(notes.is_srgb && !notes.has_profile);
    }

    #[test]
    fn header_that_ends_early_is_none() {
        let whole = png_with(&[(b"tEXt", b"a text")]);
        for end in 0..whole.len() - 4 {
            check(&whole[..end], None);
        }
    }
}
