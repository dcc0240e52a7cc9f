//! Conditions on pictures: rating, size, type, camera, lens, caption, folder and album.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::QueryError;
use super::parse::{folded_path, half_width};
use crate::catalogue::{CatalogueItem, PictureFacts};
use crate::document::Document;
use crate::query::evaluate::is_below;
use crate::sequence::Sequence;
use fumikura_folding::fold;

/// The fields of these conditions.
pub(super) const FIELDS: [&str; 8] = [
    "rating", "size", "type", "camera", "lens", "caption", "folder", "album",
];

/// A condition that only pictures in folders can fulfil.
#[derive(Debug, Clone)]
pub(crate) enum PictureCondition {
    /// The stars, with none for a picture that is not rated. A rejected picture has no stars to compare.
    Stars(Comparison, i8),
    Rejected,
    /// The size in bytes.
    Size(Comparison, u64),
    /// One of these types or extensions, folded.
    Types(Vec<String>),
    Camera(Sequence),
    Lens(Sequence),
    Caption(Sequence),
    /// There is a caption.
    Captioned,
    /// The path of the folder contains the sequence.
    Folder(Sequence),
    /// The folder has this folded absolute path, or is below it.
    Below(String),
    Album(AlbumPictures),
}

/// The pictures of an album: none until the album is found.
#[derive(Debug, Clone)]
pub(crate) struct AlbumPictures {
    /// The id or the name of the album, as it was typed.
    pub(crate) name: String,
    /// The positions of the pictures in the album, by their absolute paths.
    pub(crate) positions: Arc<HashMap<String, usize>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Comparison {
    /// The signs, the longer ones first.
    const SIGNS: [(&str, Self); 9] = [
        (">=", Self::AtLeast),
        ("<=", Self::AtMost),
        ("≥", Self::AtLeast),
        ("≧", Self::AtLeast),
        ("≤", Self::AtMost),
        ("≦", Self::AtMost),
        (">", Self::More),
        ("<", Self::Less),
        ("=", Self::Equal),
    ];

    /// Returns the comparison at the beginning of a value, and the rest.
    fn read(value: &str) -> (Self, &str) {
        let signed = Self::SIGNS
            .iter()
            .find_map(|(sign, comparison)| Some((*comparison, value.strip_prefix(sign)?)));
        signed.unwrap_or((Self::Equal, value))
    }

    fn holds<T: Ord>(self, one: &T, other: &T) -> bool {
        let order = one.cmp(other);
        match self {
            Self::Less => order == Ordering::Less,
            Self::AtMost => order != Ordering::Greater,
            Self::Equal => order == Ordering::Equal,
            Self::AtLeast => order != Ordering::Less,
            Self::More => order == Ordering::Greater,
        }
    }
}

impl PictureCondition {
    /// Reads the value of a field; `None` if it has no words.
    pub(super) fn read(field: &str, value: &str, quoted: bool) -> Result<Option<Self>, QueryError> {
        let wrong = |field| QueryError::Value {
            field,
            value: value.to_owned(),
        };
        let plain = half_width(value).to_lowercase();
        Ok(match field {
            "rating" => Some(rating(&plain).ok_or_else(|| wrong("rating"))?),
            "size" => Some(size(&plain).ok_or_else(|| wrong("size"))?),
            "type" => {
                let types = plain
                    .split([',', '|'])
                    .map(|one| one.trim_start_matches('.'));
                Some(Self::Types(types.map(str::to_owned).collect()))
            }
            "camera" => Sequence::new(value, !quoted).map(Self::Camera),
            "lens" => Sequence::new(value, !quoted).map(Self::Lens),
            "caption" => Sequence::new(value, !quoted).map(Self::Caption),
            "album" => {
                let name = value.trim().to_owned();
                let positions = Arc::default();
                (!name.is_empty()).then_some(Self::Album(AlbumPictures { name, positions }))
            }
            _ if plain.starts_with('/') => Some(Self::Below(folded_path(value))),
            _ => Sequence::new(value, !quoted).map(Self::Folder),
        })
    }

    /// Returns the words that a picture must have, if the condition is one of words.
    pub(crate) fn sequence(&self) -> Option<&Sequence> {
        match self {
            Self::Camera(words)
            | Self::Lens(words)
            | Self::Caption(words)
            | Self::Folder(words) => Some(words),
            Self::Stars(..)
            | Self::Rejected
            | Self::Size(..)
            | Self::Types(_)
            | Self::Captioned
            | Self::Below(_)
            | Self::Album(_) => None,
        }
    }

    /// Returns whether a picture fulfils the condition.
    fn holds(&self, item: &CatalogueItem, picture: &PictureFacts) -> bool {
        let has = |text: &str, words| Document::new(text.to_owned()).has(words);
        let path = &*item.path;
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        match self {
            Self::Stars(comparison, stars) => {
                let rating = picture.rating.unwrap_or(0);
                rating >= 0 && comparison.holds(&rating, stars)
            }
            Self::Rejected => picture.rating.is_some_and(|rating| rating < 0),
            Self::Size(comparison, bytes) => comparison.holds(&picture.size, bytes),
            Self::Types(types) => types.iter().any(|one| {
                let extension = name.rsplit_once('.').map(|(_, extension)| extension);
                one == picture.kind || extension.is_some_and(|is| is.eq_ignore_ascii_case(one))
            }),
            Self::Camera(words) => has(picture.camera, words),
            Self::Lens(words) => has(picture.lens, words),
            Self::Caption(words) => has(item.caption(), words),
            Self::Captioned => !item.caption().is_empty(),
            Self::Folder(words) => has(folder, words),
            Self::Below(above) => is_below(&fold(folder), above),
            Self::Album(album) => album.positions.contains_key(path),
        }
    }
}

impl CatalogueItem {
    /// Returns whether the item is a picture that fulfils the condition.
    pub(crate) fn fulfils(&self, condition: &PictureCondition) -> bool {
        let picture = self.picture.as_ref();
        picture.is_some_and(|picture| condition.holds(self, picture))
    }
}

/// Reads a rating: `4`, `>=4`, `unrated` or `rejected`.
fn rating(value: &str) -> Option<PictureCondition> {
    match value {
        "unrated" | "none" => return Some(PictureCondition::Stars(Comparison::Equal, 0)),
        "rejected" => return Some(PictureCondition::Rejected),
        _ => {}
    }
    let (comparison, stars) = Comparison::read(value);
    let stars: i8 = stars.trim().parse().ok()?;
    (0..=5)
        .contains(&stars)
        .then_some(PictureCondition::Stars(comparison, stars))
}

/// Reads a size: `>5MB`, `<=1.5GB`, `<300kb`. The units are those that the page shows: 1 KB has 1,024 bytes.
fn size(value: &str) -> Option<PictureCondition> {
    const UNITS: [(&str, u32); 10] = [
        ("kib", 10),
        ("mib", 20),
        ("gib", 30),
        ("kb", 10),
        ("mb", 20),
        ("gb", 30),
        ("k", 10),
        ("m", 20),
        ("g", 30),
        ("b", 0),
    ];
    let (comparison, amount) = Comparison::read(value);
    if comparison == Comparison::Equal {
        return None;
    }
    let unit = UNITS
        .iter()
        .find_map(|(unit, power)| Some((amount.strip_suffix(unit)?, *power)));
    let (number, power) = unit.unwrap_or((amount, 0));
    let number = number.trim().replace(',', ".");
    let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = number.parse().ok().filter(|_| is_plain)?;
    let bytes = number * f64::from(1_u32 << power);
    // A size that no file has is the greatest one: a cast saturates.
    Some(PictureCondition::Size(comparison, bytes as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(rating: Option<i8>) -> PictureFacts {
        PictureFacts {
            rating,
            size: 3 << 20,
            kind: "raw",
            camera: "NIKON D5",
            lens: "AF-S NIKKOR 24-70mm f/2.8E",
            caption_bytes: 13,
        }
    }

    #[track_caller]
    fn holds(field: &str, value: &str, rating: Option<i8>) -> bool {
        let condition = PictureCondition::read(field, value, false)
            .unwrap()
            .unwrap();
        let item = CatalogueItem {
            path: "/photos/Trips/京都/DSC_1.NEF".to_owned(),
            about: "A quiet place\nNIKON D5".to_owned(),
            is_picture: true,
            picture: Some(picture(rating)),
            ..CatalogueItem::default()
        };
        item.fulfils(&condition)
    }

    #[test]
    fn ratings_are_compared() {
        for (value, expected) in [
            ("3", [false, false, true, false]),
            (">=3", [false, false, true, true]),
            ("≧３", [false, false, true, true]),
            (">3", [false, false, false, true]),
            ("<3", [false, true, false, false]),
            ("<=3", [false, true, true, false]),
            ("unrated", [false, true, false, false]),
            ("Rejected", [true, false, false, false]),
        ] {
            let found = [Some(-1), None, Some(3), Some(5)].map(|is| holds("rating", value, is));
            assert_eq!(found, expected, "{value}");
        }
    }

    #[test]
    fn sizes_have_units() {
        for (value, expected) in [
            (">2MB", true),
            (">3mb", false),
            (">=3MiB", true),
            ("<3.5M", true),
            ("<3,5m", true),
            ("＞２ＭＢ", true),
            ("<1gb", true),
            ("<1000", false),
            (">99999999999999999999G", false),
        ] {
            assert_eq!(holds("size", value, None), expected, "{value}");
        }
    }

    #[test]
    fn pictures_are_found_by_words_of_each_field() {
        for (field, value, expected) in [
            ("type", "raw", true),
            ("type", "jpeg|RAW", true),
            ("type", "nef,video", true),
            ("type", ".NEF", true),
            ("type", "cr2", false),
            ("camera", "nikon", true),
            ("camera", "canon", false),
            ("lens", "24-70", true),
            ("lens", "50", false),
            ("caption", "quiet", true),
            ("caption", "nikon", false),
            ("folder", "trips", true),
            ("folder", "京都", true),
            ("folder", "DSC_1", false),
            ("folder", "/photos/trips/", true),
            ("folder", "/photos/tri", false),
        ] {
            assert_eq!(holds(field, value, None), expected, "{field}:{value}");
        }
    }

    #[test]
    fn unknown_values_are_refused() {
        for (field, value) in [
            ("rating", "6"),
            ("rating", "good"),
            ("rating", ">"),
            ("rating", "-1"),
            ("size", "5MB"),
            ("size", ">5 apples"),
            ("size", ">-1"),
            ("size", ">inf"),
            ("size", ">"),
        ] {
            let error = PictureCondition::read(field, value, false).unwrap_err();
            let expected = QueryError::Value {
                field: if field == "size" { "size" } else { "rating" },
                value: value.to_owned(),
            };
            assert_eq!(error, expected, "{field}:{value}");
        }
    }
}
