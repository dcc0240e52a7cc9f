//! Detection of raw files of cameras. Most makers write a TIFF of their own kind.

/// True if the file that begins with `head` is a raw file of a camera.
pub(crate) fn is_raw(head: &[u8]) -> bool {
    match head {
        // Olympus and Panasonic write other letters in place of TIFF's number.
        [b'I', b'I', b'R', b'O' | b'S', ..]
        | [b'M', b'M', b'O', b'R', ..]
        | [b'I', b'I', b'U', 0, ..] => true,
        [b'I', b'I', b'*', 0, ..] => head.get(8..10) == Some(b"CR") || is_raw_tiff(head, LITTLE),
        [b'M', b'M', 0, b'*', ..] => is_raw_tiff(head, BIG),
        _ => {
            head.starts_with(b"FUJIFILMCCD-RAW ")
                || head.get(4..8) == Some(b"ftyp") && head.get(8..12) == Some(b"crx ")
        }
    }
}

/// The byte order of numbers.
#[derive(Clone, Copy)]
struct Order {
    short: fn([u8; 2]) -> u16,
    long: fn([u8; 4]) -> u32,
}

const LITTLE: Order = Order {
    short: u16::from_le_bytes,
    long: u32::from_le_bytes,
};
const BIG: Order = Order {
    short: u16::from_be_bytes,
    long: u32::from_be_bytes,
};

// Tags of TIFF.
const KIND_OF_PICTURE: u16 = 254;
const COLOURS: u16 = 262;
const SUB_IFDS: u16 = 330;
const DNG_VERSION: u16 = 50706;
/// The colours of a sensor: a mosaic, and one with a value of each colour for each pixel.
const SENSOR_PHOTOMETRICS: [u32; 2] = [32803, 34892];

/// True if the first directory is that of a camera's file, not of a scanner's: that of a DNG or of sensor
/// data; or that of a preview only, with the picture itself in a directory beneath it.
fn is_raw_tiff(head: &[u8], order: Order) -> bool {
    let mut is_preview = false;
    let mut has_further = false;
    for (tag, value) in first_directory(head, order) {
        match tag {
            DNG_VERSION => return true,
            COLOURS if SENSOR_PHOTOMETRICS.contains(&value) => return true,
            KIND_OF_PICTURE => is_preview = value & 1 == 1,
            SUB_IFDS => has_further = true,
            _ => {}
        }
    }
    is_preview && has_further
}

/// Returns the tags of the first directory, as far as it is within `head`, with the first number of each.
fn first_directory(head: &[u8], order: Order) -> impl Iterator<Item = (u16, u32)> {
    const ENTRY: usize = 12;
    const SHORT: u16 = 3;
    let long = move |bytes: &[u8]| bytes.first_chunk().map(|bytes| (order.long)(*bytes));
    let short = move |bytes: &[u8]| bytes.first_chunk().map(|bytes| (order.short)(*bytes));
    let directory = head
        .get(4..)
        .and_then(long)
        .and_then(|at| head.get(usize::try_from(at).ok()?..))
        .unwrap_or_default();
    let count = short(directory).unwrap_or(0);
    let entries = directory.get(2..).unwrap_or_default().chunks_exact(ENTRY);
    entries.take(count.into()).filter_map(move |entry| {
        let (tag, kind) = (short(entry)?, short(&entry[2..])?);
        let value = match kind {
            SHORT => short(&entry[8..])?.into(),
            _ => long(&entry[8..])?,
        };
        Some((tag, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Builds a TIFF whose first directory, at 8, has these tags with one number of 16 bits each.
    fn tiff(tags: &[(u16, u16)], order: &[u8; 4]) -> Vec<u8> {
        let is_little = order.starts_with(b"I");
        let short = |number: u16| match is_little {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        };
        let long = |number: u32| match is_little {
            true => number.to_le_bytes(),
            false => number.to_be_bytes(),
        };
        let mut bytes = order.to_vec();
        bytes.extend(long(8));
        bytes.extend(short(u16::try_from(tags.len()).unwrap()));
        for (tag, value) in tags {
            bytes.extend([short(*tag), short(3)].concat());
            bytes.extend(long(1));
            bytes.extend([short(*value), short(0)].concat());
        }
        bytes
    }

    #[track_caller]
    fn check(tags: &[(u16, u16)], expected: bool) {
        assert_eq!(is_raw(&tiff(tags, b"II*\0")), expected, "{tags:?}");
        assert_eq!(is_raw(&tiff(tags, b"MM\0*")), expected, "{tags:?}");
    }

    #[test]
    fn camera_directory_is_raw() {
        check(&[(254, 0), (50706, 1)], true);
        check(&[(262, 32803)], true);
        check(&[(254, 1), (330, 400)], true);
    }

    #[test]
    fn other_tiffs_stay_tiffs() {
        check(&[], false);
        check(&[(254, 0), (262, 2)], false);
        // A pyramid: the picture first, smaller ones beneath it.
        check(&[(254, 0), (330, 400)], false);
        // A page that is a preview of nothing.
        check(&[(254, 1)], false);
    }

    #[test]
    fn magic_bytes_of_makers_are_raw() {
        for head in [
            &b"IIRO\x08\0\0\0"[..],
            b"IIRS\x08\0\0\0",
            b"MMOR\0\0\0\x08",
            b"IIU\0\x18\0\0\0",
            b"II*\0\x10\0\0\0CR\x02\0",
            b"FUJIFILMCCD-RAW 0201",
            b"\0\0\0\x18ftypcrx \0\0\0\x01crx isom",
        ] {
            assert!(is_raw(head), "{head:?}");
        }
        assert!(!is_raw(b"\0\0\0\x18ftypisom\0\0\0\x01crx isom"));
    }

    proptest! {
        #[test]
        fn any_directory_never_panics(rest: Vec<u8>, at in 0..64_u8) {
            let head = [&b"II*\0"[..], &[at, 0, 0, 0], &rest].concat();
            let _ = is_raw(&head);
        }
    }
}
