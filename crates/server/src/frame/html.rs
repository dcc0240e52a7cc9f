//! The HTML of a frame.

use std::fmt::Write;

use fumikura_wiki::{Language, Theme};

use super::answers::Answers;
use super::{ViewList, WIKI};
use crate::guard::headers::StyleNonce;

/// The page of a frame, by its id and revision.
pub(super) struct PageIdentity {
    pub(super) id: String,
    pub(super) revision: u64,
}

/// Renders the frame. It contains the language and the theme, so that nothing flashes before the script runs,
/// the responses that the script needs first, and the files of its view, so that they are not requested one
/// after the other.
pub(super) fn frame(
    page: Option<&PageIdentity>,
    view: &str,
    answers: &Answers,
    japanese_browser: bool,
    nonce: &StyleNonce,
) -> String {
    let (lang, language) = match answers.look.language {
        Language::En => ("en", "en"),
        Language::Ja => ("ja", "ja"),
        Language::System => (if japanese_browser { "ja" } else { "en" }, "system"),
    };
    let theme = match answers.look.theme {
        Theme::System => "system",
        Theme::Light => "light",
        Theme::Dark => "dark",
    };
    let nonce = nonce.as_str();
    let mut html = format!(
        "<!doctype html>\n<html lang=\"{lang}\" data-language=\"{language}\" data-theme=\"{theme}\"><head><meta charset=\"utf-8\">\n\
         <meta property=\"csp-nonce\" nonce=\"{nonce}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Fumikura</title>\n"
    );
    let mut add = |text: std::fmt::Arguments<'_>| {
        html.write_fmt(text)
            .expect("BUG: writing to a String can't fail");
    };
    if let Some(font) = &answers.system_font {
        let font = font.to_css();
        add(format_args!(
            "<style nonce=\"{nonce}\">:root{{--font-system:{font}}}</style>\n"
        ));
    }
    if let Some(PageIdentity { id, revision }) = page {
        add(format_args!(
            "<meta name=\"wiki-page-id\" content=\"{id}\"><meta name=\"wiki-page-revision\" content=\"{revision}\">\n"
        ));
    }
    add(format_args!(
        "<link rel=\"icon\" href=\"/static/icon.svg\"><link rel=\"stylesheet\" href=\"/static/app.css\">\n\
         <script type=\"module\" src=\"/static/app.js\"></script>\n"
    ));
    // Before the code that requests the source. In the editor, the lock comes first.
    if let (Some(PageIdentity { id, revision }), WIKI) = (page, view) {
        add(format_args!(
            "<link rel=\"preload\" as=\"fetch\" crossorigin href=\"/api/pages/{id}/source?rev={revision}\">\n"
        ));
    }
    let files = ViewList::read().into_files(view);
    for script in &files.scripts {
        add(format_args!(
            "<link rel=\"modulepreload\" href=\"/static/{script}\">\n"
        ));
    }
    for style in &files.styles {
        add(format_args!(
            "<link rel=\"stylesheet\" href=\"/static/{style}\">\n"
        ));
    }
    add(format_args!(
        "<script type=\"application/json\" id=\"first-answers\">{}</script>\n\
         </head>\n<body><div id=\"wiki-root\"></div></body></html>\n",
        answers.to_json()
    ));
    html
}
