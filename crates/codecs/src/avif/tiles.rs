//! The tiles of a picture: one item, or a grid of items.

use std::cell::RefCell;

use fumikura_image::{
    DecodeError, Limits,
    isobmff::{Colours, Item},
};

use super::av1::{ColourCodes, Frame};
use super::unsupported;

/// A picture's tiles, all of one size, in rows from the top.
pub(super) struct Tiles<'a> {
    /// The width of the whole picture.
    pub(super) width: u32,
    /// The height of the whole picture.
    pub(super) height: u32,
    columns: u32,
    tile: (u32, u32),
    items: Vec<Item<'a>>,
    file: &'a [u8],
    /// The first tile, if it was decoded for its numbers and is not painted yet.
    first: RefCell<Option<Frame>>,
}

impl<'a> Tiles<'a> {
    /// # Errors
    /// [`DecodeError`], also for more pixels than allowed.
    pub(super) fn of(item: Item<'a>, file: &'a [u8], limits: Limits) -> Result<Self, DecodeError> {
        let (width, height) = item.size()?;
        limits.allow(width, height)?;
        match item.kind() {
            Some([b'a', b'v', b'0', b'1']) => Ok(Self {
                width,
                height,
                columns: 1,
                tile: (width, height),
                items: vec![item],
                file,
                first: RefCell::default(),
            }),
            Some([b'g', b'r', b'i', b'd']) => Self::grid(item, file, limits),
            Some(other) => Err(unsupported(&String::from_utf8_lossy(&other))),
            None => Err(damaged("its picture is not there")),
        }
    }

    fn grid(item: Item<'a>, file: &'a [u8], limits: Limits) -> Result<Self, DecodeError> {
        let (width, height) = item.size()?;
        let content = item.content(file)?;
        let (rows, columns, claimed) = match *content {
            [0, flags, rows, columns, ref size @ ..] => (
                u32::from(rows) + 1,
                u32::from(columns) + 1,
                size_of(flags, size),
            ),
            _ => (0, 0, None),
        };
        let items = item.parts();
        let first = *items.first().ok_or_else(|| damaged("it has no tiles"))?;
        let tile = first.size()?;
        limits.allow(tile.0, tile.1)?;
        let covers = |count: u32, side: u32, whole: u32| {
            let (count, side, whole) = (u64::from(count), u64::from(side), u64::from(whole));
            count * side >= whole && (count - 1) * side < whole
        };
        let is_whole = claimed == Some((width, height))
            && items.len() as u64 == u64::from(rows) * u64::from(columns)
            && covers(columns, tile.0, width)
            && covers(rows, tile.1, height)
            && items.iter().all(|item| {
                item.kind() == Some(*b"av01") && item.size().is_ok_and(|size| size == tile)
            });
        if !is_whole {
            return Err(damaged("its tiles don't make a whole"));
        }
        Ok(Self {
            width,
            height,
            columns,
            tile,
            items,
            file,
            first: RefCell::default(),
        })
    }

    /// Returns the colours of the whole picture or, if it states none, those of its first tile.
    pub(super) fn colours(&self, whole: Item<'a>) -> Result<Colours<'a>, DecodeError> {
        let colours = whole.colours()?;
        match self.items.first() {
            Some(first) if colours == Colours::default() => Ok(first.colours()?),
            _ => Ok(colours),
        }
    }

    /// Returns the numbers of the tiles, and the positions of their upper left corners.
    pub(super) fn places(&self) -> impl Iterator<Item = (usize, (u32, u32))> {
        let (columns, (width, height)) = (self.columns, self.tile);
        (0..self.items.len()).zip(0..).map(move |(number, place)| {
            let place: u32 = place;
            (number, (place % columns * width, place / columns * height))
        })
    }

    /// Returns the numbers that the first tile states for its colours.
    pub(super) fn numbers(&self) -> Result<ColourCodes, DecodeError> {
        let first = self.frame(0)?;
        let numbers = first.numbers();
        self.first.replace(Some(first));
        Ok(numbers)
    }

    /// Decodes a tile.
    pub(super) fn frame(&self, number: usize) -> Result<Frame, DecodeError> {
        if number == 0
            && let Some(first) = self.first.take()
        {
            return Ok(first);
        }
        let item = self
            .items
            .get(number)
            .ok_or_else(|| damaged("a tile is missing"))?;
        let (width, height) = self.tile;
        let frame = Frame::decode(&item.content(self.file)?, width, height)?;
        if (frame.width(), frame.height()) != (width, height) {
            return Err(damaged("its picture is not as large as it says"));
        }
        Ok(frame)
    }
}

/// Returns the width and height of a grid.
fn size_of(flags: u8, bytes: &[u8]) -> Option<(u32, u32)> {
    if flags & 1 == 1 {
        let (width, rest) = bytes.split_first_chunk()?;
        let height = rest.first_chunk()?;
        Some((u32::from_be_bytes(*width), u32::from_be_bytes(*height)))
    } else {
        let (width, rest) = bytes.split_first_chunk()?;
        let height = rest.first_chunk()?;
        Some((
            u16::from_be_bytes(*width).into(),
            u16::from_be_bytes(*height).into(),
        ))
    }
}

fn damaged(what: &str) -> DecodeError {
    DecodeError::Damaged(what.into())
}
