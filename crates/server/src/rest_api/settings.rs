//! `/api/settings`: the appearance and the language of the application.

use axum::Json;
use fumikura_wiki::{
    Language, Panel, PictureColumn, PictureGrouping, PictureLayout, PictureOrder, PictureQuality,
    Preview, ReadingWidth, Settings, Shortcuts, Spelling, TargetFolders, Templates, TextSize,
    Theme, Wiki,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::ops::RangeInclusive;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;

/// A panel's width in CSS pixels.
const PANEL_WIDTH: RangeInclusive<u32> = 160..=640;
/// The preview's width in CSS pixels.
const PREVIEW_WIDTH: RangeInclusive<u32> = 160..=8_000;
/// A thumbnail's edge in CSS pixels.
const THUMBNAIL_SIZE: RangeInclusive<u32> = 96..=512;

/// The order of the pictures in a folder.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = PictureOrder)]
struct PictureOrderDto {
    sort: PictureQuality,
    order: PictureDirectionDto,
}

/// The sort direction.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureDirection)]
enum PictureDirectionDto {
    Asc,
    Desc,
}

/// The appearance and the language of the application.
#[derive(Serialize, ToSchema)]
#[schema(as = Settings)]
pub(crate) struct SettingsDto {
    language: Language,
    theme: Theme,
    text_size: TextSize,
    reading_width: ReadingWidth,
    side_panel: Panel,
    right_panel: Panel,
    preview: Preview,
    /// True if the editor shows its toolbar.
    editor_toolbar: bool,
    spelling: Spelling,
    templates: Templates,
    /// True if the program makes a backup every day by itself.
    daily_backups: bool,
    /// True if backups include hash records, and the sidecars of open folders.
    folder_records_in_backups: bool,
    /// The edge of a thumbnail in CSS pixels, 96 to 512.
    #[schema(minimum = 96, maximum = 512)]
    thumbnail_size: u32,
    picture_order: PictureOrderDto,
    picture_grouping: PictureGrouping,
    picture_layout: PictureLayout,
    /// The columns of a folder that is shown as a list, beside the names.
    picture_columns: Vec<PictureColumn>,
    target_folders: TargetFolders,
    /// True if a raw file and its JPEG, or the parts of a Live Photo, are shown as one picture.
    join_picture_files: bool,
    shortcuts: Shortcuts,
}

/// The settings to change; the others are unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SettingsPatch {
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    language: Option<Language>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    theme: Option<Theme>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    text_size: Option<TextSize>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    reading_width: Option<ReadingWidth>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    side_panel: Option<Panel>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    right_panel: Option<Panel>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    preview: Option<Preview>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    daily_backups: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    folder_records_in_backups: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    editor_toolbar: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    spelling: Option<Spelling>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    templates: Option<Templates>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false, minimum = 96, maximum = 512)]
    thumbnail_size: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_order: Option<PictureOrderDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_grouping: Option<PictureGrouping>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_layout: Option<PictureLayout>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_columns: Option<Vec<PictureColumn>>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    target_folders: Option<TargetFolders>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    join_picture_files: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    shortcuts: Option<Shortcuts>,
}

impl From<Settings> for SettingsDto {
    fn from(settings: Settings) -> Self {
        Self {
            language: settings.language,
            theme: settings.theme,
            text_size: settings.text_size,
            reading_width: settings.reading_width,
            side_panel: settings.side_panel,
            right_panel: settings.right_panel,
            preview: settings.preview,
            editor_toolbar: settings.editor_toolbar,
            daily_backups: settings.daily_backups,
            folder_records_in_backups: settings.folder_records_in_backups,
            spelling: settings.spelling,
            templates: settings.templates,
            thumbnail_size: settings.thumbnail_size,
            picture_order: settings.picture_order.into(),
            picture_grouping: settings.picture_grouping,
            picture_layout: settings.picture_layout,
            picture_columns: settings.picture_columns,
            target_folders: settings.target_folders,
            join_picture_files: settings.join_picture_files,
            shortcuts: settings.shortcuts,
        }
    }
}

fn set<T>(setting: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *setting = value;
    }
}

impl SettingsPatch {
    fn apply(self, settings: &mut Settings) -> Result<(), ApiError> {
        set(&mut settings.language, self.language);
        set(&mut settings.theme, self.theme);
        set(&mut settings.text_size, self.text_size);
        set(&mut settings.reading_width, self.reading_width);
        set(&mut settings.daily_backups, self.daily_backups);
        set(
            &mut settings.folder_records_in_backups,
            self.folder_records_in_backups,
        );
        set(&mut settings.editor_toolbar, self.editor_toolbar);
        set(&mut settings.picture_grouping, self.picture_grouping);
        set(&mut settings.picture_layout, self.picture_layout);
        set(&mut settings.join_picture_files, self.join_picture_files);
        if let Some(panel) = self.side_panel {
            within("side_panel.width", panel.width, PANEL_WIDTH)?;
            settings.side_panel = panel;
        }
        if let Some(panel) = self.right_panel {
            within("right_panel.width", panel.width, PANEL_WIDTH)?;
            settings.right_panel = panel;
        }
        if let Some(preview) = self.preview {
            if let Some(width) = preview.width {
                within("preview.width", width, PREVIEW_WIDTH)?;
            }
            settings.preview = preview;
        }
        if let Some(spelling) = self.spelling {
            settings.spelling = spelling.checked().ok_or_else(|| {
                let message = "spelling.languages: at most 16 names such as en_GB";
                ApiError::new(ErrorCode::InvalidValue, message)
            })?;
        }
        if let Some(templates) = self.templates {
            settings.templates = templates.checked().map_err(|invalid| {
                ApiError::new(ErrorCode::InvalidValue, format!("templates: {invalid}"))
            })?;
        }
        if let Some(order) = self.picture_order {
            settings.picture_order = order.into();
        }
        if let Some(columns) = self.picture_columns {
            let is_repeated = |(at, column)| columns[..at].contains(column);
            if columns.iter().enumerate().any(is_repeated) {
                let message = "picture_columns: a column is named twice";
                return Err(ApiError::new(ErrorCode::InvalidValue, message));
            }
            settings.picture_columns = columns;
        }
        if let Some(folders) = self.target_folders {
            settings.target_folders = folders.checked().ok_or_else(|| {
                let message = "target_folders: at most 10 recent ones and 50 favourites";
                ApiError::new(ErrorCode::InvalidValue, message)
            })?;
        }
        if let Some(shortcuts) = self.shortcuts {
            settings.shortcuts = shortcuts.checked().ok_or_else(|| {
                let message = "shortcuts: at most 500 keys of at most 40 bytes";
                ApiError::new(ErrorCode::InvalidValue, message)
            })?;
        }
        if let Some(size) = self.thumbnail_size {
            within("thumbnail_size", size, THUMBNAIL_SIZE)?;
            settings.thumbnail_size = size;
        }
        Ok(())
    }
}

impl From<PictureOrder> for PictureOrderDto {
    fn from(order: PictureOrder) -> Self {
        Self {
            sort: order.by,
            order: if order.descending {
                PictureDirectionDto::Desc
            } else {
                PictureDirectionDto::Asc
            },
        }
    }
}

impl From<PictureOrderDto> for PictureOrder {
    fn from(dto: PictureOrderDto) -> Self {
        Self {
            by: dto.sort,
            descending: match dto.order {
                PictureDirectionDto::Asc => false,
                PictureDirectionDto::Desc => true,
            },
        }
    }
}

/// Deserializes a setting that is present. `null` is an invalid value, not an absent setting.
fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

fn within(name: &str, value: u32, range: RangeInclusive<u32>) -> Result<(), ApiError> {
    if range.contains(&value) {
        return Ok(());
    }
    let message = format!(
        "{name} is {value}, but must be from {} to {}",
        range.start(),
        range.end()
    );
    Err(ApiError::new(ErrorCode::InvalidValue, message))
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(settings_get, settings_set))
}

/// Returns the settings.
#[utoipa::path(get, path = "/api/settings", tag = "settings", responses((status = 200, body = SettingsDto)))]
async fn settings_get(Part(wiki): Part<Wiki>) -> Result<Json<SettingsDto>, ApiError> {
    Ok(Json(
        blocking(&wiki, |wiki| Ok(wiki.settings()?)).await?.into(),
    ))
}

/// Changes some settings and returns all of them.
#[utoipa::path(patch, path = "/api/settings", tag = "settings", request_body = SettingsPatch, responses(
    (status = 200, body = SettingsDto),
    (status = 422, description = "`invalid_value`: nothing was changed", body = ErrorBody),
))]
async fn settings_set(
    Part(wiki): Part<Wiki>,
    ApiJson(patch): ApiJson<SettingsPatch>,
) -> Result<Json<SettingsDto>, ApiError> {
    let settings = blocking(&wiki, move |wiki| {
        wiki.change_settings(|settings| patch.apply(settings))
    })
    .await?;
    Ok(Json(settings.into()))
}
