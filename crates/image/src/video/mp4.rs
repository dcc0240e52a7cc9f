//! MP4 and QuickTime (ISO/IEC 14496-12): the boxes `mvhd` and `tkhd` in `moov`, which may be at the end of the file.

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;
use jiff::{SignedDuration, Timestamp};

use super::{MAX_ELEMENTS, VideoHead};

/// Midnight of 1 January 1904, UTC.
const EPOCH: Timestamp = Timestamp::constant(-2_082_844_800, 0);

/// The kind of a box, and the position at which its contents end.
struct BoxHead {
    kind: [u8; 4],
    end: u64,
}

/// Reads the movie's header. `None` if the file has none, for example because it is cut off before it.
pub(crate) fn mp4(mut file: impl Read + Seek) -> Option<VideoHead> {
    let end = find(&mut file, u64::MAX, *b"moov")?;
    let mut head = VideoHead::default();
    for _ in 0..MAX_ELEMENTS {
        let Some(one) = next(&mut file, end) else {
            break;
        };
        match &one.kind {
            b"mvhd" => read_times(&mut file, &mut head),
            b"trak" if head.size.is_none() => read_track(&mut file, one.end, &mut head),
            _ => Some(()),
        };
        file.seek(SeekFrom::Start(one.end)).ok()?;
    }
    Some(head)
}

/// Goes to the contents of the next box of a kind, and returns the position of their end.
fn find(file: &mut (impl Read + Seek), end: u64, kind: [u8; 4]) -> Option<u64> {
    for _ in 0..MAX_ELEMENTS {
        let one = next(file, end)?;
        if one.kind == kind {
            return Some(one.end);
        }
        file.seek(SeekFrom::Start(one.end)).ok()?;
    }
    None
}

/// Reads the head of the next box before `end`.
fn next(file: &mut (impl Read + Seek), end: u64) -> Option<BoxHead> {
    let start = file.stream_position().ok()?;
    if start >= end {
        return None;
    }
    let [a, b, c, d, kind @ ..]: [u8; 8] = array(file)?;
    let length = match u32::from_be_bytes([a, b, c, d]) {
        // Up to the end of the file.
        0 => u64::MAX - start,
        1 => u64::from_be_bytes(array(file)?),
        length => length.into(),
    };
    let own_end = start.checked_add(length)?.min(end);
    // A box that ends within its head would be read again and again.
    (own_end >= file.stream_position().ok()?).then_some(BoxHead { kind, end: own_end })
}

fn read_times(file: &mut impl Read, head: &mut VideoHead) -> Option<()> {
    let [version, ..]: [u8; 4] = array(file)?;
    let (created, timescale, duration) = if version == 1 {
        let created = i64::from_be_bytes(array(file)?);
        let _modified: [u8; 8] = array(file)?;
        let timescale = u32::from_be_bytes(array(file)?);
        (created, timescale, u64::from_be_bytes(array(file)?))
    } else {
        let created = u32::from_be_bytes(array(file)?).into();
        let _modified: [u8; 4] = array(file)?;
        let timescale = u32::from_be_bytes(array(file)?);
        (created, timescale, u32::from_be_bytes(array(file)?).into())
    };
    head.set_taken(EPOCH, SignedDuration::from_secs(created));
    // All ones mean that it is unknown.
    let is_known = duration != u64::MAX && duration != u64::from(u32::MAX);
    if timescale > 0 && is_known {
        #[expect(clippy::cast_precision_loss, reason = "a rounded duration is as good")]
        head.set_duration(duration as f64 / f64::from(timescale));
    }
    Some(())
}

/// Reads the size of a track. Sound has none.
fn read_track(file: &mut (impl Read + Seek), end: u64, head: &mut VideoHead) -> Option<()> {
    find(file, end, *b"tkhd")?;
    let [version, ..]: [u8; 4] = array(file)?;
    let before_matrix = if version == 1 { 32 + 16 } else { 20 + 16 };
    file.seek(SeekFrom::Current(before_matrix)).ok()?;
    let mut matrix = [0; 9];
    for number in &mut matrix {
        *number = i32::from_be_bytes(array(file)?);
    }
    // Numbers of 16 bits before and after the point.
    let [width, height] = [array(file)?, array(file)?].map(|bytes| u32::from_be_bytes(bytes) >> 16);
    if width > 0 && height > 0 {
        head.size = Some((width, height));
        head.orientation = Some(orientation(matrix));
    }
    Some(())
}

/// Returns the orientation of a matrix, as cameras write it: rotations without scale.
fn orientation([a, b, _, c, d, ..]: [i32; 9]) -> Orientation {
    match (a.signum(), b.signum(), c.signum(), d.signum()) {
        (0, 1, -1, 0) => Orientation::Rotate90,
        (-1, 0, 0, -1) => Orientation::Rotate180,
        (0, -1, 1, 0) => Orientation::Rotate270,
        _ => Orientation::NoTransforms,
    }
}

fn array<const N: usize>(file: &mut impl Read) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use super::*;

    fn of(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(8 + body.len()).unwrap();
        [&length.to_be_bytes()[..], kind, body].concat()
    }

    fn numbers(all: &[u32]) -> Vec<u8> {
        all.iter().flat_map(|one| one.to_be_bytes()).collect()
    }

    /// 20 November 2026, 9:30 UTC.
    const CREATED: u32 = 3_878_011_800;

    fn mvhd(timescale: u32, duration: u32) -> Vec<u8> {
        let times = numbers(&[0, CREATED, 2, timescale, duration, 0x1_0000]);
        of(b"mvhd", &times)
    }

    fn track(width: u32, height: u32, matrix: [u32; 4]) -> Vec<u8> {
        let [a, b, c, d] = matrix;
        let mut body = numbers(&[0, 1, 2, 1, 0, 9000, 0, 0, 0, 0]);
        body.extend(numbers(&[a, b, 0, c, d, 0, 0, 0, 0x4000_0000]));
        body.extend(numbers(&[width << 16, height << 16]));
        of(b"trak", &[of(b"edts", b""), of(b"tkhd", &body)].concat())
    }

    const UPRIGHT: [u32; 4] = [0x1_0000, 0, 0, 0x1_0000];
    const ROTATED: [u32; 4] = [0, 0x1_0000, 0xFFFF_0000, 0];

    fn movie(boxes: &[Vec<u8>]) -> Vec<u8> {
        let front = [of(b"ftyp", b"isom\0\0\0\0"), of(b"mdat", &[7; 5000])].concat();
        [front, of(b"moov", &boxes.concat())].concat()
    }

    #[test]
    fn header_behind_the_frames_is_read() {
        let bytes = movie(&[
            mvhd(600, 7530),
            track(0, 0, UPRIGHT),
            track(1920, 1080, ROTATED),
        ]);
        let head = mp4(Cursor::new(&bytes)).unwrap();
        assert_eq!(head.duration, Some(Duration::from_millis(12_550)));
        let taken = head.taken.unwrap().to_string();
        assert_eq!(taken, "2026-11-20T09:30:00Z");
        let shown = head.head().unwrap();
        assert_eq!(
            (shown.width, shown.height, shown.orientation),
            (1080, 1920, 6)
        );
        // A video of ten hours.
        let long = movie(&[mvhd(1000, 36_000_000), track(64, 48, UPRIGHT)]);
        let long = mp4(Cursor::new(&long)).unwrap();
        assert_eq!(long.duration, Some(Duration::from_secs(36_000)));
    }

    #[test]
    fn unknown_and_absurd_durations_are_none() {
        for (timescale, duration) in [(0, 5), (600, 0), (600, u32::MAX), (1, u32::MAX - 1)] {
            let bytes = movie(&[mvhd(timescale, duration)]);
            assert_eq!(mp4(Cursor::new(&bytes)).unwrap().duration, None);
        }
    }

    #[test]
    fn unknown_dates_are_none() {
        for created in [0, 1, 2_082_844_799] {
            let times = numbers(&[0, created, 0, 600, 600, 0]);
            let bytes = movie(&[of(b"mvhd", &times)]);
            assert_eq!(mp4(Cursor::new(&bytes)).unwrap().taken, None);
        }
        for created in [-1, i64::MAX, i64::MIN] {
            let times = [&[1, 0, 0, 0][..], &created.to_be_bytes(), &[0; 24]].concat();
            let bytes = movie(&[of(b"mvhd", &times)]);
            assert_eq!(mp4(Cursor::new(&bytes)).unwrap().taken, None);
        }
    }

    #[test]
    fn any_cut_and_any_length_ends() {
        let bytes = movie(&[mvhd(600, 600), track(64, 48, UPRIGHT)]);
        for end in 0..bytes.len() {
            let _ends = mp4(Cursor::new(&bytes[..end]));
        }
        assert_eq!(mp4(Cursor::new(&bytes[..5000])), None);
        let moov = bytes.len() - 8 - mvhd(1, 1).len() - track(1, 1, UPRIGHT).len();
        for length in [0, 1, 2, 7, 8, u32::MAX] {
            let mut damaged = bytes.clone();
            damaged[moov..moov + 4].copy_from_slice(&length.to_be_bytes());
            let _ends = mp4(Cursor::new(&damaged));
        }
    }
}
