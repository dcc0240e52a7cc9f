//! The first directory of a TIFF or `BigTIFF`: the fields that describe its first picture.
//!
//! Fields are read one at a time, on request. The caller limits the memory of a field, which never exceeds
//! the size of the file.

mod field;

use std::io::{self, Cursor, Read, Seek, SeekFrom};

use image::metadata::Orientation;

use crate::DecodeError;
use field::{Entry, Order};

/// The numbers of fields (TIFF 6.0, and later registrations).
pub mod tag {
    /// The width in pixels.
    pub const WIDTH: u16 = 256;
    /// The height in pixels.
    pub const HEIGHT: u16 = 257;
    /// Bits of each sample.
    pub const BITS: u16 = 258;
    /// The compression of the pixels.
    pub const COMPRESSION: u16 = 259;
    /// The meaning of the samples.
    pub const PHOTOMETRIC: u16 = 262;
    /// The order of the bits in a byte.
    pub const FILL_ORDER: u16 = 266;
    pub const STRIP_OFFSETS: u16 = 273;
    /// The orientation, as in EXIF.
    pub const ORIENTATION: u16 = 274;
    /// Samples of a pixel.
    pub const SAMPLES: u16 = 277;
    pub const ROWS_PER_STRIP: u16 = 278;
    pub const STRIP_LENGTHS: u16 = 279;
    /// 2 if each sample has a plane of its own.
    pub const PLANAR: u16 = 284;
    /// Options of the compression of Group 3.
    pub const GROUP_3_OPTIONS: u16 = 292;
    /// The predictor: samples may be stored as differences.
    pub const PREDICTOR: u16 = 317;
    /// The colours of a palette.
    pub const COLOUR_MAP: u16 = 320;
    /// Pixels of a tile across.
    pub const TILE_WIDTH: u16 = 322;
    /// Pixels of a tile down.
    pub const TILE_HEIGHT: u16 = 323;
    pub const TILE_OFFSETS: u16 = 324;
    pub const TILE_LENGTHS: u16 = 325;
    pub const INK_SET: u16 = 332;
    /// The meaning of the samples behind the colours.
    pub const EXTRA_SAMPLES: u16 = 338;
    /// The number format of the samples.
    pub const SAMPLE_FORMAT: u16 = 339;
    /// The tables that the JPEG streams of all strips or tiles share.
    pub const JPEG_TABLES: u16 = 347;
    /// The offset of the stream of an old-style JPEG.
    pub const JPEG_OFFSET: u16 = 513;
    /// The length of the stream of an old-style JPEG.
    pub const JPEG_LENGTH: u16 = 514;
    /// The number of blocks between two restart markers of an old-style JPEG.
    pub const JPEG_RESTART: u16 = 515;
    /// The offsets of the quantization tables of an old-style JPEG.
    pub const JPEG_QUANTIZATION: u16 = 519;
    /// The offsets of its Huffman tables for the means of blocks (DC).
    pub const JPEG_DC: u16 = 520;
    /// The offsets of its other Huffman tables (AC).
    pub const JPEG_AC: u16 = 521;
    /// The contributions of red, green and blue to the luma.
    pub const YCC_COEFFICIENTS: u16 = 529;
    /// The numbers of pixels that share a sample of chroma, across and down.
    pub const YCC_SUBSAMPLING: u16 = 530;
    /// The numbers that mean black and white.
    pub const REFERENCE_BLACK_WHITE: u16 = 532;
    /// An XMP packet.
    pub const XMP: u16 = 700;
    /// The datasets of IPTC-IIM.
    pub const IPTC: u16 = 33723;
    pub const ICC_PROFILE: u16 = 34675;
}

/// More entries than any writer puts into a directory.
const MAX_ENTRIES: u64 = 4096;

/// A TIFF whose first directory has been read.
#[derive(Debug)]
pub struct Tiff<R> {
    file: R,
    length: u64,
    order: Order,
    entries: Vec<Entry>,
}

impl<R: Read + Seek> Tiff<R> {
    /// Reads the first directory of `file`, which is `length` bytes long.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if there is no directory, [`DecodeError::Io`] if the file can't be read.
    pub fn read(mut file: R, length: u64) -> Result<Self, DecodeError> {
        file.rewind()?;
        let [first, second, a, b]: [u8; 4] = array(&mut file)?;
        let order = match &[first, second] {
            b"II" => Order::Little,
            b"MM" => Order::Big,
            _ => return Err(damaged("it has no byte order")),
        };
        let mut tiff = Self {
            file,
            length,
            order,
            entries: Vec::new(),
        };
        match order.short([a, b]) {
            43 => tiff.read_big()?,
            // Makers of cameras write other numbers than 42.
            _ => tiff.read_classic()?,
        }
        Ok(tiff)
    }

    fn read_classic(&mut self) -> Result<(), DecodeError> {
        let at = self.order.long(array(&mut self.file)?);
        self.file.seek(SeekFrom::Start(at.into()))?;
        let count = self.order.short(array(&mut self.file)?);
        for _ in 0..u64::from(count).min(MAX_ENTRIES) {
            let Some(bytes) = self.next_entry::<12>()? else {
                break;
            };
            self.entries.push(Entry::classic(bytes, self.order));
        }
        self.checked()
    }

    fn read_big(&mut self) -> Result<(), DecodeError> {
        // The size of an offset, which is 8, and two bytes that are 0.
        let _sizes: [u8; 4] = array(&mut self.file)?;
        let at = self.order.long8(array(&mut self.file)?);
        self.file.seek(SeekFrom::Start(at))?;
        let count = self.order.long8(array(&mut self.file)?);
        for _ in 0..count.min(MAX_ENTRIES) {
            let Some(bytes) = self.next_entry::<20>()? else {
                break;
            };
            self.entries.push(Entry::big(bytes, self.order));
        }
        self.checked()
    }

    /// Returns the next entry, or `None` if the file ends: the entries before that may suffice.
    fn next_entry<const SIZE: usize>(&mut self) -> Result<Option<[u8; SIZE]>, DecodeError> {
        match array(&mut self.file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn checked(&self) -> Result<(), DecodeError> {
        match self.entries.is_empty() {
            true => Err(damaged("its directory is empty")),
            false => Ok(()),
        }
    }

    fn entry(&self, tag: u16) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.tag == tag)
    }

    /// Returns true if the directory has the field.
    #[must_use]
    pub fn has(&self, tag: u16) -> bool {
        self.entry(tag).is_some()
    }

    /// Returns true if numbers are written with the most significant byte first.
    #[must_use]
    pub fn is_big_endian(&self) -> bool {
        self.order == Order::Big
    }

    /// Returns the length of the file, in bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the file itself, at an unspecified position.
    pub fn file(&mut self) -> &mut R {
        &mut self.file
    }

    /// Returns the bytes of a field, as they are stored, or `None` if there is no such field, it has more
    /// than `max` bytes, or is outside of the file.
    ///
    /// # Errors
    /// [`DecodeError::Io`] if the file can't be read.
    pub fn bytes(&mut self, tag: u16, max: u64) -> Result<Option<Vec<u8>>, DecodeError> {
        let Some(entry) = self.entry(tag) else {
            return Ok(None);
        };
        match (entry.inline(), entry.length(), entry.at) {
            (Some(field), ..) => Ok(Some(field.to_vec())),
            (None, Some(length), at) if length <= max => self.stored(at, length),
            _ => Ok(None),
        }
    }

    fn stored(&mut self, at: u64, length: u64) -> Result<Option<Vec<u8>>, DecodeError> {
        if at.saturating_add(length) > self.length {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(at))?;
        (&mut self.file).take(length).read_to_end(&mut bytes)?;
        Ok((bytes.len() as u64 == length).then_some(bytes))
    }

    /// Returns the whole numbers of a field. Empty if there are none, or more than `max`.
    ///
    /// # Errors
    /// [`DecodeError::Io`] if the file can't be read.
    pub fn numbers(&mut self, tag: u16, max: usize) -> Result<Vec<u64>, DecodeError> {
        let Some(&entry) = self.entry(tag) else {
            return Ok(Vec::new());
        };
        let bytes = self.bytes(tag, (max as u64).saturating_mul(8))?;
        let numbers = entry.numbers(&bytes.unwrap_or_default(), self.order);
        Ok(if numbers.len() > max {
            Vec::new()
        } else {
            numbers
        })
    }

    /// Returns the first number of a field, whatever their count.
    ///
    /// # Errors
    /// [`DecodeError::Io`] if the file can't be read.
    pub fn number(&mut self, tag: u16) -> Result<Option<u64>, DecodeError> {
        let Some(&entry) = self.entry(tag) else {
            return Ok(None);
        };
        let Some(size) = entry.size().filter(|_| entry.count > 0) else {
            return Ok(None);
        };
        let stored = match entry.inline() {
            Some(field) => Some(field.to_vec()),
            None => self.stored(entry.at, size)?,
        };
        let numbers = stored.map(|bytes| entry.numbers(&bytes, self.order));
        Ok(numbers.and_then(|numbers| numbers.first().copied()))
    }

    /// Returns the numbers of a field as fractions. Empty if there are none, or more than `max`.
    ///
    /// # Errors
    /// [`DecodeError::Io`] if the file can't be read.
    pub fn fractions(&mut self, tag: u16, max: usize) -> Result<Vec<f64>, DecodeError> {
        let Some(&entry) = self.entry(tag) else {
            return Ok(Vec::new());
        };
        let bytes = self.bytes(tag, (max as u64).saturating_mul(8))?;
        Ok(entry.fractions(&bytes.unwrap_or_default(), self.order))
    }

    /// Returns the stored width and height, in pixels.
    ///
    /// # Errors
    /// [`DecodeError::Damaged`] if one is missing or zero.
    pub fn size(&mut self) -> Result<(u32, u32), DecodeError> {
        let mut side = |tag| -> Result<u32, DecodeError> {
            let pixels = self.number(tag)?.filter(|&pixels| pixels > 0);
            let pixels = pixels.ok_or_else(|| damaged("it claims to have no pixels"))?;
            Ok(u32::try_from(pixels).unwrap_or(u32::MAX))
        };
        Ok((side(tag::WIDTH)?, side(tag::HEIGHT)?))
    }

    /// Returns the orientation of the picture; upright if the file states no defined one.
    ///
    /// # Errors
    /// [`DecodeError::Io`] if the file can't be read.
    pub fn orientation(&mut self) -> Result<Orientation, DecodeError> {
        let number = self.number(tag::ORIENTATION)?;
        let number = number.and_then(|number| u8::try_from(number).ok());
        Ok(number
            .and_then(Orientation::from_exif)
            .unwrap_or(Orientation::NoTransforms))
    }
}

/// Returns the orientation that EXIF states, or `None` without a defined one. `exif` may begin with the
/// marker that JPEGs put before it.
#[must_use]
pub fn orientation_in(exif: &[u8]) -> Option<Orientation> {
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let mut tiff = Tiff::read(Cursor::new(exif), exif.len() as u64).ok()?;
    let number = tiff.number(tag::ORIENTATION).ok()??;
    Orientation::from_exif(u8::try_from(number).ok()?)
}

fn array<const SIZE: usize>(file: &mut impl Read) -> io::Result<[u8; SIZE]> {
    let mut bytes = [0; SIZE];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn damaged(what: &str) -> DecodeError {
    DecodeError::Damaged(what.into())
}

#[cfg(test)]
mod tests;
