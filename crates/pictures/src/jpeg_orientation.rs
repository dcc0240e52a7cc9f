//! The orientation in a JPEG: changed in its EXIF metadata, without any change of the compressed picture.

/// The marker of a segment with metadata, and the start of its contents (CIPA DC-008, 4.7.2; XMP part 3, 1.1.3).
const APP1: u8 = 0xE1;
const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
/// The tag of the orientation, and the type of its value (TIFF 6.0).
const ORIENTATION: u16 = 0x0112;
const SHORT: u16 = 3;
/// The length of an entry of a directory.
const ENTRY: usize = 12;
/// The property in a packet of XMP that repeats the orientation.
const XMP_ORIENTATION: &[u8] = b"tiff:Orientation";

/// Returns the JPEG with another orientation, 1 to 8. Without EXIF metadata, it gets some. All other bytes stay, but for
/// offsets of the directory. `None` if the file is no JPEG, or its metadata has no room for the orientation.
pub(crate) fn with_orientation(jpeg: &[u8], orientation: u8) -> Option<Vec<u8>> {
    let mut rest = jpeg.strip_prefix(&[0xFF, 0xD8])?;
    let mut segments: Vec<Vec<u8>> = Vec::new();
    let mut has_exif = false;
    // The segments before the first scan.
    loop {
        let [0xFF, marker, ..] = *rest else {
            return None;
        };
        match marker {
            // A fill byte.
            0xFF => {
                rest = &rest[1..];
                continue;
            }
            0xDA | 0xD9 => break,
            0x01 | 0xD0..=0xD8 => return None,
            _ => {}
        }
        let length = usize::from(u16::from_be_bytes([*rest.get(2)?, *rest.get(3)?]));
        let contents = rest.get(4..2 + length)?;
        let changed = match contents {
            [b'E', b'x', b'i', b'f', 0, 0, tiff @ ..] if marker == APP1 && !has_exif => {
                has_exif = true;
                Some([EXIF, &oriented_tiff(tiff, orientation)?].concat())
            }
            _ if marker == APP1 && contents.starts_with(XMP) => {
                Some(oriented_xmp(contents, orientation))
            }
            _ => None,
        };
        segments.push(match changed {
            Some(contents) => segment(&contents)?,
            None => rest[..2 + length].to_vec(),
        });
        rest = &rest[2 + length..];
    }
    if !has_exif {
        // JFIF's own segment comes first.
        let is_first = |one: &Vec<u8>| one.starts_with(&[0xFF, 0xE0]);
        let at = usize::from(segments.first().is_some_and(is_first));
        let tiff = [
            &b"MM\0\x2A\0\0\0\x08\0\x01"[..],
            &entry(u16::to_be_bytes, orientation),
            &[0; 4],
        ];
        let contents = [EXIF, &tiff.concat()].concat();
        segments.insert(at, segment(&contents)?);
    }
    let head = segments.concat();
    Some([&[0xFF, 0xD8], &head[..], rest].concat())
}

/// Returns a segment with metadata; `None` if it would be too long.
fn segment(contents: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(contents.len() + 2).ok()?;
    Some([&[0xFF, APP1][..], &length.to_be_bytes(), contents].concat())
}

fn entry(bytes: fn(u16) -> [u8; 2], orientation: u8) -> [u8; ENTRY] {
    let [[a, b], [c, d], [e, f]] = [ORIENTATION, SHORT, u16::from(orientation)].map(bytes);
    let is_little = bytes(1) == [1, 0];
    let [g, h, i, j] = match is_little {
        true => 1_u32.to_le_bytes(),
        false => 1_u32.to_be_bytes(),
    };
    [a, b, c, d, g, h, i, j, e, f, 0, 0]
}

/// Returns the TIFF structure of EXIF metadata with another orientation. Where there was none, its first directory is
/// repeated at the end with one, so that nothing else moves.
fn oriented_tiff(tiff: &[u8], orientation: u8) -> Option<Vec<u8>> {
    let is_little = match tiff.get(..4)? {
        b"II\x2A\0" => true,
        b"MM\0\x2A" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = tiff.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(match is_little {
            true => u16::from_le_bytes(bytes),
            false => u16::from_be_bytes(bytes),
        })
    };
    let long = |at: usize| {
        let bytes = tiff.get(at..at.checked_add(4)?)?.try_into().ok()?;
        Some(match is_little {
            true => u32::from_le_bytes(bytes),
            false => u32::from_be_bytes(bytes),
        })
    };
    let bytes: fn(u16) -> [u8; 2] = match is_little {
        true => u16::to_le_bytes,
        false => u16::to_be_bytes,
    };
    let directory = usize::try_from(long(4)?).ok()?;
    let count = usize::from(short(directory)?);
    let first = directory + 2;
    let entries = tiff.get(first..first + count * ENTRY)?;
    let next = tiff.get(first + count * ENTRY..first + count * ENTRY + 4)?;
    let new = entry(bytes, orientation);
    let mut result = tiff.to_vec();
    for at in (0..count).map(|at| first + at * ENTRY) {
        if short(at)? == ORIENTATION {
            result[at..at + ENTRY].copy_from_slice(&new);
            return Some(result);
        }
    }
    let before = (0..count)
        .take_while(|at| short(first + at * ENTRY).is_some_and(|tag| tag < ORIENTATION))
        .count();
    if result.len() % 2 == 1 {
        result.push(0);
    }
    let offset = u32::try_from(result.len()).ok()?;
    let offset = match is_little {
        true => offset.to_le_bytes(),
        false => offset.to_be_bytes(),
    };
    result[4..8].copy_from_slice(&offset);
    let (lower, higher) = entries.split_at(before * ENTRY);
    let count = bytes(u16::try_from(count + 1).ok()?);
    result.extend([&count[..], lower, &new, higher, next].concat());
    Some(result)
}

/// Returns a segment of XMP in which the orientation is another one, where it is stated.
fn oriented_xmp(contents: &[u8], orientation: u8) -> Vec<u8> {
    let mut result = contents.to_vec();
    let places = contents.windows(XMP_ORIENTATION.len()).enumerate();
    for (at, _) in places.filter(|(_, text)| *text == XMP_ORIENTATION) {
        let value = at + XMP_ORIENTATION.len();
        match contents[value..] {
            [b'=', b'"' | b'\'', b'1'..=b'8', b'"' | b'\'', ..] => {
                result[value + 2] = b'0' + orientation;
            }
            [b'>', b'1'..=b'8', b'<', ..] => result[value + 1] = b'0' + orientation,
            _ => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCAN: &[u8] = b"\xFF\xDA\0\x02picture\xFF\xD9";

    fn jpeg(segments: &[&[u8]]) -> Vec<u8> {
        [&[0xFF, 0xD8], &segments.concat()[..], SCAN].concat()
    }

    fn exif(tiff: &[u8]) -> Vec<u8> {
        segment(&[EXIF, tiff].concat()).unwrap()
    }

    #[test]
    fn missing_metadata_are_added_after_jfif() {
        let jfif = b"\xFF\xE0\0\x04ab";
        let added = exif(b"MM\0\x2A\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
        let found = with_orientation(&jpeg(&[jfif]), 6).unwrap();
        assert_eq!(found, jpeg(&[jfif, &added]));
        assert_eq!(with_orientation(&jpeg(&[]), 6).unwrap(), jpeg(&[&added]));
        // Once there, it is only replaced.
        let again = with_orientation(&found, 8).unwrap();
        assert_eq!(again.len(), found.len());
        assert_eq!(with_orientation(&again, 6).unwrap(), found);
    }

    #[test]
    fn missing_entry_moves_nothing_else() {
        let model = b"\x10\x01\x02\0\x04\0\0\0abc\0";
        let width = b"\0\x01\x03\0\x01\0\0\0\x07\0\0\0";
        let tiff = [&b"II\x2A\0\x08\0\0\0\x02\0"[..], width, model, b"next"].concat();
        let found = oriented_tiff(&tiff, 3).unwrap();
        assert_eq!(found[8..tiff.len()], tiff[8..]);
        let new = b"\x12\x01\x03\0\x01\0\0\0\x03\0\0\0";
        let end = [&b"\x03\0"[..], width, model, new, b"next"].concat();
        assert_eq!(found[tiff.len()..], end);
        assert_eq!(found[4..8], (tiff.len() as u32).to_le_bytes());
    }

    #[test]
    fn packet_states_the_same_orientation() {
        let packet = |number: &str| {
            let text = format!(
                "<x tiff:Orientation=\"{number}\"><tiff:Orientation>{number}</tiff:Orientation></x>"
            );
            segment(&[XMP, text.as_bytes()].concat()).unwrap()
        };
        let found = with_orientation(&jpeg(&[&packet("1")]), 6).unwrap();
        assert!(found.ends_with(&[&packet("6"), SCAN].concat()));
    }

    #[test]
    fn broken_files_are_refused() {
        let check = |bytes: &[u8]| assert_eq!(with_orientation(bytes, 6), None);
        check(b"");
        check(b"\x89PNG");
        check(b"\xFF\xD8");
        check(b"\xFF\xD8\xFF\xE0\xFF\xFF");
        check(b"\xFF\xD8text");
        for tiff in [
            &b""[..],
            b"II\x2A\0",
            b"II\x2A\0\xFF\xFF\xFF\xFF",
            b"II\x2A\0\x08\0\0\0\xFF\xFF",
        ] {
            check(&jpeg(&[&exif(tiff)]));
        }
        // No room for another entry.
        let mut full = b"II\x2A\0\x08\0\0\0\0\0\0\0\0\0".to_vec();
        full.resize(65_520, 0);
        check(&jpeg(&[&exif(&full)]));
    }
}
