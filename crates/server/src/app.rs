//! The application without a user interface: all its parts, opened from one configuration.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use fumikura_base::clock::{Clock, SystemClock};
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::{Entropy, SystemEntropy, random_bytes};
use fumikura_base::exposure;
use fumikura_expiry::Expiry;
use fumikura_pictures::{OpenError as PicturesError, Pictures, PicturesEvent};
use fumikura_searcher::Search;
use fumikura_thumbs::move_cache;
use fumikura_watch::Watcher;
use fumikura_wiki::{BackupFolder, User, Wiki, WikiConfig};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use crate::acting_user::ActingUser;
use crate::activity::Activity;
use crate::address::Address;
use crate::auth::{Auth, Client, LoginClient, OwnHost};
use crate::config::{Config, Secret, cache_folder_moved};
use crate::error::{ApiError, ErrorBody};
use crate::events::{Event, EventHub};
use crate::expiry;
use crate::frame::SystemFont;
use crate::grants::Grants;
use crate::identity::ServerFile;
use crate::inline_work::InlineWork;
use crate::jobs::Jobs;
use crate::limiters::Limiters;
use crate::metrics_key::MetricsKey;
use crate::operations::HashFolders;
use crate::picture_sizes::PictureSizes;
use crate::shares::Shares;
use crate::start::StartError;
use crate::vision::Vision;
use crate::window_state::WindowState;

/// The application. The shell, `fumi serve`, the offline commands and the tests all start from it.
pub struct App {
    pub(crate) config: Config,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) watcher: Watcher,
    pub(crate) picture_sizes: PictureSizes,
    pub(crate) events: Arc<EventHub>,
    pub(crate) grants: Grants,
    pub(crate) jobs: Jobs,
    pub(crate) hashes: HashFolders,
    pub(crate) activity: Activity,
    pub(crate) auth: Auth,
    pub(crate) limiters: Arc<Limiters>,
    pub(crate) shares: Shares,
    pub(crate) vision: Arc<Vision>,
    pub(crate) expiry: Arc<Expiry>,
    /// Notified if there may be artifacts to remove.
    pub(crate) cleanup_pending: Arc<Notify>,
    pub(crate) metrics_key: MetricsKey,
    pub(crate) window_state: WindowState,
    pub(crate) search: Arc<Search>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) acting: Arc<ActingUser>,
    instance: String,
    system_font: OnceLock<SystemFont>,
    stopping: watch::Sender<bool>,
    pub(crate) inline_work: InlineWork,
    cache_changed: Arc<Notify>,
    /// The folder of the thumbnails from the next launch on.
    pub(crate) next_cache_folder: Mutex<Option<PathBuf>>,
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
        let instance = hex::encode(random_bytes::<16>(&*entropy));
        let events = Arc::new(EventHub::new(&instance));
        let wiki = Wiki::open(&wiki_config, Arc::clone(&clock), Arc::clone(&entropy))?;
        // The data is locked by now, so no other process is making a backup.
        let backups = config.backups();
        if let Err(error) = BackupFolder::sweep(&backups) {
            tracing::warn!("{} can't be swept: {error}", backups.display());
        }
        let search = Arc::new(Search::new(config.search()));
        let (noted, hub) = (Arc::clone(&search), Arc::clone(&events));
        let wiki = wiki.on_change(move |changes| {
            noted.note(&changes);
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
        let limiters = Arc::new(Limiters::new(config.limiter.clone(), &clock, &entropy));
        let app = Self {
            events,
            auth: Auth::new(&*entropy),
            vision: Arc::new(Vision::open(&config, &limiters)),
            metrics_key: MetricsKey::new(&config.data_dir),
            window_state: WindowState::open(&config.data_dir),
            expiry,
            cleanup_pending,
            search,
            limiters,
            shares: Shares::new(pictures.thumbs().stats().workers),
            grants: Grants::default(),
            jobs: Jobs::default(),
            hashes: HashFolders::new(config.hashes()),
            activity: Activity::default(),
            wiki,
            acting: Arc::new(acting),
            pictures,
            watcher,
            picture_sizes: PictureSizes::default(),
            config,
            clock,
            entropy,
            instance,
            system_font: OnceLock::new(),
            stopping: watch::Sender::new(false),
            inline_work: InlineWork::new(),
            cache_changed,
            next_cache_folder: Mutex::default(),
        };
        Ok(Arc::new(app))
    }

    /// Returns the launch's id, which `/healthz` reports.
    #[must_use]
    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// Sets the font of the desktop's user interface, for pages from now on. Only the first call has an
    /// effect.
    pub fn set_system_font(&self, font: SystemFont) {
        self.system_font.get_or_init(|| font);
    }

    pub(crate) fn system_font(&self) -> Option<&SystemFont> {
        self.system_font.get()
    }

    /// Returns the launch's Bearer token, which is a secret.
    #[must_use]
    pub fn bearer(&self) -> &str {
        self.auth.bearer().expose()
    }

    /// Returns the contents of `server.json` while the application is served at this address.
    pub(crate) fn server_file(&self, address: &Address) -> ServerFile {
        ServerFile {
            url: address.base(),
            token: self.bearer().to_owned(),
            instance: self.instance.clone(),
        }
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

    /// Returns the key of the thumbnail server's two endpoints.
    pub(crate) fn secret(&self) -> Option<&Secret> {
        self.config.secret.as_ref()
    }

    /// Returns a new address that admits a browser once. `base` is the server's own address with a trailing
    /// slash.
    #[must_use]
    pub fn login_url(&self, base: &str) -> String {
        self.login_url_for(LoginClient::Browser, base)
    }

    /// Returns a login address as [`App::login_url`] does, for a window of this launch. The session ends with
    /// the launch.
    #[must_use]
    pub fn entrance(&self, base: &str) -> (String, Client) {
        let client = Client::default();
        let login_client = LoginClient::Client(client.clone());
        (self.login_url_for(login_client, base), client)
    }

    fn login_url_for(&self, login_client: LoginClient, base: &str) -> String {
        let now = self.clock.now();
        let token = self.auth.new_login(login_client, now, &*self.entropy);
        format!("{base}login?token={token}")
    }

    /// Grants a client the right to read a file or folder that the user chose in its window, or dropped on
    /// it. Returns an id, which the window's page sends back. The grant is valid for one use by this client.
    #[must_use]
    pub fn grant(&self, path: PathBuf, client: Client) -> String {
        self.grants.give(path, client, &*self.entropy)
    }

    /// Opens a folder that was named on the command line, and returns its root's id. Open pages are notified.
    ///
    /// # Errors
    /// The error of the REST interface, if the folder can't be read or stored.
    pub fn open_folder(&self, path: &Path) -> Result<String, Box<ErrorBody>> {
        let added = self.pictures.roots().add(path);
        let root = added.map_err(|error| Box::new(ApiError::from(error).into_body()))?;
        self.events.publish(Event::roots_changed(root.id()));
        Ok(root.id().to_string())
    }

    /// Returns the acting user.
    pub(crate) fn acting_user(&self) -> Result<User, ApiError> {
        self.acting.get()
    }

    /// Returns true if no request has arrived for this time, and no job is running.
    pub(crate) fn is_idle(&self, quiet: Duration) -> bool {
        self.activity.quiet_for(self.clock.monotonic()) >= quiet && !self.jobs.has_running()
    }

    /// Waits until the thumbnail cache has changed since the last call.
    pub(crate) async fn cache_changed(&self) {
        self.cache_changed.notified().await;
    }

    /// Starts the shutdown: event streams close, and no new work is accepted.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
        self.jobs.cancel_all();
        self.expiry.stop();
        self.search.stop();
    }

    /// Waits for the start of the shutdown.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.subscribe();
        // The sender lives in self, so waiting can't fail before the value arrives.
        let _closed = stopping.wait_for(|stopping| *stopping).await;
    }
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
    for path in [&config.data_dir, &config.cache_dir] {
        durable::create_folder(path, Access::Private).map_err(|source| StartError::Folder {
            path: path.clone(),
            source,
        })?;
    }
    Ok(())
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
