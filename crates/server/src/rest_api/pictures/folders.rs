//! `/api/folders`: the entries of a folder.

use axum::Json;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fumikura_image::{CameraName, CompanionKind, Crop, CropArea, Turn};
use fumikura_library::{
    Companion, Entry, EntryKind, Group, GroupBy, GroupKey, ListFilter, ListQuery, Listing,
};
use fumikura_pictures::Pictures;
use fumikura_searcher::Partial;
use fumikura_xmp::{Rating, Tag};
use jiff::Timestamp;
use serde::Serialize;
use std::borrow::Cow;
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::query::ByteQuery;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::found_pictures::FoundPart;
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;

/// The root of pictures that a search finds, which are of several roots.
const SEARCH_ROOT: &str = "search";

/// A part of a folder's entries.
#[derive(Serialize, ToSchema)]
pub(super) struct FolderListing {
    /// The root's id.
    root: String,
    /// The folder, relative to the root.
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The id of the snapshot to which this part belongs: the `listing` parameter of a request for another part.
    listing: String,
    /// True if more names are still being read. The event `folder.listed` reports when this `listing` can be requested
    /// again; the answer then has another id and covers all names. Absent if not.
    #[serde(skip_serializing_if = "Option::is_none")]
    growing: Option<bool>,
    /// The number of requested entries in the folder.
    total: usize,
    /// The number of pictures in the folder whose names match the request, independent of the requested kind.
    pictures: usize,
    /// The size of all files of the pictures that a search finds; absent for a folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// The number of pictures whose header or sidecar is still to be read; the event `folder.read` reports the
    /// progress.
    unread: usize,
    /// The number of omitted folders below this one, if `group` is `folder`: they cannot be read, or are too many.
    /// Absent if none is omitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    /// The number of entries before these.
    offset: usize,
    /// The groups of the whole listing, if `group` was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<FolderGroup>>,
    entries: Vec<FolderEntry>,
    /// The reason why pictures may be missing, for the pictures that a search finds; absent if none are.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Partial>,
}

/// A group of entries in a listing.
#[derive(Serialize, ToSchema)]
struct FolderGroup {
    /// The date, `2026-11-20`, `2026-11` or `2026`, absent for folders and entries without a date; or the path of a
    /// folder relative to the listed one, empty for the listed folder itself; or the name of a camera, empty if it is
    /// unknown; or a rating, `-1` to `5`, with `0` for none. Cameras and ratings: absent for folders.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_bytes: Option<String>,
    /// The path of the folder with the name of its root in the place of the id, for the pictures that a search finds.
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// The index of the first entry in the whole listing.
    first: usize,
    /// The number of entries.
    count: usize,
}

/// An entry of a folder.
#[derive(Serialize, ToSchema)]
pub(super) struct FolderEntry {
    /// The path of the containing folder relative to the listed one, if `group` is `folder`; absent for the listed
    /// folder itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder_bytes: Option<String>,
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    kind: EntryKind,
    /// The size in bytes.
    size: u64,
    mtime: Timestamp,
    /// The thumbnail's id; only for a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// The picture's version, for `v` of `/thumb`. It also changes if a file of the same size and time replaces the
    /// picture, which the id does not detect.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// The width in pixels, as the picture is displayed, cropped and turned; only for a picture whose header has been
    /// read.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    /// The orientation in the file, as EXIF numbers it, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation: Option<u8>,
    /// The turn that is applied to the picture because its sidecar states another orientation than the file, for `turn`
    /// of `/thumb`: numbered as the EXIF orientation with the same effect. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u8>,
    /// The part of the picture that is displayed because of its sidecar, for `crop` of `/thumb`. It is a part of the
    /// picture in the orientation of its file, before the turn. Absent if all of it is displayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    crop: Option<CropArea>,
    /// The time at which the picture was taken, by the camera's own clock, or as its sidecar states it:
    /// `2026-11-20T12:34:56`; absent if it has not been read.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    /// True if the sidecar states the time of capture.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_in_sidecar: Option<bool>,
    /// The time of capture in the file, if the sidecar states one, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_in_file: Option<String>,
    /// The camera, with its maker; absent if it is unknown, or not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    camera: Option<&'static str>,
    /// The picture's rating, 1 to 5, or -1 for rejected; absent if it is not rated, or not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i8>,
    /// The picture's tags, those of a hierarchy as `Places/Kyoto`; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
    /// The beginning of the picture's caption; absent if there is none, or it is not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    caption: Option<String>,
    /// True if `/api/image/embedded` has a preview of the picture; absent if not, or not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    embeds: Option<bool>,
    /// True for a picture that is displayed in part because the end of its file is missing; absent if it is complete,
    /// or not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    is_incomplete: Option<bool>,
    /// True for a video, by its name: it is listed among the pictures. Absent for pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    video: Option<bool>,
    /// The duration of a video in milliseconds; absent if it is unknown, or not read yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    /// The [ThumbHash](https://evanw.github.io/thumbhash/) of the picture in base64, if a thumbnail was made before.
    #[serde(skip_serializing_if = "Option::is_none")]
    thumbhash: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<FolderEntryState>,
    /// The other files of the picture, if `joined` was requested; absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    companions: Option<Vec<FolderCompanion>>,
}

/// Another file of a picture.
#[derive(Serialize, ToSchema)]
struct FolderCompanion {
    /// The part of the file in the picture.
    part: CompanionKind,
    name: String,
    /// The name's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    name_bytes: Option<String>,
    kind: EntryKind,
    /// The size in bytes.
    size: u64,
    mtime: Timestamp,
    /// The thumbnail's id; only for a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// The width in pixels, as the picture is displayed; only for a picture whose header has been read.
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    orientation: Option<u8>,
    /// The turn that is applied to it, as of an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u8>,
    /// The part of it that is displayed, as of an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    crop: Option<CropArea>,
    /// The time at which it was taken, as of an entry. It may differ from that of the picture, which counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    video: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    duration: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<FolderEntryState>,
}

impl From<Companion> for FolderCompanion {
    fn from(Companion { kind: part, entry }: Companion) -> Self {
        let entry = FolderEntry::from(entry);
        Self {
            part,
            name: entry.name,
            name_bytes: entry.name_bytes,
            kind: entry.kind,
            size: entry.size,
            mtime: entry.mtime,
            id: entry.id,
            version: entry.version,
            width: entry.width,
            height: entry.height,
            orientation: entry.orientation,
            turn: entry.turn,
            crop: entry.crop,
            taken: entry.taken,
            video: entry.video,
            duration: entry.duration,
            state: entry.state,
        }
    }
}

/// The state of an entry.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum FolderEntryState {
    /// The picture could not be decoded.
    Undecodable,
}

impl FolderGroup {
    fn all(groups: Vec<Group>, by: Option<GroupBy>) -> Vec<Self> {
        let groups = groups.into_iter();
        groups.map(|group| Self::new(group, by)).collect()
    }

    fn new(group: Group, by: Option<GroupBy>) -> Self {
        let format = match by {
            Some(GroupBy::Month) => "%Y-%m",
            Some(GroupBy::Year) => "%Y",
            Some(GroupBy::Day | GroupBy::Camera | GroupBy::Rating | GroupBy::Folder) | None => {
                "%Y-%m-%d"
            }
        };
        let (key, key_bytes) = match group.key {
            GroupKey::Date(date) => (date.map(|date| date.strftime(format).to_string()), None),
            GroupKey::Folder(folder) => {
                let (path, bytes) = name_in_json(folder.as_bytes());
                (Some(path), bytes)
            }
            GroupKey::Camera(camera) => {
                let name = camera.map_or("", CameraName::as_str);
                (Some(name.to_owned()), None)
            }
            GroupKey::Rating(rating) => {
                let number = rating.map_or(0, Rating::number);
                (Some(number.to_string()), None)
            }
            GroupKey::Folders => (None, None),
        };
        Self {
            key,
            key_bytes,
            label: None,
            first: group.first,
            count: group.count,
        }
    }
}

impl FolderListing {
    /// Creates the listing of pictures that a search finds.
    pub(super) fn of_found(found: FoundPart, by: Option<GroupBy>) -> Self {
        Self {
            root: SEARCH_ROOT.to_owned(),
            path: String::new(),
            path_bytes: None,
            listing: found.id,
            growing: None,
            total: found.total,
            pictures: found.total,
            bytes: Some(found.bytes),
            unread: 0,
            left_out: None,
            offset: found.offset,
            groups: found.groups.map(|groups| {
                let labels = found.labels.into_iter().map(Some);
                let labels = labels.chain(std::iter::repeat(None));
                let groups = FolderGroup::all(groups, by).into_iter().zip(labels);
                groups
                    .map(|(group, label)| FolderGroup { label, ..group })
                    .collect()
            }),
            entries: found.entries.into_iter().map(FolderEntry::from).collect(),
            partial: found.partial,
        }
    }

    fn new(listing: Listing, by: Option<GroupBy>) -> Self {
        let (path, path_bytes) = name_in_json(listing.path.as_bytes());
        Self {
            root: listing.root.id().to_string(),
            path,
            path_bytes,
            growing: listing.is_growing.then_some(true),
            total: listing.total,
            pictures: listing.pictures,
            bytes: None,
            unread: listing.unread,
            listing: listing.snapshot.to_string(),
            left_out: Some(listing.left_out).filter(|&count| count > 0),
            offset: listing.offset,
            groups: listing.groups.map(|groups| FolderGroup::all(groups, by)),
            entries: listing.entries.into_iter().map(FolderEntry::from).collect(),
            partial: None,
        }
    }
}

impl From<Entry> for FolderEntry {
    fn from(entry: Entry) -> Self {
        let (name, name_bytes) = name_in_json(&entry.name);
        let folder = Some(&entry.folder).filter(|folder| !folder.is_empty());
        let folder = folder.map(|folder| name_in_json(folder.as_bytes()));
        let (folder, folder_bytes) = folder.unzip();
        let shown_size = entry.shown_size();
        let stated_taken = entry.marks.taken;
        Self {
            folder,
            folder_bytes: folder_bytes.flatten(),
            name,
            name_bytes,
            kind: entry.kind,
            size: entry.size,
            mtime: entry.mtime.timestamp(),
            version: entry.version().map(|version| version.to_string()),
            id: entry.id.map(|id| id.to_string()),
            width: shown_size.map(|(width, _)| width),
            height: shown_size.map(|(_, height)| height),
            orientation: entry.head.map(|head| head.orientation),
            turn: turn_in_json(entry.turn()),
            crop: entry.crop().map(Crop::area),
            taken: entry.taken().map(|taken| taken.to_string()),
            taken_in_sidecar: stated_taken.map(|_| true),
            taken_in_file: entry
                .own_taken
                .filter(|_| stated_taken.is_some())
                .map(|taken| taken.to_string()),
            camera: entry.camera.map(CameraName::as_str),
            rating: entry.marks.rating.map(Rating::number),
            tags: (!entry.marks.tags.is_empty())
                .then(|| entry.marks.tags.iter().map(Tag::to_string).collect()),
            caption: entry.marks.caption.clone(),
            embeds: entry.embeds.then_some(true),
            is_incomplete: entry.is_incomplete.then_some(true),
            video: entry.is_video.then_some(true),
            duration: entry
                .duration
                .and_then(|duration| u64::try_from(duration.as_millis()).ok()),
            thumbhash: entry.hash.map(|hash| STANDARD.encode(hash.placeholder())),
            state: entry.undecodable.then_some(FolderEntryState::Undecodable),
            companions: (!entry.companions.is_empty())
                .then(|| entry.companions.into_iter().map(Into::into).collect()),
        }
    }
}

/// Returns the number of a turn; absent if there is none.
fn turn_in_json(turn: Turn) -> Option<u8> {
    (!turn.is_none()).then(|| turn.number())
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(folder_list))
}

/// Lists a folder: folders first, then by `sort`.
#[utoipa::path(get, path = "/api/folders", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = Option<String>, Query, description = "Relative to the root, as percent-encoded bytes"),
        ("sort" = Option<String>, Query, description = "`name`, `modified`, `size`, `type`, `taken` (by the camera, else `modified`), \
            `rating`, `camera` or `pixels`"),
        ("order" = Option<String>, Query, description = "`asc` or `desc`"),
        ("kind" = Option<String>, Query, description = "Only `folder`, `picture` or `other`"),
        ("filter" = Option<String>, Query, description = "Only entries whose names contain this text; width, case \
            and kind of kana are ignored"),
        ("rating" = Option<String>, Query, description = "Only pictures with at least this rating (`1` to `5`), or \
            `unrated` or `rejected` ones"),
        ("caption" = Option<String>, Query, description = "Only pictures whose captions contain this text"),
        ("has_caption" = Option<bool>, Query, description = "Only pictures with a caption (`true`), or without one"),
        ("tag" = Option<String>, Query, description = "Only pictures with a tag whose path contains these levels \
            (separated by `/`) in sequence, at any position; width, case and kind of kana are ignored"),
        ("type" = Option<String>, Query, description = "Only pictures of these types, separated by commas, such as \
            `jpeg,heic,raw`; an unknown type is refused with the list of all types"),
        ("taken_from" = Option<String>, Query, description = "Only pictures taken (else changed) on this day (`2026-11-20`) \
            or later"),
        ("taken_to" = Option<String>, Query, description = "Only pictures taken (else changed) on this day or earlier"),
        ("group" = Option<String>, Query, description = "`day`, `month` or `year`: groups by `modified` if the listing is \
            sorted by it, else by `taken`; `order` sets the order of the groups, and each group is sorted by `sort`. \
            `camera`: by the names of the cameras, unknown ones last. `rating`: the best first, whatever the `order`. \
            `folder`: all files of the folder and of the folders below it, grouped by folder in the order of their \
            paths, without the folders themselves and without following links. It includes at most 20,000 folders, \
            and no more after a million entries"),
        ("offset" = Option<usize>, Query),
        ("around" = Option<String>, Query, description = "The name of an entry that the part must contain, or of its companion, as \
            percent-encoded bytes; with `group=folder`, its path relative to the folder. If the entry exists, \
            `offset` is a multiple of `limit` before it"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 1000),
        ("listing" = Option<String>, Query, description = "The `listing` of the first answer, to request another \
            part of it. If it is no longer in memory, the folder is read again, and the answer has another `listing`"),
        ("joined" = Option<bool>, Query, description = "List a picture of several files as one entry with \
            `companions`: a raw file with the JPEG or HEIC of the same name, and the parts of a Live Photo"),
        ("may_grow" = Option<bool>, Query, description = "Accept an answer without all names, if there are very many \
            or the disk is slow; such an answer is `growing`"),
    ), responses(
        (status = 200, body = FolderListing),
        (status = 403, description = "`outside_roots`", body = ErrorBody),
        (status = 404, description = "`root_not_found`, `folder_unavailable` or `not_found`", body = ErrorBody),
        (status = 422, description = "`not_a_folder`", body = ErrorBody),
    ))]
async fn folder_list(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<FolderListing>, ApiError> {
    let root = query.root()?;
    let defaults = ListQuery::default();
    let page = ListQuery {
        sort: query.read("sort")?.unwrap_or_default(),
        order: query.read("order")?.unwrap_or_default(),
        group: query.read("group")?,
        filter: filter(&query)?,
        offset: query.read("offset")?.unwrap_or(defaults.offset),
        limit: query.read("limit")?.unwrap_or(defaults.limit),
        around: query.bytes("around").map(Cow::into_owned),
        snapshot: query.read("listing")?,
        joins_files: query.joined()?,
        may_grow: query.read("may_grow")?.unwrap_or(false),
    };
    if !(1..=ListQuery::MAX_LIMIT).contains(&page.limit) {
        let message = format!("limit must be from 1 to {}", ListQuery::MAX_LIMIT);
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let path = query.bytes("path").unwrap_or_default().into_owned();
    let by = page.group;
    let listing = blocking(&pictures, move |pictures| {
        Ok(pictures.list(root, &path, &page)?)
    });
    Ok(Json(FolderListing::new(listing.await?, by)))
}

fn filter(query: &ByteQuery) -> Result<ListFilter, ApiError> {
    let text = |name| -> Result<_, ApiError> {
        let text = query.text(name)?.filter(|text| !text.is_empty());
        Ok(text.map(Cow::into_owned))
    };
    let types = text("type")?.unwrap_or_default();
    let types = types.split(',').filter(|one| !one.is_empty());
    Ok(ListFilter {
        kind: query.read("kind")?,
        text: text("filter")?,
        types: types.map(str::parse).collect::<Result<_, _>>()?,
        rated: query.read("rating")?,
        tag: text("tag")?,
        caption: text("caption")?,
        has_caption: query.read("has_caption")?,
        from: query.read("taken_from")?,
        to: query.read("taken_to")?,
    })
}
