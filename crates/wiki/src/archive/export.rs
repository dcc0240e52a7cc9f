//! Export of the pages and files, of the present or of a moment, as an archive.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};
use zip::{CompressionMethod, DateTime};

use super::bounds::max_unpacked;
use super::full::{self, FullParts};
use super::manifest::{AssetEntry, Manifest, PageEntry, VERSION};
use super::names::{EntryNames, MANIFEST};
use super::shutoff::{ShutoffHandle, ShutoffWriter};
use super::site::{MakeThumbnail, SiteParts};
use crate::assets::{Asset, AssetFiles, live_files};
use crate::id::{AssetId, PageId};
use crate::latest_text::revision_row;
use crate::links::{self, LinkEnd};
use crate::model::page::{PageIndex, PageInfo, PageSource};
use crate::page_names::PageNames;
use crate::pages;
use crate::parts::Archives;
use crate::past::{self, PastPage, PastView};
use crate::path::PagePath;
use crate::store::{Direction, PAGE_INDEX, PAGE_PATH, Read as _, ReadTxn, StorageError};

/// The number of bytes that are written at once.
const PIECE: usize = 256 * 1024;
/// The size from which on an entry's sizes are written with 64 bits.
const LARGE: u64 = 0xF000_0000;

/// The reason why an archive was not written. The written part is useless.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("the export was cancelled")]
    Cancelled,
    /// Writing to the archive failed.
    #[error("the archive can't be written: {0}")]
    Output(#[source] io::Error),
    /// Reading the contents failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<zip::result::ZipError> for ExportError {
    fn from(error: zip::result::ZipError) -> Self {
        Self::Output(error.into())
    }
}

/// The purpose of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExportForm {
    /// An archive that an import reads: texts as people write them here, and a manifest.
    #[default]
    Archive,
    /// A folder of Markdown that Obsidian opens as a vault: links name the entries, and there is no manifest.
    Vault,
    /// A folder of HTML that a browser opens without a server.
    Site,
    /// An archive of everything, from which an empty wiki becomes the same one: all revisions with their dates and
    /// users, renames, links, the trash, files and settings.
    Full,
}

/// The contents of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportReport {
    /// The number of pages.
    pub pages: u64,
    /// The number of files of pages.
    pub assets: u64,
    /// Files that are not in it because their contents were missing or changed: erased while the archive was
    /// written, or lost or damaged before.
    pub missing: Vec<AssetId>,
}

/// A snapshot of the wiki at one moment, to be written as an archive.
pub struct Export {
    form: ExportForm,
    taken_at: Timestamp,
    pub(super) pages: Vec<(PageEntry, u64)>,
    pub(super) assets: Vec<(Asset, AssetEntry)>,
    /// The texts, one after another, in an unnamed file.
    pub(super) texts: File,
    /// The further parts of a site.
    site: Option<SiteParts>,
    /// The parts of a full archive, whose rows are the texts.
    full: Option<FullParts>,
}

impl Export {
    /// Takes everything for a full archive.
    fn full(txn: &ReadTxn, taken_at: Timestamp, aside: &Path) -> Result<Self, StorageError> {
        let (parts, rows) = full::take(txn, taken_at, aside)?;
        Ok(Self {
            form: ExportForm::Full,
            taken_at,
            pages: Vec::new(),
            assets: Vec::new(),
            texts: rows,
            site: None,
            full: Some(parts),
        })
    }

    /// Makes smaller copies of pictures for a site.
    #[must_use]
    pub fn with_thumbnails(mut self, make: MakeThumbnail) -> Self {
        if let Some(site) = &mut self.site {
            site.make_thumbnail = make;
        }
        self
    }

    /// Adds the albums of pictures to a full archive.
    #[must_use]
    pub fn with_albums(mut self, albums: Vec<serde_json::Value>) -> Self {
        if let Some(full) = &mut self.full {
            full.albums = albums;
        }
        self
    }

    /// Returns the number of bytes to write, before compression.
    #[must_use]
    pub fn size(&self) -> u64 {
        let texts: u64 = self.pages.iter().map(|(_, length)| length).sum();
        let files: u64 = self.assets.iter().map(|(asset, _)| asset.size).sum();
        let full = self.full.as_ref().map_or(0, FullParts::size);
        texts + files + full
    }
}

impl Archives<'_> {
    /// Takes the contents for an archive: the latest texts of all pages, as they are read, and the list of
    /// their files. Deleted pages, drafts and older revisions are excluded, except from a full archive. The texts are
    /// stored in an unnamed file in the folder `aside`, so that writing them may take any time without an open
    /// transaction.
    ///
    /// # Errors
    /// Returns an error if the database or the disk fails.
    pub fn begin_export(&self, aside: &Path, form: ExportForm) -> Result<Export, StorageError> {
        self.store.read(|txn| {
            if form == ExportForm::Full {
                return Export::full(txn, self.clock.now(), aside);
            }
            let mut pages = Vec::new();
            for (path, id) in paths(txn)? {
                if let Some(PageIndex::Page(info)) = txn.get(PAGE_INDEX, &id.to_bytes())? {
                    let revision = info.latest;
                    pages.push(ExportedPage {
                        path,
                        info,
                        revision,
                    });
                }
            }
            let contents = Contents {
                txn,
                names: txn,
                taken_at: self.clock.now(),
                text: |page: &ExportedPage, stored: &str| {
                    links::display_text(txn, page.info.page_id, &page.path, stored, true)
                },
                files: |page| live_files(txn, page),
            };
            contents.take(pages, aside, form)
        })
    }

    /// Takes the contents for an archive of the wiki as of a moment: the texts, paths and files of that time, as far as
    /// the store can tell ([`Past`](crate::Past)). A full archive has all moments, whichever is asked for.
    ///
    /// # Errors
    /// Returns an error if the database or the disk fails.
    pub fn begin_past_export(
        &self,
        aside: &Path,
        form: ExportForm,
        at: Timestamp,
    ) -> Result<Export, StorageError> {
        if form == ExportForm::Full {
            return self.begin_export(aside, form);
        }
        self.store.read(|txn| {
            let view = PastView::new(txn, at);
            let pages = view.all()?.into_values().map(ExportedPage::from);
            let contents = Contents {
                txn,
                names: &view,
                taken_at: at,
                text: |page: &ExportedPage, stored: &str| {
                    links::display_past_text(&view, page.info.page_id, &page.path, stored)
                },
                files: |page| past::files(txn, page, at),
            };
            contents.take(pages.collect(), aside, form)
        })
    }

    /// Writes the archive to `out`, piece by piece from its beginning to its end. Reports the number of written
    /// bytes and the total to `watch`, and stops when it breaks. An unfinished archive has no directory at its
    /// end, so it cannot be mistaken for a complete one.
    ///
    /// # Errors
    /// Returns [`ExportError`].
    pub fn write_export(
        &self,
        export: Export,
        out: impl Write,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<ExportReport, ExportError> {
        let handle = ShutoffHandle::default();
        let mut archive = Archive {
            zip: ZipWriter::new_stream(ShutoffWriter::new(out, handle.clone())),
            written: handle.clone(),
            done: 0,
            total: export.size(),
            watch,
        };
        // The zip writer finishes its archive even when it is dropped.
        let exported = archive
            .fill(self.files, export)
            .inspect_err(|_| handle.close())?;
        let mut out = archive.zip.finish()?.into_inner();
        out.flush().map_err(ExportError::Output)?;
        Ok(exported)
    }
}

/// Returns the paths of pages and drafts.
pub(crate) fn paths(txn: &ReadTxn) -> Result<Vec<(PagePath, PageId)>, StorageError> {
    let mut found = Vec::new();
    let mut unreadable = None;
    txn.scan::<_, [u8; 16], &str>(PAGE_PATH, .., Direction::Ascending, |path, id| {
        match PagePath::new(path) {
            Ok(path) => {
                found.push((path, PageId::from_bytes(id)));
                ControlFlow::Continue(())
            }
            Err(error) => {
                unreadable = Some(StorageError::Damaged {
                    table: "page_path",
                    reason: error.to_string(),
                });
                ControlFlow::Break(())
            }
        }
    })?;
    unreadable.map_or(Ok(found), Err)
}

/// A page to export, at its path.
struct ExportedPage {
    path: PagePath,
    info: PageInfo,
    revision: u64,
}

impl From<PastPage> for ExportedPage {
    fn from(page: PastPage) -> Self {
        Self {
            path: page.path,
            revision: page.head.revision,
            info: page.info,
        }
    }
}

/// The source of the contents of an archive: the present wiki, or that of a moment.
struct Contents<'t, N, T, F> {
    txn: &'t ReadTxn,
    names: &'t N,
    taken_at: Timestamp,
    /// Returns a stored text as people read it.
    text: T,
    files: F,
}

impl<N, T, F> Contents<'_, N, T, F>
where
    N: PageNames,
    T: Fn(&ExportedPage, &str) -> Result<String, StorageError>,
    F: Fn(PageId) -> Result<Vec<Asset>, StorageError>,
{
    fn take(
        &self,
        exported: Vec<ExportedPage>,
        aside: &Path,
        form: ExportForm,
    ) -> Result<Export, StorageError> {
        let mut texts = BufWriter::new(tempfile::tempfile_in(aside)?);
        let mut names = EntryNames::new(form);
        let (mut named, mut assets) = (Vec::new(), Vec::new());
        for page in exported {
            let id = page.info.page_id;
            let entry = names.of_page(&page.path);
            for asset in (self.files)(id)? {
                let entry = file(&mut names, &page.path, id, &asset);
                assets.push((asset, entry));
            }
            named.push((entry, page));
        }
        let mut vault = match form {
            ExportForm::Archive | ExportForm::Site | ExportForm::Full => None,
            ExportForm::Vault => Some(Vault::new(names, &assets)),
        };
        let mut pages = Vec::with_capacity(named.len());
        let mut site = match form {
            ExportForm::Archive | ExportForm::Vault | ExportForm::Full => None,
            ExportForm::Site => Some(SiteParts::new(tempfile::tempfile_in(aside)?)),
        };
        for (entry, page) in named {
            if let Some(site) = &mut site {
                site.add_title(pages::title(self.names, page.info.page_id)?);
            }
            let (page, text) = self.page(vault.as_mut(), entry, &page)?;
            texts.write_all(text.as_bytes())?;
            pages.push((page, text.len() as u64));
        }
        let mut texts = texts.into_inner().map_err(io::IntoInnerError::into_error)?;
        texts.seek(SeekFrom::Start(0))?;
        Ok(Export {
            form,
            taken_at: self.taken_at,
            pages,
            assets,
            texts,
            site,
            full: None,
        })
    }

    /// Returns a page and its text: as people read it, or with the links of a vault.
    fn page(
        &self,
        vault: Option<&mut Vault>,
        entry: String,
        page: &ExportedPage,
    ) -> Result<(PageEntry, String), StorageError> {
        let (id, path) = (page.info.page_id, &page.path);
        let PageSource { head, source } = revision_row(self.txn, &page.info, page.revision)?;
        let text = match vault {
            None => (self.text)(page, &source)?,
            Some(vault) => {
                links::text_elsewhere(self.names, id, path, &source, &mut |end| vault.place(end))?
            }
        };
        let entry = PageEntry {
            id,
            path: path.to_string(),
            file: entry,
            revision: head.revision,
            updated_at: head.created_at,
            user_name: head.user_name,
        };
        Ok((entry, text))
    }
}

/// The places of pages and files in a vault.
struct Vault {
    names: EntryNames,
    /// The entries of files, by page and name.
    files: HashMap<PageId, HashMap<String, String>>,
}

impl Vault {
    fn new(names: EntryNames, assets: &[(Asset, AssetEntry)]) -> Self {
        let mut files: HashMap<PageId, HashMap<String, String>> = HashMap::new();
        for (_, entry) in assets {
            let of_page = files.entry(entry.page).or_default();
            of_page.insert(entry.file_name.clone(), entry.file.clone());
        }
        Self { names, files }
    }

    /// Returns where a link leads to.
    fn place(&mut self, end: LinkEnd<'_>) -> Option<String> {
        match end {
            LinkEnd::Page(path) => Some(self.names.stem(path.as_str())),
            LinkEnd::File(owner, name) => self.files.get(&owner)?.get(name).cloned(),
        }
    }
}

fn file(names: &mut EntryNames, path: &PagePath, page: PageId, asset: &Asset) -> AssetEntry {
    AssetEntry {
        id: asset.id,
        page,
        file_name: asset.file_name.to_string(),
        file: names.of_file(path, &asset.file_name),
        mime: asset.mime.clone(),
        size: asset.size,
        sha256: hex::encode(asset.sha256),
    }
}

/// An archive that is being written.
pub(super) struct Archive<'w, W: Write> {
    pub(super) zip: ZipWriter<StreamWriter<ShutoffWriter<W>>>,
    /// The handle that counts the bytes of the archive so far.
    written: ShutoffHandle,
    done: u64,
    total: u64,
    watch: &'w mut dyn FnMut(u64, u64) -> ControlFlow<()>,
}

impl<W: Write> Archive<'_, W> {
    fn fill(&mut self, files: &AssetFiles, export: Export) -> Result<ExportReport, ExportError> {
        let Export {
            form,
            taken_at,
            pages,
            assets,
            mut texts,
            site,
            full,
        } = export;
        self.report_progress()?;
        if let Some(full) = full {
            return self.fill_full(files, full, texts, taken_at);
        }
        if let Some(site) = site {
            return self.fill_site(files, site, taken_at, pages, assets, texts);
        }
        let mut manifest = Manifest {
            version: VERSION,
            exported_at: taken_at,
            pages: Vec::with_capacity(pages.len()),
            assets: Vec::with_capacity(assets.len()),
        };
        for (page, length) in pages {
            self.begin(&page.file, page.updated_at, length, true)?;
            self.copy(&mut texts, length)?;
            manifest.pages.push(page);
        }
        let mut missing = Vec::new();
        for (asset, entry) in assets {
            if self.add_file(files, &asset, &entry)? {
                manifest.assets.push(entry);
            } else {
                missing.push(asset.id);
            }
        }
        if form == ExportForm::Archive {
            self.begin(MANIFEST, taken_at, 0, true)?;
            let mut out = BufWriter::with_capacity(PIECE, &mut self.zip);
            serde_json::to_writer_pretty(&mut out, &manifest)
                .map_err(|error| ExportError::Output(error.into()))?;
            out.flush().map_err(ExportError::Output)?;
        }
        Ok(ExportReport {
            pages: manifest.pages.len() as u64,
            assets: manifest.assets.len() as u64,
            missing,
        })
    }

    /// Adds a file of a page. Returns false if its contents are missing or changed. In this case the contents
    /// may already be in the archive, but the manifest does not name them.
    pub(super) fn add_file(
        &mut self,
        files: &AssetFiles,
        asset: &Asset,
        entry: &AssetEntry,
    ) -> Result<bool, ExportError> {
        let mut contents = match files.open(asset.id) {
            Ok(contents) => contents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(StorageError::from(error).into()),
        };
        if contents.metadata().map_err(StorageError::from)?.len() != asset.size {
            return Ok(false);
        }
        let is_text = asset.mime.starts_with("text/");
        self.begin(&entry.file, asset.created_at, asset.size, is_text)?;
        Ok(self.copy(&mut contents, asset.size)? == asset.sha256)
    }

    /// Begins an entry of about `length` bytes.
    pub(super) fn begin(
        &mut self,
        name: &str,
        changed: Timestamp,
        length: u64,
        is_text: bool,
    ) -> Result<(), ExportError> {
        // Files other than text are mostly compressed already.
        let level = if is_text { 6 } else { 1 };
        let options = SimpleFileOptions::default();
        let options =
            if self.done.saturating_add(length) <= max_unpacked(self.written.bytes_written()) {
                let packed = options.compression_method(CompressionMethod::Deflated);
                packed.compression_level(Some(level))
            } else {
                // A highly compressible entry is stored uncompressed, so that the archive never unpacks to more
                // than an import accepts.
                options.compression_method(CompressionMethod::Stored)
            };
        let options = options
            .last_modified_time(moment(changed))
            .unix_permissions(0o644)
            .large_file(length >= LARGE);
        Ok(self.zip.start_file(name, options)?)
    }

    /// Copies the next `length` bytes into the current entry, and returns their SHA-256.
    pub(super) fn copy(&mut self, from: &mut File, length: u64) -> Result<[u8; 32], ExportError> {
        let mut hash = Sha256::new();
        let mut from = from.take(length);
        let mut piece = vec![0; PIECE.min(usize::try_from(length).unwrap_or(PIECE))];
        loop {
            let read = match from.read(&mut piece) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(StorageError::from(error).into()),
            };
            hash.update(&piece[..read]);
            self.zip
                .write_all(&piece[..read])
                .map_err(ExportError::Output)?;
            self.done += read as u64;
            self.report_progress()?;
        }
        Ok(hash.finalize().into())
    }

    /// Adds a whole entry.
    pub(super) fn add(
        &mut self,
        name: &str,
        changed: Timestamp,
        contents: &[u8],
        is_text: bool,
    ) -> Result<(), ExportError> {
        self.begin(name, changed, contents.len() as u64, is_text)?;
        self.zip.write_all(contents).map_err(ExportError::Output)
    }

    /// Counts bytes of the contents that were written in another form.
    pub(super) fn advance(&mut self, bytes: u64) -> Result<(), ExportError> {
        self.done += bytes;
        self.report_progress()
    }

    fn report_progress(&mut self) -> Result<(), ExportError> {
        match (self.watch)(self.done, self.total) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ExportError::Cancelled),
        }
    }
}

/// Converts a time to the form of zips: in steps of two seconds, from 1980 on, here in UTC.
fn moment(at: Timestamp) -> DateTime {
    let at = at.to_zoned(TimeZone::UTC).datetime();
    let (year, month, day) = (at.year(), at.month(), at.day());
    let (hour, minute, second) = (at.hour(), at.minute(), at.second());
    let [month, day, hour, minute, second] =
        [month, day, hour, minute, second].map(i8::unsigned_abs);
    DateTime::from_date_and_time(year.unsigned_abs(), month, day, hour, minute, second)
        .unwrap_or_default()
}
