//! Pictures in a container of the ISO base media format (ISO/IEC 14496-12 and 23008-12): the items, their
//! properties and their locations. No pixel is decoded.
//!
//! Everything is bounded by the length of the box that describes the items: no memory is allocated for a
//! merely claimed number.

mod bytes;
mod item;
mod meta;
mod sequence;
mod transform;

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};

use crate::DecodeError;
use bytes::{FourCc, malformed};

pub use item::{Colours, Item};
pub use sequence::{Sample, Sequence, Track};
pub use transform::{Crop, DisplayTransform};

/// An error of reading a container.
#[derive(Debug, thiserror::Error)]
pub enum ContainerError {
    /// The file can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file does not follow the standard.
    #[error("its container is malformed: {0}")]
    Malformed(&'static str),
}

impl From<ContainerError> for DecodeError {
    fn from(error: ContainerError) -> Self {
        match error {
            ContainerError::Io(error) => error.into(),
            ContainerError::Malformed(_) => Self::Damaged(error.to_string()),
        }
    }
}

/// The description of the items in a file.
#[derive(Debug, Default)]
pub struct Container {
    primary: u32,
    kinds: BTreeMap<u32, FourCc>,
    locations: BTreeMap<u32, Location>,
    /// The properties of items, in the order in which they are numbered, from 1.
    properties: Vec<(FourCc, Vec<u8>)>,
    /// The properties of each item.
    property_indices: BTreeMap<u32, Vec<usize>>,
    references: Vec<Reference>,
    /// The contents stored beside the descriptions.
    contents: Vec<u8>,
    /// The item that is an XMP packet.
    xmp: Option<u32>,
}

#[derive(Debug)]
struct Location {
    /// True for a location in `contents`, false for one in the file.
    is_beside: bool,
    extents: Vec<Extent>,
}

/// A part of an item. A length of 0 means up to the end.
#[derive(Debug)]
struct Extent {
    offset: u64,
    length: u64,
}

#[derive(Debug)]
struct Reference {
    kind: FourCc,
    from: u32,
    to: Vec<u32>,
}

/// The number of boxes that may precede the one with the descriptions.
const MAX_BOXES: usize = 64;

impl Container {
    /// Reads the descriptions, which may take `max` bytes.
    ///
    /// # Errors
    /// [`ContainerError`]
    pub fn read(mut file: impl Read + Seek, max: u64) -> Result<Self, ContainerError> {
        for _ in 0..MAX_BOXES {
            let (kind, rest) = next_box(&mut file)?;
            if kind == *b"meta" {
                return Self::of(&mut file, rest, max);
            }
            let by =
                i64::try_from(rest).map_err(|_| malformed("it does not describe any picture"))?;
            file.seek(SeekFrom::Current(by))?;
        }
        Err(malformed("it does not describe any picture"))
    }

    fn of(file: &mut impl Read, length: u64, max: u64) -> Result<Self, ContainerError> {
        let mut body = Vec::new();
        file.take(length.min(max.saturating_add(1)))
            .read_to_end(&mut body)?;
        let read = body.len() as u64;
        if read > max {
            return Err(malformed("its descriptions are too long"));
        }
        if length != u64::MAX && read < length {
            return Err(malformed("it ends within its descriptions"));
        }
        meta::read(&body)
    }

    /// Returns the primary item, which is shown.
    #[must_use]
    pub fn primary(&self) -> Item<'_> {
        self.item(self.primary)
    }

    /// Returns the item that is an XMP packet.
    #[must_use]
    pub fn xmp(&self) -> Option<Item<'_>> {
        self.xmp.map(|id| self.item(id))
    }

    fn item(&self, id: u32) -> Item<'_> {
        Item {
            container: self,
            id,
        }
    }
}

/// Reads the head of the next box: its kind, and the number of bytes that follow. The last box may have no length.
pub(crate) fn next_box(file: &mut impl Read) -> Result<(FourCc, u64), ContainerError> {
    let mut head = [0; 8];
    file.read_exact(&mut head)?;
    let [a, b, c, d, kind @ ..] = head;
    let (length, read) = match u32::from_be_bytes([a, b, c, d]) {
        1 => {
            let mut long = [0; 8];
            file.read_exact(&mut long)?;
            (u64::from_be_bytes(long), 16)
        }
        length => (u64::from(length), 8),
    };
    let rest = match length {
        0 => u64::MAX,
        length => length
            .checked_sub(read)
            .ok_or(malformed("a box is shorter than its head"))?,
    };
    Ok((kind, rest))
}

/// Reads the next `length` bytes. `None` if they are more than `max`, or the file ends before.
pub(crate) fn content(
    file: &mut impl Read,
    length: u64,
    max: u64,
) -> Result<Option<Vec<u8>>, ContainerError> {
    if length > max {
        return Ok(None);
    }
    let mut content = Vec::new();
    file.take(length).read_to_end(&mut content)?;
    Ok((content.len() as u64 == length).then_some(content))
}

/// Returns the content of a box of another standard, which has an identifier, at the top of a file. `None` if there is
/// none, or it has more than `max` bytes.
pub(crate) fn uuid_box(
    file: &mut (impl Read + Seek),
    wanted: &[u8; 16],
    max: u64,
) -> Result<Option<Vec<u8>>, ContainerError> {
    for _ in 0..MAX_BOXES {
        let (kind, mut rest) = match next_box(file) {
            Err(ContainerError::Io(error)) if error.kind() == io::ErrorKind::UnexpectedEof => break,
            next => next?,
        };
        if kind == *b"uuid" && rest >= 16 {
            let mut found = [0; 16];
            file.read_exact(&mut found)?;
            rest -= 16;
            if found == *wanted {
                return content(file, rest, max);
            }
        }
        let Ok(by) = i64::try_from(rest) else { break };
        file.seek(SeekFrom::Current(by))?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    /// Builds a box.
    pub(super) fn of(kind: &[u8; 4], body: &[u8]) -> Vec<u8> {
        let length = u32::try_from(8 + body.len()).unwrap();
        [&length.to_be_bytes()[..], kind, body].concat()
    }

    #[track_caller]
    fn check_refused(bytes: &[u8], max: u64, message: &str) {
        match Container::read(Cursor::new(bytes), max) {
            Err(ContainerError::Malformed(actual)) => assert_eq!(actual, message),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn box_of_another_standard_is_found() {
        let uuid = |id: u8, body: &[u8]| of(b"uuid", &[&[id; 16], body].concat());
        let bytes = [of(b"ftyp", b"crx "), uuid(1, b"a"), uuid(2, b"packet")].concat();
        let find = |id, max| uuid_box(&mut Cursor::new(&bytes), &[id; 16], max).unwrap();
        assert_eq!(find(2, 6).as_deref(), Some(&b"packet"[..]));
        assert_eq!(find(2, 5), None);
        assert_eq!(find(3, 6), None);
        let cut = &bytes[..bytes.len() - 1];
        assert_eq!(uuid_box(&mut Cursor::new(cut), &[2; 16], 6).unwrap(), None);
    }

    #[test]
    fn packet_item_is_read_from_its_place() {
        let entry = [
            &[2, 0, 0, 0, 0, 7, 0, 0][..],
            b"mime\0application/rdf+xml\0",
        ]
        .concat();
        let kinds = [&[0, 0, 0, 0, 0, 1][..], &of(b"infe", &entry)].concat();
        let meta = |offset: u8| {
            let locations = [
                &[0, 0, 0, 0, 0x44, 0, 0, 1, 0, 7, 0, 0, 0, 1][..],
                &[0, 0, 0, offset, 0, 0, 0, 6],
            ]
            .concat();
            let body = [
                &[0; 4][..],
                &of(b"pitm", &[0, 0, 0, 0, 0, 1]),
                &of(b"iinf", &kinds),
                &of(b"iloc", &locations),
            ]
            .concat();
            of(b"meta", &body)
        };
        let start = u8::try_from(meta(0).len() + 8).unwrap();
        let bytes = [meta(start), of(b"mdat", b"packet")].concat();
        let container = Container::read(Cursor::new(&bytes), 1000).unwrap();
        let read = |max| container.xmp().unwrap().read(&mut Cursor::new(&bytes), max);
        assert_eq!(read(6).unwrap().as_deref(), Some(&b"packet"[..]));
        assert_eq!(read(5).unwrap(), None);
    }

    #[test]
    fn metadata_box_is_located_and_bounded() {
        let meta = of(b"meta", &[0; 100]);
        let bytes = [of(b"ftyp", b"avif"), of(b"free", &[0; 9]), meta].concat();
        check_refused(&bytes, 99, "its descriptions are too long");
        check_refused(&bytes[..60], 100, "it ends within its descriptions");
        check_refused(
            &of(b"ftyp", b"").repeat(99),
            100,
            "it does not describe any picture",
        );
        check_refused(b"\0\0\0\0mdat", 100, "it does not describe any picture");
        check_refused(b"\0\0\0\x07ftyp", 100, "a box is shorter than its head");
        assert!(matches!(
            Container::read(Cursor::new(of(b"ftyp", b"avif")), 100),
            Err(ContainerError::Io(_))
        ));
    }
}
