//! Restrictions on the requests that elements of a page may send. A text may contain images with arbitrary
//! addresses, and a diagram is made of a text; the reader's browser fetches them with the reader's session.
//! An element may therefore fetch only resources that it can show. All other addresses answer only scripts
//! and navigations.

use axum::extract::Request;

use crate::error::{ApiError, ErrorCode};

/// The destinations (`Sec-Fetch-Dest`) of a navigation and of a script's fetch.
const DIRECT: [&str; 2] = ["document", "empty"];
/// The destinations of elements that show users' files.
const MEDIA_DESTINATIONS: [&str; 4] = ["image", "audio", "video", "track"];
/// The addresses of the files that such elements show.
const MEDIA_ADDRESSES: [&str; 4] = ["/thumb", "/api/asset", "/api/image", "/api/image/embedded"];
/// The prefix of the page's own files, which elements of all kinds load.
const OWN_FILES: &str = "/static/";

/// Refuses a request of an element that can't use the answer. Programs, and browsers that do not send the
/// header, are let through.
pub(super) fn check(request: &Request) -> Result<(), ApiError> {
    let Some(destination) = request.headers().get("sec-fetch-dest") else {
        return Ok(());
    };
    let path = request.uri().path();
    let is = |known: &[&str]| known.iter().any(|&known| destination == known);
    if is(&DIRECT)
        || path.starts_with(OWN_FILES)
        || is(&MEDIA_DESTINATIONS) && MEDIA_ADDRESSES.contains(&path)
    {
        return Ok(());
    }
    Err(ApiError::new(
        ErrorCode::NotEmbeddable,
        "this address can't be an image or another part of a page",
    ))
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[track_caller]
    fn check_fetch(path: &str, destination: &str, is_let_through: bool) {
        let request = Request::builder().uri(path);
        let request = request.header("sec-fetch-dest", destination);
        let checked = check(&request.body(Body::empty()).unwrap());
        assert_eq!(checked.is_ok(), is_let_through, "{destination} of {path}");
    }

    #[test]
    fn elements_load_only_what_they_can_display() {
        for path in [
            "/api/export",
            "/get?source=/a",
            "/queue",
            "/wiki/",
            "/login",
            "/api/users",
        ] {
            for destination in [
                "image", "script", "style", "iframe", "video", "font", "", "new",
            ] {
                check_fetch(path, destination, false);
            }
            for destination in DIRECT {
                check_fetch(path, destination, true);
            }
        }
        for path in ["/thumb?root=a", "/api/asset?id=a", "/api/image?root=a"] {
            check_fetch(path, "image", true);
            check_fetch(path, "video", true);
            check_fetch(path, "iframe", false);
            check_fetch(path, "script", false);
        }
        check_fetch("/api/image/info", "image", false);
        check_fetch("/static/app.js", "script", true);
        check_fetch("/static/code.js", "worker", true);
    }
}
