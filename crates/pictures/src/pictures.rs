//! The facade: opens all parts and forwards calls to them.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_fileops::{CompanionLookup, FileError, Files};
use fumikura_fs::{
    AccessError, FolderScope, RelPath, Root, RootId, Roots, RootsFileError, Source, SourceFile,
};
use fumikura_image::{
    CompanionKind, Crop, Decode, Head, PictureInfo, Turn, embedded_jpeg, is_picture_name,
    is_video_name,
};
use fumikura_library::{
    Entry, FolderKey, FolderSize, Library, ListQuery, Listing, Original, OriginalError,
    RootPictures, crop_mark, embedded_date, embedded_marks, shown_crop,
};
use fumikura_thumbs::{CacheFolderError, OpenThumbsError, Thumbs, ThumbsConfig};
use fumikura_xmp::{
    CropChange, EmbeddedMarks, Marks, MarksChange, MarksOutcome, OrientationChange, SidecarError,
    SidecarMarks, Tag, TagError, TakenChange,
};
use jiff::SignedDuration;
use parking_lot::Mutex;

use crate::config::Config;
use crate::events::{Events, PicturesEvent};

/// The pictures can't be started.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of the thumbnails can't be used.
    #[error(transparent)]
    Cache(#[from] CacheFolderError),
    /// The list of roots can't be used.
    #[error(transparent)]
    Roots(#[from] RootsFileError),
    /// The system has no more threads.
    #[error("the threads of the pictures can't be started: {0}")]
    Threads(#[source] io::Error),
}

/// An error of changing the marks of a picture.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// The folder can't be read.
    #[error(transparent)]
    Folder(#[from] FileError),
    /// The sidecar can't be read or written.
    #[error(transparent)]
    Sidecar(#[from] SidecarError),
    /// A renamed tag would be too long.
    #[error(transparent)]
    Tag(#[from] TagError),
}

impl From<OpenThumbsError> for OpenError {
    fn from(error: OpenThumbsError) -> Self {
        match error {
            OpenThumbsError::Cache(error) => Self::Cache(error),
            OpenThumbsError::Threads(error) => Self::Threads(error),
        }
    }
}

/// Pictures: the folders that may be read, their contents, and thumbnails.
///
/// Every call here may access the disk and is therefore made where blocking is allowed; only a
/// [`Ticket`](fumikura_thumbs::Ticket) is awaited elsewhere. Dropping the value shuts it down.
pub struct Pictures {
    roots: Arc<Roots>,
    pub(crate) library: Arc<Library>,
    files: Files,
    pub(crate) thumbs: Thumbs,
    pub(crate) events: Arc<Events>,
    /// The folder of a file that is being rotated.
    pub(crate) workspace: PathBuf,
    /// Held while a file is rotated.
    pub(crate) rotation: Mutex<()>,
}

impl Pictures {
    /// Opens the folder of the thumbnails, reads the roots and starts the workers.
    ///
    /// # Errors
    /// [`OpenError`]; a folder with other contents is refused and left as it is.
    pub fn open(
        config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenError> {
        let thumbs =
            |config: ThumbsConfig| Thumbs::open(config, Arc::clone(&clock), Arc::clone(&entropy));
        Self::open_parts(config, &clock, &entropy, thumbs)
    }

    /// Opens as [`open`](Self::open) does, with the caller's own decoder, whatever the configuration says.
    ///
    /// # Errors
    /// The same as of [`open`](Self::open).
    pub fn open_with(
        config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
        decoder: Arc<dyn Decode>,
    ) -> Result<Self, OpenError> {
        let thumbs = |config: ThumbsConfig| {
            Thumbs::open_with(config, Arc::clone(&clock), Arc::clone(&entropy), decoder)
        };
        Self::open_parts(config, &clock, &entropy, thumbs)
    }

    fn open_parts(
        config: Config,
        clock: &Arc<dyn Clock>,
        entropy: &Arc<dyn Entropy>,
        open_thumbs: impl FnOnce(ThumbsConfig) -> Result<Thumbs, OpenThumbsError>,
    ) -> Result<Self, OpenError> {
        let roots = Roots::open(config.roots_file, Arc::clone(clock), Arc::clone(entropy))?;
        let roots = Arc::new(roots);
        let thumbs = open_thumbs(ThumbsConfig {
            folder: config.thumbs,
            workers: config.workers,
            queue_size: config.queue_size,
            capacity: config.capacity,
            memory: config.memory,
            limits: config.limits,
            worker: config.worker,
        })?;
        let workspace = config.undo.join("rotated");
        let files = Files::new(
            Arc::clone(&roots),
            config.undo,
            config.home_trash,
            Arc::clone(clock),
            Arc::clone(entropy),
        );
        let library = Library::start(
            Arc::clone(roots.disk_pool()),
            config.folders,
            config.listing_timeout,
            Arc::clone(entropy),
        );
        let library = Arc::new(library.map_err(OpenError::Threads)?);
        let events = Events::connect(&roots, &library, &thumbs);
        Ok(Self {
            roots,
            library,
            files,
            thumbs,
            events,
            workspace,
            rotation: Mutex::default(),
        })
    }

    /// Returns the folders that may be read.
    #[must_use]
    pub fn roots(&self) -> &Arc<Roots> {
        &self.roots
    }

    /// Returns the thumbnails.
    #[must_use]
    pub fn thumbs(&self) -> &Thumbs {
        &self.thumbs
    }

    /// Returns the file operations.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns a page of a folder's entries.
    ///
    /// # Errors
    /// [`AccessError`] if there is no folder that may be read.
    pub fn list(
        &self,
        root: RootId,
        path: &[u8],
        query: &ListQuery,
    ) -> Result<Listing, AccessError> {
        let path = RelPath::parse(path)?;
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        let mut listing = self.library.list(&root, &path, query)?;
        let set = |entry: &mut Entry| {
            let version = entry.version();
            entry.undecodable = version.is_some_and(|version| self.thumbs.is_undecodable(version));
        };
        for entry in &mut listing.entries {
            entry.each_file(set);
        }
        Ok(listing)
    }

    /// Returns the entries of the pictures at these paths of a root, and `None` where there is no picture. With
    /// `joins_files`, the entry of a file that shows a picture of several files has the others as companions.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn entries_at(
        &self,
        root: &Arc<Root>,
        paths: &[RelPath],
        joins_files: bool,
    ) -> Result<Vec<Option<Entry>>, AccessError> {
        let mut entries = self.library.entries_at(root, paths, joins_files)?;
        for entry in entries.iter_mut().flatten() {
            entry.each_file(|file| {
                let version = file.version();
                file.undecodable =
                    version.is_some_and(|version| self.thumbs.is_undecodable(version));
            });
        }
        Ok(entries)
    }

    /// Lists all pictures of a root, and has their headers and sidecars read for a while.
    ///
    /// # Errors
    /// [`AccessError`] if the root can't be read.
    pub fn pictures(&self, root: RootId) -> Result<RootPictures, AccessError> {
        let root = self
            .roots
            .get(root)
            .ok_or(AccessError::RootNotFound(root))?;
        self.library.pictures(&root)
    }

    /// Forgets the metadata of the folders beneath a root that may no longer be read. Their cached metadata
    /// on disk is deleted in the course of time.
    pub fn forget(&self, root: RootId) {
        self.library.forget(root);
    }

    /// Continues to read the headers of a folder's pictures, because a client still shows it.
    pub fn keep_reading(&self, source: &Source) {
        self.library.renew(source.root(), source.path());
    }

    /// Opens the picture's own file, typed by its content.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn original(&self, source: &Source) -> Result<Original, OriginalError> {
        Original::open(source)
    }

    /// Returns the small JPEG that a camera stored in a picture's notes, as it is, or `None` if there is none.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn embedded(
        &self,
        source: &Source,
    ) -> Result<(SourceFile, Option<Vec<u8>>), OriginalError> {
        let Original {
            file, source_file, ..
        } = Original::open(source)?;
        let embedded = embedded_jpeg(file, source_file.stat().size);
        Ok((source_file, embedded))
    }

    /// Returns the information about a picture, and the file in the state in which it was read.
    ///
    /// # Errors
    /// [`OriginalError`] if the file can't be read, or is not a picture.
    pub fn info(&self, source: &Source) -> Result<(SourceFile, PictureInfo), OriginalError> {
        let Original {
            file,
            source_file,
            kind,
            ..
        } = Original::open(source)?;
        let info = PictureInfo::read(&file, source_file.stat().size, kind)?;
        Ok((source_file, info))
    }

    /// Returns the marks of a picture: those in the sidecar beside it, and those in its own file.
    ///
    /// # Errors
    /// [`SidecarError`] if there is no such file, or its sidecar can't be read.
    pub fn marks(&self, source: &Source) -> Result<PictureMarks, SidecarError> {
        Ok(PictureMarks {
            sidecar: fumikura_xmp::marks(source)?,
            embedded: embedded_marks(source),
        })
    }

    /// Returns the marks of a picture of several files: those of the first sidecar among the shown file and its raw files.
    ///
    /// # Errors
    /// [`MarkError`]
    pub fn marks_joined(&self, shown: &Source) -> Result<PictureMarks, MarkError> {
        let owners = sidecar_owners(shown, &mut CompanionLookup::default())?;
        Ok(self.marks(&owners[0])?)
    }

    /// Changes the marks in the sidecar beside a picture, or creates one. The picture's own file stays
    /// unchanged. When this returns, the change is durable.
    ///
    /// # Errors
    /// [`SidecarError`] if there is no such file, it is not a picture by its name, or its sidecar can't be
    /// read or written; then the sidecar is unchanged.
    pub fn mark(
        &self,
        source: &Source,
        change: &MarksChange,
    ) -> Result<MarksOutcome, SidecarError> {
        if !is_picture_name(source.path().name()) {
            return Err(SidecarError::NotAPicture);
        }
        let _alone = self.files.lock_names();
        let embedded = embedded_marks(source).marks;
        let outcome = fumikura_xmp::set_marks(source, change, &embedded)?;
        if let Some(written) = &outcome.written {
            self.library.mark(source, written, &outcome.sidecar);
        }
        Ok(outcome)
    }

    /// Changes the marks as [`mark`](Self::mark) does, and those that depend on the picture's own file.
    ///
    /// # Errors
    /// The same as of [`mark`](Self::mark), [`SidecarError::NotAPicture`] for a turn or a crop of a video, or of a file
    /// whose header can't be read, and [`SidecarError::CropOutside`].
    pub fn change(
        &self,
        source: &Source,
        change: &PictureChange,
    ) -> Result<MarksOutcome, SidecarError> {
        let mut marks = change.marks.clone();
        if !change.turn.is_none() {
            let own = Turn::of_number(head_of_still(source)?.orientation)
                .ok_or(SidecarError::NotAPicture)?;
            marks.orientation = turned_orientations(own, change.turn);
        }
        marks.crop = match change.crop {
            None => CropChange::Keep,
            Some(crop) if crop.is_whole() => CropChange::Clear,
            Some(crop) => {
                let head = head_of_still(source)?;
                let crop = Some(crop).filter(|crop| crop.fits((head.width, head.height)));
                let mark = crop.and_then(|crop| crop_mark(head, crop));
                CropChange::Set(mark.ok_or(SidecarError::CropOutside)?)
            }
        };
        if let Some(by) = change.shift {
            let (file, source_file) = source.open()?;
            let own = embedded_date(file, source_file.stat().size);
            marks.taken = TakenChange::Shift { own, by };
        }
        self.mark(source, &marks)
    }

    /// Returns the part of a picture that its marks show, before its turn; `None` for all of it.
    #[must_use]
    pub fn crop(&self, source: &Source, marks: &Marks) -> Option<Crop> {
        marks.crop?;
        let head = head_of_still(source).ok()?;
        shown_crop(head, marks)
    }

    /// Changes a picture of several files: in each existing sidecar of the shown file and of its raw files, or else in a
    /// new one of the shown file. The first outcome is the picture's; the others are those of its further sidecars, with
    /// their files.
    ///
    /// # Errors
    /// [`MarkError`]; sidecars before the one that failed are changed.
    pub fn mark_joined(
        &self,
        shown: &Source,
        change: &PictureChange,
        lookup: &mut CompanionLookup,
    ) -> Result<Vec<(Source, MarksOutcome)>, MarkError> {
        let owners = sidecar_owners(shown, lookup)?;
        let mut outcomes = Vec::with_capacity(owners.len());
        for owner in owners {
            let outcome = self.change(&owner, change)?;
            let file = match outcomes.is_empty() {
                true => shown.clone(),
                false => owner,
            };
            outcomes.push((file, outcome));
        }
        Ok(outcomes)
    }

    /// Returns the tags of a folder's pictures, or of all beneath it, as far as they have been read, the most
    /// frequent first. With `joins_files`, a picture of several files counts once.
    ///
    /// # Errors
    /// [`AccessError`] if there is no such folder.
    pub fn tags(
        &self,
        folder: &Source,
        scope: FolderScope,
        joins_files: bool,
    ) -> Result<Vec<(Tag, usize)>, AccessError> {
        self.library
            .tags(folder.root_ref(), folder.path(), scope, joins_files)
    }

    /// Returns the size of a folder's files, or of all beneath it, and the free space of its disk.
    ///
    /// # Errors
    /// [`AccessError`] if there is no such folder.
    pub fn folder_size(
        &self,
        folder: &Source,
        scope: FolderScope,
    ) -> Result<FolderSize, AccessError> {
        self.library.size(folder.root_ref(), folder.path(), scope)
    }

    /// Sets the listener, which is called from any thread, and while others wait. The first listener is kept.
    pub fn listen(&self, listener: impl Fn(PicturesEvent) + Send + Sync + 'static) {
        self.events.listen(listener);
    }

    /// Returns the innermost root that contains a picture, or `None` for a picture of the program's own.
    #[must_use]
    pub fn owner(&self, source: &Source) -> Option<RootId> {
        self.events.owner(source)
    }

    /// Deletes the index of a folder from the cache. Returns its size in bytes, or `None` if it did not
    /// exist. The metadata of the folder in memory stays.
    ///
    /// # Errors
    /// If it can't be deleted.
    pub fn remove_folder_index(&self, key: FolderKey) -> io::Result<Option<u64>> {
        self.library.remove_index(key)
    }

    /// True if the cache contains an index of a folder.
    #[must_use]
    pub fn has_folder_index(&self, key: FolderKey) -> bool {
        self.library.contains_index(key)
    }

    /// Stops accepting requests for thumbnails, finishes those that are being made, and answers all others with
    /// [`ThumbError::ShuttingDown`](fumikura_thumbs::ThumbError::ShuttingDown). May be called twice.
    pub fn shut_down(&self) {
        self.thumbs.shut_down();
    }
}

/// The marks of a picture, with their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureMarks {
    pub sidecar: SidecarMarks,
    /// The marks in the picture's own file, which those of the sidecar hide.
    pub embedded: EmbeddedMarks,
}

/// A change of a picture in its sidecar.
#[derive(Debug, Clone, Default)]
pub struct PictureChange {
    pub marks: MarksChange,
    /// A turn of the picture as it is shown: the sidecar states the resulting orientation, or none if it is that of the
    /// picture's own file.
    pub turn: Turn,
    /// The part of the upright picture, before its turn, that is shown; all of it removes the crop. `None` to leave it
    /// unchanged.
    pub crop: Option<Crop>,
    /// A shift of the time of capture, as far as there is one.
    pub shift: Option<SignedDuration>,
}

impl PictureMarks {
    /// Returns the marks that the picture is shown with.
    #[must_use]
    pub fn shown(&self) -> Marks {
        self.sidecar.over(&self.embedded.marks)
    }
}

/// Reads the header of a picture that is not a video.
fn head_of_still(source: &Source) -> Result<Head, SidecarError> {
    let name = source.path().name();
    if !is_picture_name(name) || is_video_name(name) {
        return Err(SidecarError::NotAPicture);
    }
    let (file, source_file) = source.open()?;
    Head::read(file, source_file.stat().size).ok_or(SidecarError::NotAPicture)
}

/// Returns the orientation after a turn, for each one before it, of a picture whose own file states `own`.
fn turned_orientations(own: Turn, turn: Turn) -> OrientationChange {
    let mut map = [0; 9];
    for (before, after) in (0..).zip(&mut map) {
        let stated = Turn::of_number(before).unwrap_or(own).then(turn);
        *after = match stated == own {
            true => 0,
            false => stated.number(),
        };
    }
    OrientationChange::Map(map)
}

/// Returns the files of a picture whose sidecars have its marks, each sidecar once; the shown file if there are none yet.
pub(crate) fn sidecar_owners(
    shown: &Source,
    lookup: &mut CompanionLookup,
) -> Result<Vec<Source>, MarkError> {
    let companions = lookup.companions_of(shown)?.into_iter();
    let raws = companions.filter(|(kind, _)| *kind == CompanionKind::Raw);
    let mut sidecars = Vec::new();
    let mut owners = Vec::new();
    for file in std::iter::once(shown.clone()).chain(raws.map(|(_, file)| file)) {
        // Lightroom's sidecar belongs to all files of the name.
        if let Some(name) = fumikura_xmp::sidecar_name(&file)?
            && !sidecars.contains(&name)
        {
            sidecars.push(name);
            owners.push(file);
        }
    }
    if owners.is_empty() {
        owners.push(shown.clone());
    }
    Ok(owners)
}

impl Drop for Pictures {
    fn drop(&mut self) {
        self.shut_down();
        // A thread that reads names may wait for a disk forever.
        self.library.end();
    }
}
