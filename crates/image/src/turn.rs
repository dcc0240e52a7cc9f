//! Rotations and reflections of a picture.

use std::fmt;
use std::str::FromStr;

use image::metadata::Orientation;
use serde::{Deserialize, Serialize};

/// A rotation by quarter turns, with or without a reflection. It has the number of the EXIF orientation with the same
/// effect (TIFF 6.0, tag 274): 1 changes nothing, and 6 rotates to the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Turn {
    /// True if the picture is first reflected, left to right.
    is_mirrored: bool,
    /// The quarter turns to the right, 0 to 3.
    quarters: u8,
}

/// An error for a text that is not a number of a [`Turn`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a turn is a number from 1 to 8, as of EXIF's orientation")]
pub struct InvalidTurn;

/// The turns of the numbers 1 to 8: the reflection, and the quarter turns.
const NUMBERED: [(bool, u8); 8] = [
    (false, 0),
    (true, 0),
    (false, 2),
    (true, 2),
    (true, 3),
    (false, 1),
    (true, 1),
    (false, 3),
];

impl Turn {
    /// Changes nothing.
    pub const NONE: Self = Self {
        is_mirrored: false,
        quarters: 0,
    };

    /// All turns, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        NUMBERED.into_iter().map(|(is_mirrored, quarters)| Self {
            is_mirrored,
            quarters,
        })
    }

    /// Returns the turn of a number; `None` outside 1…8.
    #[must_use]
    pub fn of_number(number: u8) -> Option<Self> {
        Self::all().nth(usize::from(number.checked_sub(1)?))
    }

    /// Returns true if the picture is first reflected, left to right, and the quarter turns to the right, 0 to 3.
    pub(crate) fn parts(self) -> (bool, u8) {
        (self.is_mirrored, self.quarters)
    }

    /// Returns the number, 1 to 8.
    #[must_use]
    pub fn number(self) -> u8 {
        self.orientation().to_exif()
    }

    /// Returns the orientation with the same effect.
    #[must_use]
    pub fn orientation(self) -> Orientation {
        match (self.is_mirrored, self.quarters) {
            (false, 1) => Orientation::Rotate90,
            (false, 2) => Orientation::Rotate180,
            (false, 3) => Orientation::Rotate270,
            (false, _) => Orientation::NoTransforms,
            (true, 1) => Orientation::Rotate270FlipH,
            (true, 2) => Orientation::FlipVertical,
            (true, 3) => Orientation::Rotate90FlipH,
            (true, _) => Orientation::FlipHorizontal,
        }
    }

    /// True if nothing changes.
    #[must_use]
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// True if width and height change places.
    #[must_use]
    pub fn is_sideways(self) -> bool {
        self.quarters % 2 == 1
    }

    /// Returns the turn that has the effect of this one followed by another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        // A reflection reverses the direction of the rotation before it.
        let before = match next.is_mirrored {
            true => 4 - self.quarters,
            false => self.quarters,
        };
        Self {
            is_mirrored: self.is_mirrored != next.is_mirrored,
            quarters: (before + next.quarters) % 4,
        }
    }

    /// Returns the turn that reverts this one.
    #[must_use]
    pub fn inverse(self) -> Self {
        Self {
            quarters: match self.is_mirrored {
                true => self.quarters,
                false => (4 - self.quarters) % 4,
            },
            ..self
        }
    }
}

impl Default for Turn {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Orientation> for Turn {
    fn from(orientation: Orientation) -> Self {
        Self::of_number(orientation.to_exif()).unwrap_or_default()
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number())
    }
}

impl FromStr for Turn {
    type Err = InvalidTurn;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // Only one digit is accepted: `u8::from_str` would also accept a plus sign and zeros before it.
        match text.as_bytes() {
            [digit @ b'1'..=b'8'] => Self::of_number(digit - b'0').ok_or(InvalidTurn),
            _ => Err(InvalidTurn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{DynamicImage, GrayImage};

    fn turned(turns: &[Turn]) -> DynamicImage {
        let picture = GrayImage::from_fn(3, 2, |x, y| image::Luma([(y * 3 + x) as u8]));
        let mut picture = DynamicImage::ImageLuma8(picture);
        for turn in turns {
            picture.apply_orientation(turn.orientation());
        }
        picture
    }

    #[test]
    fn numbers_are_those_of_exif() {
        for number in 1..=8 {
            let turn = Turn::of_number(number).unwrap();
            assert_eq!(turn.number(), number);
            assert_eq!(turn.to_string().parse(), Ok(turn));
            assert_eq!(Some(turn.orientation()), Orientation::from_exif(number));
            assert_eq!(turn.is_sideways(), turned(&[turn]).width() == 2);
        }
        for text in ["0", "9", "", "+6", "06", "６"] {
            assert_eq!(text.parse::<Turn>(), Err(InvalidTurn), "{text:?}");
        }
        assert_eq!((Turn::of_number(0), Turn::of_number(9)), (None, None));
    }

    #[test]
    fn turns_are_combined_and_reverted_as_pixels_are() {
        for one in Turn::all() {
            assert_eq!(turned(&[one, one.inverse()]), turned(&[]));
            for other in Turn::all() {
                assert_eq!(turned(&[one.then(other)]), turned(&[one, other]));
            }
        }
    }
}
