//! `/api/export`: exports all pages and their files as an archive that other programs can read.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use fumikura_wiki::{Export, ExportError};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::job_runner;
use crate::jobs::{self, JobError, JobKind, Outcome, Progress};
use crate::operations::{archive_name, watching, written};
use crate::pipe::{self, PipeEnd};

pub(super) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(wiki_export))
}

/// Exports all pages and their files as a ZIP archive.
///
/// The archive holds the newest texts of all pages as Markdown, their files, and a manifest, as of one moment. It
/// excludes deleted pages, drafts and older revisions; a backup includes them. The archive is sent while a job, named
/// by `Location`, writes it. The job's result is `{pages, assets, missing}`; `missing` are files whose contents are
/// lost. If the export fails or its job is cancelled, the connection is aborted, so that the answer never appears
/// complete.
#[utoipa::path(get, path = "/api/export", tag = "jobs", responses(
    (status = 200, description = "The archive", content_type = "application/zip", headers(
        ("Content-Disposition" = String, description = "A name for its file"),
        ("Location" = String, description = "The job"),
    )),
    (status = 507, description = "`disk_full`: there is no room for the temporary copy of the texts", body = ErrorBody),
))]
async fn wiki_export(State(app): State<Arc<App>>, method: Method) -> Result<Response, ApiError> {
    if method == Method::HEAD {
        // A HEAD request starts no export.
        return Ok(headers(&app).into_response());
    }
    let take = |app: &App| Ok(app.wiki.archives().begin_export(&app.config.data_dir)?);
    let taken = blocking(&app, take).await?;
    let (end, body) = pipe::open();
    let job = job_runner::start_another(&app, JobKind::Export, move |app, progress| {
        send(app, progress, taken, end)
    })?;
    let location = [(LOCATION, jobs::address(&job))];
    Ok((headers(&app), location, Body::from_stream(body)).into_response())
}

fn headers(app: &App) -> [(HeaderName, HeaderValue); 3] {
    let name = format!("attachment; filename=\"{}\"", archive_name(app));
    let name = HeaderValue::try_from(name).expect("BUG: a time is a header");
    [
        (CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

fn send(app: &App, progress: &Progress, taken: Export, end: PipeEnd) -> Outcome {
    let mut out = end.writer(progress);
    let sent = app
        .wiki
        .archives()
        .write_export(taken, &mut out, &mut watching(progress));
    let exported = sent.map_err(|error| match error {
        // The only possible error of the output is that the client stopped reading.
        ExportError::Cancelled | ExportError::Output(_) => JobError::Cancelled,
        ExportError::Storage(error) => error.into(),
    })?;
    out.finish().map_err(|_gone| JobError::Cancelled)?;
    Ok(written(&exported))
}
