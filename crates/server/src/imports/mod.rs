//! Imports of notes from other programs: `fumikura-convert` reads them, and the wiki writes them.

mod contents;
mod preview;
mod report;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_base::own_file;
use fumikura_convert::{Content, Role, SkipReason, Skipped, Source, Spool, Tree, detect, read};
use fumikura_wiki::{
    FileName, IncomingAsset, IncomingPage, Language, MAX_SOURCE_BYTES, MigrationRequest, PagePath,
    PageRole, StorageError, Wiki, place_path,
};
use jiff::tz::TimeZone;
use parking_lot::Mutex;
use serde_json::json;
use tempfile::TempDir;

use crate::acting_user::ActingUser;
use crate::config::Config;
use crate::error::{ApiError, ErrorCode};
use crate::jobs::{JobError, JobOutcome, Progress};
use crate::operations::watching;
use contents::Contents;
pub(crate) use preview::ImportPreview;

/// The number of previews that wait for a decision; the oldest is dropped first.
const MAX_PREVIEWS: usize = 4;
/// The limit of the unpacked size, as a multiple of the limit of an archive's size.
const UNPACKED: u64 = 10;
/// Precedes the name of an uploaded file, which identifies its source.
const UPLOAD: &str = "upload/";
/// The name of the folder with spools, in the data folder.
const SPOOLS: &str = "import-spool";

/// Imports of notes from other programs.
pub(crate) struct NotesImport {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) prepared: Mutex<PreparedImports>,
}

/// Sources that were read and wait for a decision.
#[derive(Default)]
pub(crate) struct PreparedImports {
    /// True once the spools that a crash left were removed.
    is_clean: bool,
    count: u64,
    all: HashMap<String, (u64, Arc<PreparedImport>)>,
}

/// A source that was read.
pub(crate) struct PreparedImport {
    tree: Tree,
    spool: Spool,
    source: Source,
    /// The places of notes that are too long for a page, by their origins.
    skipped_notes: HashMap<String, Vec<String>>,
    request: MigrationRequest,
    pages: Vec<IncomingPage>,
    assets: Vec<IncomingAsset>,
    is_japanese: bool,
    /// Keeps an uploaded source, which the tree reads.
    _upload: Option<TempDir>,
}

impl PreparedImport {
    /// Returns the request with another page below which the pages are put, if there is one.
    fn request_into(&self, into: Option<PagePath>) -> MigrationRequest {
        MigrationRequest {
            into: into.unwrap_or_else(|| self.request.into.clone()),
            ..self.request.clone()
        }
    }
}

/// A source that the user chose.
pub(crate) struct ChosenSource {
    pub(crate) path: PathBuf,
    /// The page below which its pages are put; by default one with the source's name.
    pub(crate) into: Option<PagePath>,
    /// The folder with an uploaded source.
    pub(crate) upload: Option<TempDir>,
}

impl ChosenSource {
    /// Returns the text that identifies the source: its path, or the name of an uploaded file.
    fn identity(&self) -> String {
        match &self.upload {
            None => absolute(&self.path),
            Some(_) => {
                let name = self.path.file_name().unwrap_or_default();
                format!("{UPLOAD}{}", name.display())
            }
        }
    }
}

impl NotesImport {
    /// Returns a new file for a source that is uploaded, in a folder of its own.
    pub(crate) fn begin_upload(&self, name: &str) -> Result<(File, ChosenSource), ApiError> {
        let name = FileName::new(name)?;
        let folder = tempfile::tempdir_in(self.spools()?).map_err(StorageError::from)?;
        let path = folder.path().join(name.as_str());
        let file = own_file::create_new(&path).map_err(StorageError::from)?;
        let chosen = ChosenSource {
            path,
            into: None,
            upload: Some(folder),
        };
        Ok((file, chosen))
    }

    /// Reads a source and plans its import. Nothing is written to the wiki.
    pub(crate) fn prepare(&self, progress: &Progress, chosen: ChosenSource) -> JobOutcome {
        let folder = self.spools()?;
        let limit = self.config.import_limit.saturating_mul(UNPACKED);
        let spool = Spool::new(&folder, limit)?;
        let mut watch = watching(progress);
        let tree = Tree::open(&chosen.path, &mut watch)?;
        let format = detect(&tree)?;
        let mut source = read(&tree, format, &spool, &mut watch)?;
        skip_unusable_files(&tree, &mut source, self.config.asset_limit, &mut watch)?;
        let skipped_notes = skip_large_notes(&mut source);
        let is_japanese = self.is_japanese()?;
        let format = json!(format);
        let request = MigrationRequest {
            source: chosen.identity(),
            format: format.as_str().unwrap_or_default().to_owned(),
            into: self.into(&chosen, &tree)?,
            user: self.acting.get()?.id,
            report: report::name(
                self.clock.now().to_zoned(TimeZone::system()).date(),
                is_japanese,
            ),
        };
        let (pages, assets) = incoming(&source);
        let prepared = PreparedImport {
            tree,
            spool,
            source,
            skipped_notes,
            request,
            pages,
            assets,
            is_japanese,
            _upload: chosen.upload,
        };
        let id = hex::encode(random_bytes::<16>(&*self.entropy));
        let preview = self.preview_of(id.clone(), &prepared, &prepared.request)?;
        self.keep(id, prepared);
        Ok(json!(preview))
    }

    /// Returns what an import of a source that was read would do now.
    ///
    /// # Errors
    /// `import_not_found`.
    pub(crate) fn preview(
        &self,
        id: &str,
        into: Option<PagePath>,
    ) -> Result<ImportPreview, ApiError> {
        let prepared = self
            .prepared
            .lock()
            .all
            .get(id)
            .map(|(_, prepared)| Arc::clone(prepared));
        let prepared = prepared.ok_or_else(not_found)?;
        let request = prepared.request_into(into);
        Ok(self.preview_of(id.to_owned(), &prepared, &request)?)
    }

    fn preview_of(
        &self,
        id: String,
        prepared: &PreparedImport,
        request: &MigrationRequest,
    ) -> Result<ImportPreview, StorageError> {
        let PreparedImport { pages, assets, .. } = prepared;
        let plan = self.wiki.migrations().plan(request, pages, assets)?;
        Ok(ImportPreview::new(id, (prepared, request), &plan))
    }

    /// Imports a source that was read. It can be imported once.
    pub(crate) fn run(
        &self,
        progress: &Progress,
        prepared: &PreparedImport,
        into: Option<PagePath>,
    ) -> JobOutcome {
        let request = prepared.request_into(into);
        let incoming = (&*prepared.pages, &*prepared.assets);
        let mut contents = Contents::new(prepared, &request);
        let mut watch = watching(progress);
        let imported = self
            .wiki
            .migrations()
            .apply(&request, incoming, &mut contents, &mut watch);
        match imported {
            Ok(outcome) => {
                let written = outcome.written.as_ref();
                Ok(json!({
                    "id": written.map(|written| written.migration.id),
                    "counts": outcome.counts,
                    "skipped": prepared.source.skipped.len(),
                    "report": written.map(|written| &written.report),
                }))
            }
            Err(fumikura_wiki::MigrationError::Cancelled) => Err(JobError::Cancelled),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes a source that was read.
    ///
    /// # Errors
    /// `import_not_found`.
    pub(crate) fn take(&self, id: &str) -> Result<Arc<PreparedImport>, ApiError> {
        let taken = self.prepared.lock().all.remove(id);
        taken.map(|(_, prepared)| prepared).ok_or_else(not_found)
    }

    /// Puts back a source whose import could not start or failed.
    pub(crate) fn put_back(&self, id: String, prepared: Arc<PreparedImport>) {
        let mut all = self.prepared.lock();
        all.count += 1;
        let number = all.count;
        all.all.insert(id, (number, prepared));
    }

    fn keep(&self, id: String, prepared: PreparedImport) {
        self.put_back(id, Arc::new(prepared));
        let mut all = self.prepared.lock();
        while all.all.len() > MAX_PREVIEWS {
            let oldest = all.all.iter().min_by_key(|(_, (number, _))| *number);
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else {
                return;
            };
            all.all.remove(&oldest);
        }
    }

    /// Returns the folder of spools, without those of an earlier launch.
    fn spools(&self) -> Result<PathBuf, StorageError> {
        let folder = self.config.data_dir.join(SPOOLS);
        let mut prepared = self.prepared.lock();
        if !prepared.is_clean {
            match std::fs::remove_dir_all(&folder) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error.into()),
            }
            prepared.is_clean = true;
        }
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    /// Returns the page below which the pages are put: the one that the user named, that of the last import of the
    /// source, or one with its name.
    fn into(&self, chosen: &ChosenSource, tree: &Tree) -> Result<PagePath, StorageError> {
        if let Some(into) = &chosen.into {
            return Ok(into.clone());
        }
        let source = chosen.identity();
        let earlier = self.wiki.migrations().list()?.into_iter();
        let mut earlier = earlier.filter(|import| import.source == source && !import.undone);
        Ok(match earlier.next() {
            Some(import) => import.into,
            None => place_path(&PagePath::root(), &[tree.name().to_owned()]),
        })
    }

    fn is_japanese(&self) -> Result<bool, StorageError> {
        Ok(match self.wiki.settings()?.language {
            Language::Ja => true,
            Language::En => false,
            Language::System => {
                let variables = ["LC_ALL", "LC_MESSAGES", "LANG"];
                let set = variables.iter().find_map(|name| std::env::var(name).ok());
                set.is_some_and(|language| language.starts_with("ja"))
            }
        })
    }
}

fn not_found() -> ApiError {
    ApiError::new(
        ErrorCode::ImportNotFound,
        "this preview is no longer there; choose the source again",
    )
}

/// Returns the path that identifies a source.
fn absolute(path: &Path) -> String {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    path.display().to_string()
}

/// Skips the files that are larger than a file of a page may be, or that can't be read.
fn skip_unusable_files(
    tree: &Tree,
    source: &mut Source,
    limit: u64,
    watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<(), JobError> {
    let files = std::mem::take(&mut source.files);
    let total = files.len() as u64;
    for (number, file) in files.into_iter().enumerate() {
        if watch(number as u64, total).is_break() {
            return Err(JobError::Cancelled);
        }
        let size = match &file.content {
            Content::Entry(path) => tree.entry(path).map_or(0, |entry| entry.size),
            Content::Spooled(spooled) => spooled.size,
        };
        let reason = if size > limit {
            SkipReason::TooLarge
        } else if is_readable(tree, &file.content) {
            source.files.push(file);
            continue;
        } else {
            SkipReason::Unreadable
        };
        source.skipped.push(Skipped {
            origin: file.origin,
            reason,
        });
    }
    Ok(())
}

/// Returns true if a file can be opened and, in an archive, is undamaged.
fn is_readable(tree: &Tree, content: &Content) -> bool {
    let Ok(mut reader) = tree.open_content(content) else {
        return false;
    };
    !tree.is_packed() || io::copy(&mut reader, &mut io::sink()).is_ok()
}

/// Skips the notes that are too long for a page, and returns their places, by their origins.
fn skip_large_notes(source: &mut Source) -> HashMap<String, Vec<String>> {
    let mut places = HashMap::new();
    let large = source
        .notes
        .extract_if(.., |note| note.text.len() > MAX_SOURCE_BYTES);
    for note in large {
        source.skipped.push(Skipped {
            origin: note.origin.clone(),
            reason: SkipReason::TooLarge,
        });
        places.insert(note.origin, note.place);
    }
    places
}

/// Returns the notes and files of a source as the wiki takes them.
fn incoming(source: &Source) -> (Vec<IncomingPage>, Vec<IncomingAsset>) {
    let numbers: HashMap<&str, usize> = source
        .notes
        .iter()
        .enumerate()
        .map(|(number, note)| (note.origin.as_str(), number))
        .collect();
    let pages = source.notes.iter().map(|note| IncomingPage {
        origin: note.origin.clone(),
        place: note.place.clone(),
        role: match note.role {
            Role::Page => PageRole::Page,
            Role::Daily(day) => PageRole::Daily(day),
            Role::Template => PageRole::Template,
        },
        sha256: note.text.sha256,
        created: note.created,
        changed: note.changed,
    });
    let assets = source.files.iter().map(|file| IncomingAsset {
        origin: file.origin.clone(),
        name: file.name.clone(),
        owner: file
            .owner
            .as_deref()
            .and_then(|owner| numbers.get(owner).copied()),
    });
    (pages.collect(), assets.collect())
}

/// Returns the name of an enum's variant on the wire.
fn wire_name(value: &impl serde::Serialize) -> String {
    let json = json!(value);
    json.as_str()
        .map_or_else(|| json.to_string(), str::to_owned)
}
