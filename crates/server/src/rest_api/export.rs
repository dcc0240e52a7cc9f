//! `/api/export`: exports all pages and their files as an archive that other programs can read.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_wiki::{Export, ExportError, ExportForm, Wiki};
use jiff::Timestamp;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::routes;

use crate::albums::{AlbumPictures, in_archive};
use crate::blocking::blocking;
use crate::config::Config;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::job_runner::JobRunner;
use crate::jobs::{self, JobError, JobKind, JobOutcome, Progress};
use crate::operations::{archive_name, site_thumbnails, watching, written};
use crate::part::Part;
use crate::pipe::{self, PipeEnd};
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;
use crate::rest_api::past::moment;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The purpose of the archive: `archive` for an import, `vault` for Obsidian, `site` for a browser without a server,
    /// `full` for an import of everything into an empty wiki.
    #[serde(default)]
    #[param(value_type = Option<ExportForm>, inline)]
    form: ExportForm,
    /// The wiki as of this moment, as in other operations.
    at: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(wiki_export))
}

/// Exports all pages and their files as a ZIP archive.
///
/// The archive holds the newest texts of all pages as Markdown, their files, and a manifest, as of one moment. It
/// excludes deleted pages, drafts and older revisions; a backup includes them. As a vault it has no manifest, and links
/// name its entries, as Obsidian reads them. As a site it has HTML instead of Markdown, smaller copies of large pictures,
/// and a list of all pages with a search. With `at`, it holds the wiki of a moment, whose time is in its name. A full
/// archive has everything but drafts, locks and sessions, and no `at`: all revisions, renames, links, the trash, files,
/// users and settings.
///
/// The archive is sent while a job, named by `Location`, writes it. The job's result is
/// `{pages, assets, missing}`; `missing` are files whose contents are
/// lost. If the export fails or its job is cancelled, the connection is aborted, so that the answer never appears
/// complete.
#[utoipa::path(get, path = "/api/export", tag = "jobs", params(ExportQuery), responses(
    (status = 200, description = "The archive", content_type = "application/zip", headers(
        ("Content-Disposition" = String, description = "A name for its file"),
        ("Location" = String, description = "The job"),
    )),
    (status = 400, description = "`invalid_time`; `bad_request`: a full archive has all moments", body = ErrorBody),
    (status = 507, description = "`disk_full`: there is no room for the temporary copy of the texts", body = ErrorBody),
))]
async fn wiki_export(
    Part(wiki): Part<Wiki>,
    Part(runner): Part<JobRunner>,
    Part(config): Part<Config>,
    Part(parts): Part<AlbumPictures>,
    Part(clock): Part<dyn Clock>,
    method: Method,
    ApiQuery(ExportQuery { form, at }): ApiQuery<ExportQuery>,
) -> Result<Response, ApiError> {
    let at = moment(at.as_deref(), &*clock)?;
    if at.is_some() && form == ExportForm::Full {
        let message = "a full archive has all moments: export it without at";
        return Err(ApiError::new(ErrorCode::BadRequest, message));
    }
    let name_time = at.unwrap_or_else(|| clock.now());
    if method == Method::HEAD {
        // A HEAD request starts no export.
        return Ok(headers(name_time, form).into_response());
    }
    let take = move |wiki: &Wiki| {
        let (archives, aside) = (wiki.archives(), &config.data_dir);
        Ok(match at {
            Some(at) => archives.begin_past_export(aside, form, at)?,
            None => archives.begin_export(aside, form)?,
        })
    };
    let taken = blocking(&wiki, take).await?;
    let taken = taken.with_thumbnails(site_thumbnails(&wiki, &parts.pictures));
    let taken = taken.with_albums(in_archive(&parts.albums));
    let (end, body) = pipe::open();
    let job = runner.start_another(JobKind::Export, move |progress| {
        send(&wiki, progress, taken, end)
    })?;
    let location = [(LOCATION, jobs::address(&job))];
    Ok((headers(name_time, form), location, Body::from_stream(body)).into_response())
}

fn headers(time: Timestamp, form: ExportForm) -> [(HeaderName, HeaderValue); 3] {
    let name = format!("attachment; filename=\"{}\"", archive_name(time, form));
    let name = HeaderValue::try_from(name).expect("BUG: a time is a header");
    [
        (CONTENT_TYPE, HeaderValue::from_static("application/zip")),
        (CONTENT_DISPOSITION, name),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ]
}

fn send(wiki: &Wiki, progress: &Progress, taken: Export, end: PipeEnd) -> JobOutcome {
    let mut out = end.writer(progress);
    let sent = wiki
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
