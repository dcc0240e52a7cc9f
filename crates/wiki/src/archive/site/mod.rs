//! A site: the pages as HTML that opens from the disk, with pictures, a list of all pages, and a search.

mod chrome;
mod library;
mod page_lists;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use jiff::Timestamp;

use super::export::{Archive, ExportError, ExportReport};
use super::manifest::{AssetEntry, PageEntry};
use crate::assets::{Asset, AssetFiles};
use crate::html;
use crate::id::AssetId;
use crate::store::StorageError;
use chrome::Chrome;
use library::{Library, SitePage};

/// Makes a smaller copy of a picture as WebP; `None` if it cannot be made.
pub type MakeThumbnail = Box<dyn FnMut(&Asset) -> Option<Vec<u8>> + Send>;

/// The size from which on a page shows a smaller copy of a picture, in bytes.
const LARGE_PICTURE: u64 = 256 * 1024;
/// The pictures that every browser shows.
const WEB_PICTURES: [&str; 6] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/avif",
    "image/svg+xml",
];
/// Pictures without a fixed size, or that move.
const WHOLE_PICTURES: [&str; 2] = ["image/svg+xml", "image/gif"];

/// The parts of a site beside its pages and files.
pub(super) struct SiteParts {
    /// In the order of the pages.
    titles: Vec<Option<String>>,
    /// The data of the search, in an unnamed file.
    search: File,
    pub(super) make_thumbnail: MakeThumbnail,
}

impl SiteParts {
    pub(super) fn new(search: File) -> Self {
        Self {
            titles: Vec::new(),
            search,
            make_thumbnail: Box::new(|_| None),
        }
    }

    /// Adds the title of the next page.
    pub(super) fn add_title(&mut self, title: Option<String>) {
        self.titles.push(title);
    }
}

impl<W: Write> Archive<'_, W> {
    /// Writes the files, the pages, and what connects them.
    pub(super) fn fill_site(
        &mut self,
        files: &AssetFiles,
        site: SiteParts,
        taken_at: Timestamp,
        pages: Vec<(PageEntry, u64)>,
        assets: Vec<(Asset, AssetEntry)>,
        texts: File,
    ) -> Result<ExportReport, ExportError> {
        let SiteParts {
            titles,
            search,
            mut make_thumbnail,
        } = site;
        let mut missing = Vec::new();
        let mut thumbnails = HashSet::new();
        let mut kept = Vec::with_capacity(assets.len());
        for (asset, entry) in assets {
            if !self.add_file(files, &asset, &entry)? {
                missing.push(asset.id);
                continue;
            }
            if has_thumbnail(&asset)
                && let Some(thumbnail) = make_thumbnail(&asset)
            {
                self.add(
                    &thumbnail_entry(asset.id),
                    asset.created_at,
                    &thumbnail,
                    false,
                )?;
                thumbnails.insert(asset.id);
            }
            kept.push((asset, entry));
        }
        let count = pages.len() as u64;
        let assets = kept.len() as u64;
        let mut at = 0;
        let pages = pages
            .into_iter()
            .zip(titles)
            .map(|((entry, length), title)| {
                let start = at;
                at += length;
                SitePage {
                    entry,
                    title,
                    text: start..at,
                }
            });
        let mut library = Library::new(pages.collect(), kept, thumbnails, texts);
        library.read_texts()?;
        let mut search = BufWriter::new(search);
        self.add_pages(&mut library, taken_at, &mut search)?;
        let chrome = Chrome::new(&library, taken_at);
        self.add("index.html", taken_at, chrome.index().as_bytes(), true)?;
        self.add("site/style.css", taken_at, chrome::style().as_bytes(), true)?;
        self.add("site/search.js", taken_at, chrome::SEARCH.as_bytes(), true)?;
        let mut search = search
            .into_inner()
            .map_err(|error| StorageError::from(error.into_error()))?;
        let length = search.stream_position().map_err(StorageError::from)?;
        search
            .seek(SeekFrom::Start(0))
            .map_err(StorageError::from)?;
        self.begin("site/search-data.js", taken_at, length, true)?;
        io::copy(&mut search, &mut self.zip).map_err(ExportError::Output)?;
        Ok(ExportReport {
            pages: count,
            assets,
            missing,
        })
    }

    /// Writes the pages, and their texts for the search.
    fn add_pages(
        &mut self,
        library: &mut Library,
        taken_at: Timestamp,
        search: &mut impl Write,
    ) -> Result<(), ExportError> {
        search
            .write_all(b"window.searchData = [\n")
            .map_err(StorageError::from)?;
        for index in 0..library.pages.len() {
            let source = library.text(index)?;
            let path = library.path(index).clone();
            let mut seen = library.seen_from(index);
            let shown = html::render(&path, &source, &mut seen)?;
            let properties = seen.properties(index);
            let chrome = Chrome::new(library, taken_at);
            let page = chrome.page(index, &properties, &shown);
            let SitePage { entry, .. } = &library.pages[index];
            let (name, updated_at) = (entry.file.clone(), entry.updated_at);
            self.add(&name, updated_at, page.as_bytes(), true)?;
            let row = (
                library.title(index),
                chrome::encoded(&name),
                html::text(&source),
            );
            let row = serde_json::to_string(&row)
                .map_err(|error| StorageError::from(io::Error::from(error)))?;
            // A script on a page of an older browser ends at a line separator in a string.
            let row = row
                .replace('\u{2028}', "\\u2028")
                .replace('\u{2029}', "\\u2029");
            writeln!(search, "{row},").map_err(StorageError::from)?;
            self.advance(source.len() as u64)?;
        }
        search.write_all(b"];\n").map_err(StorageError::from)?;
        Ok(())
    }
}

fn has_thumbnail(asset: &Asset) -> bool {
    let mime = asset.mime.as_str();
    let is_web = WEB_PICTURES.contains(&mime);
    mime.starts_with("image/")
        && !WHOLE_PICTURES.contains(&mime)
        && (asset.size > LARGE_PICTURE || !is_web)
}

fn thumbnail_entry(id: AssetId) -> String {
    format!("thumbnails/{id}.webp")
}
