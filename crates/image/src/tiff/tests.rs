//! Tests of directories of both sizes and both byte orders.

use proptest::prelude::*;

use super::*;

type Field = (u16, u16, Vec<u64>);

/// Builds a file whose first directory has these fields: tag, type (1, 3, 4 or 16) and values.
fn file(is_big_tiff: bool, order: Order, fields: &[Field]) -> Vec<u8> {
    let number = |value: u64, size: usize| {
        let bytes = value.to_le_bytes()[..size].to_vec();
        match order {
            Order::Little => bytes,
            Order::Big => bytes.into_iter().rev().collect(),
        }
    };
    let (offset, count) = if is_big_tiff { (8, 8) } else { (4, 2) };
    let mut bytes = match order {
        Order::Little => b"II".to_vec(),
        Order::Big => b"MM".to_vec(),
    };
    if is_big_tiff {
        bytes.extend([number(43, 2), number(8, 2), number(0, 2)].concat());
    } else {
        bytes.extend(number(42, 2));
    }
    let first = bytes.len() + offset;
    bytes.extend(number(first as u64, offset));
    bytes.extend(number(fields.len() as u64, count));
    let mut behind = first + count + fields.len() * (4 + 2 * offset) + offset;
    let mut values = Vec::new();
    for (tag, kind, field) in fields {
        let size = match kind {
            1 => 1,
            3 => 2,
            4 => 4,
            _ => 8,
        };
        bytes.extend([number((*tag).into(), 2), number((*kind).into(), 2)].concat());
        bytes.extend(number(field.len() as u64, offset));
        let mut stored: Vec<u8> = field
            .iter()
            .flat_map(|&value| number(value, size))
            .collect();
        if stored.len() <= offset {
            stored.resize(offset, 0);
            bytes.extend(stored);
        } else {
            bytes.extend(number(behind as u64, offset));
            behind += stored.len();
            values.extend(stored);
        }
    }
    bytes.extend(number(0, offset));
    bytes.extend(values);
    bytes
}

fn read(bytes: &[u8]) -> Result<Tiff<Cursor<&[u8]>>, DecodeError> {
    Tiff::read(Cursor::new(bytes), bytes.len() as u64)
}

#[test]
fn fields_are_read_in_every_form() {
    for is_big_tiff in [false, true] {
        for order in [Order::Little, Order::Big] {
            let fields = [
                (tag::WIDTH, 3, vec![700]),
                (tag::HEIGHT, 4, vec![5]),
                (tag::BITS, 3, vec![8, 8, 8]),
                (tag::ORIENTATION, 4, vec![6]),
                (tag::STRIP_OFFSETS, 4, vec![1, 2, 70_000]),
                (tag::ICC_PROFILE, 1, vec![1, 2, 3, 4, 5, 6, 7, 8, 9]),
            ];
            let bytes = file(is_big_tiff, order, &fields);
            let mut tiff = read(&bytes).unwrap();
            assert_eq!(tiff.size().unwrap(), (700, 5));
            assert_eq!(tiff.orientation().unwrap(), Orientation::Rotate90);
            assert_eq!(tiff.number(tag::BITS).unwrap(), Some(8));
            assert_eq!(tiff.number(tag::STRIP_OFFSETS).unwrap(), Some(1));
            let offsets = tiff.numbers(tag::STRIP_OFFSETS, 3).unwrap();
            assert_eq!(offsets, [1, 2, 70_000]);
            let profile = tiff.bytes(tag::ICC_PROFILE, 9).unwrap();
            assert_eq!(profile.unwrap(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
        }
    }
}

#[test]
fn longer_fields_than_allowed_are_left_out() {
    let fields = [(tag::STRIP_OFFSETS, 4, vec![1, 2, 3])];
    let bytes = file(false, Order::Little, &fields);
    let mut tiff = read(&bytes).unwrap();
    assert!(tiff.numbers(tag::STRIP_OFFSETS, 2).unwrap().is_empty());
    assert_eq!(tiff.bytes(tag::STRIP_OFFSETS, 11).unwrap(), None);
}

#[test]
fn fields_outside_of_the_file_are_left_out() {
    let fields = [(tag::STRIP_OFFSETS, 4, vec![1, 2, 3])];
    let mut bytes = file(false, Order::Little, &fields);
    bytes.pop();
    let mut tiff = read(&bytes).unwrap();
    assert!(tiff.numbers(tag::STRIP_OFFSETS, 3).unwrap().is_empty());
    assert_eq!(tiff.number(tag::STRIP_OFFSETS).unwrap(), Some(1));
}

#[test]
fn orientation_may_have_any_size() {
    for (kind, value, expected) in [
        (1, 8, Some(Orientation::Rotate270)),
        (3, 6, Some(Orientation::Rotate90)),
        (4, 6, Some(Orientation::Rotate90)),
        (4, 0, None),
        (4, 65_542, None),
    ] {
        let bytes = file(false, Order::Big, &[(tag::ORIENTATION, kind, vec![value])]);
        assert_eq!(orientation_in(&bytes), expected);
        let segment = [b"Exif\0\0", &bytes[..]].concat();
        assert_eq!(orientation_in(&segment), expected);
    }
    assert_eq!(orientation_in(b"nonsense"), None);
}

proptest! {
    #[test]
    fn any_bytes_never_panic(is_big_tiff: bool, rest: Vec<u8>, at in 0..64_u8) {
        let head: &[u8] = match is_big_tiff {
            true => &[b'I', b'I', 43, 0, 8, 0, 0, 0, at, 0, 0, 0, 0, 0, 0, 0],
            false => &[b'I', b'I', 42, 0, at, 0, 0, 0],
        };
        let bytes = [head, &rest].concat();
        if let Ok(mut tiff) = read(&bytes) {
            let _size = tiff.size();
            for tag in [tag::BITS, tag::STRIP_OFFSETS, tag::ICC_PROFILE] {
                tiff.numbers(tag, 1000).unwrap();
                tiff.number(tag).unwrap();
                tiff.fractions(tag, 1000).unwrap();
                tiff.bytes(tag, 1000).unwrap();
            }
        }
    }
}
