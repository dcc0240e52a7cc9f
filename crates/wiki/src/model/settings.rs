//! Settings of the application. They are stored as JSON, so that a newer version may add fields.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use super::templates::{FolderTemplate, InvalidTemplates, Templates};

/// The user's settings. A field that is missing in the store has its default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language of the interface.
    pub language: Language,
    /// The colour scheme.
    pub theme: Theme,
    /// The size of the text of a page that is read.
    pub text_size: TextSize,
    /// The width of its lines.
    pub reading_width: ReadingWidth,
    /// The panel on the left: tree and recent pages.
    pub side_panel: Panel,
    /// The panel on the right: contents, links, information.
    pub right_panel: Panel,
    /// The preview beside the text that is being written.
    pub preview: Preview,
    /// True if the editor shows its toolbar.
    pub editor_toolbar: bool,
    /// The spell checker of the editor.
    pub spelling: Spelling,
    /// The daily note, and the templates of new pages.
    pub templates: Templates,
    /// True if the program makes a backup every day by itself.
    pub daily_backups: bool,
    /// True if backups include hash records, and the sidecars of open folders.
    pub folder_records_in_backups: bool,
    /// The edge of a thumbnail in the grid, in CSS pixels, 96 to 512.
    pub thumbnail_size: u32,
    /// The sort order of a folder's pictures.
    pub picture_order: PictureOrder,
    /// The grouping of a folder's pictures.
    pub picture_grouping: PictureGrouping,
    /// The layout of a folder's pictures.
    pub picture_layout: PictureLayout,
    /// The columns of a folder that is shown as a list, beside the names.
    pub picture_columns: Vec<PictureColumn>,
    /// The folders that are offered as destinations of files.
    pub target_folders: TargetFolders,
    /// True if a raw file and its JPEG, or the parts of a Live Photo, are shown as one picture.
    pub join_picture_files: bool,
    /// The keys that the user has changed.
    pub shortcuts: Shortcuts,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: Language::System,
            theme: Theme::System,
            text_size: TextSize::Normal,
            reading_width: ReadingWidth::Normal,
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
            editor_toolbar: true,
            spelling: Spelling {
                enabled: true,
                languages: Vec::new(),
            },
            templates: Templates::default(),
            daily_backups: true,
            folder_records_in_backups: false,
            thumbnail_size: 160,
            picture_order: PictureOrder {
                by: PictureQuality::Name,
                descending: false,
            },
            picture_grouping: PictureGrouping::None,
            picture_layout: PictureLayout::Grid,
            picture_columns: vec![
                PictureColumn::Taken,
                PictureColumn::Pixels,
                PictureColumn::Size,
                PictureColumn::Rating,
            ],
            target_folders: TargetFolders::default(),
            join_picture_files: true,
            shortcuts: Shortcuts::default(),
        }
    }
}

/// The language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The language that the system prefers.
    System,
    /// English.
    En,
    /// Japanese.
    Ja,
}

/// The colour theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// The scheme that the system prefers.
    System,
    /// Dark text on a light background.
    Light,
    /// Light text on a dark background.
    Dark,
}

/// The size of the text of a page that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum TextSize {
    /// Smaller than usual.
    Small,
    /// The usual size.
    Normal,
    /// Larger than usual.
    Large,
    /// Much larger than usual.
    Larger,
}

/// The width of the lines of a page that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ReadingWidth {
    /// Short lines.
    Narrow,
    /// The usual width.
    Normal,
    /// Long lines.
    Wide,
    /// As wide as the window.
    Full,
}

/// A panel next to the main one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Panel {
    /// True if it is shown.
    pub open: bool,
    /// Its width in CSS pixels, 160 to 640.
    #[cfg_attr(feature = "wire", schema(minimum = 160, maximum = 640))]
    pub width: u32,
}

/// The preview next to the editor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = PreviewPanel))]
pub struct Preview {
    /// True if it is shown.
    pub open: bool,
    /// Its width in CSS pixels, 160 to 8,000; null for half of the available width.
    #[cfg_attr(feature = "wire", schema(minimum = 160, maximum = 8000))]
    pub width: Option<u32>,
}

/// The spell checker of the editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Spelling {
    /// True if it marks words.
    pub enabled: bool,
    /// Its languages, such as `en_GB`, for pages that name none; those of the system if there are none. At most 16.
    pub languages: Vec<String>,
}

/// The maximum number of languages of the spell checker.
const MAX_LANGUAGES: usize = 16;

impl Spelling {
    /// Returns the same if each language is a name, and there are not too many.
    #[must_use]
    pub fn checked(self) -> Option<Self> {
        let are_names = self.languages.iter().all(|language| is_language(language));
        (are_names && self.languages.len() <= MAX_LANGUAGES).then_some(self)
    }
}

/// True for a language of two or three letters with subtags (RFC 5646), which underscores may join.
fn is_language(text: &str) -> bool {
    let mut parts = text.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    let is_alphabetic = language.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_subtag = |part: &str| {
        (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (2..=3).contains(&language.len()) && is_alphabetic && parts.all(is_subtag)
}

/// The sort order of a folder's pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureOrder {
    /// The sort key.
    pub by: PictureQuality,
    /// True if the greatest comes first.
    pub descending: bool,
}

/// The sort key of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = PictureSort))]
#[serde(rename_all = "snake_case")]
pub enum PictureQuality {
    /// The name, with numbers compared by value.
    Name,
    /// The time when the file was last changed.
    Modified,
    /// The file's size.
    Size,
    /// The kind of file, by its extension.
    Type,
    /// The time when the picture was taken.
    Taken,
    /// The rating.
    Rating,
    /// The camera's name.
    Camera,
    /// The number of pixels.
    Pixels,
    /// The duration of a video.
    Duration,
}

/// The grouping of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureGrouping {
    /// No grouping.
    None,
    /// The day when they were taken.
    Day,
    /// The month when they were taken.
    Month,
    /// The year when they were taken.
    Year,
    /// The camera.
    Camera,
    /// The rating.
    Rating,
}

/// The layout of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureLayout {
    /// Thumbnails side by side.
    Grid,
    /// One row for each entry.
    List,
}

/// A column of a folder that is shown as a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum PictureColumn {
    /// The time when the picture was taken.
    Taken,
    /// The time when the file was last changed.
    Modified,
    /// The kind of file, by its extension.
    Type,
    /// The file's size.
    Size,
    /// The width and the height.
    Pixels,
    /// The duration of a video.
    Duration,
    /// The rating.
    Rating,
    /// The camera's name.
    Camera,
    /// The tags.
    Tags,
}

/// Keys of actions, by the ids of the actions, such as `Mod+Shift+k` by `palette`. The others have the usual keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Shortcuts(BTreeMap<String, String>);

impl Shortcuts {
    const MAX: usize = 500;
    const MAX_ID: usize = 64;
    const MAX_KEY: usize = 40;

    /// Returns the same if there are not too many, and each has an id and a key of a plausible length.
    #[must_use]
    pub fn checked(self) -> Option<Self> {
        let is_text = |text: &str, max: usize| {
            (1..=max).contains(&text.len()) && !text.chars().any(char::is_control)
        };
        let mut all = self.0.iter();
        let are_texts =
            all.all(|(id, key)| is_text(id, Self::MAX_ID) && is_text(key, Self::MAX_KEY));
        (are_texts && self.0.len() <= Self::MAX).then_some(self)
    }
}

/// The folders that are offered as destinations of files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct TargetFolders {
    /// The last destinations, the latest first; at most 10.
    pub recent: Vec<TargetFolder>,
    /// Destinations that the user has marked, in their order; at most 50.
    pub favourites: Vec<TargetFolder>,
}

/// A folder beneath a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TargetFolder {
    /// The root's id.
    pub root: String,
    /// The path, relative to the root, as percent-encoded bytes.
    pub path: String,
}

impl TargetFolders {
    const MAX_RECENT: usize = 10;
    const MAX_FAVOURITES: usize = 50;
    /// Three bytes for each byte of the longest path.
    const MAX_PATH: usize = 3 * 4096;

    /// Returns the folders if they are few enough, and their paths short enough.
    #[must_use]
    pub fn checked(self) -> Option<Self> {
        let are_few =
            self.recent.len() <= Self::MAX_RECENT && self.favourites.len() <= Self::MAX_FAVOURITES;
        let mut all = self.recent.iter().chain(&self.favourites);
        let are_short = all.all(|one| one.path.len() <= Self::MAX_PATH && one.root.len() <= 64);
        (are_few && are_short).then_some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_names() {
        let is_valid = |languages: &[&str]| {
            let languages = languages.iter().map(|&text| text.to_owned()).collect();
            let enabled = true;
            Spelling { enabled, languages }.checked().is_some()
        };
        assert!(is_valid(&[]) && is_valid(&["en_GB", "de", "zh-Hant-TW", "haw"]));
        for bad in [
            "", "e", "german", "en_", "en US", "en_GB;x", "../en", "日本",
        ] {
            assert!(!is_valid(&[bad]), "{bad:?}");
        }
        assert!(!is_valid(&["en"; 17]));
    }
}
