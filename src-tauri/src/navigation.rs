//! Limits the navigation of the window to the pages of its own server.

use serde::Serialize;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Emitter, Runtime, Url};

use crate::window::MAIN;

/// The event that notifies the page of an outside address, so that it asks the user first.
const OUTSIDE_LINK: &str = "outside-link";

/// The decision on an address that the window was asked to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// A page of this application.
    Own,
    /// An address for the system's browser or mail program, after confirmation.
    Outside,
    /// An address that is not opened.
    Refused,
}

/// The payload of [`OUTSIDE_LINK`].
#[derive(Clone, Serialize)]
struct OutsideLink {
    url: String,
}

fn judge(url: &Url, home: &Url) -> Verdict {
    match url.scheme() {
        "http" | "https" if url.origin() == home.origin() => Verdict::Own,
        "http" | "https" | "mailto" => Verdict::Outside,
        _ => Verdict::Refused,
    }
}

/// Decides about every address that the window, or a frame in it, is about to load.
///
/// The page itself asks before it follows an outside link. This guard handles addresses that the page cannot
/// see, such as one that is dropped on the window.
pub(crate) fn guard<R: Runtime>(
    app: AppHandle<R>,
    home: Url,
) -> impl Fn(&Url) -> bool + Send + 'static {
    move |url| match judge(url, &home) {
        Verdict::Own => true,
        Verdict::Outside => {
            ask(&app, url);
            false
        }
        Verdict::Refused => {
            tracing::info!(scheme = url.scheme(), "an address was refused");
            false
        }
    }
}

/// Prevents new windows: there is only one. A link that requests one is confirmed first if it leads outside.
pub(crate) fn no_new_window<R: Runtime, F>(
    app: AppHandle<R>,
    home: Url,
) -> impl Fn(Url, F) -> NewWindowResponse<R> + Send + 'static {
    move |url, _features| {
        if judge(&url, &home) == Verdict::Outside {
            ask(&app, &url);
        }
        NewWindowResponse::Deny
    }
}

fn ask<R: Runtime>(app: &AppHandle<R>, url: &Url) {
    if let Err(error) = app.emit_to(
        MAIN,
        OUTSIDE_LINK,
        OutsideLink {
            url: url.to_string(),
        },
    ) {
        tracing::warn!(%error, "the page could not be told of a link to the outside");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_verdict(url: &str, expected: Verdict) {
        let home = Url::parse("http://127.0.0.1:4001/").unwrap();
        assert_eq!(judge(&Url::parse(url).unwrap(), &home), expected, "{url}");
    }

    #[test]
    fn only_the_own_origin_is_allowed() {
        check_verdict("http://127.0.0.1:4001/wiki/", Verdict::Own);
        check_verdict("http://127.0.0.1:4001", Verdict::Own);
        check_verdict("http://127.0.0.1:4002/wiki/", Verdict::Outside);
        check_verdict("http://localhost:4001/wiki/", Verdict::Outside);
        check_verdict("https://127.0.0.1:4001/", Verdict::Outside);
        check_verdict("http://127.0.0.1:4001@example.org/", Verdict::Outside);
    }

    #[test]
    fn other_schemes_are_refused() {
        check_verdict("https://example.org/", Verdict::Outside);
        check_verdict("mailto:mori@example.org", Verdict::Outside);
        for url in [
            "file:///etc/passwd",
            "data:text/html,x",
            "javascript:1",
            "about:blank",
            "ftp://example.org/",
        ] {
            check_verdict(url, Verdict::Refused);
        }
        check_verdict("blob:http://127.0.0.1:4001/0c6f", Verdict::Refused);
    }
}
