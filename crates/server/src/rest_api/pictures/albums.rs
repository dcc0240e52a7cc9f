//! `/api/albums`: ordered lists of pictures from any folders.

use std::sync::Arc;

use axum::Json;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use fumikura_albums::{Album, AlbumError, AlbumId, AlbumItem, AlbumItemId, AlbumName, AlbumSearch};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::folders::FolderEntry;
use super::query::ByteQuery;
use crate::albums::{AlbumPictures, LocatedPicture, count};
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::found_pictures::FoundPictures;
use crate::jobs::{self, StartedJob};
use crate::names::name_in_json;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath};
use crate::rest_api::files::place::{FilePlace, sources};

/// An album, without its pictures.
#[derive(Serialize, ToSchema)]
struct AlbumInfo {
    #[schema(value_type = String)]
    id: AlbumId,
    #[schema(value_type = String)]
    name: AlbumName,
    /// True for the album of favourites, of which there is at most one.
    is_favourites: bool,
    created_at: Timestamp,
    /// The search of a smart album; absent for an album with a list of pictures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    search: Option<AlbumSearch>,
    /// The number of pictures in the list; 0 for a smart album.
    count: usize,
    /// The place of the picture that stands for the album; null if it has none, or that is below no open root.
    cover: Option<AlbumPlace>,
}

/// A picture below a root.
#[derive(Serialize, ToSchema)]
struct AlbumPlace {
    root: String,
    path: String,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

/// An album and its pictures in their order.
#[derive(Serialize, ToSchema)]
struct AlbumContents {
    album: AlbumInfo,
    pictures: Vec<AlbumPicture>,
}

/// A picture of an album.
#[derive(Serialize, ToSchema)]
struct AlbumPicture {
    /// The picture's place in the album.
    #[schema(value_type = String)]
    item: AlbumItemId,
    state: AlbumPictureState,
    /// The picture's file name; for one that is gone, the last one.
    name: String,
    /// The absolute path at which it was last seen.
    path: String,
    /// Its root; null if no open root contains it.
    root: Option<String>,
    /// Its entry, with `folder` relative to the root; null unless it is present.
    entry: Option<FolderEntry>,
}

/// The state of a picture of an album.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AlbumPictureState {
    /// The picture is where it was last seen.
    Present,
    /// There is no picture any more.
    Gone,
    /// Its folder is not open, or its disk is not connected.
    Unreachable,
}

/// A new album.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewAlbum {
    /// 1 to 200 characters.
    name: String,
    /// The first pictures.
    #[serde(default)]
    items: Vec<FilePlace>,
    /// The search of a smart album, which has no other pictures.
    #[serde(default)]
    search: Option<String>,
}

/// A change of an album. Absent fields stay as they are.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AlbumChange {
    #[serde(default)]
    name: Option<String>,
    /// The search of a smart album.
    #[serde(default)]
    search: Option<String>,
    /// The picture that stands for the album.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    cover: Option<AlbumItemId>,
}

/// Pictures to be added to an album.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AlbumAddition {
    items: Vec<FilePlace>,
    /// The picture before which they are inserted; absent for the end.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    before: Option<AlbumItemId>,
}

/// Pictures to be added to the favourites.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct FavouritesAddition {
    items: Vec<FilePlace>,
    /// The name of the album, if it has to be created.
    name: String,
}

/// The outcome of an addition.
#[derive(Serialize, ToSchema)]
struct AlbumAdded {
    album: AlbumInfo,
    /// The number of pictures that were added. The others were in the album already.
    added: usize,
}

/// Pictures to be moved within an album.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AlbumArrangement {
    /// The pictures, in their new order.
    #[schema(value_type = Vec<String>)]
    items: Vec<AlbumItemId>,
    /// The picture before which they are moved; absent for the end.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    before: Option<AlbumItemId>,
}

/// Pictures to be taken out of an album.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AlbumRemoval {
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    items: Vec<AlbumItemId>,
    /// Pictures by their places.
    #[serde(default)]
    places: Vec<FilePlace>,
    /// True to take out the other files of these pictures as well.
    #[serde(default)]
    joined: bool,
}

/// An album that contains a picture.
#[derive(Serialize, ToSchema)]
struct ContainingAlbum {
    #[schema(value_type = String)]
    id: AlbumId,
    #[schema(value_type = String)]
    name: AlbumName,
    is_favourites: bool,
    /// The picture's place in the album.
    #[schema(value_type = String)]
    item: AlbumItemId,
}

impl AlbumInfo {
    fn new(album: &Album, parts: &AlbumPictures) -> Self {
        let cover = album.cover();
        Self {
            id: album.id,
            name: album.name.clone(),
            is_favourites: album.is_favourites,
            created_at: album.created_at,
            search: album.search.clone(),
            count: album.pictures.len(),
            cover: cover.and_then(|item| AlbumPlace::of(item, parts)),
        }
    }
}

impl AlbumPlace {
    fn of(item: &AlbumItem, parts: &AlbumPictures) -> Option<Self> {
        let source = parts.pictures.roots().source_at(&item.path).ok()?;
        let (path, path_bytes) = name_in_json(source.path().as_bytes());
        Some(Self {
            root: source.root().to_string(),
            path,
            path_bytes,
        })
    }
}

impl From<LocatedPicture> for AlbumPicture {
    fn from(picture: LocatedPicture) -> Self {
        let path = &picture.item.path;
        let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        Self {
            item: picture.item.id,
            state: match (&picture.entry, picture.is_reachable) {
                (Some(_), _) => AlbumPictureState::Present,
                (None, true) => AlbumPictureState::Gone,
                (None, false) => AlbumPictureState::Unreachable,
            },
            name: name_in_json(name).0,
            path: name_in_json(path).0,
            root: picture.place.map(|(root, _)| root.to_string()),
            entry: picture.entry.map(FolderEntry::from),
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(album_list, album_create))
        .routes(routes!(album_get, album_change, album_delete))
        .routes(routes!(album_restore))
        .routes(routes!(album_add))
        .routes(routes!(album_arrange))
        .routes(routes!(album_remove))
        .routes(routes!(album_favourites))
        .routes(routes!(album_containing))
        .routes(routes!(album_find))
}

/// Lists all albums: the favourites first, then by name.
#[utoipa::path(get, path = "/api/albums", tag = "pictures", params(
    ("joined" = Option<bool>, Query, description = "Count the files of a picture as one, by their names"),
), responses(
    (status = 200, body = Vec<AlbumInfo>),
))]
async fn album_list(
    Part(parts): Part<AlbumPictures>,
    query: ByteQuery,
) -> Result<Json<Vec<AlbumInfo>>, ApiError> {
    let joined = query.joined()?;
    let albums = blocking(&parts, move |parts| {
        let albums = parts.albums.all();
        let info = |album: &Album| AlbumInfo {
            count: count(album, joined),
            ..AlbumInfo::new(album, parts)
        };
        Ok(albums.iter().map(info).collect())
    });
    Ok(Json(albums.await?))
}

/// Reads the search of a smart album, which must be answerable.
fn album_search(text: &str) -> Result<AlbumSearch, ApiError> {
    let search: AlbumSearch = text.parse()?;
    FoundPictures::check(search.as_str())?;
    Ok(search)
}

/// Creates an album. With `search`, it is a smart album: its pictures are those that the search finds.
#[utoipa::path(post, path = "/api/albums", tag = "pictures", request_body = NewAlbum, responses(
    (status = 201, body = AlbumInfo),
    (status = 404, description = "`root_not_found`, `not_found`", body = ErrorBody),
    (status = 415, description = "`not_a_picture`", body = ErrorBody),
    (status = 422, description = "`invalid_name`, `invalid_value`: more than 10,000 pictures, or a search that \
        can't be answered", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn album_create(
    Part(parts): Part<AlbumPictures>,
    ApiJson(new): ApiJson<NewAlbum>,
) -> Result<impl IntoResponse, ApiError> {
    let finder = Arc::clone(&parts);
    let info = blocking(&parts, move |parts| {
        let name: AlbumName = new.name.parse()?;
        let album = match new.search.as_deref().map(album_search).transpose()? {
            Some(search) if new.items.is_empty() => parts.albums.create_smart(name, search)?,
            Some(_) => return Err(AlbumError::Smart.into()),
            None if new.items.is_empty() => parts.albums.create(name, Vec::new())?,
            None => {
                let pictures = parts.new_pictures(&sources(&parts.pictures, &new.items)?)?;
                parts.albums.create(name, pictures)?
            }
        };
        let album = parts.changed(album);
        Ok(AlbumInfo::new(&album, parts))
    })
    .await?;
    if info.count > 0 {
        finder.start_search();
    }
    let location = [(LOCATION, format!("/api/albums/{}", info.id))];
    Ok((StatusCode::CREATED, location, Json(info)))
}

/// Returns an album and its pictures.
#[utoipa::path(get, path = "/api/albums/{id}", tag = "pictures", params(
    ("id" = String, Path),
    ("joined" = Option<bool>, Query, description = "Join the files of a picture, as of a folder: a file that accompanies \
        another picture of the album is left out"),
), responses(
    (status = 200, body = AlbumContents),
    (status = 404, description = "`album_not_found`", body = ErrorBody),
))]
async fn album_get(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
    query: ByteQuery,
) -> Result<Json<AlbumContents>, ApiError> {
    let joined = query.joined()?;
    let contents = blocking(&parts, move |parts| {
        let album = parts.albums.get(id)?;
        let pictures = parts.locate(&album, joined);
        Ok(AlbumContents {
            album: AlbumInfo {
                count: pictures.len(),
                ..AlbumInfo::new(&album, parts)
            },
            pictures: pictures.into_iter().map(AlbumPicture::from).collect(),
        })
    });
    Ok(Json(contents.await?))
}

/// Renames an album, or sets its cover or its search.
#[utoipa::path(put, path = "/api/albums/{id}", tag = "pictures", params(("id" = String, Path)),
    request_body = AlbumChange, responses(
        (status = 200, body = AlbumInfo),
        (status = 404, description = "`album_not_found`; `not_found`: the picture", body = ErrorBody),
        (status = 422, description = "`invalid_name`, `invalid_value`: the search", body = ErrorBody),
        (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
    ))]
async fn album_change(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
    ApiJson(change): ApiJson<AlbumChange>,
) -> Result<Json<AlbumInfo>, ApiError> {
    let info = blocking(&parts, move |parts| {
        let name = change.name.map(|name| name.parse::<AlbumName>());
        let search = change.search.as_deref().map(album_search).transpose()?;
        let mut album = parts.albums.get(id)?;
        if let Some(search) = search {
            album = parts.albums.set_search(id, search)?;
        }
        if let Some(cover) = change.cover {
            album = parts.albums.set_cover(id, Some(cover))?;
        }
        if let Some(name) = name.transpose()? {
            album = parts.albums.rename(id, name)?;
        }
        Ok(AlbumInfo::new(&parts.changed(album), parts))
    });
    Ok(Json(info.await?))
}

/// Deletes an album. Its pictures stay as they are, and it can be restored.
#[utoipa::path(delete, path = "/api/albums/{id}", tag = "pictures", params(("id" = String, Path)), responses(
    (status = 204),
    (status = 404, description = "`album_not_found`", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn album_delete(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
) -> Result<StatusCode, ApiError> {
    blocking(&parts, move |parts| {
        let album = parts.albums.get(id)?;
        parts.albums.delete(id)?;
        parts.changed(album);
        Ok(StatusCode::NO_CONTENT)
    })
    .await
}

/// Restores a deleted album.
#[utoipa::path(post, path = "/api/albums/{id}/restore", tag = "pictures", params(("id" = String, Path)), responses(
    (status = 200, body = AlbumInfo),
    (status = 404, description = "`album_not_found`", body = ErrorBody),
))]
async fn album_restore(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
) -> Result<Json<AlbumInfo>, ApiError> {
    let info = blocking(&parts, move |parts| {
        let album = parts.changed(parts.albums.restore(id)?);
        Ok(AlbumInfo::new(&album, parts))
    });
    Ok(Json(info.await?))
}

/// Adds pictures to an album. Those that it has already stay where they are.
#[utoipa::path(post, path = "/api/albums/{id}/pictures", tag = "pictures", params(("id" = String, Path)),
    request_body = AlbumAddition, responses(
        (status = 200, body = AlbumAdded),
        (status = 404, description = "`album_not_found`, `root_not_found`, `not_found`", body = ErrorBody),
        (status = 415, description = "`not_a_picture`", body = ErrorBody),
        (status = 422, description = "`invalid_value`: more than 10,000 pictures", body = ErrorBody),
        (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
    ))]
async fn album_add(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
    ApiJson(addition): ApiJson<AlbumAddition>,
) -> Result<Json<AlbumAdded>, ApiError> {
    add(&parts, addition.items, addition.before, move |_| Ok(id)).await
}

/// Adds pictures to the favourites, which are created if there are none.
#[utoipa::path(post, path = "/api/albums/favourites", tag = "pictures", request_body = FavouritesAddition, responses(
    (status = 200, body = AlbumAdded),
    (status = 404, description = "`root_not_found`, `not_found`", body = ErrorBody),
    (status = 415, description = "`not_a_picture`", body = ErrorBody),
    (status = 422, description = "`invalid_name`, `invalid_value`: more than 10,000 pictures", body = ErrorBody),
    (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
))]
async fn album_favourites(
    Part(parts): Part<AlbumPictures>,
    ApiJson(FavouritesAddition { items, name }): ApiJson<FavouritesAddition>,
) -> Result<Json<AlbumAdded>, ApiError> {
    let favourites = move |parts: &AlbumPictures| {
        let name: AlbumName = name.parse()?;
        Ok(parts.albums.favourites(name)?.id)
    };
    add(&parts, items, None, favourites).await
}

async fn add(
    parts: &Arc<AlbumPictures>,
    items: Vec<FilePlace>,
    before: Option<AlbumItemId>,
    album: impl FnOnce(&AlbumPictures) -> Result<AlbumId, ApiError> + Send + 'static,
) -> Result<Json<AlbumAdded>, ApiError> {
    let outcome = blocking(parts, move |parts| {
        let pictures = parts.new_pictures(&sources(&parts.pictures, &items)?)?;
        let id = album(parts)?;
        let count = parts.albums.get(id)?.pictures.len();
        let album = parts.changed(parts.albums.add(id, pictures, before)?);
        Ok(AlbumAdded {
            added: album.pictures.len().saturating_sub(count),
            album: AlbumInfo::new(&album, parts),
        })
    })
    .await?;
    if outcome.added > 0 {
        parts.start_search();
    }
    Ok(Json(outcome))
}

/// Moves pictures within an album.
#[utoipa::path(post, path = "/api/albums/{id}/arrange", tag = "pictures", params(("id" = String, Path)),
    request_body = AlbumArrangement, responses(
        (status = 200, body = AlbumInfo),
        (status = 404, description = "`album_not_found`; `not_found`: a picture", body = ErrorBody),
        (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
    ))]
async fn album_arrange(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
    ApiJson(AlbumArrangement { items, before }): ApiJson<AlbumArrangement>,
) -> Result<Json<AlbumInfo>, ApiError> {
    let info = blocking(&parts, move |parts| {
        let album = parts.changed(parts.albums.arrange(id, &items, before)?);
        Ok(AlbumInfo::new(&album, parts))
    });
    Ok(Json(info.await?))
}

/// Takes pictures out of an album. The files stay as they are; pictures that it does not have are ignored.
#[utoipa::path(post, path = "/api/albums/{id}/remove", tag = "pictures", params(("id" = String, Path)),
    request_body = AlbumRemoval, responses(
        (status = 200, body = AlbumInfo),
        (status = 404, description = "`album_not_found`, `root_not_found`", body = ErrorBody),
        (status = 507, description = "`disk_full`, `read_only`", body = ErrorBody),
    ))]
async fn album_remove(
    Part(parts): Part<AlbumPictures>,
    ApiPath(id): ApiPath<AlbumId>,
    ApiJson(removal): ApiJson<AlbumRemoval>,
) -> Result<Json<AlbumInfo>, ApiError> {
    let info = blocking(&parts, move |parts| {
        let AlbumRemoval {
            mut items,
            places,
            joined,
        } = removal;
        if items.is_empty() && places.is_empty() {
            return Err(ApiError::new(ErrorCode::BadRequest, "no picture is named"));
        }
        let album = parts.albums.get(id)?;
        for place in &places {
            let path = place.source(&parts.pictures)?.absolute();
            let named = album.pictures.iter().find(|item| item.path == path);
            items.extend(named.map(|item| item.id));
        }
        if joined {
            items.extend(parts.companions_in(&album, &items)?);
        }
        let album = parts.changed(parts.albums.remove(id, &items)?);
        Ok(AlbumInfo::new(&album, parts))
    });
    Ok(Json(info.await?))
}

/// Lists the albums that contain a picture.
#[utoipa::path(get, path = "/api/files/albums", tag = "pictures",
    params(
        ("root" = String, Query),
        ("path" = String, Query, description = "Relative to the root, as percent-encoded bytes"),
    ), responses(
        (status = 200, body = Vec<ContainingAlbum>),
        (status = 404, description = "`root_not_found`", body = ErrorBody),
    ))]
async fn album_containing(
    Part(parts): Part<AlbumPictures>,
    query: ByteQuery,
) -> Result<Json<Vec<ContainingAlbum>>, ApiError> {
    let containing = blocking(&parts, move |parts| {
        let path = query.source_in_root(&parts.pictures)?.absolute();
        let mut containing = Vec::new();
        for album in parts.albums.all() {
            let item = album.pictures.iter().find(|item| item.path == path);
            containing.extend(item.map(|item| ContainingAlbum {
                id: album.id,
                name: album.name.clone(),
                is_favourites: album.is_favourites,
                item: item.id,
            }));
        }
        Ok(containing)
    });
    Ok(Json(containing.await?))
}

/// Starts a search for the pictures of albums that are gone, by their contents, below all open folders.
#[utoipa::path(post, path = "/api/albums/find", tag = "pictures", responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
))]
async fn album_find(Part(parts): Part<AlbumPictures>) -> Response {
    jobs::accepted(parts.start_search())
}
