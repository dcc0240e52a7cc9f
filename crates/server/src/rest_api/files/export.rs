//! `/api/files/export`: pictures in another format and size, as new files.

use std::num::NonZero;
use std::thread;

use axum::Json;
use fumikura_fileops::NewFiles;
use fumikura_fs::Source;
use fumikura_image::{KeptMetadata, Rendition, RenditionFormat, Turn};
use fumikura_pictures::{ExportError, Pictures};
use fumikura_watch::FolderChange;
use jiff::civil::DateTime;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::FileFailed;
use super::place::{FilePlace, sources};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::events::Event;
use crate::jobs::{JobKind, Progress};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::services::FileOperations;

/// Pictures to export as new files.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ExportPictures {
    items: Vec<FilePlace>,
    /// The folder of the new files.
    to: FilePlace,
    format: RenditionFormat,
    /// The maximum of the longer side in pixels; absent to keep the size. Pictures are never enlarged.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 65535)]
    edge: Option<u32>,
    /// The quality of JPEG, lossy WebP and AVIF.
    #[serde(default = "default_quality")]
    #[schema(minimum = 1, maximum = 100)]
    quality: u8,
    /// True to sharpen the pictures after they were reduced.
    #[serde(default)]
    sharpen: bool,
    metadata: KeptMetadata,
    /// The names of the new files without extensions: `{name}` is the picture's, `{number}` its place among the items,
    /// and `{date}` and `{time}` are those on which it was taken (`2026-11-30`, `08-15-00`).
    #[serde(default = "default_pattern")]
    pattern: String,
    /// True to add a number to a name that is taken (`a (2).jpg`). Otherwise the picture is not exported.
    #[serde(default)]
    numbered: bool,
}

fn default_quality() -> u8 {
    90
}

fn default_pattern() -> String {
    "{name}".to_owned()
}

/// The result of an export.
#[derive(Serialize, ToSchema)]
struct PicturesExported {
    /// The number of new files.
    exported: usize,
    /// The number of pictures that were skipped because the export was cancelled, or the disk became full.
    skipped: usize,
    /// The pictures that failed.
    failed: Vec<FileFailed>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(file_export))
}

/// Exports pictures as new files, turned and cropped as their sidecars say, in sRGB.
///
/// No existing file changes. A new file is complete, or there is none. A long export is listed as a job
/// (`export_pictures`).
#[utoipa::path(post, path = "/api/files/export", tag = "pictures", request_body = ExportPictures, responses(
    (status = 200, body = PicturesExported),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`file_name_taken`; `sidecar_contended`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `invalid_file_name`, `not_a_folder`, `picture_undecodable`, \
        `sidecar_damaged`, `sidecar_too_large`", body = ErrorBody),
    (status = 503, description = "`decoder_unavailable`, `source_changing`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn file_export(
    Part(operations): Part<FileOperations>,
    ApiJson(request): ApiJson<ExportPictures>,
) -> Result<Json<PicturesExported>, ApiError> {
    let invalid = |message| Err(ApiError::new(ErrorCode::InvalidValue, message));
    if !(1..=100).contains(&request.quality) {
        return invalid("a quality is a number from 1 to 100");
    }
    if request
        .edge
        .is_some_and(|edge| !(1..=65_535).contains(&edge))
    {
        return invalid("a side is a number of pixels from 1 to 65,535");
    }
    let pictures = operations.pictures.clone();
    let events = operations.events.clone();
    let exported = operations
        .runner
        .run_attended(JobKind::ExportPictures, move |progress| {
            let items = sources(&pictures, &request.items)?;
            let to = request.to.source(&pictures)?;
            let target = pictures.files().new_files(&to)?;
            let exported = export(&pictures, progress, (&items, &target), &request);
            events.publish(Event::from(FolderChange {
                root: to.root(),
                path: to.path().clone(),
            }));
            exported
        });
    Ok(Json(exported.await?))
}

/// The items that no thread has taken.
#[derive(Default)]
struct Left {
    next: usize,
    /// True if the rest is skipped.
    ended: bool,
}

fn export(
    pictures: &Pictures,
    progress: &Progress,
    (items, target): (&[Source], &NewFiles<'_>),
    request: &ExportPictures,
) -> Result<PicturesExported, ApiError> {
    let rendition = Rendition {
        turn: Turn::NONE,
        crop: None,
        edge: request.edge,
        format: request.format,
        quality: request.quality,
        sharpens: request.sharpen,
        metadata: request.metadata,
        taken: None,
    };
    let total = items.len();
    let export_one = |at: usize| {
        let taken = match has_date(&request.pattern) {
            true => Some(pictures.date_taken(&items[at])?),
            false => None,
        };
        let name = file_name(request, items[at].path().name(), (at + 1, total), taken);
        pictures.export(&items[at], rendition, target, (&name, request.numbered))
    };
    let left = Mutex::new(Left::default());
    let next = || {
        let mut left = left.lock();
        let at = left.next;
        // Files that are written already stay.
        let goes_on =
            at < total && !left.ended && progress.advance(at as u64, total as u64).is_ok();
        left.ended = !goes_on;
        left.next += usize::from(goes_on);
        goes_on.then_some(at)
    };
    let outcomes = Mutex::new(Vec::new());
    let work = || {
        while let Some(at) = next() {
            let outcome = export_one(at);
            if outcome.as_ref().is_err_and(ExportError::is_final) {
                left.lock().ended = true;
            }
            outcomes.lock().push((at, outcome));
        }
    };
    thread::scope(|scope| {
        let others = thread::available_parallelism().map_or(1, NonZero::get) - 1;
        for _ in 0..others.min(total.saturating_sub(1)) {
            scope.spawn(work);
        }
        work();
    });
    let mut outcomes = outcomes.into_inner();
    outcomes.sort_unstable_by_key(|(at, _)| *at);
    let tried = outcomes.len();
    let mut failed: Vec<(&Source, ApiError)> = Vec::new();
    for (at, outcome) in outcomes {
        if let Err(error) = outcome {
            failed.push((&items[at], error.into()));
        }
    }
    if failed.len() == tried && tried > 0 {
        return Err(failed.swap_remove(0).1);
    }
    Ok(PicturesExported {
        exported: tried - failed.len(),
        skipped: total - tried,
        failed: failed
            .into_iter()
            .map(|(picture, error)| FileFailed::new(picture.path().name(), error))
            .collect(),
    })
}

/// Returns true if the names need the dates on which the pictures were taken.
fn has_date(pattern: &str) -> bool {
    ["{date}", "{time}"].iter().any(|one| pattern.contains(one))
}

/// Returns the name of the new file of a picture, which is at a place among all.
fn file_name(
    request: &ExportPictures,
    name: &[u8],
    (at, total): (usize, usize),
    taken: Option<DateTime>,
) -> String {
    let end = name.iter().rposition(|&byte| byte == b'.').unwrap_or(0);
    let stem = if end == 0 { name } else { &name[..end] };
    let digits = total.to_string().len();
    // The name last: it may contain placeholders.
    let mut text = request
        .pattern
        .replace("{number}", &format!("{at:0digits$}"));
    if let Some(taken) = taken {
        // Other systems do not allow a colon in a name.
        text = text
            .replace("{date}", &taken.strftime("%Y-%m-%d").to_string())
            .replace("{time}", &taken.strftime("%H-%M-%S").to_string());
    }
    let text = text.replace("{name}", &String::from_utf8_lossy(stem));
    format!("{}.{}", text.trim(), request.format.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_pattern() {
        let check = |pattern: &str, name: &[u8], at, expected: &str| {
            let request = serde_json::json!({
                "items": [], "to": {"root": fumikura_fs::RootId::from_bytes([1; 16]).to_string()},
                "format": "jpeg", "metadata": "none", "pattern": pattern,
            });
            let request: ExportPictures = serde_json::from_value(request).unwrap();
            let taken = has_date(pattern).then(|| jiff::civil::datetime(2026, 11, 30, 8, 15, 0, 0));
            assert_eq!(file_name(&request, name, (at, 12), taken), expected);
        };
        check("{name}", b"a.b.png", 1, "a.b.jpg");
        check("{name}", b".png", 1, ".png.jpg");
        check("trip {number}", b"a.png", 3, "trip 03.jpg");
        check("{number}-{name}", b"{number}.png", 12, "12-{number}.jpg");
        check(
            "{date} {time}-{name}",
            b"{date}.png",
            1,
            "2026-11-30 08-15-00-{date}.jpg",
        );
        check(" {name} ", b"\xff.png", 1, "\u{fffd}.jpg");
    }
}
