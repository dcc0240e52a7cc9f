//! `/api/files/contact-sheet`: pictures in rows on the pages of a new PDF.

use std::io::{self, BufWriter};

use axum::Json;
use fumikura_contact_sheet::{Cell, Font, Layout, PageSize, Sheet, SheetLayout};
use fumikura_fileops::{FileError, NewFiles};
use fumikura_fs::Source;
use fumikura_pictures::Pictures;
use fumikura_watch::FolderChange;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::FileFailed;
use super::place::{FilePlace, sources};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;
use crate::jobs::{JobKind, Progress};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::FileOperations;

/// The most characters of a title.
const MAX_TITLE: usize = 200;
/// The most pictures of a sheet.
const MAX_PICTURES: usize = 10_000;
/// The lines of the caption of a picture.
const CAPTION_LINES: usize = 2;

/// Pictures for a new PDF with rows of them.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ContactSheet {
    /// The pictures in reading order, at most 10,000.
    items: Vec<FilePlace>,
    /// The folder of the new file.
    to: FilePlace,
    /// The name of the new file, which ends in `.pdf`.
    name: String,
    /// True to add a number to a name that is taken (`a (2).pdf`).
    #[serde(default)]
    numbered: bool,
    page: SheetPage,
    #[serde(default)]
    landscape: bool,
    /// The number of pictures beside each other.
    #[schema(minimum = 1, maximum = 12)]
    columns: u8,
    /// The number of pictures below each other.
    #[schema(minimum = 1, maximum = 20)]
    rows: u8,
    /// The margin on all sides in millimetres.
    #[serde(default = "default_margin")]
    #[schema(maximum = 50)]
    margin: u8,
    /// The text at the top of each page; empty for none. At most 200 characters.
    #[serde(default)]
    title: String,
    /// True to number the pages.
    #[serde(default)]
    page_numbers: bool,
    /// The texts below each picture.
    #[serde(default)]
    captions: Vec<SheetCaption>,
}

fn default_margin() -> u8 {
    12
}

/// The size of the paper.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SheetPage {
    A4,
    A3,
    Letter,
}

/// A part of the text below a picture.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum SheetCaption {
    /// The name of the file.
    Name,
    /// The date on which the picture was taken.
    Date,
    /// The stars.
    Rating,
    /// The caption.
    Caption,
}

/// The new contact sheet.
#[derive(Serialize, ToSchema)]
struct ContactSheetMade {
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    pages: usize,
    /// False if the system has no font for the text, which was left out.
    has_text: bool,
    /// The pictures that can't be shown. An empty frame is in the place of each.
    failed: Vec<FileFailed>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_contact_sheet))
}

/// Writes a PDF with rows of pictures, turned as their sidecars say, in sRGB and at 300 dots per inch.
///
/// No existing file changes. The new file is complete, or there is none. A long run is listed as a job
/// (`contact_sheet`).
#[utoipa::path(post, path = "/api/files/contact-sheet", tag = "pictures", request_body = ContactSheet, responses(
    (status = 200, body = ContactSheetMade),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`, `cancelled`; `sidecar_contended`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `invalid_file_name`, `not_a_folder`, `picture_undecodable`, \
        `sidecar_damaged`, `sidecar_too_large`", body = ErrorBody),
    (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn file_contact_sheet(
    Part(operations): Part<FileOperations>,
    ApiJson(request): ApiJson<ContactSheet>,
) -> Result<Json<ContactSheetMade>, ApiError> {
    let layout = layout_of(&request)?;
    let pictures = operations.pictures.clone();
    let events = operations.events.clone();
    let made = operations
        .runner
        .run_attended(JobKind::ContactSheet, move |progress| {
            let items = sources(&pictures, &request.items)?;
            let to = request.to.source(&pictures)?;
            let target = pictures.files().new_files(&to)?;
            let made = make(&pictures, progress, (&items, &target), layout, &request);
            events.publish(Event::from(FolderChange {
                root: to.root(),
                path: to.path().clone(),
            }));
            made
        });
    Ok(Json(made.await?))
}

/// Validates a request, and computes the layout.
fn layout_of(request: &ContactSheet) -> Result<Layout, ApiError> {
    let invalid = |message: &str| ApiError::new(ErrorCode::InvalidValue, message.to_owned());
    if request.items.is_empty() || request.items.len() > MAX_PICTURES {
        return Err(invalid("a contact sheet has 1 to 10,000 pictures"));
    }
    if request.title.chars().count() > MAX_TITLE {
        return Err(invalid("a title has at most 200 characters"));
    }
    if !request.name.to_ascii_lowercase().ends_with(".pdf") {
        return Err(invalid("the name of a contact sheet ends in .pdf"));
    }
    let has = |caption| request.captions.contains(&caption);
    let facts = has(SheetCaption::Date) || has(SheetCaption::Rating);
    let caption = if has(SheetCaption::Caption) {
        CAPTION_LINES
    } else {
        0
    };
    let lines = usize::from(has(SheetCaption::Name)) + usize::from(facts) + caption;
    let choices = SheetLayout {
        size: match request.page {
            SheetPage::A4 => PageSize::A4,
            SheetPage::A3 => PageSize::A3,
            SheetPage::Letter => PageSize::Letter,
        },
        is_landscape: request.landscape,
        columns: request.columns,
        rows: request.rows,
        margin: request.margin,
        lines: u8::try_from(lines).expect("BUG: there are four lines at most"),
        has_title: !request.title.trim().is_empty(),
        has_numbers: request.page_numbers,
    };
    Layout::new(choices).map_err(|error| invalid(&error.to_string()))
}

fn make(
    pictures: &Pictures,
    progress: &Progress,
    (items, target): (&[Source], &NewFiles<'_>),
    layout: Layout,
    request: &ContactSheet,
) -> Result<ContactSheetMade, ApiError> {
    target.check(&request.name, request.numbered)?;
    let font = Font::of_system();
    let has_text = font.is_some() || !layout.has_text();
    let failed_to_write = |error: io::Error| FileError::io(request.name.as_bytes(), error);
    let out = BufWriter::new(target.begin()?);
    let title = request.title.trim();
    let mut sheet = Sheet::new(out, layout, font, title, items.len()).map_err(failed_to_write)?;
    let mut failed = Vec::new();
    for (done, picture) in items.iter().enumerate() {
        if progress.advance(done as u64, items.len() as u64).is_err() {
            return Err(ApiError::new(ErrorCode::Cancelled, "this was cancelled"));
        }
        let jpeg = pictures.print(picture, layout.edge());
        let lines = lines_of(pictures, picture, &request.captions);
        let cell = Cell {
            jpeg: jpeg.as_deref().ok(),
            lines: &lines,
        };
        sheet.add(&cell).map_err(failed_to_write)?;
        if let Err(error) = jpeg {
            failed.push((picture, ApiError::from(error)));
        }
    }
    if failed.len() == items.len() {
        return Err(failed.swap_remove(0).1);
    }
    let out = sheet.finish().map_err(failed_to_write)?;
    let file = out
        .into_inner()
        .map_err(|error| failed_to_write(error.into_error()))?;
    let (name, name_bytes) = name_in_json(&target.finish(file, &request.name, request.numbered)?);
    let failed = failed.into_iter();
    Ok(ContactSheetMade {
        name,
        name_bytes,
        pages: layout.pages(items.len()),
        has_text,
        failed: failed
            .map(|(picture, error)| FileFailed::new(picture.path().name(), error))
            .collect(),
    })
}

/// Returns the text below a picture. What can't be read is left out: the picture itself reports the reason.
fn lines_of(pictures: &Pictures, picture: &Source, captions: &[SheetCaption]) -> Vec<String> {
    let has = |caption| captions.contains(&caption);
    let mut lines = Vec::new();
    if has(SheetCaption::Name) {
        lines.push(String::from_utf8_lossy(picture.path().name()).into_owned());
    }
    let facts = pictures.facts(picture).unwrap_or_default();
    let date = facts.taken.filter(|_| has(SheetCaption::Date));
    let date = date.map(|taken| taken.strftime("%Y-%m-%d %H:%M").to_string());
    let stars = facts.stars.filter(|_| has(SheetCaption::Rating));
    let stars = stars.map(|stars| "★".repeat(stars) + &"☆".repeat(5 - stars));
    let line: Vec<String> = date.into_iter().chain(stars).collect();
    if has(SheetCaption::Date) || has(SheetCaption::Rating) {
        lines.push(line.join("  "));
    }
    if has(SheetCaption::Caption) {
        let caption = facts.caption.unwrap_or_default();
        lines.extend(caption.lines().take(CAPTION_LINES).map(str::to_owned));
    }
    lines
}
