//! The texts that programs and cameras write into pictures: XMP packets, the datasets of IPTC, and fields of EXIF. They
//! are found in each container, and not interpreted.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use exif::{Context, Exif, In, Tag, Value};

use crate::exif_metadata::text_in;
use crate::formats::{TextPlace, kind_of};
use crate::guard::guarded;
use crate::header::{BUDGET, STEP, jxl, png, webp};
use crate::isobmff::Container;
use crate::tiff::{Tiff, tag};
use crate::window::Window;
use crate::{DecodeError, isobmff};

/// The maximum length of a packet, or of the datasets, in bytes. Those with the history of a picture have some 100 KiB.
const MAX_LENGTH: usize = 1 << 20;
/// The number of bytes that are read of a JPEG at once: its segments are at the start.
const JPEG_STEP: usize = 64 << 10;
/// The maximum number of segments of a JPEG before its pixels.
const MAX_SEGMENTS: usize = 500;

/// The texts in a picture, as they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextMetadata {
    /// The XMP packet.
    pub xmp: Option<Vec<u8>>,
    /// The datasets of IPTC-IIM.
    pub iptc: Option<Vec<u8>>,
}

/// The texts that Windows and cameras write into EXIF.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExifTexts {
    /// 0 to 5 stars, as Windows writes them.
    pub rating: Option<u32>,
    /// Keywords separated by semicolons.
    pub keywords: Option<String>,
    pub title: Option<String>,
    pub caption: Option<String>,
}

impl TextMetadata {
    /// Reads the texts of a file of `length` bytes. None are found in a file that can't be read.
    #[must_use]
    pub fn read(file: File, length: u64) -> Self {
        guarded(|| read(file, length)).unwrap_or_default()
    }
}

impl ExifTexts {
    pub(crate) fn of(exif: &Exif) -> Self {
        let windows = |number| utf16_in(exif, Tag(Context::Tiff, number));
        let caption = text_in(exif, Tag::ImageDescription);
        Self {
            rating: exif
                .get_field(Tag(Context::Tiff, RATING), In::PRIMARY)
                .and_then(|field| field.value.get_uint(0)),
            keywords: windows(XP_KEYWORDS),
            title: windows(XP_TITLE),
            caption: caption.or_else(|| windows(XP_COMMENT)),
        }
    }
}

// Fields of Windows.
const RATING: u16 = 0x4746;
const XP_TITLE: u16 = 0x9C9B;
const XP_COMMENT: u16 = 0x9C9C;
const XP_KEYWORDS: u16 = 0x9C9E;

/// Returns a text of Windows: UTF-16 with the lower byte first, in a field of bytes.
fn utf16_in(exif: &Exif, tag: Tag) -> Option<String> {
    let Value::Byte(bytes) = &exif.get_field(tag, In::PRIMARY)?.value else {
        return None;
    };
    let (units, _) = bytes.as_chunks();
    let units: Vec<_> = units
        .iter()
        .map(|&unit| u16::from_le_bytes(unit))
        .take_while(|&unit| unit != 0)
        .collect();
    let text = String::from_utf16(&units).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn read(file: File, length: u64) -> Result<TextMetadata, DecodeError> {
    let mut file = Window::new(file, length, BUDGET);
    let kind = kind_of(&mut file)?;
    let place = kind.facts().text;
    let step = if place == TextPlace::Segments {
        JPEG_STEP
    } else {
        STEP
    };
    let mut file = BufReader::with_capacity(step, file);
    let only_xmp = |xmp: Option<Vec<u8>>| TextMetadata {
        xmp: xmp.filter(|packet| packet.len() <= MAX_LENGTH),
        iptc: None,
    };
    Ok(match place {
        TextPlace::Segments => segments(&mut file)?,
        TextPlace::PngChunk => only_xmp(png::xmp(&mut file)),
        TextPlace::WebpChunk => only_xmp(webp::xmp(&mut file)),
        TextPlace::Item => only_xmp(item(&mut file)?),
        TextPlace::JxlBox => only_xmp(jxl::xmp(&mut file, MAX_LENGTH as u64)),
        TextPlace::Directory => directory(file, length)?,
        TextPlace::Nowhere => TextMetadata::default(),
    })
}

const XMP_SEGMENT: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP_SEGMENT: &[u8] = b"Photoshop 3.0\0";

/// Reads the segments of a JPEG up to its pixels.
fn segments(file: &mut (impl BufRead + Seek)) -> io::Result<TextMetadata> {
    const APP1: u8 = 0xE1;
    const APP13: u8 = 0xED;
    let mut found = TextMetadata::default();
    file.seek_relative(2)?;
    for _ in 0..MAX_SEGMENTS {
        let mut head = [0; 4];
        if !read_whole(file, &mut head)? {
            break;
        }
        let [0xFF, marker, a, b] = head else { break };
        let Some(length) = u16::from_be_bytes([a, b]).checked_sub(2) else {
            break;
        };
        match marker {
            // The pixels, and the end.
            0xDA | 0xD9 => break,
            APP1 | APP13 => {
                let mut content = vec![0; usize::from(length)];
                if !read_whole(file, &mut content)? {
                    break;
                }
                if let Some(packet) = content.strip_prefix(XMP_SEGMENT) {
                    found.xmp.get_or_insert_with(|| packet.to_vec());
                } else if let Some(resources) = content.strip_prefix(PHOTOSHOP_SEGMENT) {
                    found.iptc = found.iptc.or_else(|| iptc_in(resources));
                }
            }
            _ => file.seek_relative(length.into())?,
        }
        if found.xmp.is_some() && found.iptc.is_some() {
            break;
        }
    }
    Ok(found)
}

/// Fills the buffer. Returns false if the file ends before.
fn read_whole(file: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns the datasets of IPTC in the resources of Photoshop: each has a signature, a number, a name and a length.
fn iptc_in(mut resources: &[u8]) -> Option<Vec<u8>> {
    const IPTC: [u8; 2] = [0x04, 0x04];
    loop {
        let rest = resources.strip_prefix(b"8BIM")?;
        let (number, rest) = rest.split_first_chunk::<2>()?;
        // The name and its length are padded together to an even number of bytes.
        let name = usize::from(*rest.first()?);
        let rest = rest.get(name + 1 + (name + 1) % 2..)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let content = rest.get(..length)?;
        if *number == IPTC {
            return Some(content.to_vec());
        }
        resources = rest.get(length + length % 2..)?;
    }
}

/// Reads the item of a container that is the packet.
fn item(file: &mut (impl Read + Seek)) -> Result<Option<Vec<u8>>, DecodeError> {
    let container = Container::read(&mut *file, BUDGET)?;
    let Some(item) = container.xmp() else {
        return Ok(None);
    };
    Ok(item.read(file, MAX_LENGTH as u64)?)
}

/// Reads the fields of a TIFF or a camera's file.
fn directory(mut file: impl BufRead + Seek, length: u64) -> Result<TextMetadata, DecodeError> {
    if file.fill_buf()?.get(4..8) == Some(b"ftyp") {
        file.seek(SeekFrom::Start(0))?;
        let xmp = isobmff::uuid_box(&mut file, &CANON_XMP, MAX_LENGTH as u64)?;
        return Ok(TextMetadata { xmp, iptc: None });
    }
    let mut tiff = Tiff::read(file, length)?;
    Ok(TextMetadata {
        xmp: tiff.bytes(tag::XMP, MAX_LENGTH as u64)?,
        iptc: tiff.bytes(tag::IPTC, MAX_LENGTH as u64)?,
    })
}

/// The identifier of the box with the packet in a Canon CR3, as in MP4 (XMP part 3).
const CANON_XMP: [u8; 16] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
];

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const PACKET: &[u8] = b"<x:xmpmeta/>";

    #[track_caller]
    fn check(bytes: &[u8], xmp: bool, iptc: Option<&[u8]>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.rewind().unwrap();
        let found = TextMetadata::read(file, bytes.len() as u64);
        assert_eq!(found.xmp.as_deref(), xmp.then_some(PACKET));
        assert_eq!(found.iptc.as_deref(), iptc);
    }

    fn segment(marker: u8, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xFF, marker], &length[..], &content].concat()
    }

    #[test]
    fn segments_of_jpeg_have_packet_and_datasets() {
        let resources: &[u8] = b"8BIM\x03\xed\0\0\0\0\0\x01x\08BIM\x04\x04\x03abc\0\0\0\x04iptc";
        let bytes = [
            &[0xFF, 0xD8][..],
            &segment(0xE0, &[b"JFIF\0"]),
            &segment(0xE1, &[b"Exif\0\0II*\0"]),
            &segment(0xE1, &[XMP_SEGMENT, PACKET]),
            &segment(0xED, &[PHOTOSHOP_SEGMENT, resources]),
            &segment(0xDA, &[&[0; 6]]),
        ]
        .concat();
        check(&bytes, true, Some(b"iptc"));
        for end in 0..bytes.len() {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes[..end]).unwrap();
            file.rewind().unwrap();
            let found = TextMetadata::read(file, end as u64);
            assert!(found.xmp.is_none_or(|packet| packet == PACKET));
        }
        // A packet behind the pixels is not one.
        let late = [&bytes[..2], &segment(0xDA, &[&[0; 6]]), &bytes[2..]].concat();
        check(&late, false, None);
    }

    #[test]
    fn packet_in_png_is_before_or_behind_pixels() {
        let content = [b"XML:com.adobe.xmp\0\0\0\0\0", PACKET].concat();
        let other = [b"Comment\0\0\0\0\0", PACKET].concat();
        let before = png::tests::png_with(&[(b"iTXt", &other), (b"iTXt", &content)]);
        check(&before, true, None);
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        let behind = [
            &png::tests::png_with(&[]),
            &length[..],
            b"iTXt",
            &content,
            &[0; 4],
            b"\0\0\0\0IEND\0\0\0\0",
        ]
        .concat();
        check(&behind, true, None);
        let packed = fdeflate::compress_to_vec(PACKET);
        let content = [b"XML:com.adobe.xmp\0\x01\0\0\0", &packed[..]].concat();
        check(&png::tests::png_with(&[(b"iTXt", &content)]), true, None);
        check(&png::tests::png_with(&[]), false, None);
    }

    #[test]
    fn packet_of_webp_follows_its_pixels() {
        let chunk = |kind: &[u8; 4], content: &[u8]| {
            let length = u32::try_from(content.len()).unwrap().to_le_bytes();
            [kind, &length[..], content, &[0][..content.len() % 2]].concat()
        };
        let all = [
            b"WEBP".to_vec(),
            chunk(b"VP8X", &[4, 0, 0, 0, 2, 0, 0, 1, 0, 0]),
            chunk(b"VP8 ", &[0; 31]),
            chunk(b"XMP ", PACKET),
        ]
        .concat();
        let length = u32::try_from(all.len()).unwrap().to_le_bytes();
        check(&[b"RIFF", &length[..], &all].concat(), true, None);
    }

    #[test]
    fn fields_of_tiff_may_be_anywhere() {
        let mut bytes = b"II*\0".to_vec();
        let directory = 8 + PACKET.len() + 4;
        bytes.extend(u32::try_from(directory).unwrap().to_le_bytes());
        bytes.extend(PACKET);
        bytes.extend(b"iptc");
        bytes.extend(2_u16.to_le_bytes());
        let mut field = |tag: u16, kind: u16, count: usize, at: usize| {
            bytes.extend(tag.to_le_bytes());
            bytes.extend(kind.to_le_bytes());
            bytes.extend(u32::try_from(count).unwrap().to_le_bytes());
            bytes.extend(u32::try_from(at).unwrap().to_le_bytes());
        };
        field(700, 1, PACKET.len(), 8);
        // Some programs declare the datasets as numbers of four bytes: here they fit into the field itself.
        field(33723, 4, 1, usize::from_str_radix("63747069", 16).unwrap());
        bytes.extend([0; 4]);
        check(&bytes, true, Some(b"iptc"));
    }

    #[test]
    fn packet_of_jxl_is_in_a_box() {
        let boxes: &[u8] =
            b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl \0\0\0\0jxl \0\0\0\x14xml <x:xmpmeta/>\
            \0\0\0\0jxlc";
        check(boxes, true, None);
    }
}
