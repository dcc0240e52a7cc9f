//! `/api/pages/{page_id}/html`: a page as a file that any browser opens.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use fumikura_base::clock::Clock;
use fumikura_wiki::{PageId, Wiki};
use serde::Deserialize;
use utoipa_axum::routes;

use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::{ApiPath, ApiQuery};
use crate::rest_api::past::{AT, moment_of};

/// A text of a person runs nothing in a browser.
const POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";

#[derive(Deserialize)]
struct HtmlQuery {
    rev: Option<u64>,
    at: Option<String>,
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(page_html))
}

/// Returns a page as an HTML file with its pictures inside.
///
/// The file has no scripts: formulas are MathML, code and diagrams have no colours. Links to other pages are text,
/// because those pages are not beside the file.
#[utoipa::path(get, path = "/api/pages/{page_id}/html", tag = "pages",
    params(("page_id" = String, Path), ("rev" = Option<u64>, Query, description = "A revision; the newest one if omitted"),
        ("at" = Option<String>, Query, description = AT)), responses(
        (status = 200, body = String, content_type = "text/html"),
        (status = 400, description = "`invalid_time`; `bad_request`: `at` excludes `rev`", body = ErrorBody),
        (status = 404, description = "`page_not_found` or `draft`", body = ErrorBody),
        (status = 410, description = "`gone`: the revision was removed", body = ErrorBody),
    ))]
async fn page_html(
    Part(wiki): Part<Wiki>,
    Part(clock): Part<dyn Clock>,
    ApiPath(id): ApiPath<PageId>,
    ApiQuery(HtmlQuery { rev, at }): ApiQuery<HtmlQuery>,
) -> Result<Response, ApiError> {
    let at = moment_of(rev, at.as_deref(), &*clock)?;
    let render = move |wiki: &Wiki| {
        Ok(match at {
            Some(at) => wiki.archives().past_page_file(id, at)?,
            None => wiki.archives().page_file(id, rev)?,
        })
    };
    let file = blocking(&wiki, render).await?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-cache"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, file).into_response())
}
