//! Settings of the application. Stored as JSON, so that a newer version may add to them.

use serde::{Deserialize, Serialize};

/// What a person has set. A field that is missing in the store has its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language of the interface.
    pub language: Language,
    /// Light or dark.
    pub theme: Theme,
    /// The panel on the left: tree and recent pages.
    pub side_panel: Panel,
    /// The panel on the right: contents, links, information.
    pub right_panel: Panel,
    /// The preview beside the text that is being written.
    pub preview: Preview,
    /// The edge of a thumbnail in the grid, in CSS pixels, 96 to 512.
    pub thumbnail_size: u32,
    /// In which order the pictures of a folder are shown.
    pub picture_order: PictureOrder,
    /// By what the pictures of a folder are grouped.
    pub picture_grouping: PictureGrouping,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::System,
            theme: Theme::System,
            side_panel: Panel {
                open: true,
                width: 248,
            },
            right_panel: Panel {
                open: true,
                width: 264,
            },
            preview: Preview {
                open: true,
                width: None,
            },
            thumbnail_size: 160,
            picture_order: PictureOrder {
                by: PictureQuality::Name,
                descending: false,
            },
            picture_grouping: PictureGrouping::None,
        }
    }
}

/// The language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The one that the system prefers.
    System,
    /// English.
    En,
    /// Japanese.
    Ja,
}

/// Light or dark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// The one that the system prefers.
    System,
    /// Dark ink on light paper.
    Light,
    /// Light ink on dark paper.
    Dark,
}

/// A panel beside the main one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panel {
    /// Whether it is shown.
    pub open: bool,
    /// Its width in CSS pixels, 160 to 640.
    pub width: u32,
}

/// The preview beside the text that is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Preview {
    /// Whether it is shown.
    pub open: bool,
    /// Its width in CSS pixels, 160 to 8,000; none until it was dragged: then it takes half of the room.
    pub width: Option<u32>,
}

/// In which order the pictures of a folder are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureOrder {
    /// What is compared.
    pub by: PictureQuality,
    /// Whether the greatest comes first.
    pub descending: bool,
}

/// By what pictures are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureQuality {
    /// The name, numbers by their value.
    Name,
    /// When the file was last changed.
    Modified,
    /// The file's size.
    Size,
    /// The kind of file, by its extension.
    Type,
    /// When it was taken.
    Taken,
}

/// By what pictures are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PictureGrouping {
    /// By nothing.
    None,
    /// The day when they were taken.
    Day,
    /// The month when they were taken.
    Month,
}
