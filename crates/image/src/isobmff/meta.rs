//! Parses the box that describes the items.

use super::bytes::{Bytes, malformed};
use super::{Container, ContainerError, Extent, Location, Reference};

/// Reads the box `meta`.
pub(super) fn read(body: &[u8]) -> Result<Container, ContainerError> {
    let mut body = Bytes(body);
    body.version()?;
    let mut container = Container::default();
    let mut primary = None;
    for next in body.boxes() {
        let (kind, body) = next?;
        match &kind {
            b"pitm" => primary = Some(primary_item(body)?),
            b"iinf" => kinds(&mut container, body)?,
            b"iloc" => locations(&mut container, body)?,
            b"iprp" => properties(&mut container, body)?,
            b"iref" => references(&mut container, body)?,
            b"idat" => container.contents = body.0.to_vec(),
            _ => {}
        }
    }
    container.primary = primary.ok_or(malformed("there is no primary picture"))?;
    Ok(container)
}

fn primary_item(mut body: Bytes<'_>) -> Result<u32, ContainerError> {
    let (version, _) = body.version()?;
    body.short_or_long(version > 0)
}

fn kinds(container: &mut Container, mut body: Bytes<'_>) -> Result<(), ContainerError> {
    let (version, _) = body.version()?;
    body.short_or_long(version > 0)?;
    for next in body.boxes() {
        let (kind, mut body) = next?;
        if kind != *b"infe" {
            continue;
        }
        let (version, _) = body.version()?;
        // Older versions contain media types, which no picture of these kinds has.
        if version >= 2 {
            let id = body.short_or_long(version > 2)?;
            body.u16()?;
            let kind = body.four_cc()?;
            container.kinds.insert(id, kind);
            // A name, and the media type.
            let mut texts = body.0.split(|&byte| byte == 0);
            if kind == *b"mime" && texts.nth(1) == Some(b"application/rdf+xml") {
                container.xmp = Some(id);
            }
        }
    }
    Ok(())
}

fn locations(container: &mut Container, mut body: Bytes<'_>) -> Result<(), ContainerError> {
    let (version, _) = body.version()?;
    let (offsets, bases) = (body.u8()?, body.u8()?);
    let (of_offset, of_length) = (offsets >> 4, offsets & 15);
    let (of_base, of_index) = (bases >> 4, if version > 0 { bases & 15 } else { 0 });
    if (of_offset, of_length) == (0, 0) {
        return Err(malformed("the locations of items are empty"));
    }
    let count = body.short_or_long(version > 1)?;
    for _ in 0..count {
        let id = body.short_or_long(version > 1)?;
        let method = if version > 0 { body.u16()? & 15 } else { 0 };
        body.u16()?;
        let base = body.sized(of_base)?;
        let extents = body.u16()?;
        let mut location = Location {
            is_beside: method == 1,
            extents: Vec::new(),
        };
        for _ in 0..extents {
            body.sized(of_index)?;
            let offset = body.sized(of_offset)?;
            location.extents.push(Extent {
                offset: base
                    .checked_add(offset)
                    .ok_or(malformed("a location is beyond the end of any file"))?,
                length: body.sized(of_length)?,
            });
        }
        // An item that is composed of other items has no known location.
        if method <= 1 {
            container.locations.insert(id, location);
        }
    }
    Ok(())
}

fn properties(container: &mut Container, body: Bytes<'_>) -> Result<(), ContainerError> {
    for next in body.boxes() {
        let (kind, mut body) = next?;
        match &kind {
            b"ipco" => {
                for next in body.boxes() {
                    let (kind, body) = next?;
                    container.properties.push((kind, body.0.to_vec()));
                }
            }
            b"ipma" => {
                let (version, flags) = body.version()?;
                let is_long = flags & 1 == 1;
                let count = body.u32()?;
                for _ in 0..count {
                    let id = body.short_or_long(version > 0)?;
                    let indices = container.property_indices.entry(id).or_default();
                    for _ in 0..body.u8()? {
                        // The highest bit means that the property must be understood.
                        let number = match is_long {
                            true => body.u16()? & 0x7FFF,
                            false => u16::from(body.u8()? & 0x7F),
                        };
                        indices.extend(usize::from(number).checked_sub(1));
                    }
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn references(container: &mut Container, mut body: Bytes<'_>) -> Result<(), ContainerError> {
    let (version, _) = body.version()?;
    let is_long = version > 0;
    for next in body.boxes() {
        let (kind, mut body) = next?;
        let from = body.short_or_long(is_long)?;
        let count = body.u16()?;
        let to = (0..count)
            .map(|_| body.short_or_long(is_long))
            .collect::<Result<_, _>>()?;
        container.references.push(Reference { kind, from, to });
    }
    Ok(())
}
