//! An item of a container.

use std::io::{Read, Seek, SeekFrom};

use super::bytes::{Bytes, FourCc, malformed};
use super::transform::{self, DisplayTransform};
use super::{Container, ContainerError};

/// An item of a container.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    pub(super) container: &'a Container,
    pub(super) id: u32,
}

/// The meaning of a picture's colour numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Colours<'a> {
    /// The numbers of ITU-T H.273: primaries, transfer, matrix; and true if the full range is used.
    pub numbers: Option<(u16, u16, u16, bool)>,
    /// An ICC profile, unparsed.
    pub profile: Option<&'a [u8]>,
}

/// Returns the colours that these properties state.
pub(super) fn colours_in<'a>(
    properties: impl Iterator<Item = Bytes<'a>>,
) -> Result<Colours<'a>, ContainerError> {
    let mut colours = Colours::default();
    for mut body in properties {
        match &body.four_cc()? {
            b"nclx" if colours.numbers.is_none() => {
                let numbers = (body.u16()?, body.u16()?, body.u16()?);
                let (primaries, transfer, matrix) = numbers;
                let is_full = body.u8()? & 0x80 != 0;
                colours.numbers = Some((primaries, transfer, matrix, is_full));
            }
            b"prof" | b"rICC" if colours.profile.is_none() => colours.profile = Some(body.0),
            _ => {}
        }
    }
    Ok(colours)
}

impl<'a> Item<'a> {
    /// Returns the encoding, or `grid` for an item that is composed of others.
    #[must_use]
    pub fn kind(self) -> Option<FourCc> {
        self.container.kinds.get(&self.id).copied()
    }

    /// Returns the stored width and height, in pixels.
    ///
    /// # Errors
    /// [`ContainerError`], also if they are missing.
    pub fn size(self) -> Result<(u32, u32), ContainerError> {
        let mut body = self
            .matching_properties(*b"ispe")
            .next()
            .ok_or(malformed("a picture does not state its size"))?;
        body.version()?;
        Ok((body.u32()?, body.u32()?))
    }

    /// Returns the visible part of the item, and its orientation.
    ///
    /// # Errors
    /// [`ContainerError`]
    pub fn display_transform(self) -> Result<DisplayTransform, ContainerError> {
        let (width, height) = self.size()?;
        transform::of(width, height, self.properties())
    }

    /// Returns its colours.
    ///
    /// # Errors
    /// [`ContainerError`]
    pub fn colours(self) -> Result<Colours<'a>, ContainerError> {
        colours_in(self.matching_properties(*b"colr"))
    }

    /// Returns the items of which it is composed, in their order.
    #[must_use]
    pub fn parts(self) -> Vec<Self> {
        self.container
            .references
            .iter()
            .filter(|reference| reference.kind == *b"dimg" && reference.from == self.id)
            .flat_map(|reference| &reference.to)
            .map(|&id| self.container.item(id))
            .collect()
    }

    /// Returns the item that contains its opacity.
    #[must_use]
    pub fn opacity(self) -> Option<Self> {
        self.container
            .references
            .iter()
            .filter(|reference| reference.kind == *b"auxl" && reference.to.contains(&self.id))
            .map(|reference| self.container.item(reference.from))
            .find(|item| item.is_opacity())
    }

    fn is_opacity(self) -> bool {
        self.matching_properties(*b"auxC").any(|body| {
            let name = body.0.get(4..).unwrap_or_default();
            let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
            name == b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
                || name == b"urn:mpeg:hevc:2015:auxid:1"
        })
    }

    /// True if its colours were multiplied with that opacity.
    #[must_use]
    pub fn is_multiplied_with(self, opacity: Self) -> bool {
        self.container.references.iter().any(|reference| {
            reference.kind == *b"prem"
                && reference.from == self.id
                && reference.to.contains(&opacity.id)
        })
    }

    /// Returns its content, from the file with these bytes.
    ///
    /// # Errors
    /// [`ContainerError`], also if it reaches beyond the file, or is longer than that.
    pub fn content(self, file: &[u8]) -> Result<Vec<u8>, ContainerError> {
        let location = self
            .container
            .locations
            .get(&self.id)
            .ok_or(malformed("an item has no location"))?;
        let source = if location.is_beside {
            &self.container.contents
        } else {
            file
        };
        let mut content = Vec::new();
        for extent in &location.extents {
            let rest = usize::try_from(extent.offset)
                .ok()
                .and_then(|offset| source.get(offset..))
                .ok_or(malformed("an item is beyond the end"))?;
            let part = match usize::try_from(extent.length) {
                Ok(0) => Some(rest),
                Ok(length) => rest.get(..length),
                Err(_) => None,
            };
            content.extend_from_slice(part.ok_or(malformed("an item is beyond the end"))?);
            if content.len() > source.len() {
                return Err(malformed("the parts of an item overlap"));
            }
        }
        Ok(content)
    }

    /// Returns its content, read from the file. `None` if it has more than `max` bytes, or the file ends before.
    ///
    /// # Errors
    /// [`ContainerError`], also if it has no location.
    pub fn read(
        self,
        file: &mut (impl Read + Seek),
        max: u64,
    ) -> Result<Option<Vec<u8>>, ContainerError> {
        let location = self.container.locations.get(&self.id);
        let location = location.ok_or(malformed("an item has no location"))?;
        if location.is_beside {
            let content = self.content(&[])?;
            return Ok(Some(content).filter(|content| content.len() as u64 <= max));
        }
        let mut whole = Vec::new();
        for extent in &location.extents {
            file.seek(SeekFrom::Start(extent.offset))?;
            let left = max.saturating_sub(whole.len() as u64);
            match super::content(file, extent.length, left)? {
                Some(part) => whole.extend(part),
                None => return Ok(None),
            }
        }
        Ok(Some(whole))
    }

    fn properties(self) -> impl Iterator<Item = (FourCc, Bytes<'a>)> {
        let indices = self.container.property_indices.get(&self.id);
        indices
            .into_iter()
            .flatten()
            .filter_map(|&number| self.container.properties.get(number))
            .map(|(kind, body)| (*kind, Bytes(body)))
    }

    fn matching_properties(self, wanted: FourCc) -> impl Iterator<Item = Bytes<'a>> {
        self.properties()
            .filter_map(move |(kind, body)| (kind == wanted).then_some(body))
    }
}
