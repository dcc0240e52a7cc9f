//! The types of pictures, by file extension.

use std::str::FromStr;

use super::entry::extension;
use super::query::ListQueryError;
use crate::sniff::PictureKind;

/// Kinds of pictures that are filtered as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureType {
    name: &'static str,
    kinds: &'static [PictureKind],
}

impl PictureType {
    /// All types that a listing treats as pictures.
    pub(super) const ALL: [Self; 12] = [
        Self::new("jpeg", &[PictureKind::Jpeg]),
        Self::new("png", &[PictureKind::Png]),
        Self::new("gif", &[PictureKind::Gif]),
        Self::new("webp", &[PictureKind::Webp]),
        Self::new("avif", &[PictureKind::Avif]),
        Self::new("heic", &[PictureKind::Heif]),
        Self::new("jxl", &[PictureKind::Jxl]),
        Self::new("tiff", &[PictureKind::Tiff]),
        Self::new("bmp", &[PictureKind::Bmp]),
        Self::new("ico", &[PictureKind::Ico]),
        Self::new("svg", &[PictureKind::Svg, PictureKind::Svgz]),
        Self::new("raw", &[PictureKind::Raw]),
    ];

    const fn new(name: &'static str, kinds: &'static [PictureKind]) -> Self {
        Self { name, kinds }
    }

    /// Returns the type of a file with this name; `None` if it is no picture.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.has(name))
    }

    pub(super) fn has(self, name: &[u8]) -> bool {
        let ending = extension(name);
        let mut endings = self.kinds.iter().flat_map(|kind| kind.endings());
        endings.any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
    }
}

impl FromStr for PictureType {
    type Err = ListQueryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name == text)
            .ok_or_else(|| ListQueryError::Type(text.chars().take(32).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_picture_is_of_one_type() {
        for kind in PictureKind::ALL {
            let types = PictureType::ALL.iter();
            let of = types.filter(|one| one.kinds.contains(&kind)).count();
            assert_eq!(of, 1, "{kind:?}");
        }
    }
}
