//! The lists of a TIFF: pictures, and the makers' additions.

use std::io::{Read, Seek};

use image::metadata::Orientation;

use super::PreviewCandidates;
use super::bounded_file::BoundedFile;
use crate::DecodeError;

// Tags.
const COMPRESSION: u16 = 259;
const STRIPS: u16 = 273;
const ORIENTATION: u16 = 274;
const STRIP_LENGTHS: u16 = 279;
const SUB_IFDS: u16 = 330;
const JPEG: u16 = 513;
const JPEG_LENGTH: u16 = 514;
const EXIF: u16 = 34665;
const MAKERS_NOTE: u16 = 37500;
/// Panasonic's tag for the JPEG itself.
const JPEG_OF_RAW: u16 = 46;
/// Olympus' tags, in its own list: a list of settings, which contains the JPEG.
const SETTINGS: u16 = 0x2020;
const PREVIEW: u16 = 0x101;
const PREVIEW_LENGTH: u16 = 0x102;

/// The compressions of old and new JPEG.
const JPEGS: [u64; 2] = [6, 7];
/// The number of lists that are read: each page of a file, and the lists beneath it.
const MAX_LISTS: usize = 24;
/// The number of entries of a list that are read.
const MAX_ENTRIES: u16 = 1000;

/// The byte order of numbers.
#[derive(Debug, Clone, Copy)]
struct Order {
    is_little: bool,
}

impl Order {
    fn short(self, bytes: [u8; 2]) -> u16 {
        match self.is_little {
            true => u16::from_le_bytes(bytes),
            false => u16::from_be_bytes(bytes),
        }
    }

    fn long(self, bytes: [u8; 4]) -> u32 {
        match self.is_little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        }
    }

    fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'I', b'I', ..] => Some(Self { is_little: true }),
            [b'M', b'M', ..] => Some(Self { is_little: false }),
            _ => None,
        }
    }
}

/// The base of offsets, and the byte order.
#[derive(Debug, Clone, Copy)]
struct Frame {
    base: u64,
    order: Order,
}

/// An entry of a list.
#[derive(Debug, Clone, Copy)]
struct RawEntry {
    tag: u16,
    /// The length of all values, in bytes.
    length: u64,
    /// The offset of the values.
    at: u64,
    /// The first value, if it is a number.
    value: u64,
}

/// The kind of a list, which decides the meaning of its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RawKind {
    First,
    Page,
    Exif,
    Maker,
    MakerSettings,
}

/// Reads the TIFF that begins at `base`.
pub(super) fn read<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    base: u64,
) -> Result<PreviewCandidates, DecodeError> {
    let head = file.exactly(base, 8)?;
    let malformed = || DecodeError::Damaged("it has no lists of pictures".into());
    let order = Order::of(&head).ok_or_else(malformed)?;
    let first = head.last_chunk().ok_or_else(malformed)?;
    let frame = Frame { base, order };
    let mut candidates = PreviewCandidates::default();
    let mut lists = vec![(frame, u64::from(order.long(*first)), RawKind::First)];
    let mut next = 0;
    while let Some(&(frame, at, kind)) = lists.get(next)
        && next < MAX_LISTS
    {
        next += 1;
        // An unreadable list contains no picture; the others may.
        let Ok((entries, following)) = list(file, frame, at) else {
            continue;
        };
        collect(file, &entries, (frame, kind), &mut candidates, &mut lists);
        if following != 0 && matches!(kind, RawKind::First | RawKind::Page) {
            lists.push((frame, following, RawKind::Page));
        }
    }
    Ok(candidates)
}

fn collect<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    entries: &[RawEntry],
    (frame, kind): (Frame, RawKind),
    candidates: &mut PreviewCandidates,
    lists: &mut Vec<(Frame, u64, RawKind)>,
) {
    let value = |tag: u16| {
        let mut entries = entries.iter();
        entries
            .find(|entry| entry.tag == tag)
            .map(|entry| entry.value)
    };
    let mut place = |offset: Option<u64>, length: Option<u64>| {
        if let (Some(offset), Some(length)) = (offset, length) {
            candidates
                .places
                .push((frame.base.saturating_add(offset), length));
        }
    };
    match kind {
        RawKind::First | RawKind::Page => {
            place(value(JPEG), value(JPEG_LENGTH));
            if value(COMPRESSION).is_some_and(|number| JPEGS.contains(&number)) {
                place(value(STRIPS), value(STRIP_LENGTHS));
            }
        }
        RawKind::MakerSettings => place(value(PREVIEW), value(PREVIEW_LENGTH)),
        RawKind::Exif | RawKind::Maker => {}
    }
    for entry in entries {
        match (kind, entry.tag) {
            (RawKind::First, ORIENTATION) => {
                let number = u8::try_from(entry.value).ok();
                candidates.orientation = number.and_then(Orientation::from_exif);
            }
            (RawKind::First, JPEG_OF_RAW) => candidates.places.push((entry.at, entry.length)),
            (RawKind::First | RawKind::Page, SUB_IFDS) => {
                let numbers = longs(file, frame, entry);
                lists.extend(numbers.into_iter().map(|at| (frame, at, RawKind::Page)));
            }
            (RawKind::First, EXIF) => lists.push((frame, entry.value, RawKind::Exif)),
            (RawKind::Exif, MAKERS_NOTE) => lists.extend(olympus(file, entry)),
            (RawKind::Maker, SETTINGS) => lists.push((frame, entry.value, RawKind::MakerSettings)),
            _ => {}
        }
    }
}

/// Returns the list in Olympus' note. Its offsets count from the start of the note.
fn olympus<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    note: &RawEntry,
) -> Option<(Frame, u64, RawKind)> {
    let head = file.up_to(note.at, 16).ok()?;
    let (order, list) = if head.starts_with(b"OLYMPUS\0") {
        (Order::of(head.get(8..)?)?, 12)
    } else if head.starts_with(b"OM SYSTEM\0") {
        (Order::of(head.get(12..)?)?, 16)
    } else {
        return None;
    };
    let base = note.at;
    Some((Frame { base, order }, list, RawKind::Maker))
}

/// Returns the entries of a list, and the offset of the next one.
fn list<R: Read + Seek>(
    file: &mut BoundedFile<R>,
    frame: Frame,
    at: u64,
) -> Result<(Vec<RawEntry>, u64), DecodeError> {
    const ENTRY: usize = 12;
    let start = frame.base.saturating_add(at);
    let count = file.exactly(start, 2)?;
    let count = count
        .first_chunk()
        .map_or(0, |bytes| frame.order.short(*bytes));
    let count = usize::from(count.min(MAX_ENTRIES));
    let bytes = file.up_to(start.saturating_add(2), count * ENTRY + 4)?;
    let (entries, rest) = bytes.split_at(bytes.len().min(count * ENTRY));
    let next = rest
        .first_chunk()
        .map_or(0, |bytes| frame.order.long(*bytes));
    let entries = entries
        .chunks_exact(ENTRY)
        .zip(0_u64..)
        .filter_map(|(bytes, number)| {
            let place = start.saturating_add(2 + number * ENTRY as u64);
            entry(bytes, place, frame)
        })
        .collect();
    Ok((entries, next.into()))
}

fn entry(bytes: &[u8], place: u64, frame: Frame) -> Option<RawEntry> {
    const SHORT: u16 = 3;
    let order = frame.order;
    let short = |at: usize| Some(order.short(*bytes.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(order.long(*bytes.get(at..)?.first_chunk()?));
    let (tag, kind, count, field) = (short(0)?, short(2)?, long(4)?, long(8)?);
    let size = match kind {
        1 | 2 | 6 | 7 => 1,
        SHORT | 8 => 2,
        // Olympus' type 13 is an offset.
        4 | 9 | 11 | 13 => 4,
        5 | 10 | 12 => 8,
        _ => return None,
    };
    let length = u64::from(count) * size;
    let is_inside = length <= 4;
    let value = match kind {
        SHORT if is_inside => short(8)?.into(),
        _ => field.into(),
    };
    Some(RawEntry {
        tag,
        length,
        at: match is_inside {
            true => place.saturating_add(8),
            false => frame.base.saturating_add(field.into()),
        },
        value,
    })
}

/// Returns numbers of 32 bits, at most as many as the limit of lists.
fn longs<R: Read + Seek>(file: &mut BoundedFile<R>, frame: Frame, entry: &RawEntry) -> Vec<u64> {
    let count = usize::try_from(entry.length).unwrap_or(usize::MAX);
    let bytes = file.up_to(entry.at, count.min(MAX_LISTS * 4));
    let bytes = bytes.unwrap_or_default();
    let (numbers, _) = bytes.as_chunks();
    let read = |bytes: &[u8; 4]| u64::from(frame.order.long(*bytes));
    numbers.iter().map(read).collect()
}
