//! The likeness of duplicates, and the reasons for a proposal which of them to keep.

use serde::{Deserialize, Serialize};

/// The degree to which the pictures of a group are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// Their files have the same contents.
    #[default]
    Identical,
    /// They look the same, such as copies in another size or format.
    Close,
    /// They look alike, such as those of a series.
    Similar,
}

/// The reason why a picture is kept: the first one by which it is better than the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeepReason {
    /// The others have changed since they were compared.
    Unchanged,
    /// It has a rating, tags, a caption or another mark.
    Marks,
    /// It has more files, such as a raw file.
    Files,
    /// It has more pixels.
    Pixels,
    /// It is sharper.
    Sharpness,
    /// Its format loses less.
    Format,
    /// Its file is larger.
    Bytes,
    /// Its file is older.
    Older,
    /// Its name is shorter, or the first one: copies have longer names.
    Name,
}

/// The reason why a picture is not proposed for the trash, although another one is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum StayReason {
    /// It has marks that the kept one lacks.
    Marks,
    /// It has a file that the kept one lacks.
    Files,
    /// Its marks can't be read.
    Unreadable,
    /// It has changed since it was compared.
    Changed,
    /// It looks different from the kept one, as pictures of a series do.
    Differs,
}
