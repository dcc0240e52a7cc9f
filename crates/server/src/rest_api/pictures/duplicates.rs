//! `/api/duplicates`: searches for pictures with the same contents or looks, their groups, and moving those to the trash.

use axum::Json;
use axum::response::Response;
use fumikura_fileops::{FilesOutcome, PictureFiles};
use fumikura_library::{KeepReason, Likeness, StayReason};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::folders::FolderEntry;
use crate::blocking::blocking;
use crate::duplicates::{Duplicates, ShownGroup};
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{self, JobKind, StartedJob};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiJson, ApiPath, ApiQuery};
use crate::rest_api::files::outcome::{FileFailed, FilesDone, progress_callback};
use crate::rest_api::files::place::{FilePlace, sources};
use crate::services::FileOperations;

/// The maximum number of groups in an answer.
const MAX_LIMIT: usize = 100;

/// A search for duplicates.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DuplicateSearch {
    /// The folder that is searched with those below it; absent for all open folders.
    #[serde(default)]
    folder: Option<FilePlace>,
    /// The degree to which the pictures of a group are alike; `identical` by default.
    #[serde(default)]
    likeness: Likeness,
}

/// A part of the groups that a search found.
#[derive(Serialize, ToSchema)]
struct DuplicateGroups {
    /// The degree to which the pictures of a group are alike.
    likeness: Likeness,
    /// The number of all groups.
    total: usize,
    /// The number of pictures that were compared. Files of one picture count as one.
    pictures: usize,
    /// The number of pictures that could not be read.
    unreadable: usize,
    /// The number of folders that can't be read, or are too many.
    left_out: usize,
    /// The number of groups before these.
    offset: usize,
    groups: Vec<DuplicateGroup>,
}

/// Pictures with the same contents or looks.
#[derive(Serialize, ToSchema)]
struct DuplicateGroup {
    /// The group's number, from 0.
    number: usize,
    /// The pictures that still exist, at most 60; none if there are fewer than two.
    members: Vec<DuplicateMember>,
    /// The number of further pictures.
    more: usize,
}

/// A picture of a group.
#[derive(Serialize, ToSchema)]
struct DuplicateMember {
    /// The entry. Its `folder` begins with the id of its root, and is followed by the path of its folder below that root.
    entry: FolderEntry,
    /// The path of its folder, which begins with the name of the root.
    folder: String,
    /// The number of its other files: a raw file, or the movie of a Live Photo.
    companions: usize,
    /// The reason why this one is proposed to be kept; absent for the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    keep: Option<KeepReason>,
    /// The reason why this one is not proposed for the trash, although another one is kept; absent for those that are.
    #[serde(skip_serializing_if = "Option::is_none")]
    stays: Option<StayReason>,
}

/// Duplicates to move to the trash.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct BinDuplicates {
    items: Vec<FilePlace>,
}

#[derive(Deserialize)]
struct GroupsQuery {
    #[serde(default)]
    offset: usize,
    #[serde(default = "default_limit")]
    limit: usize,
}

fn default_limit() -> usize {
    20
}

impl From<ShownGroup> for DuplicateGroup {
    fn from(group: ShownGroup) -> Self {
        let ShownGroup {
            number,
            members,
            more,
            proposal,
        } = group;
        let Some(proposal) = proposal else {
            return Self {
                number,
                members: Vec::new(),
                more: 0,
            };
        };
        let members = members.into_iter().zip(proposal.stays).enumerate();
        let members = members.map(|(at, (member, stays))| DuplicateMember {
            entry: member.entry.into(),
            folder: member.folder,
            companions: member.companions,
            keep: (at == proposal.keep).then_some(proposal.reason),
            stays: stays.filter(|_| at != proposal.keep),
        });
        Self {
            number,
            members: members.collect(),
            more,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new()
        .routes(routes!(duplicate_search))
        .routes(routes!(duplicate_groups))
        .routes(routes!(duplicate_bin))
}

/// Starts a search for pictures with the same contents, or for those that look alike.
///
/// The job (`find_duplicates`) reads only files of equal size, and uses fresh hash records. What pictures look like is
/// known from their thumbnails, and missing ones are made. Its result is `{groups, pictures, unreadable}`, the numbers of
/// each; its id names the search.
#[utoipa::path(post, path = "/api/duplicates", tag = "pictures", request_body = DuplicateSearch, responses(
    (status = 202, body = StartedJob, headers(("Location" = String, description = "The job"))),
    (status = 404, description = "`root_not_found`", body = ErrorBody),
    (status = 429, description = "`too_much_work`", body = ErrorBody),
))]
async fn duplicate_search(
    Part(duplicates): Part<Duplicates>,
    ApiJson(search): ApiJson<DuplicateSearch>,
) -> Result<Response, ApiError> {
    let DuplicateSearch { folder, likeness } = search;
    let folders = blocking(&duplicates, move |duplicates| {
        let pictures = &duplicates.pictures;
        Ok(match folder {
            Some(folder) => vec![folder.source(pictures)?],
            None => pictures.readable_roots(),
        })
    });
    Ok(jobs::accepted(duplicates.start(folders.await?, likeness)?))
}

/// Lists the groups that a search found, those that take up the most space first, as they are now.
///
/// Groups keep their numbers. The last four searches of a launch are kept.
#[utoipa::path(get, path = "/api/duplicates/{id}", tag = "pictures", params(
    ("id" = String, Path, description = "The id of the job"),
    ("offset" = Option<usize>, Query, description = "The number of groups to skip"),
    ("limit" = Option<usize>, Query, description = "The number of groups, 1 to 100; 20 by default"),
), responses(
    (status = 200, body = DuplicateGroups),
    (status = 400, description = "`bad_request`", body = ErrorBody),
    (status = 404, description = "`job_not_found`: the job has not ended, or its groups are no longer kept", body = ErrorBody),
))]
async fn duplicate_groups(
    Part(duplicates): Part<Duplicates>,
    ApiPath(id): ApiPath<String>,
    ApiQuery(GroupsQuery { offset, limit }): ApiQuery<GroupsQuery>,
) -> Result<Json<DuplicateGroups>, ApiError> {
    if !(1..=MAX_LIMIT).contains(&limit) {
        let message = format!("limit must be from 1 to {MAX_LIMIT}");
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let groups = blocking(&duplicates, move |duplicates| {
        let (likeness, outcome) = duplicates.outcome(&id)?;
        let groups = duplicates.groups(&outcome, offset, limit);
        Ok(DuplicateGroups {
            likeness,
            total: outcome.groups.len(),
            pictures: outcome.pictures,
            unreadable: outcome.unreadable,
            left_out: outcome.left_out,
            offset,
            groups: groups.into_iter().map(Into::into).collect(),
        })
    });
    Ok(Json(groups.await?))
}

/// Moves duplicates to the trash, with the other files of each picture.
///
/// Each one is checked first. It stays, and is listed in `failed`, if it has changed since the search
/// (`duplicate_changed`), or if no other picture of its group would stay as it was found (`last_copy`).
#[utoipa::path(post, path = "/api/duplicates/{id}/bin", tag = "pictures", params(("id" = String, Path)),
    request_body = BinDuplicates, responses(
        (status = 200, body = FilesDone),
        (status = 400, description = "`bad_request`", body = ErrorBody),
        (status = 403, description = "`outside_roots`, `not_permitted`", body = ErrorBody),
        (status = 404, description = "`job_not_found`, `root_not_found`, `folder_unavailable`, `not_found`", body = ErrorBody),
        (status = 409, description = "`cancelled`", body = ErrorBody),
        (status = 422, description = "`bin_unavailable`: the pictures stay at their places", body = ErrorBody),
    ))]
async fn duplicate_bin(
    Part(duplicates): Part<Duplicates>,
    Part(operations): Part<FileOperations>,
    ApiPath(id): ApiPath<String>,
    ApiJson(BinDuplicates { items }): ApiJson<BinDuplicates>,
) -> Result<Json<FilesDone>, ApiError> {
    let (checked, refused) = blocking(&duplicates, move |duplicates| {
        let (_, outcome) = duplicates.outcome(&id)?;
        let requested = sources(&duplicates.pictures, &items)?;
        Ok(Duplicates::check(&outcome, &requested))
    })
    .await?;
    let done = operations.run(JobKind::BinFiles, move |pictures, progress| {
        if checked.is_empty() {
            return Ok(FilesOutcome::default());
        }
        let parts = PictureFiles::Together;
        let mut callback = progress_callback(progress);
        Ok(pictures.files().trash(&checked, parts, &mut callback)?)
    });
    let refused = refused.into_iter();
    let refused = refused.map(|(source, error)| FileFailed::new(source.path().name(), error));
    Ok(Json(done.await?.with_failed(refused)))
}
