//! The application without a user interface: all its parts, opened from one configuration.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use fumikura_albums::{Albums, UnreadableAlbum};
use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::{Entropy, SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_expiry::Expiry;
use fumikura_fs::platform::is_remote;
use fumikura_pictures::{OpenError as PicturesError, Pictures, PicturesEvent};
use fumikura_searcher::Search;
use fumikura_thumbs::move_cache;
use fumikura_watch::Watcher;
use fumikura_wiki::{BackupFolder, ReplacedData, Wiki, WikiConfig, replace_data};
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::acting_user::ActingUser;
use crate::activity::Activity;
use crate::albums::AlbumPictures;
use crate::auth::{AccessTokens, Auth, Client, LoginClient, OwnHost};
use crate::config::{Config, cache_folder_moved};
use crate::damaged_data;
use crate::duplicates::Duplicates;
use crate::error::ErrorBody;
use crate::events::{Event, EventHub};
use crate::expiry;
use crate::found_pictures::FoundPictures;
use crate::frame::SystemFont;
use crate::grants::Grants;
use crate::imports::NotesImport;
use crate::inline_work::InlineWork;
use crate::job_runner::JobRunner;
use crate::limiters::Limiters;
use crate::metrics_key::MetricsKey;
use crate::mirror::{Mirroring, PendingMirrorWork};
use crate::operations::HashFolders;
use crate::part::parts;
use crate::picture_sizes::PictureSizes;
use crate::services::{
    Backup, Checker, Describer, DesktopWindow, FileOperations, FrameParts, Hashes, Import, Launch,
    LocalFiles, Metrics, PageFiles, SearchedParts, SignIn, ThumbCache, Thumbnails, TokenCare,
};
use crate::shares::Shares;
use crate::start::StartError;
use crate::stopping::Stopping;
use crate::vision::Vision;
use crate::window_state::WindowState;

/// Makes a part that shares these other parts, and owns the values after them.
macro_rules! part {
    ($part:ident: $($shared:ident),+ $(; $($own:ident),+)?) => {
        Arc::new($part { $($shared: Arc::clone(&$shared),)+ $($($own,)+)? })
    };
}

/// The application. The shell, `fumi serve`, the offline commands and the tests all start from it.
pub struct App {
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) album_pictures: Arc<AlbumPictures>,
    pub(crate) auth: Arc<Auth>,
    pub(crate) backup: Arc<Backup>,
    pub(crate) checker: Arc<Checker>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) config: Arc<Config>,
    pub(crate) describer: Arc<Describer>,
    pub(crate) duplicates: Arc<Duplicates>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) expiry: Arc<Expiry>,
    pub(crate) file_operations: Arc<FileOperations>,
    pub(crate) found_pictures: Arc<FoundPictures>,
    pub(crate) frame_parts: Arc<FrameParts>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) hashes: Arc<Hashes>,
    pub(crate) import: Arc<Import>,
    pub(crate) notes_import: Arc<NotesImport>,
    pub(crate) launch: Arc<Launch>,
    pub(crate) limiters: Arc<Limiters>,
    local_files: Arc<LocalFiles>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) mirroring: Arc<Mirroring>,
    pub(crate) page_files: Arc<PageFiles>,
    pub(crate) picture_sizes: Arc<PictureSizes>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) search: Arc<Search>,
    pub(crate) searched: Arc<SearchedParts>,
    pub(crate) shares: Arc<Shares>,
    pub(crate) sign_in: Arc<SignIn>,
    pub(crate) stopping: Arc<Stopping>,
    pub(crate) thumb_cache: Arc<ThumbCache>,
    pub(crate) thumbnails: Arc<Thumbnails>,
    pub(crate) token_care: Arc<TokenCare>,
    pub(crate) vision: Arc<Vision>,
    pub(crate) watcher: Arc<Watcher>,
    pub(crate) wiki: Arc<Wiki>,
    window: Arc<DesktopWindow>,
    /// Notified if there may be artifacts to remove.
    pub(crate) cleanup_pending: Arc<Notify>,
    /// Notified if the thumbnail cache has changed.
    pub(crate) cache_changed: Arc<Notify>,
}

parts! {
    App:
    acting: ActingUser,
    album_pictures: AlbumPictures,
    auth: Auth,
    backup: Backup,
    checker: Checker,
    clock: dyn Clock,
    config: Config,
    describer: Describer,
    duplicates: Duplicates,
    events: EventHub,
    expiry: Expiry,
    file_operations: FileOperations,
    found_pictures: FoundPictures,
    frame_parts: FrameParts,
    grants: Grants,
    hashes: Hashes,
    import: Import,
    launch: Launch,
    limiters: Limiters,
    metrics: Metrics,
    mirroring: Mirroring,
    notes_import: NotesImport,
    page_files: PageFiles,
    picture_sizes: PictureSizes,
    pictures: Pictures,
    runner: JobRunner,
    search: Search,
    searched: SearchedParts,
    shares: Shares,
    sign_in: SignIn,
    stopping: Stopping,
    thumb_cache: ThumbCache,
    thumbnails: Thumbnails,
    token_care: TokenCare,
    vision: Vision,
    watcher: Watcher,
    wiki: Wiki,
}

impl App {
    /// Opens all parts, and creates missing ones.
    ///
    /// # Errors
    /// [`StartError`] has the reason why the application can't start. Existing data is unchanged.
    pub fn open(config: Config) -> Result<Arc<Self>, StartError> {
        Self::open_with(
            config,
            Arc::new(SystemClock::new()),
            Arc::new(SystemEntropy),
        )
    }

    /// Opens the application as [`App::open`] does, with the given clock and entropy.
    ///
    /// # Errors
    /// Those of [`App::open`].
    pub fn open_with(
        config: Config,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Arc<Self>, StartError> {
        make_folders(&config)?;
        let wiki_config = WikiConfig {
            database: config.database(),
            assets: config.assets(),
            asset_limit: config.asset_limit,
            lock_ttl: config.lock_ttl,
            open_timeout: config.open_timeout,
        };
        let replaced = replace_data(&config.data_dir, &[config.search()]);
        match replaced.map_err(|source| StartError::Folder {
            path: config.data_dir.clone(),
            source,
        })? {
            ReplacedData::Unchanged | ReplacedData::Replaced(_) => {}
            ReplacedData::InUse => return Err(StartError::DataInUse(config.data_dir)),
        }
        damaged_data::check_present(&config)?;
        let instance = hex::encode(random_bytes::<16>(&*entropy));
        let events = Arc::new(EventHub::new(&instance));
        let backups = config.backups();
        let opened = Wiki::open(&wiki_config, Arc::clone(&clock), Arc::clone(&entropy));
        let wiki = opened.map_err(|error| damaged_data::start_error(error, &config))?;
        // The data is locked by now, so no other process is making a backup.
        if let Err(error) = BackupFolder::sweep(&backups) {
            tracing::warn!("{} can't be swept: {error}", backups.display());
        }
        let search = Arc::new(Search::new(config.search()));
        let (noted, hub) = (Arc::clone(&search), Arc::clone(&events));
        let mirror_work = Arc::new(PendingMirrorWork::default());
        let mirrored = Arc::clone(&mirror_work);
        let wiki = wiki.on_change(move |changes| {
            noted.note(&changes);
            mirrored.add_changes(&changes);
            hub.publish_changes(changes);
        });
        let wiki = Arc::new(wiki);
        let acting = ActingUser::open(&wiki, config.user.as_ref())?;
        move_thumbs(&config);
        let pictures = open_pictures(&config, Arc::clone(&clock), Arc::clone(&entropy))?;
        let pictures = Arc::new(pictures);
        let (expiry, cleanup_pending) = expiry::open(&config, &wiki, &pictures, &clock, &events);
        let (hub, note_cache) = (Arc::clone(&events), expiry.listener());
        let cache_changed = Arc::new(Notify::new());
        let stats_changed = Arc::clone(&cache_changed);
        pictures.listen(move |event| match event {
            PicturesEvent::HeadersRead(read) => hub.publish(Event::from(read)),
            PicturesEvent::ListingCompleted(listed) => hub.publish(Event::from(listed)),
            PicturesEvent::Cache(event) => note_cache(event),
            PicturesEvent::ThumbStatsChanged => stats_changed.notify_one(),
        });
        let hub = Arc::clone(&events);
        let roots = pictures.roots();
        roots.listen(move |root| hub.publish(Event::roots_changed(root)));
        let hub = Arc::clone(&events);
        let pool = Arc::clone(roots.disk_pool());
        let watcher = Watcher::start(pool, move |change| hub.publish(Event::from(change)));
        let watcher = watcher.map_err(PicturesError::Threads)?;
        let albums = open_albums(&config, &clock, &entropy)?;
        let opened = OpenedParts {
            acting: Arc::new(acting),
            albums: Arc::new(albums),
            cache_changed,
            cleanup_pending,
            clock,
            config: Arc::new(config),
            entropy,
            events,
            expiry,
            instance,
            mirror_work,
            pictures,
            search,
            watcher: Arc::new(watcher),
            wiki,
        };
        Ok(Arc::new(Self::assemble(opened)))
    }

    /// Makes the remaining parts from the opened ones.
    fn assemble(opened: OpenedParts) -> Self {
        let OpenedParts {
            acting,
            albums,
            cache_changed,
            cleanup_pending,
            clock,
            config,
            entropy,
            events,
            expiry,
            instance,
            mirror_work,
            pictures,
            search,
            watcher,
            wiki,
        } = opened;
        let auth = Arc::new(Auth::new(AccessTokens::open(&config.data_dir), &*entropy));
        let limiters = Arc::new(Limiters::new(config.limiter.clone(), &clock, &entropy));
        let shares = Arc::new(Shares::new(pictures.thumbs().stats().workers));
        let runner = Arc::new(JobRunner::new(&shares, &events, &clock, &entropy));
        let vision = Arc::new(Vision::open(&config, &limiters));
        let (activity, grants, picture_sizes) = Default::default();
        let stopping = Arc::new(Stopping::new());
        let (folders, assets) = (HashFolders::new(config.hashes()), config.assets());
        let hashes = part!(Hashes: wiki, pictures, grants, runner, shares, events, activity, clock; folders, assets);
        let (found, known) = Default::default();
        let key = MetricsKey::new(&config.data_dir);
        let state = WindowState::open(&config.data_dir);
        let (data, system_font) = (config.data_dir.clone(), OnceLock::new());
        let (prepared, copying) = (Mutex::default(), Mutex::default());
        let (requested, recent) = (Mutex::default(), Mutex::default());
        let (pending, working, status) = (mirror_work, Mutex::default(), Mutex::default());
        let (next_folder, inline_work) = (Mutex::default(), InlineWork::new());
        let mirroring = part!(Mirroring: wiki, acting, grants, config, events, clock, entropy; pending, working, status);
        Self {
            album_pictures: part!(AlbumPictures: albums, pictures, runner, events),
            backup: part!(Backup: wiki, albums, pictures, acting, activity, runner, grants, config, clock, entropy; copying, requested),
            checker: part!(Checker: wiki, search, expiry, mirroring, runner, config),
            describer: part!(Describer: vision, wiki, pictures, runner, shares, clock),
            duplicates: part!(Duplicates: pictures, hashes, runner; found, known),
            file_operations: part!(FileOperations: pictures, grants, runner, events),
            found_pictures: part!(FoundPictures: search, pictures, albums, events, entropy; recent),
            frame_parts: part!(FrameParts: wiki, acting, events, picture_sizes, entropy; system_font),
            notes_import: part!(NotesImport: wiki, acting, config, clock, entropy; prepared),
            import: part!(Import: wiki, albums, events, acting, runner, grants, config, stopping),
            launch: part!(Launch: auth; instance),
            local_files: part!(LocalFiles: wiki, albums, pictures, runner, events, clock; data),
            metrics: part!(Metrics: wiki, pictures, expiry, limiters, watcher, config, entropy; key),
            page_files: part!(PageFiles: wiki, pictures, grants, acting),
            searched: part!(SearchedParts: wiki, pictures, hashes),
            sign_in: part!(SignIn: auth, wiki, limiters, clock, entropy),
            thumb_cache: part!(ThumbCache: pictures, expiry, runner, grants, config; next_folder),
            thumbnails: part!(Thumbnails: pictures, expiry; inline_work),
            token_care: part!(TokenCare: auth, wiki, acting, clock, entropy),
            window: part!(DesktopWindow: wiki, pictures; state),
            acting,
            activity,
            auth,
            cache_changed,
            cleanup_pending,
            clock,
            config,
            entropy,
            events,
            expiry,
            grants,
            hashes,
            limiters,
            mirroring,
            picture_sizes,
            pictures,
            runner,
            search,
            shares,
            stopping,
            vision,
            watcher,
            wiki,
        }
    }

    /// Returns true if a backup of the schedule is due.
    ///
    /// # Errors
    /// The error of the REST interface, if the settings or the backups can't be read.
    pub fn backup_is_due(&self) -> Result<bool, Box<ErrorBody>> {
        let due = self.backup.is_due();
        due.map_err(|error| Box::new(error.into_body()))
    }

    /// Returns the launch's id, which `/healthz` reports.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.launch.instance
    }

    /// Sets the font of the desktop's user interface, for pages from now on. Only the first call has an
    /// effect.
    pub fn set_system_font(&self, font: SystemFont) {
        self.frame_parts.system_font.get_or_init(|| font);
    }

    /// Returns the launch's Bearer token, which is a secret.
    #[must_use]
    pub fn bearer(&self) -> &str {
        self.auth.bearer().expose()
    }

    /// Returns the label of the server's own host for browsers; `None` if it is disabled, or can't be stored.
    #[must_use]
    pub fn own_host_label(&self) -> Option<String> {
        if !self.config.own_host {
            return None;
        }
        let label = OwnHost::new(&self.config.data_dir).label(&*self.entropy);
        let failed = |error| {
            let file = self.config.data_dir.join("own-host");
            tracing::error!(
                "{} can't be read or written, so browsers share the host with other ports: {error}",
                file.display()
            );
        };
        label.map_err(failed).ok()
    }

    /// Returns a new address that admits a browser once. `base` is the server's own address with a trailing
    /// slash.
    #[must_use]
    pub fn login_url(&self, base: &str) -> String {
        self.sign_in.login_url(LoginClient::Browser, base)
    }

    /// Returns a login address as [`App::login_url`] does, for a window of this launch. The session ends with
    /// the launch.
    #[must_use]
    pub fn entrance(&self, base: &str) -> (String, Client) {
        let client = Client::default();
        let login_client = LoginClient::Client(client.clone());
        (self.sign_in.login_url(login_client, base), client)
    }

    /// Grants a client the right to read a file or folder that the user chose in its window, or dropped on
    /// it. Returns an id, which the window's page sends back. The grant is valid for one use by this client.
    #[must_use]
    pub fn grant(&self, path: PathBuf, client: Client) -> String {
        self.grants.give(path, client, &*self.entropy)
    }

    /// Returns the wiki.
    #[must_use]
    pub fn wiki(&self) -> &Arc<Wiki> {
        &self.wiki
    }

    /// Returns the operations on hash records.
    #[must_use]
    pub fn hashes(&self) -> &Arc<Hashes> {
        &self.hashes
    }

    /// Returns the expiry of the cache.
    #[must_use]
    pub fn expiry(&self) -> &Arc<Expiry> {
        &self.expiry
    }

    /// Returns the folder of all data.
    #[must_use]
    pub fn data_folder(&self) -> &Path {
        &self.config.data_dir
    }

    /// Returns the copies to and places of local files.
    #[must_use]
    pub fn local_files(&self) -> &Arc<LocalFiles> {
        &self.local_files
    }

    /// Returns the part that adds local files to pages.
    #[must_use]
    pub fn page_files(&self) -> &Arc<PageFiles> {
        &self.page_files
    }

    /// Returns the state of the desktop window.
    #[must_use]
    pub fn window(&self) -> &Arc<DesktopWindow> {
        &self.window
    }

    /// Starts the shutdown: event streams close, and no new work is accepted.
    pub(crate) fn stop(&self) {
        self.stopping.start();
        self.runner.jobs.cancel_all();
        self.expiry.stop();
        self.search.stop();
    }
}

/// The parts that are opened first.
struct OpenedParts {
    acting: Arc<ActingUser>,
    albums: Arc<Albums>,
    cache_changed: Arc<Notify>,
    cleanup_pending: Arc<Notify>,
    clock: Arc<dyn Clock>,
    config: Arc<Config>,
    entropy: Arc<dyn Entropy>,
    events: Arc<EventHub>,
    expiry: Arc<Expiry>,
    instance: String,
    mirror_work: Arc<PendingMirrorWork>,
    pictures: Arc<Pictures>,
    search: Arc<Search>,
    watcher: Arc<Watcher>,
    wiki: Arc<Wiki>,
}

impl Drop for App {
    fn drop(&mut self) {
        // Ends the indexing thread, which waits for changes.
        self.search.stop();
    }
}

/// Creates the data and cache folders, and checks that no other user can write to them.
fn make_folders(config: &Config) -> Result<(), StartError> {
    for path in [&config.data_dir, &config.cache_dir, &config.thumbs_dir] {
        exposure::check(path)?;
    }
    let path = &config.data_dir;
    durable::create_folder(path, Access::Private).map_err(|source| StartError::Folder {
        path: path.clone(),
        source,
    })?;
    if durable::open_folder(path).is_ok_and(|folder| is_remote(&folder).unwrap_or(false)) {
        tracing::warn!(
            "{} is on a network file system, whose locks may not keep servers of other machines out: only one may use it",
            path.display()
        );
    }
    let path = &config.cache_dir;
    durable::create_folder(path, Access::Private).map_err(|source| StartError::Cache {
        path: path.clone(),
        source,
    })
}

/// Moves the thumbnails to the folder that the user chose. A failure is only logged, because thumbnails can
/// be regenerated.
fn move_thumbs(config: &Config) {
    let Some(from) = &config.thumbs_moving_from else {
        return;
    };
    if *from != config.thumbs_dir {
        match move_cache(from, &config.thumbs_dir) {
            Ok(moved) => tracing::info!(?moved, "the thumbnails were moved"),
            Err(error) => {
                tracing::warn!("the thumbnails in {} stay: {error}", from.display());
            }
        }
    }
    if let Err(error) = cache_folder_moved(&config.config_file) {
        tracing::warn!("{}: {error}", config.config_file.display());
    }
}

fn open_albums(
    config: &Config,
    clock: &Arc<dyn Clock>,
    entropy: &Arc<dyn Entropy>,
) -> Result<Albums, StartError> {
    let albums = Albums::open(config.albums(), Arc::clone(clock), Arc::clone(entropy))?;
    for UnreadableAlbum { path, reason } in albums.unreadable() {
        tracing::warn!("the album {} can't be read: {reason}", path.display());
    }
    Ok(albums)
}

fn open_pictures(
    config: &Config,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Result<Pictures, StartError> {
    let mut own = fumikura_pictures::Config::new(
        config.thumbs_dir.clone(),
        config.folder_indexes(),
        config.data_dir.join("roots.json"),
    );
    own.queue_size = config.queue_size;
    own.capacity = config.capacity;
    own.limits = config.limits;
    own.worker.clone_from(&config.worker);
    own.memory = config.thumbs_memory;
    own.home_trash.clone_from(&config.home_trash);
    if let Some(workers) = config.workers {
        own.workers = workers;
    }
    let pictures = Pictures::open(own, clock, entropy)?;
    for path in &config.allow {
        let refused = |source| StartError::Allow {
            path: path.clone(),
            source,
        };
        pictures.roots().allow_for_session(path).map_err(refused)?;
    }
    Ok(pictures)
}
