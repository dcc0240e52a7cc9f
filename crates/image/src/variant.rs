//! The variants of a thumbnail: the size, the way the picture is fitted to it, and the file format.

use std::fmt;
use std::str::FromStr;

use crate::crop::{Crop, InvalidCrop};
use crate::turn::{InvalidTurn, Turn};

/// An invalid parameter of a thumbnail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VariantError {
    /// The size is not `WxH` with both from 1 to 4096.
    #[error("size “{0}” is not understood: WxH is expected, each from 1 to 4096, such as 85x85")]
    Size(String),
    /// The mode is none of the three.
    #[error("mode “{0}” is unknown: crop, shrink or stretch is expected")]
    Mode(String),
    /// The format is none of the three.
    #[error("format “{0}” is unknown: jpg, png or webp is expected")]
    Format(String),
    /// The turn is not a number from 1 to 8.
    #[error("turn “{0}” is not understood: {InvalidTurn}")]
    Turn(String),
    /// The crop is not one.
    #[error("crop “{0}” is not understood: {InvalidCrop}")]
    Crop(String),
}

/// Returns the start of an external text, for a message.
fn excerpt(text: &str) -> String {
    text.chars().take(32).collect()
}

/// The size of a thumbnail in pixels; each side from 1 to 4096. Written `85x85`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    width: u16,
    height: u16,
}

impl Size {
    /// The longest side, in pixels.
    pub const MAX: u16 = 4096;

    /// Creates a size of `width` × `height` pixels. Returns `None` outside 1…4096.
    #[must_use]
    pub fn new(width: u16, height: u16) -> Option<Self> {
        let valid = 1..=Self::MAX;
        (valid.contains(&width) && valid.contains(&height)).then_some(Self { width, height })
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(self) -> u16 {
        self.width
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(self) -> u16 {
        self.height
    }
}

impl Default for Size {
    fn default() -> Self {
        Self {
            width: 85,
            height: 85,
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Only digits are accepted: `u16::from_str` would also accept a plus sign.
        let side = |side: &str| {
            let digits = !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| side.parse::<u16>().ok()).flatten()
        };
        text.split_once('x')
            .and_then(|(width, height)| Self::new(side(width)?, side(height)?))
            .ok_or_else(|| VariantError::Size(excerpt(text)))
    }
}

/// The way a picture is fitted to the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// Fills the size and cuts the excess, keeping the middle.
    #[default]
    Crop,
    /// Fits inside the size with its proportions; never enlarges.
    Shrink,
    /// Has the size exactly, without keeping the proportions.
    Stretch,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crop => "crop",
            Self::Shrink => "shrink",
            Self::Stretch => "stretch",
        })
    }
}

impl FromStr for Mode {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "crop" => Ok(Self::Crop),
            "shrink" => Ok(Self::Shrink),
            "stretch" => Ok(Self::Stretch),
            other => Err(VariantError::Mode(excerpt(other))),
        }
    }
}

/// The file format of a thumbnail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// JPEG, quality 85. Transparency is placed over white.
    #[default]
    Jpg,
    /// PNG. Keeps transparency.
    Png,
    /// WebP, lossless for now, so that photographs are larger than as JPEG. Keeps transparency.
    Webp,
}

impl Format {
    /// Returns the extension of the file, without a dot. It is also the name of the format.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }

    /// Returns the media type, for `Content-Type`.
    #[must_use]
    pub fn mime(self) -> &'static str {
        match self {
            Self::Jpg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

impl FromStr for Format {
    type Err = VariantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "jpg" => Ok(Self::Jpg),
            "png" => Ok(Self::Png),
            "webp" => Ok(Self::Webp),
            other => Err(VariantError::Format(excerpt(other))),
        }
    }
}

/// A thumbnail of a picture, written `85x85-crop.jpg`, or `85x85-crop-6.jpg` if it is turned, as in the name of its
/// file. The crop of the picture is not part of the name: it is part of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Variant {
    /// The target size.
    pub size: Size,
    /// The way it is reached.
    pub mode: Mode,
    /// The format of the file.
    pub format: Format,
    /// The turn of the upright picture. The size is that of the turned one.
    pub turn: Turn,
    /// The part of the upright picture, before its turn, that is shown; `None` for all of it.
    pub crop: Option<Crop>,
}

impl Variant {
    /// Reads three parameters of a query. A missing one has its default (85x85, crop, jpg).
    ///
    /// # Errors
    /// [`VariantError`], naming the first invalid one.
    pub fn parse(
        size: Option<&str>,
        mode: Option<&str>,
        format: Option<&str>,
    ) -> Result<Self, VariantError> {
        Ok(Self {
            size: size.map(str::parse).transpose()?.unwrap_or_default(),
            mode: mode.map(str::parse).transpose()?.unwrap_or_default(),
            format: format.map(str::parse).transpose()?.unwrap_or_default(),
            turn: Turn::NONE,
            crop: None,
        })
    }

    /// Returns the same thumbnail, turned as a parameter says. A missing one means no turn.
    ///
    /// # Errors
    /// [`VariantError::Turn`]
    pub fn turned(self, turn: Option<&str>) -> Result<Self, VariantError> {
        let turn = turn.map(|turn| {
            turn.parse()
                .map_err(|InvalidTurn| VariantError::Turn(excerpt(turn)))
        });
        let turn = turn.transpose()?.unwrap_or_default();
        Ok(Self { turn, ..self })
    }

    /// Returns the same thumbnail of a part of the picture, as a parameter says. A missing one means the whole picture.
    ///
    /// # Errors
    /// [`VariantError::Crop`]
    pub fn cropped(self, crop: Option<&str>) -> Result<Self, VariantError> {
        let crop = crop.map(|crop| {
            crop.parse()
                .map_err(|InvalidCrop| VariantError::Crop(excerpt(crop)))
        });
        let crop = crop.transpose()?.filter(|crop: &Crop| !crop.is_whole());
        Ok(Self { crop, ..self })
    }

    /// Reads the end of the name of a thumbnail's file: `85x85-crop.jpg` or `85x85-crop-6.jpg`. Only the canonical
    /// spelling is accepted.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        let (size, rest) = name.split_once('-')?;
        let (mode, format) = rest.split_once('.')?;
        let (mode, turn) = match mode.split_once('-') {
            Some((mode, turn)) => (mode, Some(turn)),
            None => (mode, None),
        };
        let variant = Self::parse(Some(size), Some(mode), Some(format)).ok()?;
        let variant = variant.turned(turn).ok()?;
        (variant.to_string() == name).then_some(variant)
    }

    /// Returns the variant without its crop as one number, never 0: a set bit, 12 bits each of the width and the height
    /// less one, 3 of the turn, and 2 each of the mode and the format.
    #[must_use]
    pub fn number(self) -> u32 {
        let mode = match self.mode {
            Mode::Crop => 0,
            Mode::Shrink => 1,
            Mode::Stretch => 2,
        };
        let format = match self.format {
            Format::Jpg => 0,
            Format::Png => 1,
            Format::Webp => 2,
        };
        let (width, height) = (self.size.width() - 1, self.size.height() - 1);
        let turn = u32::from(self.turn.number() - 1);
        let sides = u32::from(width) << 19 | u32::from(height) << 7;
        1 << 31 | sides | turn << 4 | mode << 2 | format
    }

    /// Returns the variant of a number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        let side = |bits: u32| u16::try_from((bits & 0xfff) + 1).ok();
        let turn = u8::try_from((number >> 4 & 7) + 1).ok()?;
        Some(Self {
            size: Size::new(side(number >> 19)?, side(number >> 7)?)?,
            turn: Turn::of_number(turn)?,
            crop: None,
            mode: match number >> 2 & 3 {
                0 => Mode::Crop,
                1 => Mode::Shrink,
                2 => Mode::Stretch,
                _ => return None,
            },
            format: match number & 3 {
                0 => Format::Jpg,
                1 => Format::Png,
                2 => Format::Webp,
                _ => return None,
            },
        })
        .filter(|variant| variant.number() == number)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.size, self.mode)?;
        if !self.turn.is_none() {
            write!(f, "-{}", self.turn)?;
        }
        write!(f, ".{}", self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_defaults_are_those_of_the_contract() {
        assert_eq!(
            Variant::parse(None, None, None).unwrap().to_string(),
            "85x85-crop.jpg"
        );
        assert_eq!(
            Variant::parse(Some("320x200"), Some("shrink"), Some("webp"))
                .unwrap()
                .to_string(),
            "320x200-shrink.webp"
        );
        let turned = Variant::default().turned(Some("6")).unwrap();
        assert_eq!(turned.to_string(), "85x85-crop-6.jpg");
        assert_eq!(Variant::of_name("85x85-crop-1.jpg"), None);
    }

    #[test]
    fn bad_parameters_are_named() {
        for size in [
            "", "85", "85x", "x85", "0x1", "1x0", "4097x1", "1x4097", "+1x1", "1x1x1", "1X1",
            "-1x1", " 1x1", "99999x1", "１x１",
        ] {
            let error = Variant::parse(Some(size), None, None).unwrap_err();
            assert_eq!(error, VariantError::Size(size.to_owned()));
        }
        for turn in ["0", "9", "left", "+6"] {
            let error = Variant::default().turned(Some(turn)).unwrap_err();
            assert_eq!(error, VariantError::Turn(turn.to_owned()));
        }
        for crop in ["", "0.5,0.5,1,1", "0.5,0.5,0,0,0", "0.5,0.5,1,1,90"] {
            let error = Variant::default().cropped(Some(crop)).unwrap_err();
            assert_eq!(error, VariantError::Crop(crop.to_owned()));
        }
        assert!(matches!("CROP".parse::<Mode>(), Err(VariantError::Mode(_))));
        assert!(matches!(
            "jpeg".parse::<Format>(),
            Err(VariantError::Format(_))
        ));
    }

    proptest! {
        #[test]
        fn size_round_trips(width in 1..=4096_u16, height in 1..=4096_u16) {
            let size = Size::new(width, height).unwrap();
            prop_assert_eq!(size.to_string().parse::<Size>().unwrap(), size);
        }

        #[test]
        fn number_and_name_round_trip(
            width in 1..=4096_u16, height in 1..=4096_u16, mode in 0..3_usize, format in 0..3_usize, turn in 1..=8_u8,
        ) {
            let variant = Variant {
                size: Size::new(width, height).unwrap(),
                mode: [Mode::Crop, Mode::Shrink, Mode::Stretch][mode],
                format: [Format::Jpg, Format::Png, Format::Webp][format],
                turn: Turn::of_number(turn).unwrap(),
                crop: None,
            };
            prop_assert_eq!(Variant::of_name(&variant.to_string()), Some(variant));
            prop_assert_ne!(variant.number(), 0);
            prop_assert_eq!(Variant::from_number(variant.number()), Some(variant));
        }

        #[test]
        fn no_number_makes_a_reader_panic(number: u32) {
            if let Some(variant) = Variant::from_number(number) {
                prop_assert_eq!(variant.number(), number);
            }
        }

        #[test]
        fn no_text_makes_a_parser_panic(text in ".{0,40}") {
            let _ = text.parse::<Size>();
            let _ = text.parse::<Mode>();
            let _ = text.parse::<Format>();
            let _ = text.parse::<Turn>();
            let _ = Variant::of_name(&text);
        }
    }
}
