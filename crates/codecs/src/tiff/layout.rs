//! The storage of a TIFF's picture: its fields, checked.

use std::io::{Read, Seek};

use fumikura_image::{
    Channels, DecodeError, Limits,
    tiff::{Tiff, tag},
};

use super::error::{damaged, unsupported};

/// The compression of the bytes of a strip or tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Fax(Fax),
    Lzw,
    OldJpeg,
    Jpeg,
    Deflate,
    PackBits,
    Webp,
    Zstd,
}

/// The compressions of fax machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fax {
    Rle,
    Group3 { is_two_dimensional: bool },
    Group4,
}

impl Compression {
    fn of(number: u64, options: u64) -> Result<Self, DecodeError> {
        Ok(match number {
            1 => Self::None,
            2 => Self::Fax(Fax::Rle),
            3 => Self::Fax(Fax::Group3 {
                is_two_dimensional: options & 1 == 1,
            }),
            4 => Self::Fax(Fax::Group4),
            5 => Self::Lzw,
            6 => Self::OldJpeg,
            7 => Self::Jpeg,
            8 | 32946 => Self::Deflate,
            32773 => Self::PackBits,
            50000 => Self::Zstd,
            50001 => Self::Webp,
            other => return Err(unsupported(&format!("compression {other}"))),
        })
    }

    /// Returns true if a part is a picture of its own kind, not a stream of rows.
    pub(super) fn is_picture(self) -> bool {
        matches!(self, Self::OldJpeg | Self::Jpeg | Self::Webp)
    }

    fn is_bilevel(self) -> bool {
        matches!(self, Self::Fax(_))
    }

    fn has_predictor(self) -> bool {
        matches!(self, Self::Lzw | Self::Deflate | Self::Zstd)
    }
}

/// The meaning of the samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Photometric {
    WhiteIsZero,
    BlackIsZero,
    Rgb,
    Palette,
    Inks,
    Ycc,
    CieLab,
    IccLab,
}

impl Photometric {
    fn of(number: u64) -> Result<Self, DecodeError> {
        Ok(match number {
            0 => Self::WhiteIsZero,
            // A mask: 1 is the visible part.
            1 | 4 => Self::BlackIsZero,
            2 => Self::Rgb,
            3 => Self::Palette,
            5 => Self::Inks,
            6 => Self::Ycc,
            8 => Self::CieLab,
            // ITU's L*a*b* differs from ICC's in the range of its colours, which a file may state.
            9 | 10 => Self::IccLab,
            other => return Err(unsupported(&format!("photometric interpretation {other}"))),
        })
    }

    /// Returns the most likely meaning if the file states none.
    fn guessed(samples: usize, compression: Compression) -> Self {
        match samples {
            1 | 2 if compression.is_bilevel() => Self::WhiteIsZero,
            1 | 2 => Self::BlackIsZero,
            _ if matches!(compression, Compression::Jpeg | Compression::OldJpeg) => Self::Ycc,
            _ => Self::Rgb,
        }
    }

    /// Returns the number of samples that make the colour of a pixel.
    pub(super) fn colours(self) -> usize {
        match self {
            Self::WhiteIsZero | Self::BlackIsZero | Self::Palette => 1,
            Self::Rgb | Self::Ycc | Self::CieLab | Self::IccLab => 3,
            Self::Inks => 4,
        }
    }
}

/// The number format of samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Unsigned,
    Signed,
    Float,
}

/// The dependence of neighbouring samples on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Predictor {
    None,
    Differences,
    FloatingPoint,
}

/// The sample of a pixel that is its opacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Opacity {
    pub(super) sample: usize,
    /// True if the colours were multiplied with it.
    pub(super) is_multiplied: bool,
}

/// The storage of a picture.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) bits: u32,
    pub(super) format: Format,
    pub(super) samples: usize,
    pub(super) photometric: Photometric,
    pub(super) compression: Compression,
    pub(super) predictor: Predictor,
    pub(super) is_planar: bool,
    /// True if the first pixel is in the lowest bit of a byte.
    pub(super) is_reversed: bool,
    pub(super) is_big_endian: bool,
    pub(super) opacity: Option<Opacity>,
    /// The number of pixels across and down that share a sample of chroma.
    pub(super) subsampling: (u32, u32),
    pub(super) is_tiled: bool,
    /// The pixels of a strip or tile across and down.
    pub(super) part: (u32, u32),
}

/// The largest number of samples of a pixel: more than any camera has bands.
const MAX_SAMPLES: u64 = 1024;

impl Layout {
    /// Returns true if rows arrive from the top, each once, and the mean of neighbouring samples is a colour
    /// between theirs.
    pub(super) fn can_be_reduced(&self) -> bool {
        let is_light = match self.photometric {
            Photometric::WhiteIsZero | Photometric::BlackIsZero | Photometric::Rgb => true,
            Photometric::Palette
            | Photometric::Inks
            | Photometric::Ycc
            | Photometric::CieLab
            | Photometric::IccLab => false,
        };
        is_light
            && self.format == Format::Unsigned
            && self.opacity.is_none()
            && !self.is_planar
            && !self.is_tiled
    }

    pub(super) fn read<R: Read + Seek>(
        tiff: &mut Tiff<R>,
        limits: Limits,
    ) -> Result<Self, DecodeError> {
        let (width, height) = tiff.size()?;
        limits.allow(width, height)?;
        let options = tiff.number(tag::GROUP_3_OPTIONS)?.unwrap_or(0);
        let compression = Compression::of(tiff.number(tag::COMPRESSION)?.unwrap_or(1), options)?;
        let (samples, photometric) = colours(tiff, compression)?;
        let (bits, stated) = depth(tiff, compression)?;
        // The signs of L*a*b* samples follow from the colours, not from the stated format.
        let has_signs = photometric == Photometric::CieLab && stated == Format::Signed;
        let format = if has_signs { Format::Unsigned } else { stated };
        let is_planar = tiff.number(tag::PLANAR)? == Some(2) && samples > 1;
        let is_tiled = tiff.has(tag::TILE_WIDTH) && tiff.has(tag::TILE_OFFSETS);
        let part = if is_tiled {
            tile(tiff, limits)?
        } else {
            let rows = tiff.number(tag::ROWS_PER_STRIP)?.filter(|&rows| rows > 0);
            let rows = rows.map_or(height, |rows| u32::try_from(rows).unwrap_or(height));
            (width, rows.min(height))
        };
        let layout = Self {
            width,
            height,
            bits,
            format,
            samples,
            photometric,
            compression,
            predictor: predictor(tiff, compression)?,
            is_planar,
            is_reversed: tiff.number(tag::FILL_ORDER)? == Some(2),
            is_big_endian: tiff.is_big_endian(),
            opacity: opacity(tiff, samples, photometric)?,
            subsampling: subsampling(tiff, photometric, compression)?,
            is_tiled,
            part,
        };
        layout.checked()
    }

    fn checked(self) -> Result<Self, DecodeError> {
        let is_known = match self.format {
            Format::Unsigned => matches!(self.bits, 1..=16 | 24 | 32 | 64),
            Format::Signed => matches!(self.bits, 8 | 16 | 32 | 64),
            Format::Float => matches!(self.bits, 16 | 32 | 64),
        };
        let is_eight = self.bits == 8 && self.format == Format::Unsigned;
        let needs_eight = self.compression.is_picture() || self.is_subsampled();
        if !is_known || needs_eight && !is_eight {
            return Err(unsupported(&format!("{} bits a sample", self.bits)));
        }
        let is_palette = self.photometric == Photometric::Palette;
        if is_palette && (self.format != Format::Unsigned || self.bits > 16) {
            return Err(unsupported("a palette of fractions"));
        }
        if self.compression.is_bilevel() && (self.bits, self.samples) != (1, 1) {
            return Err(damaged("its compression is for black and white"));
        }
        Ok(self)
    }

    /// Returns true if samples are signed whole numbers.
    pub(super) fn has_signs(&self) -> bool {
        self.photometric == Photometric::CieLab
    }

    /// Returns true if there are fewer samples of chroma than pixels.
    pub(super) fn is_subsampled(&self) -> bool {
        self.subsampling != (1, 1)
    }

    /// Returns the number of samples of a pixel that are stored side by side.
    pub(super) fn interleaved(&self) -> usize {
        if self.is_planar { 1 } else { self.samples }
    }

    /// Returns the channels of a decoded pixel.
    pub(super) fn channels(&self) -> Channels {
        match (self.photometric, self.opacity) {
            (Photometric::Inks, _) => Channels::Cmyk,
            (Photometric::WhiteIsZero | Photometric::BlackIsZero, None) => Channels::Gray,
            (Photometric::WhiteIsZero | Photometric::BlackIsZero, Some(_)) => Channels::GrayAlpha,
            (_, None) => Channels::Rgb,
            (_, Some(_)) => Channels::Rgba,
        }
    }
}

fn colours<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    compression: Compression,
) -> Result<(usize, Photometric), DecodeError> {
    let stated = tiff
        .number(tag::PHOTOMETRIC)?
        .map(Photometric::of)
        .transpose()?;
    let samples = match tiff.number(tag::SAMPLES)?.filter(|&samples| samples > 0) {
        Some(samples) => samples,
        None => stated.map_or(1, |stated| stated.colours() as u64),
    };
    if samples > MAX_SAMPLES {
        return Err(unsupported(&format!("{samples} samples a pixel")));
    }
    let samples = usize::try_from(samples).map_err(|_| unsupported("its samples"))?;
    let photometric = stated.unwrap_or_else(|| Photometric::guessed(samples, compression));
    if samples >= photometric.colours() {
        return Ok((samples, photometric));
    }
    // A single sample is grey, whatever the file states: the lightness of L*a*b*, or the luma of YCbCr.
    let is_grey = samples == 1 && photometric.colours() == 3;
    match is_grey {
        true => Ok((samples, Photometric::BlackIsZero)),
        false => Err(unsupported(&format!(
            "{photometric:?} of {samples} samples"
        ))),
    }
}

fn depth<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    compression: Compression,
) -> Result<(u32, Format), DecodeError> {
    let many = usize::try_from(MAX_SAMPLES).unwrap_or(usize::MAX);
    let bits = tiff.numbers(tag::BITS, many)?;
    let first = match bits.first() {
        Some(&first) => first,
        None if compression.is_picture() || tiff.has(tag::BITS) => 8,
        None => 1,
    };
    if bits.iter().any(|&bits| bits != first) {
        return Err(unsupported("samples of several depths"));
    }
    let format = match tiff.number(tag::SAMPLE_FORMAT)? {
        // An undefined format mostly means whole numbers.
        None | Some(0 | 1 | 4) => Format::Unsigned,
        Some(2) => Format::Signed,
        Some(3) => Format::Float,
        Some(other) => return Err(unsupported(&format!("sample format {other}"))),
    };
    let bits = u32::try_from(first).map_err(|_| damaged("its samples have no depth"))?;
    Ok((bits, format))
}

fn tile<R: Read + Seek>(tiff: &mut Tiff<R>, limits: Limits) -> Result<(u32, u32), DecodeError> {
    let mut side = |tag| -> Result<u32, DecodeError> {
        let pixels = tiff.number(tag)?.unwrap_or(0);
        Ok(u32::try_from(pixels).unwrap_or(u32::MAX))
    };
    let tile = (side(tag::TILE_WIDTH)?, side(tag::TILE_HEIGHT)?);
    limits.allow(tile.0, tile.1)?;
    Ok(tile)
}

fn predictor<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    compression: Compression,
) -> Result<Predictor, DecodeError> {
    if !compression.has_predictor() {
        return Ok(Predictor::None);
    }
    match tiff.number(tag::PREDICTOR)?.unwrap_or(1) {
        0 | 1 => Ok(Predictor::None),
        2 => Ok(Predictor::Differences),
        3 => Ok(Predictor::FloatingPoint),
        other => Err(unsupported(&format!("predictor {other}"))),
    }
}

fn opacity<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    samples: usize,
    photometric: Photometric,
) -> Result<Option<Opacity>, DecodeError> {
    let colours = photometric.colours();
    let extra = samples - colours;
    if extra == 0 || photometric == Photometric::Inks {
        return Ok(None);
    }
    if !tiff.has(tag::EXTRA_SAMPLES) {
        // Writers that omit the field mean opacity, if there is one extra sample.
        return Ok((extra == 1).then_some(Opacity {
            sample: colours,
            is_multiplied: false,
        }));
    }
    const ASSOCIATED: u64 = 1;
    const UNASSOCIATED: u64 = 2;
    let kinds = tiff.numbers(tag::EXTRA_SAMPLES, extra)?;
    let found = (colours..).zip(kinds);
    let mut found = found.filter(|(_, kind)| matches!(*kind, ASSOCIATED | UNASSOCIATED));
    Ok(found.next().map(|(sample, kind)| Opacity {
        sample,
        is_multiplied: kind == ASSOCIATED,
    }))
}

fn subsampling<R: Read + Seek>(
    tiff: &mut Tiff<R>,
    photometric: Photometric,
    compression: Compression,
) -> Result<(u32, u32), DecodeError> {
    // A JPEG stream states its own subsampling.
    if photometric != Photometric::Ycc || compression.is_picture() {
        return Ok((1, 1));
    }
    match tiff.numbers(tag::YCC_SUBSAMPLING, 2)?[..] {
        [across @ (1 | 2 | 4), down @ (1 | 2 | 4)] => Ok((side(across), side(down))),
        [] => Ok((2, 2)),
        _ => Err(unsupported("its chroma subsampling")),
    }
}

fn side(pixels: u64) -> u32 {
    u32::try_from(pixels).unwrap_or(1)
}
