//! What the elements of a page may fetch. A text may hold images with addresses of its own, and a diagram is made of
//! a text; the reader's browser fetches them with the reader's session. So an element gets what it can show, and
//! everything else answers scripts and people alone.

use axum::extract::Request;

use crate::error::{ApiError, ErrorCode};

/// Destinations (`Sec-Fetch-Dest`) of a person who opens an address, and of a script that fetches it.
const DIRECT: [&str; 2] = ["document", "empty"];
/// Destinations of the elements that show what people bring.
const SHOWING: [&str; 4] = ["image", "audio", "video", "track"];
/// Addresses of what such elements show.
const SHOWN: [&str; 4] = ["/thumb", "/api/asset", "/api/image", "/api/image/embedded"];
/// The page's own files, of which elements of all kinds are made.
const OWN_FILES: &str = "/static/";

/// Refuses what an element of a page has no use for. Programs, and browsers that do not tell, are let through.
pub(super) fn check(request: &Request) -> Result<(), ApiError> {
    let Some(destination) = request.headers().get("sec-fetch-dest") else {
        return Ok(());
    };
    let path = request.uri().path();
    let is = |known: &[&str]| known.iter().any(|&known| destination == known);
    if is(&DIRECT) || path.starts_with(OWN_FILES) || is(&SHOWING) && SHOWN.contains(&path) {
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
    fn elements_get_what_they_can_show() {
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
