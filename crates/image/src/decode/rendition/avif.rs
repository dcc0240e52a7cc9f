//! XMP in an AVIF file (ISO/IEC 23008-12): an item of its own, which describes the picture.

use super::unencodable;
use crate::DecodeError;

const HEAD: usize = 8;
/// The head of a box, its version and its flags.
const FULL_HEAD: usize = 12;
const MEDIA_TYPE: &[u8] = b"application/rdf+xml\0";
/// The sizes of the offsets and lengths in the file, and no common offset.
const SIZES: [u8; 2] = [0x44, 0];

/// Adds an item to a file as the encoder writes it: `ftyp`, `meta` and `mdat`, with offsets of four bytes.
pub(super) fn add_xmp(file: &mut Vec<u8>, packet: &[u8]) -> Result<(), DecodeError> {
    let meta = box_named(file, *b"meta", 0..file.len())?;
    let within = meta.start + FULL_HEAD..meta.end;
    let boxes = boxes(file, within)?;
    let item_of = |name: &[u8; 4]| boxes.iter().find(|(other, _)| other == name);
    let (Some((_, primary)), Some((_, locations))) = (item_of(b"pitm"), item_of(b"iloc")) else {
        return Err(unfamiliar());
    };
    let primary = u16_at(file, primary.start + FULL_HEAD)?;
    let mut id = primary;
    let mut at = locations.start + FULL_HEAD + SIZES.len() + 2;
    let count = u16_at(file, at - 2)?;
    if file.get(at - 4..at - 2) != Some(&SIZES) {
        return Err(unfamiliar());
    }
    let mut offsets = Vec::new();
    for _ in 0..count {
        id = id.max(u16_at(file, at)?);
        let extents = usize::from(u16_at(file, at + 4)?);
        at += 6;
        offsets.extend((0..extents).map(|extent| at + 8 * extent));
        at += 8 * extents;
    }
    let id = id + 1;
    let info = full_box(
        *b"infe",
        2,
        &[&id.to_be_bytes(), &[0; 2], b"mime", &[0], MEDIA_TYPE],
    )?;
    let reference = [id.to_be_bytes(), 1_u16.to_be_bytes(), primary.to_be_bytes()].concat();
    let reference = plain_box(*b"cdsc", &reference)?;
    // An item, its place and its reference; and a box of references where there is none.
    let location = 14;
    let has_references = item_of(b"iref").is_some();
    let growth =
        info.len() + location + reference.len() + if has_references { 0 } else { FULL_HEAD };
    for at in offsets {
        let offset = u32_at(file, at)? as usize + growth;
        put_u32(file, at, offset)?;
    }
    let place = u32_of(file.len() + growth + HEAD)?.to_be_bytes();
    let length = u32_of(packet.len())?.to_be_bytes();
    let location = [
        &id.to_be_bytes()[..],
        &[0; 2],
        &1_u16.to_be_bytes(),
        &place,
        &length,
    ]
    .concat();
    let mut contents = file[meta.start + HEAD..meta.start + FULL_HEAD].to_vec();
    for (name, range) in &boxes {
        let bytes = &file[range.clone()];
        match name {
            b"iloc" => contents.extend(grown(bytes, SIZES.len(), &location)?),
            b"iinf" => contents.extend(grown(bytes, 0, &info)?),
            b"iref" => contents.extend(plain_box(*name, &[&bytes[HEAD..], &reference].concat())?),
            _ => contents.extend_from_slice(bytes),
        }
    }
    if !has_references {
        contents.extend(full_box(*b"iref", 0, &[&reference])?);
    }
    let new = plain_box(*b"meta", &contents)?;
    if new.len() != meta.len() + growth {
        return Err(unfamiliar());
    }
    file.splice(meta, new);
    file.extend(plain_box(*b"mdat", packet)?);
    Ok(())
}

type Range = std::ops::Range<usize>;

fn unfamiliar() -> DecodeError {
    unencodable("its container is unfamiliar")
}

/// Returns the names and the places of boxes one after another.
fn boxes(file: &[u8], within: Range) -> Result<Vec<([u8; 4], Range)>, DecodeError> {
    let mut found = Vec::new();
    let mut at = within.start;
    while at < within.end {
        let length = u32_at(file, at)? as usize;
        let name = file.get(at + 4..at + HEAD).ok_or_else(unfamiliar)?;
        let name = <[u8; 4]>::try_from(name).map_err(unencodable)?;
        if length < HEAD || length > within.end - at {
            return Err(unfamiliar());
        }
        found.push((name, at..at + length));
        at += length;
    }
    Ok(found)
}

fn box_named(file: &[u8], name: [u8; 4], within: Range) -> Result<Range, DecodeError> {
    let mut found = boxes(file, within)?.into_iter();
    let found = found.find(|(other, _)| *other == name);
    Ok(found.ok_or_else(unfamiliar)?.1)
}

/// Returns a box with one more entry; its number of entries is `before` bytes behind its head.
fn grown(bytes: &[u8], before: usize, entry: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let at = FULL_HEAD + before;
    let count = u16_at(bytes, at)?.checked_add(1).ok_or_else(unfamiliar)?;
    let mut new = [bytes, entry].concat();
    new[at..at + 2].copy_from_slice(&count.to_be_bytes());
    let length = new.len();
    put_u32(&mut new, 0, length)?;
    Ok(new)
}

fn plain_box(name: [u8; 4], contents: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let length = u32_of(HEAD + contents.len())?;
    Ok([&length.to_be_bytes()[..], &name, contents].concat())
}

fn full_box(name: [u8; 4], version: u8, parts: &[&[u8]]) -> Result<Vec<u8>, DecodeError> {
    plain_box(name, &[&[version, 0, 0, 0], &parts.concat()[..]].concat())
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, DecodeError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Ok(u16::from_be_bytes(*found.ok_or_else(unfamiliar)?))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, DecodeError> {
    let found = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Ok(u32::from_be_bytes(*found.ok_or_else(unfamiliar)?))
}

fn u32_of(number: usize) -> Result<u32, DecodeError> {
    u32::try_from(number).map_err(unencodable)
}

fn put_u32(bytes: &mut [u8], at: usize, number: usize) -> Result<(), DecodeError> {
    let number = u32_of(number)?.to_be_bytes();
    let place = bytes.get_mut(at..at + 4).ok_or_else(unfamiliar)?;
    place.copy_from_slice(&number);
    Ok(())
}
