//! One page as an HTML file with its pictures inside.

use std::io::{self, Read as _};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;

use super::renderer::{EmbeddedPage, LinkTarget, PictureFile, Surroundings, render};
use super::{STYLE, document};
use crate::assets::{Asset, AssetFiles, live_files};
use crate::id::PageId;
use crate::latest_text::{newest, revision_row};
use crate::links::{self, Meaning, meaning};
use crate::model::page::{PageIndex, PageSource};
use crate::page_names::PageNames;
use crate::pages::{self, PageError, saved_page, source_row};
use crate::parts::Archives;
use crate::past::{self, PastError, PastView};
use crate::path::PagePath;
use crate::store::{PAGE_INDEX, Read, StorageError};

/// The maximum size of all pictures in a file, in bytes.
const MAX_PICTURES: u64 = 256 << 20;

impl Archives<'_> {
    /// Returns a revision of a page, or the latest one, as an HTML file with its pictures inside. Links to other pages
    /// are text, because they are not beside the file.
    ///
    /// # Errors
    /// Returns [`PageError::Draft`] while there is none yet.
    pub fn page_file(&self, page: PageId, revision: Option<u64>) -> Result<String, PageError> {
        self.store.read(|txn| {
            let info = saved_page(txn, page, self.lock_time.moment())?;
            let number = revision.unwrap_or(info.latest);
            let PageSource { source, .. } = source_row(txn, &info, number)?;
            let path = info.path_state.path();
            let text = links::display_text(txn, page, path, &source, number == info.latest)?;
            let mut library = Library {
                contents: self.files,
                names: txn,
                text: |page: PageId| {
                    let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &page.to_bytes())? else {
                        return Ok(None);
                    };
                    let path = info.path_state.path().clone();
                    let PageSource { source, .. } = newest(txn, &info)?;
                    let source = links::display_text(txn, page, &path, &source, true)?;
                    Ok(Some(EmbeddedPage { path, source }))
                },
                files: |page| live_files(txn, page),
                pictures: 0,
            };
            Ok(library.file(page, path, &text)?)
        })
    }

    /// Returns a page as of a moment in the same form, with the titles and files of that time.
    ///
    /// # Errors
    /// Returns [`PastError::NotPresent`] or [`PastError::Removed`].
    pub fn past_page_file(&self, page: PageId, at: Timestamp) -> Result<String, PastError> {
        self.store.read(|txn| {
            let view = PastView::new(txn, at);
            let text = |page: PageId| {
                let Some(page) = view.present(page)? else {
                    return Ok(None);
                };
                let PageSource { source, .. } = revision_row(txn, &page.info, page.head.revision)?;
                let source = view.text(&page, &source)?;
                let path = page.path;
                Ok::<_, StorageError>(Some(EmbeddedPage { path, source }))
            };
            let EmbeddedPage { path, source } =
                text(past::present(&view, page)?.info.page_id)?.ok_or(PastError::NotPresent(at))?;
            let mut library = Library {
                contents: self.files,
                names: &view,
                text,
                files: |page| past::files(txn, page, at),
                pictures: 0,
            };
            Ok(library.file(page, &path, &source)?)
        })
    }
}

/// The pages and files, of the present or of a moment.
struct Library<'t, N, T, F> {
    contents: &'t AssetFiles,
    names: &'t N,
    /// Returns a page as people read it.
    text: T,
    files: F,
    /// The bytes of the pictures so far.
    pictures: u64,
}

impl<N, T, F> Library<'_, N, T, F>
where
    N: PageNames,
    T: Fn(PageId) -> Result<Option<EmbeddedPage>, StorageError>,
    F: Fn(PageId) -> Result<Vec<Asset>, StorageError>,
{
    fn file(&mut self, page: PageId, path: &PagePath, text: &str) -> Result<String, StorageError> {
        let shown = render(path, text, self)?;
        let title = pages::title(self.names, page)?.unwrap_or_else(|| path.name().to_owned());
        let head = format!("<style>\n{STYLE}</style>\n");
        // Nothing is closed on paper.
        let body = shown
            .body
            .replace("<details class=", "<details open class=");
        Ok(document(&title, shown.is_japanese, &head, &body))
    }

    fn page(&self, base: &PagePath, destination: &str) -> Result<Option<PageId>, StorageError> {
        match meaning(destination, base) {
            Meaning::Page(id) => Ok(Some(id)),
            Meaning::Path(path) => self.names.page_at(&path),
            Meaning::Asset(..) | Meaning::Other => Ok(None),
        }
    }
}

impl<N, T, F> Surroundings for Library<'_, N, T, F>
where
    N: PageNames,
    T: Fn(PageId) -> Result<Option<EmbeddedPage>, StorageError>,
    F: Fn(PageId) -> Result<Vec<Asset>, StorageError>,
{
    type Error = StorageError;

    fn link(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<LinkTarget>, StorageError> {
        let Some(page) = self.page(base, destination)? else {
            return Ok(None);
        };
        let Some(state) = self.names.path_state(page)? else {
            return Ok(None);
        };
        let title = pages::title(self.names, page)?;
        Ok(Some(LinkTarget {
            address: None,
            title: title.unwrap_or_else(|| state.path().name().to_owned()),
        }))
    }

    fn picture(
        &mut self,
        base: &PagePath,
        file: &str,
    ) -> Result<Option<PictureFile>, StorageError> {
        let Meaning::Asset(owner, name) = meaning(file, base) else {
            return Ok(None);
        };
        let Some(owner) = self.names.page_at(&owner)? else {
            return Ok(None);
        };
        let files = (self.files)(owner)?;
        let named = |asset: &&Asset| asset.file_name.as_str() == name;
        let Some(asset) = files.iter().find(named) else {
            return Ok(None);
        };
        // Beyond the limit, the text of a picture stands in its place.
        self.pictures = self.pictures.saturating_add(asset.size);
        if !asset.mime.starts_with("image/") || self.pictures > MAX_PICTURES {
            return Ok(None);
        }
        let mut contents = Vec::new();
        match self.contents.open(asset.id) {
            Ok(mut file) => file.read_to_end(&mut contents)?,
            // A lost file is missing in the window, too.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let address = format!("data:{};base64,{}", asset.mime, STANDARD.encode(contents));
        Ok(Some(PictureFile {
            address,
            original: None,
        }))
    }

    fn embedded(
        &mut self,
        base: &PagePath,
        destination: &str,
    ) -> Result<Option<EmbeddedPage>, StorageError> {
        match self.page(base, destination)? {
            Some(page) => (self.text)(page),
            None => Ok(None),
        }
    }
}
