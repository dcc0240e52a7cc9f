//! Pages as HTML that is read without the program: one page as a file, and the pages of a site.
//!
//! The window renders Markdown in TypeScript. Here pulldown-cmark parses it, and this crate adds what the dialect has
//! beyond it. The result has no scripts: formulas are MathML, code and diagrams have no colours, and of raw HTML only
//! plain tags stay.
//!
//! - `blocks` finds callouts and block ids, and `part` the part of a page that is embedded.
//! - `inline` reads the text between them: marks, scripts, bare addresses and Japanese line breaks.
//! - `renderer` resolves links, pictures and embedded pages by [`Surroundings`].
//! - `page_file` makes a file of one page; `crate::archive` makes a site of all.

#![allow(
    clippy::wildcard_enum_match_arm,
    reason = "a pass changes a few kinds of events, and keeps all others"
)]

mod blocks;
mod headings;
mod inline;
mod page_file;
mod part;
mod picture;
mod raw_html;
mod renderer;
#[cfg(test)]
mod tests;

pub(crate) use renderer::{
    Document, EmbeddedPage, LinkTarget, PictureFile, Surroundings, render, text,
};

/// The style of a page, on the screen and on paper.
pub(crate) const STYLE: &str = include_str!("page.css");

/// Escapes a text for an element or an attribute.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Returns an HTML file.
pub(crate) fn document(title: &str, is_japanese: bool, head: &str, body: &str) -> String {
    let language = if is_japanese { " lang=\"ja\"" } else { "" };
    format!(
        "<!doctype html>\n<html{language}>\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n{head}</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title)
    )
}

/// True if kana make up a good part of a text. Names of files and Markdown have Latin letters.
pub(crate) fn is_japanese(text: &str) -> bool {
    let is_kana = |character: &char| ('\u{3041}'..='\u{30ff}').contains(character);
    let kana = text.chars().filter(is_kana).count();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    kana * 4 > letters
}
