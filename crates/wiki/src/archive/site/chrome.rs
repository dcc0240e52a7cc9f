//! The surroundings of a page's text in a site, and the list of all pages.

use std::fmt::Write as _;

use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::library::Library;
use crate::html::{self, Document, escaped};
use crate::path::PagePath;

/// The script of the search.
pub(super) const SEARCH: &str = include_str!("search.js");
/// The characters of an entry that are percent-encoded in an address.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'/');

/// The words of a site in the language of a page.
struct Words {
    all_pages: &'static str,
    below: &'static str,
    linked_here: &'static str,
    files: &'static str,
    search: &'static str,
    none_found: &'static str,
    as_of: &'static str,
}

const ENGLISH: Words = Words {
    all_pages: "All pages",
    below: "Pages below",
    linked_here: "Linked here",
    files: "Files",
    search: "Search",
    none_found: "No page has these words",
    as_of: "As of",
};
const JAPANESE: Words = Words {
    all_pages: "すべてのページ",
    below: "下のページ",
    linked_here: "リンク元",
    files: "ファイル",
    search: "検索",
    none_found: "この言葉のあるページはありません",
    as_of: "時点:",
};

/// Returns the style of all pages.
pub(super) fn style() -> String {
    format!("{}\n{}", html::STYLE, include_str!("site.css"))
}

/// Percent-encodes an entry for an address.
pub(super) fn encoded(entry: &str) -> String {
    utf8_percent_encode(entry, ENCODED).to_string()
}

/// Returns the address of an entry as seen from another one.
pub(super) fn relative(from: &str, to: &str) -> String {
    let shared = from
        .split_inclusive('/')
        .zip(to.split_inclusive('/'))
        .take_while(|(from, to)| from == to && from.ends_with('/'));
    let shared: usize = shared.map(|(folder, _)| folder.len()).sum();
    let up = from[shared..].matches('/').count();
    format!("{}{}", "../".repeat(up), encoded(&to[shared..]))
}

pub(super) struct Chrome<'l> {
    site: &'l Library,
    taken_at: Timestamp,
}

impl<'l> Chrome<'l> {
    pub(super) fn new(library: &'l Library, taken_at: Timestamp) -> Self {
        Self {
            site: library,
            taken_at,
        }
    }

    /// Returns the whole file of a page, with its properties below its title.
    pub(super) fn page(&self, index: usize, properties: &str, shown: &Document) -> String {
        let words = words(shown.is_japanese);
        let page = &self.site.pages[index];
        let from = &page.entry.file;
        let title = self.site.title(index);
        let mut body = format!(
            "<header>{}</header>\n<main>\n",
            self.trail(index, from, words)
        );
        if page.title.is_none() {
            push(&mut body, format_args!("<h1>{}</h1>\n", escaped(title)));
        }
        let title_end = match shown.body.starts_with("<h1") {
            true => shown.body.find("</h1>").map(|at| at + "</h1>".len()),
            false => None,
        };
        let (above, rest) = shown.body.split_at(title_end.unwrap_or(0));
        body.push_str(above);
        body.push_str(properties);
        body.push_str(rest);
        body.push_str("</main>\n<footer>\n");
        let below = self.list(from, self.site.below(index));
        let mut linking: Vec<usize> = self.site.linking(index).collect();
        linking.sort_by_key(|linking| self.site.path(*linking));
        let linking = self.list(from, &linking);
        let files: Vec<String> = (self.site.files_of(page.entry.id))
            .map(|(_, file)| item(&relative(from, &file.file), &file.file_name))
            .collect();
        for (heading, items) in [
            (words.below, below),
            (words.linked_here, linking),
            (words.files, files),
        ] {
            if !items.is_empty() {
                let items = items.concat();
                push(
                    &mut body,
                    format_args!("<section>\n<h2>{heading}</h2>\n<ul>\n{items}</ul>\n</section>\n"),
                );
            }
        }
        body.push_str("</footer>\n");
        let head = head(from);
        html::document(title, shown.is_japanese, &head, &body)
    }

    /// Returns the list of all pages, with the search.
    pub(super) fn index(&self) -> String {
        let japanese =
            (0..self.site.pages.len()).filter(|index| html::is_japanese(self.site.title(*index)));
        let is_japanese = japanese.count() * 2 > self.site.pages.len();
        let words = words(is_japanese);
        let title = match self.site.by_path(&PagePath::root()) {
            Some(root) => self.site.title(root),
            None => "Fumikura",
        };
        let mut body = format!(
            "<main class=\"index\">\n<h1>{}</h1>\n<label class=\"search\" hidden>{} <input type=\"search\" \
             autofocus></label>\n<p class=\"none\" hidden>{}</p>\n<ol class=\"found\" hidden></ol>\n<nav>\n",
            escaped(title),
            words.search,
            words.none_found
        );
        self.push_tree(&mut body);
        let date = self.taken_at.strftime("%Y-%m-%d");
        push(
            &mut body,
            format_args!(
                "</nav>\n</main>\n<footer>\n<p>{} {date}</p>\n</footer>\n<script src=\"site/search-data.js\"></script>\n\
                 <script src=\"site/search.js\"></script>\n",
                words.as_of
            ),
        );
        html::document(title, is_japanese, &head("index.html"), &body)
    }

    /// Writes all pages as a tree. A folder without a page of its own is text.
    fn push_tree(&self, out: &mut String) {
        let mut order: Vec<usize> = (0..self.site.pages.len()).collect();
        order.sort_by(|a, b| segments(self.site.path(*a)).cmp(segments(self.site.path(*b))));
        let mut open: Vec<&str> = Vec::new();
        for index in order {
            let entry = encoded(&self.site.pages[index].entry.file);
            let link = link(&entry, self.site.title(index));
            let path: Vec<&str> = segments(self.site.path(index)).collect();
            if path.is_empty() {
                push(out, format_args!("<p>{link}</p>\n"));
                continue;
            }
            let shared = path.iter().zip(&open).take_while(|(a, b)| a == b).count();
            if shared == open.len() {
                out.push_str("\n<ul>\n");
            } else {
                out.push_str(&"</li>\n</ul>\n".repeat(open.len() - shared - 1));
                out.push_str("</li>\n");
            }
            open.truncate(shared);
            for segment in &path[shared..path.len() - 1] {
                push(out, format_args!("<li>{}\n<ul>\n", escaped(segment)));
            }
            push(out, format_args!("<li>{link}"));
            open.extend(&path[shared..]);
        }
        out.push_str(&"</li>\n</ul>\n".repeat(open.len()));
    }

    /// Returns the links to all pages and to those above this page.
    fn trail(&self, index: usize, from: &str, words: &Words) -> String {
        let mut above = Vec::new();
        let mut path = self.site.path(index).parent();
        while let Some(parent) = path {
            if let Some(parent) = self.site.by_path(&parent) {
                let entry = &self.site.pages[parent].entry.file;
                above.push(link(&relative(from, entry), self.site.title(parent)));
            } else if !parent.is_root() {
                above.push(escaped(parent.name()));
            }
            path = parent.parent();
        }
        above.push(link(&relative(from, "index.html"), words.all_pages));
        above.reverse();
        format!("<nav>{}</nav>", above.join(" › "))
    }

    fn list(&self, from: &str, pages: &[usize]) -> Vec<String> {
        let items = pages.iter().map(|page| {
            let entry = &self.site.pages[*page].entry.file;
            item(&relative(from, entry), self.site.title(*page))
        });
        items.collect()
    }
}

fn words(is_japanese: bool) -> &'static Words {
    if is_japanese { &JAPANESE } else { &ENGLISH }
}

fn head(from: &str) -> String {
    let style = relative(from, "site/style.css");
    format!("<link rel=\"stylesheet\" href=\"{style}\">\n")
}

pub(super) fn link(address: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(address), escaped(text))
}

fn item(address: &str, text: &str) -> String {
    format!("<li>{}</li>\n", link(address, text))
}

fn segments(path: &PagePath) -> impl Iterator<Item = &str> {
    path.as_str()
        .split('/')
        .filter(|segment| !segment.is_empty())
}

pub(super) fn push(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("BUG: a String takes everything");
}
