//! `/api/folders/overview`: the numbers of all roots, pictures of this day in earlier years, and new pictures.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use fumikura_fs::{RelPath, RootId};
use fumikura_library::Entry;
use fumikura_pictures::Pictures;
use fumikura_searcher::{Partial, PicturePlace, RootCount, Search, YearPictures};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::folders::FolderEntry;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;

/// An overview of the pictures of all roots.
#[derive(Serialize, ToSchema)]
struct PictureOverview {
    /// The roots that have been listed, and hold pictures.
    roots: Vec<RootPictureCount>,
    /// The earlier years in which pictures were taken on the day, the latest first.
    years: Vec<PictureYear>,
    /// The pictures whose files were last created, copied, moved or changed, the latest first, at most 24.
    added: Vec<RootPicture>,
    /// The reason why some may be missing; null if none is.
    partial: Option<Partial>,
}

/// The number of pictures in a root, and of the folders that hold them.
#[derive(Serialize, ToSchema)]
struct RootPictureCount {
    root: String,
    /// The number of folders below the root that hold pictures, themselves or below them.
    folders: usize,
    /// The number of pictures in it and below it.
    pictures: usize,
}

/// The pictures taken on the day of an earlier year.
#[derive(Serialize, ToSchema)]
struct PictureYear {
    year: i16,
    /// The number of all of them.
    count: usize,
    /// The first 24, in the order in which they were taken.
    pictures: Vec<RootPicture>,
}

/// A picture below a root.
#[derive(Serialize, ToSchema)]
struct RootPicture {
    root: String,
    /// Its entry, with `folder` relative to the root.
    entry: FolderEntry,
}

#[derive(Deserialize)]
struct OverviewQuery {
    day: Date,
}

impl From<RootCount> for RootPictureCount {
    fn from(count: RootCount) -> Self {
        Self {
            root: count.root.to_string(),
            folders: count.folders,
            pictures: count.pictures,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(picture_overview))
}

/// Returns an overview of the pictures of all roots: their numbers, those taken on a day of earlier years, and the new
/// ones.
///
/// It has what listings and searches have read so far; headers that are missing are read for a while.
#[utoipa::path(get, path = "/api/folders/overview", tag = "pictures", params(
    ("day" = String, Query, description = "Today, `2026-11-30`: the day of earlier years"),
), responses(
    (status = 200, body = PictureOverview),
    (status = 400, description = "`bad_request`: `day` is not a date", body = ErrorBody),
))]
async fn picture_overview(
    Part(search): Part<Search>,
    Part(pictures): Part<Pictures>,
    ApiQuery(OverviewQuery { day }): ApiQuery<OverviewQuery>,
) -> Result<Json<PictureOverview>, ApiError> {
    let overview = blocking(&search, move |search| {
        let overview = search.picture_overview(&pictures, day);
        let entries = Entries::of(&pictures, &overview.years, &overview.added);
        Ok(PictureOverview {
            roots: overview.roots.into_iter().map(Into::into).collect(),
            years: overview
                .years
                .into_iter()
                .map(|year| PictureYear {
                    year: year.year,
                    count: year.count,
                    pictures: entries.pictures(&year.pictures),
                })
                .collect(),
            added: entries.pictures(&overview.added),
            partial: overview.partial,
        })
    });
    Ok(Json(overview.await?))
}

/// The entries of pictures below several roots.
struct Entries(BTreeMap<(RootId, RelPath), Entry>);

impl Entries {
    fn of(pictures: &Arc<Pictures>, years: &[YearPictures], added: &[PicturePlace]) -> Self {
        let mut paths: BTreeMap<RootId, Vec<RelPath>> = BTreeMap::new();
        let of_years = years.iter().flat_map(|year| &year.pictures);
        for place in of_years.chain(added) {
            paths
                .entry(place.root)
                .or_default()
                .push(place.path.clone());
        }
        let mut entries = BTreeMap::new();
        for (root, paths) in paths {
            match pictures.listed_entries_at(root, &paths) {
                Ok(found) => {
                    let places = paths.into_iter().map(|path| (root, path));
                    let found = places.zip(found);
                    entries.extend(found.filter_map(|(place, entry)| Some((place, entry?))));
                }
                // The root was removed or disconnected meanwhile.
                Err(error) => tracing::debug!(%error, "pictures of an overview can't be read"),
            }
        }
        Self(entries)
    }

    /// Returns the pictures that are still there.
    fn pictures(&self, places: &[PicturePlace]) -> Vec<RootPicture> {
        let found = places.iter().filter_map(|place| {
            let entry = self.0.get(&(place.root, place.path.clone()))?;
            Some(RootPicture {
                root: place.root.to_string(),
                entry: FolderEntry::from(entry.clone()),
            })
        });
        found.collect()
    }
}
