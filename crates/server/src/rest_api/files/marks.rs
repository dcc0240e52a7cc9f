//! `/api/files/marks`: ratings, tags, orientations, crops and dates, stored in sidecars next to the pictures.

use std::collections::HashSet;

use axum::Json;
use fumikura_fileops::CompanionLookup;
use fumikura_fs::{RootId, Source};
use fumikura_image::{Crop, CropArea, Turn};
use fumikura_pictures::{PictureChange, PictureMarks, Pictures};
use fumikura_xmp::{
    CaptionChange, CropChange, EmbeddedPlace, MarksChange, OrientationChange, Rating, RatingChange,
    Tag, TagsChange, TakenChange,
};
use jiff::SignedDuration;
use jiff::civil::DateTime;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::outcome::FileFailed;
use super::place::{FilePlace, sources};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner::JobRunner;
use crate::jobs::{JobKind, Progress};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::rest_api::pictures::ByteQuery;

/// The maximum shift of a time of capture, in seconds.
const MAX_SHIFT: u64 = 100 * 366 * 24 * 60 * 60;
const DATE_HINT: &str =
    "a time of capture is written 2026-11-20T09:30:00, in the time of its place";

/// Changes to the ratings, tags, captions, orientations, crops and dates of pictures.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MarkFiles {
    items: Vec<FilePlace>,
    /// The rating: 1 to 5, -1 for rejected, 0 for none; absent to leave it unchanged.
    #[serde(default)]
    #[schema(minimum = -1, maximum = 5)]
    rating: Option<i8>,
    /// Tags to append, the levels of each separated by `/`.
    #[serde(default)]
    add_tags: Vec<String>,
    /// Tags to remove.
    #[serde(default)]
    remove_tags: Vec<String>,
    /// The caption; an empty one removes it; absent to leave it unchanged.
    #[serde(default)]
    caption: Option<String>,
    /// True to keep the caption of a picture that has one.
    #[serde(default)]
    caption_if_absent: bool,
    /// A turn of the picture as it is shown, numbered as the EXIF orientation with the same effect: 6 rotates to the
    /// right, 8 to the left, 3 by half a turn, 2 flips left to right, and 4 flips top to bottom. Absent to leave the
    /// orientation unchanged.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8)]
    turn: Option<u8>,
    /// The part of the picture to show: of the picture in the orientation of its file, whatever its turn. It is inside
    /// the picture. All of it (0.5, 0.5, 1, 1, 0) removes the crop; absent to leave it unchanged.
    #[serde(default)]
    crop: Option<CropArea>,
    /// The time of capture, as `2026-11-20T09:30:00` in the time of the place; an empty text restores that of the file;
    /// absent to leave it unchanged.
    #[serde(default)]
    taken: Option<String>,
    /// The number of seconds by which the time of capture is moved, also of a picture whose file states it. A picture
    /// without one stays without one.
    #[serde(default)]
    taken_shift: Option<i64>,
    /// True to delete a sidecar that Fumikura created if no mark is left in it, as the undo of a first mark does.
    #[serde(default)]
    discard_empty: bool,
    /// True if each item stands for its picture, of which it is the shown file: every sidecar of the picture changes, or
    /// one of the shown file is created.
    #[serde(default)]
    joined: bool,
}

/// The result of rating and tagging.
#[derive(Serialize, ToSchema)]
struct FilesMarked {
    /// The changed sidecars, by their pictures. With `joined`, the further sidecars of a picture follow it, by their own
    /// files.
    marked: Vec<MarkedFile>,
    /// The number of pictures that were skipped because the operation was cancelled first.
    skipped: usize,
    /// The pictures that failed; they are unchanged.
    failed: Vec<FileFailed>,
}

/// A picture with its present marks.
#[derive(Serialize, ToSchema)]
struct MarkedFile {
    /// The root's id.
    root: String,
    /// The path, relative to the root.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    #[serde(flatten)]
    marks: Marks,
    /// The marks before the change, by which it can be undone.
    before: Marks,
}

/// The rating, tags, caption, orientation, crop and date of a picture, as its sidecar states them.
#[derive(Serialize, ToSchema)]
struct Marks {
    /// The rating: 1 to 5, or -1 for rejected; absent if the picture is not rated.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i8>,
    /// The tags, the levels of each separated by `/`.
    tags: Vec<String>,
    /// The caption; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<String>,
    /// The orientation that replaces the one in the file, 1 to 8; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation: Option<u8>,
    /// The part of the picture that is shown, before its turn; absent for all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    crop: Option<CropArea>,
    /// The time of capture that replaces the one in the file, in the time of the place; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
}

impl Marks {
    /// `crop` is the part of the picture that these marks show.
    fn new(marks: fumikura_xmp::Marks, crop: Option<Crop>) -> Self {
        Self {
            rating: marks.rating.map(Rating::number),
            tags: marks.tags.iter().map(Tag::to_string).collect(),
            caption: marks.caption,
            orientation: marks.orientation,
            crop: crop.map(Crop::area),
            taken: marks.taken.map(|taken| taken.to_string()),
        }
    }
}

/// The marks of a picture, and the place of each.
#[derive(Serialize, ToSchema)]
struct MarksWithOrigins {
    #[serde(flatten)]
    marks: Marks,
    /// The title in the sidecar, else in the picture's own file; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    origins: MarkOrigins,
}

/// The place of each mark; absent for a mark that the picture does not have.
#[derive(Serialize, ToSchema)]
struct MarkOrigins {
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<MarkOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<MarkOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<MarkOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<MarkOrigin>,
}

/// The place of a mark: the sidecar, or metadata of a kind in the picture's own file.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum MarkOrigin {
    Sidecar,
    Xmp,
    Iptc,
    Exif,
}

impl From<EmbeddedPlace> for MarkOrigin {
    fn from(place: EmbeddedPlace) -> Self {
        match place {
            EmbeddedPlace::Xmp => Self::Xmp,
            EmbeddedPlace::Iptc => Self::Iptc,
            EmbeddedPlace::Exif => Self::Exif,
        }
    }
}

impl MarksWithOrigins {
    fn new(found: PictureMarks, crop: Option<Crop>) -> Self {
        let marks = found.shown();
        let PictureMarks { sidecar, embedded } = found;
        let of = |exists: bool, is_stated: bool, place: Option<EmbeddedPlace>| match is_stated {
            true => exists.then_some(MarkOrigin::Sidecar),
            false => place.map(MarkOrigin::from),
        };
        let title_place = embedded.title.as_ref().map(|(_, place)| *place);
        let title_origin = of(
            sidecar.title.is_some(),
            sidecar.title.is_some(),
            title_place,
        );
        let title = sidecar.title.or(embedded.title.map(|(title, _)| title));
        let stated = sidecar.stated;
        Self {
            origins: MarkOrigins {
                rating: of(marks.rating.is_some(), stated.rating, embedded.rating),
                tags: of(!marks.tags.is_empty(), stated.tags, embedded.tags),
                caption: of(marks.caption.is_some(), stated.caption, embedded.caption),
                title: title_origin,
            },
            title,
            marks: Marks::new(marks, crop),
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(mark_set))
}

/// The routes that take no body.
pub(super) fn questions() -> Routes {
    Routes::new().routes(routes!(mark_get))
}

/// Returns the rating, tags, caption, orientation, crop and date of a picture. Those in its sidecar hide those in its own
/// file.
#[utoipa::path(get, path = "/api/files/marks", tag = "pictures", params(
    ("root" = String, Query),
    ("path" = String, Query, description = "Relative to the root, as percent-encoded bytes"),
    ("joined" = Option<bool>, Query, description = "The marks of the picture that the file shows, which may be in the \
        sidecar of its raw file"),
), responses(
    (status = 200, body = MarksWithOrigins),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`sidecar_contended`", body = ErrorBody),
    (status = 422, description = "`sidecar_damaged`, `sidecar_too_large`", body = ErrorBody),
))]
async fn mark_get(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<MarksWithOrigins>, ApiError> {
    let (picture, joined) = (query.source_in_root(&pictures)?, query.joined()?);
    let marks = blocking(&pictures, move |pictures| {
        let marks = match joined {
            true => pictures.marks_joined(&picture)?,
            false => pictures.marks(&picture)?,
        };
        let crop = pictures.crop(&picture, &marks.shown());
        Ok(MarksWithOrigins::new(marks, crop))
    });
    Ok(Json(marks.await?))
}

/// Rates, tags, captions, turns, crops and dates pictures.
///
/// The marks are written to sidecars; the picture files are unchanged. A long operation is listed as a job
/// (`mark_files`).
#[utoipa::path(post, path = "/api/files/marks", tag = "pictures", request_body = MarkFiles, responses(
    (status = 200, body = FilesMarked),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 409, description = "`sidecar_contended`", body = ErrorBody),
    (status = 415, description = "`not_a_picture`", body = ErrorBody),
    (status = 422, description = "`invalid_value`, `invalid_tag`, `sidecar_damaged`, `sidecar_too_large`, `invalid_file_name`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn mark_set(
    Part(pictures): Part<Pictures>,
    Part(runner): Part<JobRunner>,
    ApiJson(files): ApiJson<MarkFiles>,
) -> Result<Json<FilesMarked>, ApiError> {
    let marks = MarksChange {
        rating: rating_change(files.rating)?,
        tags: TagsChange::Each {
            add: tags(&files.add_tags)?,
            remove: tags(&files.remove_tags)?,
        },
        caption: match (files.caption, files.caption_if_absent) {
            (None, _) => CaptionChange::Keep,
            (Some(caption), true) => CaptionChange::SetIfAbsent(caption),
            (Some(caption), false) if caption.trim().is_empty() => CaptionChange::Clear,
            (Some(caption), false) => CaptionChange::Set(caption),
        },
        orientation: OrientationChange::Keep,
        crop: CropChange::Keep,
        taken: taken_change(files.taken.as_deref())?,
        discards_empty: files.discard_empty,
    };
    let change = PictureChange {
        marks,
        turn: turn(files.turn)?,
        crop: crop(files.crop)?,
        shift: shift(files.taken_shift, files.taken.is_some())?,
    };
    let marked = runner.run_attended(JobKind::MarkFiles, move |progress| {
        let sources = sources(&pictures, &files.items)?;
        mark(&pictures, progress, &sources, &change, files.joined)
    });
    Ok(Json(marked.await?))
}

fn rating_change(number: Option<i8>) -> Result<RatingChange, ApiError> {
    let unknown = || ApiError::new(ErrorCode::InvalidValue, "a rating is a number from -1 to 5");
    match number {
        None => Ok(RatingChange::Keep),
        Some(0) => Ok(RatingChange::Clear),
        Some(number) => Rating::of_number(number)
            .map(RatingChange::Set)
            .ok_or_else(unknown),
    }
}

fn turn(number: Option<u8>) -> Result<Turn, ApiError> {
    let unknown = || ApiError::new(ErrorCode::InvalidValue, "a turn is a number from 1 to 8");
    number.map_or(Ok(Turn::NONE), |number| {
        Turn::of_number(number).ok_or_else(unknown)
    })
}

fn crop(area: Option<CropArea>) -> Result<Option<Crop>, ApiError> {
    let crop = area.map(Crop::new).transpose();
    crop.map_err(|error| ApiError::new(ErrorCode::InvalidValue, error))
}

fn taken_change(text: Option<&str>) -> Result<TakenChange, ApiError> {
    match text {
        None => Ok(TakenChange::Keep),
        Some("") => Ok(TakenChange::Clear),
        Some(text) => text
            .parse::<DateTime>()
            .map(TakenChange::Set)
            .map_err(|_| ApiError::new(ErrorCode::InvalidValue, DATE_HINT)),
    }
}

fn shift(seconds: Option<i64>, is_set: bool) -> Result<Option<SignedDuration>, ApiError> {
    let invalid = |hint| Err(ApiError::new(ErrorCode::InvalidValue, hint));
    match seconds {
        Some(_) if is_set => invalid("a time of capture is either set or shifted"),
        Some(seconds) if seconds.unsigned_abs() > MAX_SHIFT => {
            invalid("a time of capture is shifted by at most 100 years")
        }
        _ => Ok(seconds.map(SignedDuration::from_secs)),
    }
}

pub(super) fn tags(texts: &[String]) -> Result<Vec<Tag>, ApiError> {
    let tags = texts.iter().map(|text| Tag::parse(text));
    let tags: Result<_, _> = tags.collect();
    tags.map_err(|error| ApiError::new(ErrorCode::InvalidTag, error))
}

fn mark(
    pictures: &Pictures,
    progress: &Progress,
    sources: &[Source],
    change: &PictureChange,
    joined: bool,
) -> Result<FilesMarked, ApiError> {
    let total = sources.len();
    let mut lookup = CompanionLookup::default();
    let tried = try_each(sources, Source::root, |done, picture| {
        // Pictures that are marked already stay marked.
        progress.advance(done as u64, total as u64).ok()?;
        Some(match joined {
            true => pictures
                .mark_joined(picture, change, &mut lookup)
                .map_err(ApiError::from),
            false => pictures
                .change(picture, change)
                .map(|outcome| vec![(picture.clone(), outcome)])
                .map_err(ApiError::from),
        })
    });
    let skipped = total - tried.len();
    let mut marked = Vec::new();
    let mut failed = Vec::new();
    for (picture, outcome) in tried {
        match outcome {
            Ok(outcomes) => marked.extend(outcomes.into_iter().map(|(file, outcome)| {
                let (path, path_bytes) = name_in_json(file.path().as_bytes());
                let crop = pictures.crop(&file, &outcome.after);
                let crop_before = pictures.crop(&file, &outcome.before);
                MarkedFile {
                    root: file.root().to_string(),
                    path,
                    path_bytes,
                    marks: Marks::new(outcome.after, crop),
                    before: Marks::new(outcome.before, crop_before),
                }
            })),
            Err(error) => failed.push((picture, error)),
        }
    }
    if marked.is_empty() && !failed.is_empty() {
        return Err(failed.swap_remove(0).1);
    }
    let failed = failed
        .into_iter()
        .map(|(picture, error)| FileFailed::new(picture.path().name(), error));
    Ok(FilesMarked {
        marked,
        skipped,
        failed: failed.collect(),
    })
}

/// Calls `work` for each item and returns the results, until `work` returns `None`. After a full disk, further items of
/// the same root are omitted. A read-only folder does not imply that others are read-only.
fn try_each<T, JobOutcome>(
    items: &[T],
    root: impl Fn(&T) -> RootId,
    mut work: impl FnMut(usize, &T) -> Option<Result<JobOutcome, ApiError>>,
) -> Vec<(&T, Result<JobOutcome, ApiError>)> {
    let mut full = HashSet::new();
    let mut tried = Vec::new();
    for (done, item) in items.iter().enumerate() {
        let root = root(item);
        if full.contains(&root) {
            continue;
        }
        let Some(outcome) = work(done, item) else {
            break;
        };
        if let Err(error) = &outcome
            && error.code() == ErrorCode::DiskFull
        {
            full.insert(root);
        }
        tried.push((item, outcome));
    }
    tried
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(outcomes: &[(u8, Option<ErrorCode>)], expected: &[usize]) {
        let items: Vec<_> = outcomes.iter().enumerate().collect();
        let root = |(_, (root, _)): &(usize, &(u8, _))| RootId::from_bytes([*root; 16]);
        let tried = try_each(&items, root, |done, (number, (_, error))| {
            assert_eq!(done, *number);
            let error = error.map(|code| ApiError::new(code, "it did not work"));
            Some(error.map_or(Ok(()), Err))
        });
        let tried: Vec<_> = tried.iter().map(|((number, _), _)| *number).collect();
        assert_eq!(tried, expected);
    }

    #[test]
    fn full_disk_does_not_stop_marks_on_another() {
        let full = Some(ErrorCode::DiskFull);
        check(
            &[(1, full), (1, None), (2, None), (1, None), (2, None)],
            &[0, 2, 4],
        );
        check(
            &[(1, None), (2, full), (2, None), (1, full), (1, None)],
            &[0, 1, 3],
        );
        check(&[(1, Some(ErrorCode::ReadOnly)), (1, None)], &[0, 1]);
    }
}
