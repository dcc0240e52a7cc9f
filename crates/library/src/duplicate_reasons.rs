//! The reasons for a proposal which of several duplicates to keep.

use serde::Serialize;

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
}
