//! `/api/settings`: the appearance and the language of the application.

use std::ops::RangeInclusive;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use fumikura_wiki::{
    Language, Panel, PictureGrouping, PictureOrder, PictureQuality, Preview, Settings, Theme,
};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::ApiJson;
use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};

/// A panel's width in CSS pixels.
const PANEL_WIDTH: RangeInclusive<u32> = 160..=640;
/// The preview's width in CSS pixels.
const PREVIEW_WIDTH: RangeInclusive<u32> = 160..=8_000;
/// A thumbnail's edge in CSS pixels.
const THUMBNAIL_SIZE: RangeInclusive<u32> = 96..=512;

/// The language of the interface.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Language)]
enum LanguageDto {
    System,
    En,
    Ja,
}

/// The colour theme.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Theme)]
enum ThemeDto {
    System,
    Light,
    Dark,
}

/// A panel next to the main one.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = Panel)]
struct PanelDto {
    /// True if the panel is open.
    open: bool,
    /// The panel's width in CSS pixels, 160 to 640.
    #[schema(minimum = 160, maximum = 640)]
    width: u32,
}

/// The preview next to the editor.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = PreviewPanel)]
struct PreviewDto {
    /// True if the preview is open.
    open: bool,
    /// The preview's width in CSS pixels, 160 to 8,000; null for half of the available width.
    #[schema(minimum = 160, maximum = 8000)]
    width: Option<u32>,
}

/// The order of the pictures in a folder.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = PictureOrder)]
struct PictureOrderDto {
    sort: PictureSortDto,
    order: PictureDirectionDto,
}

/// The sort key of pictures.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureSort)]
enum PictureSortDto {
    Name,
    Modified,
    Size,
    Type,
    Taken,
}

/// The sort direction.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureDirection)]
enum PictureDirectionDto {
    Asc,
    Desc,
}

/// The grouping of pictures.
#[derive(Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PictureGrouping)]
enum PictureGroupingDto {
    None,
    Day,
    Month,
}

/// The appearance and the language of the application.
#[derive(Serialize, ToSchema)]
#[schema(as = Settings)]
pub(crate) struct SettingsDto {
    language: LanguageDto,
    theme: ThemeDto,
    side_panel: PanelDto,
    right_panel: PanelDto,
    preview: PreviewDto,
    /// The edge of a thumbnail in CSS pixels, 96 to 512.
    #[schema(minimum = 96, maximum = 512)]
    thumbnail_size: u32,
    picture_order: PictureOrderDto,
    picture_grouping: PictureGroupingDto,
}

/// The settings to change; the others are unchanged.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SettingsPatch {
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    language: Option<LanguageDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    theme: Option<ThemeDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    side_panel: Option<PanelDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    right_panel: Option<PanelDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    preview: Option<PreviewDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false, minimum = 96, maximum = 512)]
    thumbnail_size: Option<u32>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_order: Option<PictureOrderDto>,
    #[serde(default, deserialize_with = "present")]
    #[schema(nullable = false)]
    picture_grouping: Option<PictureGroupingDto>,
}

impl From<Settings> for SettingsDto {
    fn from(settings: Settings) -> Self {
        let panel = |panel: Panel| PanelDto {
            open: panel.open,
            width: panel.width,
        };
        Self {
            language: match settings.language {
                Language::System => LanguageDto::System,
                Language::En => LanguageDto::En,
                Language::Ja => LanguageDto::Ja,
            },
            theme: match settings.theme {
                Theme::System => ThemeDto::System,
                Theme::Light => ThemeDto::Light,
                Theme::Dark => ThemeDto::Dark,
            },
            side_panel: panel(settings.side_panel),
            right_panel: panel(settings.right_panel),
            preview: PreviewDto {
                open: settings.preview.open,
                width: settings.preview.width,
            },
            thumbnail_size: settings.thumbnail_size,
            picture_order: settings.picture_order.into(),
            picture_grouping: match settings.picture_grouping {
                PictureGrouping::None => PictureGroupingDto::None,
                PictureGrouping::Day => PictureGroupingDto::Day,
                PictureGrouping::Month => PictureGroupingDto::Month,
            },
        }
    }
}

impl SettingsPatch {
    fn apply(self, settings: &mut Settings) -> Result<(), ApiError> {
        if let Some(language) = self.language {
            settings.language = match language {
                LanguageDto::System => Language::System,
                LanguageDto::En => Language::En,
                LanguageDto::Ja => Language::Ja,
            };
        }
        if let Some(theme) = self.theme {
            settings.theme = match theme {
                ThemeDto::System => Theme::System,
                ThemeDto::Light => Theme::Light,
                ThemeDto::Dark => Theme::Dark,
            };
        }
        if let Some(panel) = self.side_panel {
            settings.side_panel = panel.checked("side_panel.width")?;
        }
        if let Some(panel) = self.right_panel {
            settings.right_panel = panel.checked("right_panel.width")?;
        }
        if let Some(preview) = self.preview {
            settings.preview = preview.checked()?;
        }
        if let Some(order) = self.picture_order {
            settings.picture_order = order.into();
        }
        if let Some(grouping) = self.picture_grouping {
            settings.picture_grouping = match grouping {
                PictureGroupingDto::None => PictureGrouping::None,
                PictureGroupingDto::Day => PictureGrouping::Day,
                PictureGroupingDto::Month => PictureGrouping::Month,
            };
        }
        if let Some(size) = self.thumbnail_size {
            settings.thumbnail_size = within("thumbnail_size", size, THUMBNAIL_SIZE)?;
        }
        Ok(())
    }
}

impl PanelDto {
    fn checked(self, name: &str) -> Result<Panel, ApiError> {
        Ok(Panel {
            open: self.open,
            width: within(name, self.width, PANEL_WIDTH)?,
        })
    }
}

impl PreviewDto {
    fn checked(self) -> Result<Preview, ApiError> {
        let checked = |width| within("preview.width", width, PREVIEW_WIDTH);
        Ok(Preview {
            open: self.open,
            width: self.width.map(checked).transpose()?,
        })
    }
}

impl From<PictureOrder> for PictureOrderDto {
    fn from(order: PictureOrder) -> Self {
        Self {
            sort: match order.by {
                PictureQuality::Name => PictureSortDto::Name,
                PictureQuality::Modified => PictureSortDto::Modified,
                PictureQuality::Size => PictureSortDto::Size,
                PictureQuality::Type => PictureSortDto::Type,
                PictureQuality::Taken => PictureSortDto::Taken,
            },
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
            by: match dto.sort {
                PictureSortDto::Name => PictureQuality::Name,
                PictureSortDto::Modified => PictureQuality::Modified,
                PictureSortDto::Size => PictureQuality::Size,
                PictureSortDto::Type => PictureQuality::Type,
                PictureSortDto::Taken => PictureQuality::Taken,
            },
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

fn within(name: &str, value: u32, range: RangeInclusive<u32>) -> Result<u32, ApiError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let message = format!(
        "{name} is {value}, but must be from {} to {}",
        range.start(),
        range.end()
    );
    Err(ApiError::new(ErrorCode::InvalidValue, message))
}

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(get, patch))
}

/// Returns the settings.
#[utoipa::path(get, path = "/api/settings", tag = "settings", responses((status = 200, body = SettingsDto)))]
async fn get(State(app): State<Arc<App>>) -> Result<Json<SettingsDto>, ApiError> {
    Ok(Json(
        blocking(&app, |app| Ok(app.wiki.settings()?)).await?.into(),
    ))
}

/// Changes some settings and returns all of them.
#[utoipa::path(patch, path = "/api/settings", tag = "settings", request_body = SettingsPatch, responses(
    (status = 200, body = SettingsDto),
    (status = 422, description = "`invalid_value`: nothing was changed", body = ErrorBody),
))]
async fn patch(
    State(app): State<Arc<App>>,
    ApiJson(patch): ApiJson<SettingsPatch>,
) -> Result<Json<SettingsDto>, ApiError> {
    let settings = blocking(&app, move |app| {
        app.wiki.change_settings(|settings| patch.apply(settings))
    })
    .await?;
    Ok(Json(settings.into()))
}
