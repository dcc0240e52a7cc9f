//! Pages for clients that are not admitted. They are standalone, because such clients may load nothing else.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::{ApiError, ErrorCode};
use crate::guard::headers::NOTICE_POLICY;

/// The texts of a page.
struct Texts<'a> {
    lang: &'a str,
    title: &'a str,
    text: &'a str,
    how: &'a str,
    again: &'a str,
}

/// Returns a page that explains how to sign in. Its button helps a user who followed a link of another site:
/// the cookie is not sent with that request, but with the next one.
pub(crate) fn unauthenticated_page(japanese: bool) -> Response {
    let texts = if japanese {
        Texts {
            lang: "ja",
            title: "サインインしていません",
            text: "Fumikura を使えるのは、このコンピューターで Fumikura を開いた人だけです。保存したものは無事です。",
            how: "<code>fumi login</code> を実行して、表示されたアドレスを開いてください。",
            again: "もう一度開く",
        }
    } else {
        Texts {
            lang: "en",
            title: "You’re not signed in",
            text: "Only the person who started Fumikura on this computer can use it. Everything you saved is safe.",
            how: "Run <code>fumi login</code> and open the address it prints.",
            again: "Try again",
        }
    };
    page(StatusCode::UNAUTHORIZED, &texts)
}

/// Returns a page for a refused attempt to sign in, with the time to wait. The sign-in address is not
/// consumed.
pub(crate) fn refused_page(refusal: ApiError, japanese: bool) -> Response {
    let wait = refusal.body().retry_after.unwrap_or_default();
    let (text, how) = match (refusal.code(), japanese) {
        (ErrorCode::LimiterUnavailable, true) => (
            "サインインの回数を数える Redis に接続できないため、受け付けられません。保存したものは無事です。",
            "Redis を起動するか、<code>REDIS_URL</code> を設定せずに起動してください。".to_owned(),
        ),
        (ErrorCode::LimiterUnavailable, false) => (
            "Redis, which counts attempts to sign in, can’t be reached. Everything you saved is safe.",
            "Start Redis, or start Fumikura without <code>REDIS_URL</code>.".to_owned(),
        ),
        (ErrorCode::LimiterBusy, true) => (
            "サインインの回数を数える Redis が混み合っています。保存したものは無事です。",
            "少し待ってから、同じアドレスをもう一度開いてください。".to_owned(),
        ),
        (ErrorCode::LimiterBusy, false) => (
            "Redis, which counts attempts to sign in, is busy. Everything you saved is safe.",
            "Open the same address again in a moment.".to_owned(),
        ),
        (_, true) => (
            "サインインの失敗が続いたため、しばらく受け付けません。保存したものは無事です。",
            format!("{wait} 秒後に、同じアドレスをもう一度開いてください。"),
        ),
        (_, false) => (
            "There were too many failed attempts to sign in. Everything you saved is safe.",
            format!("Open the same address again in {wait} seconds."),
        ),
    };
    let (lang, title, again) = match japanese {
        true => ("ja", "今はサインインできません", "もう一度開く"),
        false => ("en", "You can’t sign in right now", "Try again"),
    };
    let texts = Texts {
        lang,
        title,
        text,
        how: &how,
        again,
    };
    // The status and headers are those of the error.
    let (error, _body) = refusal.into_response().into_parts();
    let mut response = page(error.status, &texts);
    for name in [
        header::RETRY_AFTER.as_str(),
        "ratelimit-policy",
        "ratelimit",
    ] {
        if let Some(value) = error.headers.get(name) {
            let name = header::HeaderName::from_static(name);
            response.headers_mut().insert(name, value.clone());
        }
    }
    response
}

fn page(status: StatusCode, texts: &Texts<'_>) -> Response {
    let Texts {
        lang,
        title,
        text,
        how,
        again,
    } = texts;
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
    let mut response = (status, Html(html)).into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, NOTICE_POLICY),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
