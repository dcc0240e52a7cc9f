//! Canon's CR3: boxes like those of a movie, in which the JPEG is a track of one frame.

use std::io::{Read, Seek};

use super::bounded_file::BoundedFile;
use super::{MAX_PLACES, PreviewCandidates, tiff};
use crate::DecodeError;

/// The number of boxes that are read, and the limit of their nesting.
const MAX_BOXES: usize = 512;
const MAX_NESTING: usize = 8;

/// A part of the file that contains boxes.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
    depth: usize,
}

pub(super) fn read<R: Read + Seek>(
    file: &mut BoundedFile<R>,
) -> Result<PreviewCandidates, DecodeError> {
    let mut candidates = PreviewCandidates::default();
    let mut spans = vec![Span {
        start: 0,
        end: file.length(),
        depth: 0,
    }];
    // The first frame of a track has its offset and its length in two adjacent boxes.
    let (mut offset, mut length) = (None, None);
    for _ in 0..MAX_BOXES {
        let Some(span) = spans.pop() else { break };
        if span.end.saturating_sub(span.start) < 8 || span.depth > MAX_NESTING {
            continue;
        }
        let Some((kind, body, end)) = next_box(file, span)? else {
            continue;
        };
        spans.push(Span { start: end, ..span });
        let inside = |skipped: u64| Span {
            start: body.saturating_add(skipped),
            end,
            depth: span.depth + 1,
        };
        match &kind {
            b"moov" | b"trak" | b"mdia" | b"minf" => spans.push(inside(0)),
            b"stbl" => {
                (offset, length) = (None, None);
                spans.push(inside(0));
            }
            // There are two kinds: with boxes at once, and with eight bytes before them.
            b"uuid" => {
                let is_preview = file.up_to(body, 4)? == [0xEA, 0xF4, 0x2B, 0x5E];
                spans.push(inside(if is_preview { 24 } else { 16 }));
            }
            // A TIFF with properties of the whole file.
            b"CMT1" => candidates.orientation = tiff::read(file, body)?.orientation,
            // The JPEG is preceded by 16 bytes.
            b"PRVW" => candidates
                .places
                .push((body + 16, end.saturating_sub(body + 16))),
            b"stsz" => length = frame_length(&file.up_to(body, 16)?),
            b"co64" => offset = frame_offset(&file.up_to(body, 16)?),
            _ => {}
        }
        if let (Some(at), Some(of)) = (offset, length)
            && candidates.places.len() < MAX_PLACES
        {
            candidates.places.push((at, of));
            (offset, length) = (None, None);
        }
    }
    Ok(candidates)
}

/// Returns the kind of the first box in the span, and the start and end of its content.
fn next_box<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    span: Span,
) -> Result<Option<([u8; 4], u64, u64)>, DecodeError> {
    let head = file.up_to(span.start, 16)?;
    let [a, b, c, d, e, f, g, h, long @ ..] = &head[..] else {
        return Ok(None);
    };
    let (length, before) = match (u32::from_be_bytes([*a, *b, *c, *d]), long.first_chunk()) {
        (1, Some(long)) => (u64::from_be_bytes(*long), 16),
        (0, _) => (span.end - span.start, 8),
        (length, _) => (u64::from(length), 8),
    };
    let end = span.start.saturating_add(length);
    if length < before || end > span.end {
        return Ok(None);
    }
    Ok(Some(([*e, *f, *g, *h], span.start + before, end)))
}

/// Returns the common length of all frames, or the length of the first.
fn frame_length(body: &[u8]) -> Option<u64> {
    let long = |at: usize| Some(u32::from_be_bytes(*body.get(at..)?.first_chunk()?));
    match long(4)? {
        0 => long(12).map(u64::from),
        length => Some(length.into()),
    }
}

fn frame_offset(body: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(*body.get(8..)?.first_chunk()?))
}
