//! Export of the whole wiki as an archive, to a file that the user chose.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::durable::{self, Access};
use fumikura_image::{Format, Mode, Size, Variant};
use fumikura_pictures::Pictures;
use fumikura_thumbs::Priority;
use fumikura_wiki::{
    Export, ExportError, ExportForm, ExportReport, MakeThumbnail, StorageError, Wiki,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::albums::in_archive;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::jobs::{JobError, JobKind, JobOutcome, Progress};
use crate::operations::WholeWiki;
use crate::rest_api::asset_picture;
use crate::services::LocalFiles;

/// Returns the proposed name for an archive of a moment.
pub(crate) fn archive_name(time: Timestamp, form: ExportForm) -> String {
    let now = time.strftime("%Y-%m-%dT%H%M%SZ");
    match form {
        ExportForm::Archive => format!("fumikura-{now}.zip"),
        ExportForm::Vault => format!("fumikura-vault-{now}.zip"),
        ExportForm::Site => format!("fumikura-site-{now}.zip"),
        ExportForm::Full => format!("fumikura-full-{now}.zip"),
    }
}

/// Returns the job's result for a written archive.
pub(crate) fn written(exported: &ExportReport) -> Value {
    let missing: Vec<String> = exported.missing.iter().map(ToString::to_string).collect();
    json!({"pages": exported.pages, "assets": exported.assets, "missing": missing})
}

/// Returns a progress callback that stops the export if its job is cancelled.
pub(crate) fn watching(progress: &Progress) -> impl FnMut(u64, u64) -> ControlFlow<()> {
    move |done, total| match progress.advance(done, total) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_cancelled) => ControlFlow::Break(()),
    }
}

/// Returns what makes the smaller copies of pictures for a site. A picture that cannot be decoded has none.
pub(crate) fn site_thumbnails(wiki: &Arc<Wiki>, pictures: &Arc<Pictures>) -> MakeThumbnail {
    let (wiki, pictures) = (Arc::clone(wiki), Arc::clone(pictures));
    // Sharp at the width of the text on a dense screen.
    let variant = Variant {
        size: Size::new(1600, 1600).expect("BUG: the size is valid"),
        mode: Mode::Shrink,
        format: Format::Webp,
        ..Variant::default()
    };
    Box::new(move |asset| {
        let (_, source_file) = asset_picture(&wiki, asset.id).ok()?;
        let thumbs = pictures.thumbs();
        let ticket = thumbs.request_wait(&source_file, variant, Priority::Background);
        let made = ticket.wait().inspect_err(|error| {
            tracing::debug!(id = %asset.id, %error, "a picture of a site has no smaller copy");
        });
        let made = made.ok()?;
        let bytes = thumbs.load(&made).ok()??;
        Some(bytes.to_vec())
    })
}

impl LocalFiles {
    /// Starts a job that writes the archive, whole or not at all, and waits for it.
    pub(super) async fn export_to(
        self: &Arc<Self>,
        place: PathBuf,
        WholeWiki { form, at }: WholeWiki,
    ) -> Result<(), ErrorBody> {
        let (sender, receiver) = oneshot::channel();
        let (wiki, data) = (Arc::clone(&self.wiki), self.data.clone());
        let thumbnails = site_thumbnails(&self.wiki, &self.pictures);
        let albums = in_archive(&self.albums);
        self.runner
            .start_another(JobKind::Export, move |progress| {
                let archives = wiki.archives();
                let taken = match at {
                    Some(at) => archives.begin_past_export(&data, form, at),
                    None => archives.begin_export(&data, form),
                };
                let outcome = taken.map_err(Into::into).and_then(|taken| {
                    let taken = taken.with_thumbnails(thumbnails).with_albums(albums);
                    export(&wiki, progress, &place, taken)
                });
                let end = outcome.as_ref().map(|_written| ()).map_err(JobError::body);
                // The caller may be gone; the archive is still written.
                let _gone = sender.send(end);
                outcome
            })?;
        match receiver.await {
            Ok(end) => end,
            Err(panic) => {
                let message = "Something went wrong inside the program";
                Err(ApiError::internal(ErrorCode::Internal, message, &panic).into_body())
            }
        }
    }
}

fn export(wiki: &Wiki, progress: &Progress, place: &Path, taken: Export) -> JobOutcome {
    let mut watch = watching(progress);
    let exported = durable::write_with(place, Access::Default, |file| {
        wiki.archives().write_export(taken, file, &mut watch)
    });
    match exported {
        Ok(exported) => Ok(written(&exported)),
        Err(ExportError::Cancelled) => Err(JobError::Cancelled),
        Err(ExportError::Output(error)) => Err(StorageError::from(error).into()),
        Err(ExportError::Storage(error)) => Err(error.into()),
    }
}
