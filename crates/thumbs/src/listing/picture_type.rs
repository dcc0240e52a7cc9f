//! The types of pictures, by the endings of their names.

use std::str::FromStr;

use super::entry::extension;
use super::query::ListQueryError;

/// What kind of picture a file is by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureType {
    name: &'static str,
    endings: &'static [&'static str],
}

impl PictureType {
    /// All that a listing takes for pictures.
    pub(super) const ALL: [Self; 12] = [
        Self::new("jpeg", &["jpg", "jpeg", "jpe", "jfif"]),
        Self::new("png", &["png", "apng"]),
        Self::new("gif", &["gif"]),
        Self::new("webp", &["webp"]),
        Self::new("avif", &["avif"]),
        Self::new("heic", &["heic", "heif", "hif"]),
        Self::new("jxl", &["jxl"]),
        Self::new("tiff", &["tif", "tiff"]),
        Self::new("bmp", &["bmp"]),
        Self::new("ico", &["ico"]),
        Self::new("svg", &["svg", "svgz"]),
        Self::new(
            "raw",
            &[
                "dng", "nef", "arw", "pef", "orf", "rw2", "cr2", "cr3", "raf",
            ],
        ),
    ];

    const fn new(name: &'static str, endings: &'static [&'static str]) -> Self {
        Self { name, endings }
    }

    /// What a file of this name would be; none if it is no picture.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.has(name))
    }

    pub(super) fn has(self, name: &[u8]) -> bool {
        let ending = extension(name);
        self.endings
            .iter()
            .any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
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
