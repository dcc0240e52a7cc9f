//! The page for those who are not let in. It stands alone: nothing else may be loaded yet.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

/// Says how to get in. The button helps whoever came by a link of another site: their cookie does
/// not come along then, but does with the next request.
pub(crate) fn unauthenticated_page(japanese: bool) -> Response {
    let (lang, title, text, how, again) = if japanese {
        (
            "ja",
            "サインインしていません",
            "Fumikura を使えるのは、このコンピューターで Fumikura を開いた人だけです。保存したものは無事です。",
            "<code>fumi login</code> を実行して、表示されたアドレスを開いてください。",
            "もう一度開く",
        )
    } else {
        (
            "en",
            "You’re not signed in",
            "Only the person who started Fumikura on this computer can use it. Everything you saved is safe.",
            "Run <code>fumi login</code> and open the address it prints.",
            "Try again",
        )
    };
    let html = format!(
        r#"<!doctype html>
<html lang="{lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>
:root {{ color-scheme: light dark; }}
body {{ margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 24px; box-sizing: border-box;
  font: 400 16px/1.7 system-ui, "Noto Sans CJK JP", sans-serif;
  color: light-dark(#20242b, #dedad0); background: light-dark(#fbfaf6, #17191d); }}
main {{ max-width: 34em; }}
h1 {{ font-size: 26px; line-height: 1.3; margin: 0 0 12px; }}
p {{ margin: 0 0 12px; }}
code {{ font: 500 14px ui-monospace, monospace; padding: 2px 6px; border-radius: 5px; background: light-dark(#f3f1ea, #1e2126); }}
a {{ display: inline-block; margin-top: 8px; padding: 6px 14px; border-radius: 8px; text-decoration: none;
  color: light-dark(#fff, #10151d); background: light-dark(#274f86, #9bbbe8); }}
a:focus-visible {{ outline: 2px solid light-dark(#274f86, #9bbbe8); outline-offset: 2px; }}
</style></head><body><main><h1>{title}</h1><p>{text}</p><p>{how}</p><a href="">{again}</a></main></body></html>"#
    );
    let mut response = (StatusCode::UNAUTHORIZED, Html(html)).into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
