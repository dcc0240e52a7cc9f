//! Detection of the kind of a picture by its first bytes. The name of the file is never used.

mod markup;
mod raw;

pub(crate) use markup::{is_packed_svg, is_svg};
pub(crate) use raw::is_raw;

use crate::video::webm_or_matroska;

/// The number of bytes read from the start of a file. A raw file's first directory and a drawing's first
/// element are within, behind anything that may precede them.
pub const SNIFFED: usize = 4096;

pub(crate) fn is_jpeg(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xd8\xff")
}

pub(crate) fn is_png(head: &[u8]) -> bool {
    head.starts_with(b"\x89PNG\r\n\x1a\n")
}

pub(crate) fn is_gif(head: &[u8]) -> bool {
    head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a")
}

pub(crate) fn is_webp(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP")
}

pub(crate) fn is_jxl(head: &[u8]) -> bool {
    head.starts_with(b"\xff\x0a") || head.starts_with(b"\0\0\0\x0cJXL \r\n\x87\n")
}

/// True for a TIFF or `BigTIFF` that is not a camera's raw file.
pub(crate) fn is_tiff(head: &[u8]) -> bool {
    matches!(
        head,
        [b'I', b'I', b'*' | b'+', 0, ..] | [b'M', b'M', 0, b'*' | b'+', ..]
    ) && !is_raw(head)
}

/// True for a bitmap. “BM” alone begins many texts, so the reserved four bytes must be zero and the header's
/// size one of those that exist.
pub(crate) fn is_bitmap(head: &[u8]) -> bool {
    head.starts_with(b"BM")
        && head.get(6..10) == Some(&[0; 4])
        && matches!(head.get(14..18), Some([12 | 16..=64 | 108 | 124, 0, 0, 0]))
}

/// True for an icon. Its first four bytes begin many other files too, so the first entry must be that of a
/// picture in the file behind the entries.
pub(crate) fn is_icon(head: &[u8]) -> bool {
    let Some((&[0, 0, 1, 0, few, 0, entry @ ..], _)) = head.split_first_chunk::<22>() else {
        return false;
    };
    let number =
        |at: usize| u32::from_le_bytes([entry[at], entry[at + 1], entry[at + 2], entry[at + 3]]);
    let behind_entries = 6 + 16 * u32::from(few);
    let (planes, bits) = (entry[4], entry[6]);
    few > 0
        && entry[3] == 0
        && planes <= 1
        && matches!(bits, 0 | 1 | 4 | 8 | 16 | 24 | 32)
        && [entry[5], entry[7]] == [0; 2]
        && number(8) > 0
        && number(12) >= behind_entries
}

/// True for an AVIF, also one whose major brand is another.
pub(crate) fn is_avif(head: &[u8]) -> bool {
    brands(head).any(|brand| brand == b"avif" || brand == b"avis")
}

pub(crate) fn is_heif(head: &[u8]) -> bool {
    let is_known = |brand: &[u8]| {
        matches!(
            brand,
            b"heic" | b"heix" | b"heim" | b"heis" | b"hevc" | b"hevx" | b"mif1" | b"msf1"
        )
    };
    brands(head).any(is_known) && !is_avif(head) && !is_raw(head)
}

/// True for an MP4 with a video.
pub(crate) fn is_mp4(head: &[u8]) -> bool {
    let is_known = |brand: &[u8]| {
        matches!(
            brand,
            b"isom"
                | b"iso2"
                | b"iso4"
                | b"iso5"
                | b"iso6"
                | b"mp41"
                | b"mp42"
                | b"avc1"
                | b"dash"
                | b"MSNV"
                | b"M4V "
                | b"M4VH"
                | b"M4VP"
                | b"mmp4"
                | b"3gp4"
                | b"3gp5"
                | b"3gp6"
        )
    };
    let is_other = |brand: &[u8]| matches!(brand, b"qt  " | b"M4A " | b"M4B " | b"M4P ");
    let is_picture = || is_heif(head) || is_avif(head) || is_raw(head);
    brands(head).any(is_known) && !brands(head).take(1).any(is_other) && !is_picture()
}

/// True for a QuickTime video. Old ones have no list of brands.
pub(crate) fn is_quicktime(head: &[u8]) -> bool {
    let is_old = matches!(head.get(4..8), Some(b"moov" | b"mdat" | b"wide"));
    is_old || brands(head).take(1).any(|brand| brand == b"qt  ") && !is_raw(head)
}

pub(crate) fn is_webm(head: &[u8]) -> bool {
    webm_or_matroska(head) == Some("webm")
}

pub(crate) fn is_matroska(head: &[u8]) -> bool {
    webm_or_matroska(head) == Some("matroska")
}

pub(crate) fn is_avi(head: &[u8]) -> bool {
    head.starts_with(b"RIFF") && head.get(8..12) == Some(b"AVI ")
}

/// Returns the brands with which an ISO base media file complies, which its first box lists; none for other files.
pub(crate) fn brands(head: &[u8]) -> impl Iterator<Item = &[u8]> {
    let box_size = head
        .first_chunk()
        .map_or(0, |size| u32::from_be_bytes(*size));
    let end = usize::try_from(box_size).map_or(head.len(), |end| end.min(head.len()));
    let is_container = head.get(4..8) == Some(b"ftyp");
    // The major brand, a version number (which equals no brand), the other brands.
    let listed = head.get(8..end).filter(|_| is_container);
    listed.unwrap_or_default().chunks_exact(4)
}
