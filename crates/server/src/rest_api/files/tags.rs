//! `/api/files/tags`: the tags of pictures, and renaming and removing them in all sidecars.

use axum::Json;
use axum::response::Response;
use fumikura_albums::AlbumId;
use fumikura_fs::{RootId, Source};
use fumikura_pictures::{Pictures, TagsRequest};
use fumikura_xmp::{Tag, TagRename};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::marks::tags;
use crate::albums::AlbumPictures;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{self, StartedJob};
use crate::names::bytes;
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiJson;
use crate::rest_api::pictures::ByteQuery;

/// The known tags of a folder, or of all folders.
#[derive(Serialize, ToSchema)]
struct KnownTags {
    /// The tags, most frequent first.
    tags: Vec<KnownTag>,
    /// The number of pictures of all folders that are still to be read; absent for one folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<usize>,
    /// The number of open folders that can't be read; absent for one folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<usize>,
}

/// A known tag.
#[derive(Serialize, ToSchema)]
struct KnownTag {
    /// The tag, its levels separated by `/`.
    tag: String,
    /// The number of pictures that have the tag.
    count: usize,
}

impl From<(Tag, usize)> for KnownTag {
    fn from((tag, count): (Tag, usize)) -> Self {
        Self {
            tag: tag.to_string(),
            count,
        }
    }
}

/// A renaming of tags of pictures.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PictureTagRename {
    /// The tags to rename, with everything below them; the levels of each are separated by `/`.
    from: Vec<String>,
    /// The new tag, which may exist: then the tags are joined. Absent to remove the tags.
    #[serde(default)]
    to: Option<String>,
    /// The root's id; absent for all open folders.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    root: Option<RootId>,
    /// The folder whose pictures, and those below it, are changed, relative to the root.
    #[serde(default)]
    path: Option<String>,
    /// The path's bytes in base64, if they are not UTF-8.
    #[serde(default)]
    path_bytes: Option<String>,
    /// True if a picture of several files is one.
    #[serde(default)]
    joined: bool,
    /// The smart albums whose searches are changed as well.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    albums: Vec<AlbumId>,
}

/// The effects of a renaming of tags.
#[derive(Serialize, ToSchema)]
struct PictureTagEffects {
    /// The number of pictures that have one of the tags, as far as they have been read.
    pictures: usize,
    /// The number of pictures whose tags are still to be read.
    unread: usize,
    /// The number of open folders that can't be read: their pictures keep the tags.
    unavailable: usize,
    /// The smart albums that name one of the tags.
    albums: Vec<NamingAlbumInfo>,
}

/// A smart album that names a renamed tag.
#[derive(Serialize, ToSchema)]
struct NamingAlbumInfo {
    #[schema(value_type = String)]
    id: AlbumId,
    name: String,
    /// Its search.
    search: String,
    /// The search with the new tag; absent if the tags are removed, or the search can't name the new one.
    #[serde(skip_serializing_if = "Option::is_none")]
    renamed: Option<String>,
}

impl PictureTagRename {
    fn request(&self, pictures: &Pictures) -> Result<TagsRequest, ApiError> {
        let from = tags(&self.from)?;
        if from.is_empty() {
            return Err(ApiError::new(ErrorCode::BadRequest, "no tag is named"));
        }
        let to = self.to.as_deref().map(Tag::parse).transpose();
        let to = to.map_err(|error| ApiError::new(ErrorCode::InvalidTag, error))?;
        Ok(TagsRequest {
            folder: self.folder(pictures)?,
            rename: TagRename::new(from, to),
            joins_files: self.joined,
            searches: Vec::new(),
        })
    }

    fn folder(&self, pictures: &Pictures) -> Result<Option<Source>, ApiError> {
        let Some(root) = self.root else {
            return Ok(None);
        };
        let path = self.path.as_deref().or(Some(""));
        let path = bytes(path, self.path_bytes.as_deref())?;
        Ok(Some(pictures.roots().source(root, &path)?))
    }
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(mark_tags))
        .routes(routes!(picture_tags_effects))
        .routes(routes!(picture_tags_rename))
}

/// Lists the tags of a folder, or of all open folders, as far as the sidecars of their pictures have been read.
#[utoipa::path(get, path = "/api/files/tags", tag = "pictures", params(
    ("root" = Option<String>, Query, description = "Absent for all open folders"),
    ("path" = Option<String>, Query, description = "The folder, relative to the root, as percent-encoded bytes"),
    ("beneath" = Option<bool>, Query, description = "Include the folders below it"),
    ("joined" = Option<bool>, Query, description = "Count a picture of several files once"),
), responses(
    (status = 200, body = KnownTags),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 422, description = "`not_a_folder`", body = ErrorBody),
))]
async fn mark_tags(
    Part(pictures): Part<Pictures>,
    query: ByteQuery,
) -> Result<Json<KnownTags>, ApiError> {
    let joined = query.joined()?;
    if query.bytes("root").is_none() {
        let all = blocking(&pictures, move |pictures| Ok(pictures.all_tags(joined))).await?;
        return Ok(Json(KnownTags {
            tags: all.tags.into_iter().map(KnownTag::from).collect(),
            unread: Some(all.unread),
            unavailable: Some(all.unavailable),
        }));
    }
    let path = query.bytes("path").unwrap_or_default();
    let folder = pictures.roots().source(query.root()?, &path)?;
    let scope = query.scope()?;
    let tags = blocking(&pictures, move |pictures| {
        Ok(pictures.tags(&folder, scope, joined)?)
    });
    Ok(Json(KnownTags {
        tags: tags.await?.into_iter().map(KnownTag::from).collect(),
        unread: None,
        unavailable: None,
    }))
}

/// Returns the effects that a renaming of tags would have: the number of pictures, and the smart albums that name them.
#[utoipa::path(post, path = "/api/files/tags/effects", tag = "pictures", request_body = PictureTagRename, responses(
    (status = 200, body = PictureTagEffects),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_tag`", body = ErrorBody),
))]
async fn picture_tags_effects(
    Part(parts): Part<AlbumPictures>,
    ApiJson(rename): ApiJson<PictureTagRename>,
) -> Result<Json<PictureTagEffects>, ApiError> {
    let effects = blocking(&parts, move |parts| {
        let request = rename.request(&parts.pictures)?;
        let targets = parts.pictures.tag_targets(&request)?;
        let albums = parts.naming_albums(&request.rename).into_iter();
        let albums = albums.map(|one| NamingAlbumInfo {
            id: one.album.id,
            name: one.album.name.as_str().to_owned(),
            search: one.search.as_str().to_owned(),
            renamed: one.renamed,
        });
        Ok(PictureTagEffects {
            pictures: targets.tagged.len(),
            unread: targets.unread.len(),
            unavailable: targets.unavailable,
            albums: albums.collect(),
        })
    });
    Ok(Json(effects.await?))
}

/// Renames tags of pictures, with everything below them, in all sidecars, or removes them.
///
/// A job (`rename_tags`); its result is `{operation, changed, skipped, failed, failures, albums}`. `operation` is the id
/// by which the renaming is undone. Pictures that fail keep their tags. The picture files are unchanged.
#[utoipa::path(post, path = "/api/files/tags/rename", tag = "pictures", request_body = PictureTagRename, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 403, description = "`outside_roots`", body = ErrorBody),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 422, description = "`invalid_tag`", body = ErrorBody),
    (status = 429, description = "`too_much_work`", body = ErrorBody),
))]
async fn picture_tags_rename(
    Part(parts): Part<AlbumPictures>,
    ApiJson(rename): ApiJson<PictureTagRename>,
) -> Result<Response, ApiError> {
    let request = rename.request(&parts.pictures)?;
    Ok(jobs::accepted(
        parts.start_tag_rename(request, &rename.albums)?,
    ))
}
