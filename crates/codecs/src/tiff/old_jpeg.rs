//! Old-style JPEG (TIFF 6.0, section 22): one stream for the whole picture. Its head is in the file, or has
//! to be built from tables in the file. Its scan may be in strips.

use std::io::{Read, Seek};

use fumikura_image::{
    DecodeError,
    tiff::{Tiff, tag},
};

use super::error::damaged;
use super::layout::Layout;
use super::parts::Parts;
use super::read::bytes_at;

const SCAN: u8 = 0xDA;
/// The most segments that may precede the scan.
const MAX_SEGMENTS: usize = 1024;
/// The largest number of components of a picture whose stream is built.
const MAX_COMPONENTS: usize = 4;

/// Returns the stream of the picture, or `None` if each strip or tile is a separate stream.
pub(super) fn stream<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    layout: &Layout,
    parts: &Parts,
) -> Result<Option<Vec<u8>>, DecodeError> {
    let end = tiff.length();
    let places: Vec<_> = parts
        .places()
        .map(|(offset, length)| (offset, if length == 0 { end } else { length }))
        .collect();
    let stated = tiff.number(tag::JPEG_OFFSET)?.filter(|&offset| offset > 0);
    if let Some(offset) = stated
        && let Some(stream) = stated_stream(tiff, offset, &places)?
    {
        return Ok(Some(stream));
    }
    let &(first, _) = places.first().ok_or_else(|| damaged("it has no strips"))?;
    if bytes_at(tiff, first, 2)?.starts_with(&[0xFF, 0xD8]) {
        return Ok(None);
    }
    let mut stream = head(tiff, layout, places.len())?;
    append_scan(tiff, &places, &mut stream)?;
    Ok(Some(stream))
}

/// Returns the stream that the file names. If it is only a head, the strips follow it.
fn stated_stream<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    offset: u64,
    places: &[(u64, u64)],
) -> Result<Option<Vec<u8>>, DecodeError> {
    let stated = tiff.number(tag::JPEG_LENGTH)?.unwrap_or(0);
    let strips = places.iter().map(|&(at, length)| at.saturating_add(length));
    let behind = strips.max().unwrap_or(0);
    let is_first = places.iter().all(|&(at, _)| at >= offset);
    let length = match is_first {
        true => stated.max(behind.saturating_sub(offset)),
        false => stated,
    };
    let mut stream = bytes_at(tiff, offset, length)?;
    if !stream.starts_with(&[0xFF, 0xD8]) {
        return Ok(None);
    }
    let Some(scan) = scan(&stream) else {
        return Ok(None);
    };
    if scan >= stream.len() || !is_first {
        stream.truncate(scan);
        append_scan(tiff, places, &mut stream)?;
    }
    Ok(Some(stream))
}

/// Returns the start of the scan, behind its header.
fn scan(stream: &[u8]) -> Option<usize> {
    let mut at = 2;
    for _ in 0..MAX_SEGMENTS {
        let [0xFF, marker, high, low] = *stream.get(at..)?.first_chunk()? else {
            return None;
        };
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
        if marker == SCAN {
            return Some(at);
        }
    }
    None
}

/// Appends the strips, with a restart marker between each two.
fn append_scan<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    places: &[(u64, u64)],
    stream: &mut Vec<u8>,
) -> Result<(), DecodeError> {
    for (number, &(offset, length)) in places.iter().enumerate() {
        let strip = bytes_at(tiff, offset, length)?;
        // All strips together are no longer than the file, unless they overlap.
        if stream.len() as u64 + strip.len() as u64 > tiff.length().saturating_mul(2) {
            return Err(damaged("its strips overlap"));
        }
        let has_marker = matches!(stream[..], [.., 0xFF, 0xD0..=0xD7]);
        if number > 0 && !has_marker {
            let marker = u8::try_from((number - 1) % 8).unwrap_or(0);
            stream.extend([0xFF, 0xD0 + marker]);
        }
        stream.extend(strip);
    }
    if !stream.ends_with(&[0xFF, 0xD9]) {
        stream.extend([0xFF, 0xD9]);
    }
    Ok(())
}

/// Builds the head of a stream from the tables in the file.
fn head<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    layout: &Layout,
    strips: usize,
) -> Result<Vec<u8>, DecodeError> {
    let components = layout.samples.min(MAX_COMPONENTS);
    let mut head = vec![0xFF, 0xD8];
    for (number, offset) in tables(tiff, tag::JPEG_QUANTIZATION)? {
        let table = bytes_at(tiff, offset, 64)?;
        segment(&mut head, 0xDB, &[&[number], &table[..]].concat());
    }
    for (class, tag) in [(0, tag::JPEG_DC), (0x10, tag::JPEG_AC)] {
        for (number, offset) in tables(tiff, tag)? {
            let counts = bytes_at(tiff, offset, 16)?;
            let count = counts.iter().map(|&count| u64::from(count)).sum();
            let values = bytes_at(tiff, offset.saturating_add(16), count)?;
            segment(
                &mut head,
                0xC4,
                &[&[class + number], &counts[..], &values].concat(),
            );
        }
    }
    let side = |pixels: u32| u16::try_from(pixels).map_err(|_| damaged("a side is too long"));
    let (width, height) = (side(layout.width)?, side(layout.height)?);
    let (across, down) = match components {
        3 => subsampling(tiff)?,
        _ => (1, 1),
    };
    let mut frame = vec![8];
    frame.extend(height.to_be_bytes());
    frame.extend(width.to_be_bytes());
    let mut header = Vec::new();
    for list in [&mut frame, &mut header] {
        list.push(u8::try_from(components).unwrap_or(0));
    }
    for number in 0..u8::try_from(components).unwrap_or(0) {
        let sampling = if number == 0 {
            across << 4 | down
        } else {
            0x11
        };
        frame.extend([number + 1, sampling, number]);
        header.extend([number + 1, number << 4 | number]);
    }
    segment(&mut head, 0xC0, &frame);
    let blocks = |pixels: u32, factor: u8| pixels.div_ceil(u32::from(factor) * 8);
    let interval = match tiff.number(tag::JPEG_RESTART)?.unwrap_or(0) {
        0 if strips > 1 => blocks(layout.part.0, across) * blocks(layout.part.1, down),
        stated => u32::try_from(stated).unwrap_or(0),
    };
    if let Ok(interval @ 1..) = u16::try_from(interval) {
        segment(&mut head, 0xDD, &interval.to_be_bytes());
    }
    header.extend([0, 63, 0]);
    segment(&mut head, SCAN, &header);
    Ok(head)
}

/// Returns the numbers and the offsets of the tables that a field names.
fn tables<R: Read + Seek>(tiff: &mut Tiff<R>, tag: u16) -> Result<Vec<(u8, u64)>, DecodeError> {
    let offsets = tiff.numbers(tag, MAX_COMPONENTS)?;
    match offsets.is_empty() {
        true => Err(damaged("its JPEG tables are missing")),
        false => Ok((0..).zip(offsets).collect()),
    }
}

fn subsampling<R: Read + Seek>(tiff: &mut Tiff<R>) -> Result<(u8, u8), DecodeError> {
    Ok(match tiff.numbers(tag::YCC_SUBSAMPLING, 2)?[..] {
        [across @ 1..=4, down @ 1..=4] => {
            let factor = |pixels: u64| u8::try_from(pixels).unwrap_or(1);
            (factor(across), factor(down))
        }
        _ => (2, 2),
    })
}

fn segment(stream: &mut Vec<u8>, marker: u8, content: &[u8]) {
    let length = u16::try_from(content.len() + 2).unwrap_or(u16::MAX);
    stream.extend([0xFF, marker]);
    stream.extend(length.to_be_bytes());
    stream.extend(content);
}
