//! The services: work of several parts, each with the parts that it needs. Their methods are in the modules of the work.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use fumikura_albums::Albums;
use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use fumikura_expiry::Expiry;
use fumikura_pictures::Pictures;
use fumikura_searcher::Search;
use fumikura_watch::Watcher;
use fumikura_wiki::Wiki;
use parking_lot::Mutex;

use crate::acting_user::ActingUser;
use crate::activity::Activity;
use crate::auth::Auth;
use crate::config::Config;
use crate::events::EventHub;
use crate::frame::SystemFont;
use crate::grants::Grants;
use crate::inline_work::InlineWork;
use crate::job_runner::JobRunner;
use crate::limiters::Limiters;
use crate::metrics_key::MetricsKey;
use crate::mirror::Mirroring;
use crate::operations::HashFolders;
use crate::picture_sizes::PictureSizes;
use crate::rest_api::RequestedBackup;
use crate::shares::Shares;
use crate::stopping::Stopping;
use crate::vision::Vision;
use crate::window_state::WindowState;

/// Backups of the wiki, and of the list of roots.
pub(crate) struct Backup {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) albums: Arc<Albums>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) config: Arc<Config>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    /// Held while a backup is copied to the second place.
    pub(crate) copying: Mutex<()>,
    pub(crate) requested: Mutex<Option<RequestedBackup>>,
}

/// Checks of everything that is stored, and its repair.
pub(crate) struct Checker {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) search: Arc<Search>,
    pub(crate) expiry: Arc<Expiry>,
    pub(crate) mirroring: Arc<Mirroring>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) config: Arc<Config>,
}

/// Asks the service about pictures.
pub(crate) struct Describer {
    pub(crate) vision: Arc<Vision>,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) shares: Arc<Shares>,
    pub(crate) clock: Arc<dyn Clock>,
}

/// The state of the desktop window, with what its last view shows.
pub struct DesktopWindow {
    pub(crate) state: WindowState,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
}

/// Runs file operations as jobs, and publishes the changed folders.
pub(crate) struct FileOperations {
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) events: Arc<EventHub>,
}

/// The parts of the application that a frame shows.
pub(crate) struct FrameParts {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) picture_sizes: Arc<PictureSizes>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) system_font: OnceLock<SystemFont>,
}

/// The operations on hash records, with the parts of the application that they need.
pub struct Hashes {
    pub(crate) folders: HashFolders,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) shares: Arc<Shares>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) activity: Arc<Activity>,
    pub(crate) clock: Arc<dyn Clock>,
    /// The folder of the wiki's files.
    pub(crate) assets: PathBuf,
}

/// Imports of archives.
pub(crate) struct Import {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) albums: Arc<Albums>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) config: Arc<Config>,
    pub(crate) stopping: Arc<Stopping>,
}

/// The identity of this launch.
pub(crate) struct Launch {
    pub(crate) instance: String,
    pub(crate) auth: Arc<Auth>,
}

/// Copies of the wiki's contents to files outside, and the places of pictures.
pub struct LocalFiles {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) albums: Arc<Albums>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) events: Arc<EventHub>,
    pub(crate) clock: Arc<dyn Clock>,
    /// The data folder, for temporary files.
    pub(crate) data: PathBuf,
}

/// The parts of the application that are measured, and the key to the metrics.
pub(crate) struct Metrics {
    pub(crate) key: MetricsKey,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) expiry: Arc<Expiry>,
    pub(crate) limiters: Arc<Limiters>,
    pub(crate) watcher: Arc<Watcher>,
    pub(crate) config: Arc<Config>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// Adds local files to pages.
pub struct PageFiles {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) acting: Arc<ActingUser>,
}

/// The parts of the application that are searched.
pub(crate) struct SearchedParts {
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) hashes: Arc<Hashes>,
}

/// Returns the route of `/login`, which is not part of the REST interface.
/// Signs browsers in and out.
pub(crate) struct SignIn {
    pub(crate) auth: Arc<Auth>,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) limiters: Arc<Limiters>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// Creates, lists and revokes access tokens.
pub(crate) struct TokenCare {
    pub(crate) auth: Arc<Auth>,
    pub(crate) wiki: Arc<Wiki>,
    pub(crate) acting: Arc<ActingUser>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
}

/// The thumbnail cache, and what changes its settings.
pub(crate) struct ThumbCache {
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) expiry: Arc<Expiry>,
    pub(crate) runner: Arc<JobRunner>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) config: Arc<Config>,
    /// The folder of the thumbnails from the next launch on.
    pub(crate) next_folder: Mutex<Option<PathBuf>>,
}

/// The thumbnails of pictures, and the records of their reads.
pub(crate) struct Thumbnails {
    pub(crate) pictures: Arc<Pictures>,
    pub(crate) expiry: Arc<Expiry>,
    pub(crate) inline_work: InlineWork,
}
