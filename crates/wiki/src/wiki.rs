//! The open wiki: the database, and the clock and entropy that its operations use.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use parking_lot::RwLock;

use crate::assets::{AssetFiles, Sizes};
use crate::autosave::NextScan;
use crate::id::AssetId;
use crate::locks::{LockTime, Moment};
use crate::model::change::Change;
use crate::search::Index;
use crate::store::Store;

/// The configuration of a wiki.
#[derive(Debug, Clone)]
pub struct WikiConfig {
    /// The database file. It is created if it does not exist.
    pub database: PathBuf,
    /// The folder of the files that belong to pages. It is created for the first file.
    pub assets: PathBuf,
    /// The maximum size of such a file, in bytes.
    pub asset_limit: u64,
    /// The lifetime of a lock from its token's time: 5 minutes by docs/spec/wiki.md, Locks.
    pub lock_ttl: Duration,
    /// The time to retry while another process holds the database.
    pub open_timeout: Duration,
}

impl WikiConfig {
    /// The lifetime of a lock unless it is renewed (docs/spec/wiki.md, Locks).
    pub const LOCK_TTL: Duration = Duration::from_secs(5 * 60);
    /// The default maximum size of a file: 100 MiB.
    pub const ASSET_LIMIT: u64 = 100 * 1024 * 1024;
    /// The time for which a start retries to open data that another process holds.
    pub const OPEN_TIMEOUT: Duration = Duration::from_secs(5);
}

/// An open wiki. Its methods may be called from any thread; writes wait for one another. Those of pages are its
/// own; [`Locks`], [`Assets`], [`Autosave`] and [`Sessions`] have the others.
pub struct Wiki {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) lock_ttl: Duration,
    pub(crate) asset_files: AssetFiles,
    pub(crate) asset_limit: u64,
    /// The sizes of the files, read on first use.
    pub(crate) asset_sizes: Sizes,
    lock_time: LockTime,
    /// Decides when to scan for old tombstones of autosave entries.
    pub(crate) next_scan: NextScan,
    /// The names of all pages, read at the first search.
    pub(crate) names: RwLock<Index>,
}

/// The locks of pages.
#[derive(Clone, Copy)]
pub struct Locks<'w>(pub(crate) &'w Wiki);

/// The files of pages.
#[derive(Clone, Copy)]
pub struct Assets<'w>(pub(crate) &'w Wiki);

/// The autosave entries of users.
#[derive(Clone, Copy)]
pub struct Autosave<'w>(pub(crate) &'w Wiki);

/// The sessions of browsers.
#[derive(Clone, Copy)]
pub struct Sessions<'w>(pub(crate) &'w Wiki);

impl Wiki {
    /// Returns the locks of its pages.
    #[must_use]
    pub fn locks(&self) -> Locks<'_> {
        Locks(self)
    }

    /// Returns the files of its pages.
    #[must_use]
    pub fn assets(&self) -> Assets<'_> {
        Assets(self)
    }

    /// Returns the autosave entries of its users.
    #[must_use]
    pub fn autosave(&self) -> Autosave<'_> {
        Autosave(self)
    }

    /// Returns the sessions of browsers.
    #[must_use]
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions(self)
    }

    /// The wiki in `store`. Files that a crash left behind are not swept yet.
    pub(crate) fn with_store(
        store: Store,
        config: &WikiConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let asset_files = AssetFiles::new(config.assets.clone());
        let files = asset_files.clone();
        Self {
            store: store.with_unlink(move |id| files.unlink(AssetId::from_bytes(*id))),
            asset_files,
            asset_limit: config.asset_limit,
            asset_sizes: Sizes::default(),
            lock_time: LockTime::new(&*clock, config.lock_ttl),
            clock,
            entropy,
            lock_ttl: config.lock_ttl,
            names: RwLock::default(),
            next_scan: NextScan::default(),
        }
    }

    /// Returns the same wiki with an observer of changes. `report` is called once for each commit with
    /// a change that other users may see, in the order of the commits. The next change can't begin
    /// before it returns: it must be quick, and must not change the wiki.
    #[must_use]
    pub fn on_change(self, report: impl Fn(Vec<Change>) + Send + Sync + 'static) -> Self {
        Self {
            store: self.store.with_observer(report),
            ..self
        }
    }

    /// The current moment for locks.
    pub(crate) fn moment(&self) -> Moment {
        self.lock_time.moment(&*self.clock)
    }
}
