//! Folders of HTML files, as web browsers and other programs save them.

use crate::ReadError;
use crate::document::{Block, Inline, write};
use crate::html::{Addresses, Dom, Element, Media, Options, Reader};
use crate::link;
use crate::reading::{
    Collector, Converted, encoding_loss, external, folder_of, is_embedded, is_hidden, resolve,
    text_of,
};
use crate::source::{SkipReason, Source, Watch};
use crate::spool::Spool;
use crate::tree::{Dates, Entry, Tree};

/// Returns true for files of HTML.
pub(crate) fn is_page(entry: &Entry) -> bool {
    matches!(entry.ending().as_str(), "html" | "htm" | "xhtml")
}

/// Reads the pages of a tree.
pub(crate) fn read(tree: &Tree, spool: &Spool, watch: &mut Watch<'_>) -> Result<Source, ReadError> {
    let mut collector = Collector::new(tree, spool, watch);
    for entry in tree.entries() {
        collector.step()?;
        let is_part = matches!(
            entry.ending().as_str(),
            "js" | "css" | "mjs" | "map" | "woff" | "woff2"
        );
        if is_hidden(entry) {
            collector.skip(&entry.path, SkipReason::Hidden);
        } else if is_part {
            collector.skip(&entry.path, SkipReason::SitePart);
        } else if !is_page(entry) {
            collector.file(entry, None);
        } else {
            match text_of(tree, entry)? {
                Ok(decoded) => {
                    let mut note = convert(tree, entry, &decoded.text);
                    note.losses.extend(encoding_loss(&decoded));
                    note.dates = tree.dates(entry)?;
                    collector.note(&entry.path, place_of(entry), note)?;
                }
                Err(reason) => collector.skip(&entry.path, reason),
            }
        }
    }
    Ok(collector.source)
}

/// Returns the folders and the name. The page of a folder has its place.
fn place_of(entry: &Entry) -> Vec<String> {
    let stem = entry
        .path
        .rsplit_once('.')
        .map_or(entry.path.as_str(), |(stem, _)| stem);
    let mut place: Vec<String> = stem.split('/').map(str::to_owned).collect();
    if place.len() > 1 && place.last().is_some_and(|name| name == "index") {
        place.pop();
    }
    place
}

struct Links<'t> {
    tree: &'t Tree,
    from: &'t str,
}

impl Links<'_> {
    fn target(&self, address: &str) -> Option<String> {
        let (path, fragment) = address
            .split_once('#')
            .map_or((address, None), |(path, fragment)| (path, Some(fragment)));
        let path = path.split('?').next().unwrap_or(path);
        let decoded = percent_encoding::percent_decode_str(path)
            .decode_utf8_lossy()
            .into_owned();
        let found = [decoded.as_str(), path]
            .into_iter()
            .filter(|path| !path.is_empty())
            .find_map(|path| {
                let path = resolve(folder_of(self.from), path)?;
                self.tree
                    .entry(&path)
                    .or_else(|| self.tree.entry(&format!("{path}/index.html")))
            })?;
        Some(link::to(&found.path, fragment.filter(|_| is_page(found))))
    }
}

impl Addresses for Links<'_> {
    fn link(&mut self, href: &str) -> Option<String> {
        if href.starts_with('#') {
            return Some(href.to_owned());
        }
        self.target(href).or_else(|| external(href))
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        let source = element
            .find_attribute("src")
            .or_else(|| element.find_attribute("data"))?;
        let name = source
            .split(['?', '#'])
            .next()
            .unwrap_or(source)
            .rsplit('/')
            .next()
            .unwrap_or(source);
        let name = percent_encoding::percent_decode_str(name)
            .decode_utf8_lossy()
            .into_owned();
        let ending = name
            .rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
        let target = self
            .target(source)
            .or_else(|| external(source).filter(|address| address.starts_with("http")))?;
        Some(Media {
            target,
            is_embedded: is_embedded(&ending) || element.name == "img",
            name,
        })
    }
}

fn convert(tree: &Tree, entry: &Entry, text: &str) -> Converted {
    let dom = Dom::parse(text, entry.ending() == "xhtml");
    let mut links = Links {
        tree,
        from: &entry.path,
    };
    let mut reader = Reader {
        dom: &dom,
        addresses: &mut links,
        losses: Vec::new(),
        options: Options::default(),
    };
    let named = |name: &'static str| dom.find(0, &move |element| element.name == name);
    // What is around the main part is the navigation of the site.
    let part = named("main")
        .or_else(|| named("article"))
        .or_else(|| named("body"))
        .unwrap_or(0);
    let mut blocks = reader.blocks(part);
    let has_title = blocks
        .iter()
        .any(|block| matches!(block, Block::Heading(1, _)));
    let title = named("title").map(|id| {
        dom.text_of(id)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    });
    if let Some(title) = title.filter(|title| !has_title && !title.is_empty()) {
        blocks.insert(0, Block::Heading(1, vec![Inline::text(title)]));
    }
    Converted {
        text: write(&blocks),
        dates: Dates::default(),
        losses: reader.losses,
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use crate::testing::{read_file, read_zip};

    #[test]
    fn folder_of_pages_is_converted() {
        let page = "<html><head><title>A page</title><script>x</script></head><body><nav>menu</nav><main><p>See <a href='b/index.html#part'>b</a>, \
                    <a href='b/'>b</a>, <a href='gone.html'>gone</a>. <img src='p%201.png' alt='p'></p></main></body></html>";
        let (format, text) = read_zip(&[
            ("a.html", page.as_bytes()),
            ("b/index.html", b"<h1>B</h1><a href=../a.html>a</a>"),
            ("p 1.png", b"png"),
            ("style.css", b""),
        ])
        .unwrap();
        assert_eq!(format, Format::Html);
        insta::assert_snapshot!(text);
    }

    #[test]
    fn encoding_of_a_page_is_detected() {
        let text = "<title>日本語のページ</title><p>これは日本語の文章です。文字コードは指定されていません。</p>";
        let (_, read) = read_file("a.html", &encoding_rs::EUC_JP.encode(text).0).unwrap();
        assert!(
            read.contains("! Encoding: EUC-JP\n# 日本語のページ\n\nこれは日本語の文章です。"),
            "{read}"
        );
    }
}
