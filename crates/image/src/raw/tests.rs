//! Raw files of each maker's kind, built around a JPEG, and the previews found in them.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::*;

/// Builds a JPEG of this size.
fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let grey = vec![128; (width * height) as usize];
    JpegEncoder::new(&mut bytes)
        .write_image(&grey, width, height, ExtendedColorType::L8)
        .unwrap();
    bytes
}

/// Builds a list of numbers of 32 bits, little-endian.
fn list(entries: &[(u16, u32)], next: u32) -> Vec<u8> {
    let mut bytes = u16::try_from(entries.len()).unwrap().to_le_bytes().to_vec();
    for (tag, value) in entries {
        bytes.extend([tag.to_le_bytes(), 4_u16.to_le_bytes()].concat());
        bytes.extend([1_u32.to_le_bytes(), value.to_le_bytes()].concat());
    }
    bytes.extend(next.to_le_bytes());
    bytes
}

/// Places pieces at offsets, with nothing in between.
fn laid_out(pieces: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (at, piece) in pieces {
        assert!(bytes.len() <= *at);
        bytes.resize(*at, 0);
        bytes.extend(piece);
    }
    bytes
}

#[track_caller]
fn check(bytes: &[u8], offset: u64, size: (u32, u32), orientation: Option<Orientation>) {
    let found = preview(Cursor::new(bytes), bytes.len() as u64).unwrap();
    assert_eq!((found.width, found.height), size);
    assert_eq!((found.offset, found.orientation), (offset, orientation));
    // A JPEG cut before its end is not found.
    for length in 0..bytes.len() {
        let cut = preview(Cursor::new(&bytes[..length]), length as u64);
        let is_whole = length as u64 >= found.offset + found.length;
        assert_eq!(cut.is_ok_and(|cut| cut == found), is_whole, "{length}");
    }
}

fn length_of(jpeg: &[u8]) -> u32 {
    u32::try_from(jpeg.len()).unwrap()
}

/// NEF, ARW and PEF: a small picture in the second list, a large one in a list beneath the first.
#[test]
fn largest_preview_is_taken() {
    let (small, large) = (jpeg(16, 8), jpeg(64, 48));
    let at = 3000;
    let bytes = laid_out(&[
        (0, b"II*\0\x08\0\0\0".to_vec()),
        (8, list(&[(ORIENTED, 8), (330, 200)], 100)),
        (100, list(&[(513, 1000), (514, length_of(&small))], 0)),
        (200, list(&[(513, at), (514, length_of(&large))], 0)),
        (1000, small),
        (at as usize, large),
    ]);
    check(&bytes, 3000, (64, 48), Some(Orientation::Rotate270));
}

const ORIENTED: u16 = 274;

/// CR2: the picture is in a strip of the first list. The sensor data is a lossless JPEG.
#[test]
fn sensor_data_is_no_preview() {
    let large = jpeg(64, 48);
    let mut values = jpeg(640, 480);
    let frame = values.windows(2).position(|pair| pair == [0xFF, 0xC0]);
    values[frame.unwrap() + 1] = 0xC3;
    let strip = |at: u32, of: &[u8]| [(259, 6), (273, at), (279, length_of(of))];
    let bytes = laid_out(&[
        (0, b"II*\0\x10\0\0\0CR\x02\0\0\0\0\0".to_vec()),
        (16, list(&strip(1000, &large), 200)),
        (200, list(&strip(3000, &values), 0)),
        (1000, large),
        (3000, values),
    ]);
    check(&bytes, 1000, (64, 48), None);
}

/// RW2: the JPEG is the value of a tag.
#[test]
fn a_tag_may_hold_the_picture() {
    let large = jpeg(64, 48);
    let mut first = list(&[(46, 1000), (ORIENTED, 1)], 0);
    first[4..6].copy_from_slice(&7_u16.to_le_bytes());
    first[6..10].copy_from_slice(&length_of(&large).to_le_bytes());
    let bytes = laid_out(&[(0, b"IIU\0\x08\0\0\0".to_vec()), (8, first), (1000, large)]);
    check(&bytes, 1000, (64, 48), Some(Orientation::NoTransforms));
}

/// ORF: the maker's note has offsets of its own.
#[test]
fn a_makers_note_leads_to_the_picture() {
    let large = jpeg(64, 48);
    let mut exif = list(&[(37500, 300)], 0);
    exif[4..6].copy_from_slice(&7_u16.to_le_bytes());
    exif[6..10].copy_from_slice(&200_u32.to_le_bytes());
    let note = [b"OLYMPUS\0II\x03\0".to_vec(), list(&[(0x2020, 100)], 0)].concat();
    let settings = list(&[(0x101, 700), (0x102, length_of(&large))], 0);
    let bytes = laid_out(&[
        (0, b"IIRO\x08\0\0\0".to_vec()),
        (8, list(&[(ORIENTED, 6), (34665, 100)], 0)),
        (100, exif),
        (300, note),
        (400, settings),
        (1000, large),
    ]);
    check(&bytes, 1000, (64, 48), Some(Orientation::Rotate90));
}

#[test]
fn fujifilms_header_names_the_picture() {
    let large = jpeg(64, 48);
    let place = [1000_u32.to_be_bytes(), length_of(&large).to_be_bytes()].concat();
    let bytes = laid_out(&[
        (0, b"FUJIFILMCCD-RAW 0201".to_vec()),
        (84, place),
        (1000, large),
    ]);
    check(&bytes, 1000, (64, 48), None);
}

/// CR3: a preview in a box, and a larger one as a track.
#[test]
fn a_track_may_hold_the_picture() {
    let of = |kind: &[u8; 4], parts: &[Vec<u8>]| {
        let body = parts.concat();
        let length = u32::try_from(8 + body.len()).unwrap();
        [&length.to_be_bytes()[..], kind, &body].concat()
    };
    let (small, large) = (jpeg(16, 8), jpeg(64, 48));
    let tiff = [b"II*\0\x08\0\0\0".to_vec(), list(&[(ORIENTED, 3)], 0)].concat();
    let canon = of(b"uuid", &[vec![0x85; 16], of(b"CMT1", &[tiff])]);
    let sizes = [0, length_of(&large), 1].map(|number| number.to_be_bytes().to_vec());
    let places = [0, 1].map(|number: u32| number.to_be_bytes().to_vec());
    let table = of(
        b"stbl",
        &[
            of(b"stsz", &sizes),
            of(b"co64", &[places.concat(), 2000_u64.to_be_bytes().to_vec()]),
        ],
    );
    let track = of(b"trak", &[of(b"mdia", &[of(b"minf", &[table])])]);
    let marks = [[0xEA, 0xF4, 0x2B, 0x5E].to_vec(), vec![0; 20]].concat();
    let shown = of(b"uuid", &[marks, of(b"PRVW", &[vec![0; 16], small])]);
    let bytes = laid_out(&[
        (0, of(b"ftyp", &[b"crx \0\0\0\x01crx isom".to_vec()])),
        (24, [of(b"moov", &[canon, track]), shown].concat()),
        (2000, large),
    ]);
    check(&bytes, 2000, (64, 48), Some(Orientation::Rotate180));
}

#[test]
fn cyclic_directories_end() {
    let bytes = laid_out(&[
        (0, b"MM\0*\0\0\0\x08".to_vec()),
        (
            8,
            b"\0\x01\x01\x4a\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08".to_vec(),
        ),
    ]);
    assert!(matches!(
        preview(Cursor::new(&bytes), bytes.len() as u64),
        Err(DecodeError::UnsupportedKind(_))
    ));
}
