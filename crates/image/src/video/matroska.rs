//! Matroska and WebM (RFC 9559): the elements `Info` and `Tracks` of the segment, which precede the frames.

use std::io::{Read, Seek, SeekFrom};

use jiff::{SignedDuration, Timestamp};

use super::{MAX_ELEMENTS, VideoHead};

const EBML: u32 = 0x1A45_DFA3;
const DOC_TYPE: u32 = 0x4282;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
const DURATION: u32 = 0x4489;
const DATE_UTC: u32 = 0x4461;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK_ENTRY: u32 = 0xAE;
const VIDEO: u32 = 0xE0;
const PIXEL_WIDTH: u32 = 0xB0;
const PIXEL_HEIGHT: u32 = 0xBA;
const CLUSTER: u32 = 0x1F43_B675;

/// Nanoseconds of a unit of time, if the file does not state it.
const DEFAULT_SCALE: u64 = 1_000_000;

/// Midnight of 1 January 2001, UTC.
const EPOCH: Timestamp = Timestamp::constant(978_307_200, 0);

/// The id of an element, and the position at which its contents end.
struct Element {
    id: u32,
    start: u64,
    end: u64,
}

/// Returns the document type of a file by its first bytes: `webm`, or `matroska`; `None` for other files.
pub(crate) fn webm_or_matroska(head: &[u8]) -> Option<&'static str> {
    let mut file = std::io::Cursor::new(head);
    let header = next(&mut file, u64::MAX).filter(|one| one.id == EBML)?;
    let mut found = None;
    each(&mut file, header.end, |file, one| {
        if one.id == DOC_TYPE {
            let text = contents(file, one)?;
            let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
            found = ["webm", "matroska"]
                .into_iter()
                .find(|known| known.as_bytes() == text);
        }
        Some(())
    });
    found
}

/// Reads the segment's header.
pub(crate) fn matroska(mut file: impl Read + Seek) -> Option<VideoHead> {
    let header = next(&mut file, u64::MAX).filter(|one| one.id == EBML)?;
    file.seek(SeekFrom::Start(header.end)).ok()?;
    let segment = next(&mut file, u64::MAX).filter(|one| one.id == SEGMENT)?;
    let mut head = VideoHead::default();
    each(&mut file, segment.end, |file, one| {
        match one.id {
            INFO => read_info(file, one, &mut head),
            TRACKS => each(file, one.end, |file, one| {
                if one.id == TRACK_ENTRY && head.size.is_none() {
                    each(file, one.end, |file, one| {
                        if one.id == VIDEO {
                            read_video(file, one, &mut head);
                        }
                        Some(())
                    });
                }
                Some(())
            }),
            CLUSTER => return None,
            _ => {}
        }
        Some(())
    });
    Some(head)
}

fn read_info(file: &mut (impl Read + Seek), info: &Element, head: &mut VideoHead) {
    let (mut scale, mut duration) = (DEFAULT_SCALE, None);
    each(file, info.end, |file, one| {
        match one.id {
            TIMESTAMP_SCALE => scale = integer(&contents(file, one)?),
            DURATION => {
                let bytes = contents(file, one)?;
                duration = match bytes[..] {
                    [a, b, c, d] => Some(f32::from_be_bytes([a, b, c, d]).into()),
                    [a, b, c, d, e, f, g, h] => Some(f64::from_be_bytes([a, b, c, d, e, f, g, h])),
                    _ => None,
                };
            }
            DATE_UTC => {
                let nanoseconds = <[u8; 8]>::try_from(contents(file, one)?).ok()?;
                let nanoseconds = i64::from_be_bytes(nanoseconds);
                head.set_taken(EPOCH, SignedDuration::from_nanos(nanoseconds));
            }
            _ => {}
        }
        Some(())
    });
    if let Some(duration) = duration {
        #[expect(clippy::cast_precision_loss, reason = "a rounded duration is as good")]
        head.set_duration(duration * scale as f64 / 1_000_000_000.0);
    }
}

fn read_video(file: &mut (impl Read + Seek), video: &Element, head: &mut VideoHead) {
    let [mut width, mut height] = [0; 2];
    each(file, video.end, |file, one| {
        match one.id {
            PIXEL_WIDTH => width = integer(&contents(file, one)?),
            PIXEL_HEIGHT => height = integer(&contents(file, one)?),
            _ => {}
        }
        Some(())
    });
    if let (Ok(width @ 1..), Ok(height @ 1..)) = (u32::try_from(width), u32::try_from(height)) {
        head.size = Some((width, height));
    }
}

/// Calls a function with each element before `end`, at its contents, until it returns `None`.
fn each<F: Read + Seek>(
    file: &mut F,
    end: u64,
    mut work: impl FnMut(&mut F, &Element) -> Option<()>,
) {
    for _ in 0..MAX_ELEMENTS {
        let Some(one) = next(file, end) else {
            return;
        };
        if work(file, &one).is_none() || file.seek(SeekFrom::Start(one.end)).is_err() {
            return;
        }
    }
}

/// Reads the head of the next element before `end`.
fn next(file: &mut (impl Read + Seek), end: u64) -> Option<Element> {
    if file.stream_position().ok()? >= end {
        return None;
    }
    let (id, _) = number(file, 4, false)?;
    let (size, is_unknown) = number(file, 8, true)?;
    let start = file.stream_position().ok()?;
    let own_end = match is_unknown {
        // A stream does not know its length.
        true => end,
        false => start.checked_add(size)?.min(end),
    };
    // The head itself may reach beyond the end of what contains it.
    (own_end >= start).then_some(Element {
        id: u32::try_from(id).ok()?,
        start,
        end: own_end,
    })
}

/// Reads a number whose length is coded by its leading zeros, with or without the marker of the length. Also returns
/// true if all its bits are ones: an unknown size.
fn number(file: &mut impl Read, max_length: u32, without_marker: bool) -> Option<(u64, bool)> {
    let mut first = [0];
    file.read_exact(&mut first).ok()?;
    let length = first[0].leading_zeros() + 1;
    if length > max_length {
        return None;
    }
    let marker = 0x80_u8 >> (length - 1);
    let bits = first[0] & (marker - 1);
    let mut value = u64::from(if without_marker { bits } else { first[0] });
    let mut is_unknown = bits == marker - 1;
    for _ in 1..length {
        let mut byte = [0];
        file.read_exact(&mut byte).ok()?;
        value = value << 8 | u64::from(byte[0]);
        is_unknown &= byte[0] == 0xFF;
    }
    Some((value, is_unknown))
}

/// Reads the contents of a small element; `None` for another one.
fn contents(file: &mut impl Read, element: &Element) -> Option<Vec<u8>> {
    let length = usize::try_from(element.end - element.start).ok()?;
    if length > 64 {
        return None;
    }
    let mut bytes = vec![0; length];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

fn integer(bytes: &[u8]) -> u64 {
    let last = bytes.iter().rev().take(8).rev();
    last.fold(0, |value, &byte| value << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use super::*;

    /// 20 November 2026, 9:30 UTC.
    const DATE: i64 = 816_859_800_000_000_000;

    fn of(id: u32, body: &[u8]) -> Vec<u8> {
        let id = id.to_be_bytes();
        let id = &id[id.iter().position(|&byte| byte != 0).unwrap()..];
        let length = u32::try_from(body.len()).unwrap() | 0x1000_0000;
        [id, &length.to_be_bytes(), body].concat()
    }

    fn sample(doc_type: &[u8], duration: &[u8]) -> Vec<u8> {
        let header = of(EBML, &[of(0x4286, &[1]), of(DOC_TYPE, doc_type)].concat());
        let info = of(
            INFO,
            &[
                of(TIMESTAMP_SCALE, &1_000_000_u32.to_be_bytes()),
                of(DURATION, duration),
                of(DATE_UTC, &DATE.to_be_bytes()),
            ]
            .concat(),
        );
        let video = of(
            VIDEO,
            &[of(PIXEL_WIDTH, &[5, 0]), of(PIXEL_HEIGHT, &[2, 208])].concat(),
        );
        let sound = of(TRACK_ENTRY, &of(0xE1, &[]));
        let tracks = of(TRACKS, &[sound, of(TRACK_ENTRY, &video)].concat());
        let cluster = of(CLUSTER, &[0; 300]);
        // A segment of unknown length, as in a stream.
        let segment = [&SEGMENT.to_be_bytes()[..], &[0x01], &[0xFF; 7]].concat();
        [header, segment, info, tracks, cluster].concat()
    }

    #[test]
    fn duration_and_size_are_read() {
        for duration in [
            &3_723_500.0_f64.to_be_bytes()[..],
            &3_723_500.0_f32.to_be_bytes(),
        ] {
            let bytes = sample(b"matroska", duration);
            assert_eq!(webm_or_matroska(&bytes), Some("matroska"));
            let head = matroska(Cursor::new(&bytes)).unwrap();
            assert_eq!(head.duration, Some(Duration::from_millis(3_723_500)));
            assert_eq!(head.size, Some((1280, 720)));
            let taken = head.taken.unwrap().to_string();
            assert_eq!(taken, "2026-11-20T09:30:00Z");
        }
        assert_eq!(webm_or_matroska(&sample(b"webm\0", &[])), Some("webm"));
        assert_eq!(webm_or_matroska(&sample(b"other", &[])), None);
        assert_eq!(webm_or_matroska(b"\x1A\x45\xDF\xA3"), None);
    }

    #[test]
    fn any_cut_and_any_byte_ends() {
        let bytes = sample(b"webm", &f64::NAN.to_be_bytes());
        assert_eq!(matroska(Cursor::new(&bytes)).unwrap().duration, None);
        for at in 0..bytes.len() {
            let _ends = matroska(Cursor::new(&bytes[..at]));
            for value in [0, 1, 0x80, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let _ends = matroska(Cursor::new(&damaged));
            }
        }
    }
}
