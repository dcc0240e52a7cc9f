//! Renaming of tags in the sidecars of all pictures, and in the searches of smart albums.

use std::sync::Arc;

use fumikura_albums::{Album, AlbumId, AlbumSearch};
use fumikura_fileops::SearchChange;
use fumikura_pictures::{TagsOutcome, TagsRequest};
use fumikura_search::{names_tag, rename_tag};
use fumikura_watch::FolderChange;
use fumikura_xmp::TagRename;
use serde::Serialize;
use serde_json::json;

use crate::albums::AlbumPictures;
use crate::error::{ApiError, ErrorBody};
use crate::events::Event;
use crate::jobs::{JobKind, JobOutcome, Progress};
use crate::names::name_in_json;

/// The maximum number of failed pictures in a job's result.
const MAX_FAILURES: usize = 100;

/// A smart album whose search names a renamed tag.
pub(crate) struct NamingAlbum {
    pub(crate) album: Album,
    pub(crate) search: AlbumSearch,
    /// The search with the new tag; `None` if it can't be changed: the tag is removed, or the query can't name the new
    /// one.
    pub(crate) renamed: Option<String>,
}

/// A picture that keeps its tags.
#[derive(Serialize)]
struct TagsFailure {
    root: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    error: ErrorBody,
}

impl AlbumPictures {
    /// Returns the smart albums that name a renamed tag.
    pub(crate) fn naming_albums(&self, rename: &TagRename) -> Vec<NamingAlbum> {
        let albums = self.albums.all().into_iter();
        let naming = albums.filter_map(|album| {
            let search = album.search.clone()?;
            let from = || rename.from().iter().map(ToString::to_string);
            if !from().any(|tag| names_tag(search.as_str(), &tag)) {
                return None;
            }
            let to = rename.to().map(ToString::to_string);
            let renamed = to.and_then(|to| {
                let renamed = from().fold(None, |done: Option<String>, from| {
                    let query = done.as_deref().unwrap_or(search.as_str());
                    rename_tag(query, &from, &to).or(done)
                });
                renamed.filter(|renamed| renamed != search.as_str())
            });
            Some(NamingAlbum {
                album,
                search,
                renamed,
            })
        });
        naming.collect()
    }

    /// Starts the job that renames tags, and changes the searches of these albums. Its result is `{changed, operation,
    /// skipped, failed, failures, albums}`.
    ///
    /// # Errors
    /// `too_much_work`.
    pub(crate) fn start_tag_rename(
        self: &Arc<Self>,
        mut request: TagsRequest,
        albums: &[AlbumId],
    ) -> Result<String, ApiError> {
        let naming = self.naming_albums(&request.rename).into_iter();
        let naming = naming.filter(|one| albums.contains(&one.album.id));
        let searches = naming.filter_map(|one| {
            Some(SearchChange {
                album: one.album.id.to_string(),
                before: one.search.as_str().to_owned(),
                after: one.renamed?,
            })
        });
        request.searches = searches.collect();
        let this = Arc::clone(self);
        self.runner
            .start_another(JobKind::RenameTags, move |progress| {
                this.rename_tags(&request, progress)
            })
    }

    fn rename_tags(&self, request: &TagsRequest, progress: &Progress) -> JobOutcome {
        let mut advance = |done, total| progress.advance(done, total).is_ok();
        let outcome = self.pictures.rename_tags(request, &mut advance)?;
        let TagsOutcome {
            operation,
            changed,
            skipped,
            failed,
            folders,
        } = outcome;
        for (root, path) in folders {
            self.events
                .publish(Event::from(FolderChange { root, path }));
        }
        if operation.is_none() {
            progress.advance(0, 0)?;
        }
        let mut albums = 0;
        if operation.is_some() && skipped == 0 {
            for change in &request.searches {
                self.set_search(change, &change.before, &change.after)?;
                albums += 1;
            }
        }
        let failed_count = failed.len();
        let failures = failed.into_iter().take(MAX_FAILURES);
        let failures = failures.map(|(picture, error)| {
            let (path, path_bytes) = name_in_json(picture.path().as_bytes());
            TagsFailure {
                root: picture.root().to_string(),
                path,
                path_bytes,
                error: ApiError::from(error).into_body(),
            }
        });
        Ok(json!({
            "operation": operation.map(|id| id.to_string()),
            "changed": changed,
            "skipped": skipped,
            "failed": failed_count,
            "failures": failures.collect::<Vec<_>>(),
            "albums": albums,
        }))
    }

    /// Changes the search of a smart album, unless it has another one by now, or is gone.
    ///
    /// # Errors
    /// If it can't be stored.
    fn set_search(&self, change: &SearchChange, from: &str, to: &str) -> Result<(), ApiError> {
        let id: Result<AlbumId, _> = change.album.parse();
        let Some(album) = id.ok().and_then(|id| self.albums.get(id).ok()) else {
            return Ok(());
        };
        if album.search.as_ref().map(AlbumSearch::as_str) == Some(from) {
            self.changed(self.albums.set_search(album.id, to.parse()?)?);
        }
        Ok(())
    }

    /// Changes back the searches of smart albums that an undone renaming changed.
    ///
    /// # Errors
    /// If one can't be stored.
    pub(crate) fn restore_searches(&self, changes: &[SearchChange]) -> Result<(), ApiError> {
        let mut changes = changes.iter();
        changes.try_for_each(|change| self.set_search(change, &change.after, &change.before))
    }
}
