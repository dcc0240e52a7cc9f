//! The wiki as one value: the database, the time and the randomness that its operations use.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;

use crate::assets::{self, AssetFiles, Sizes};
use crate::id::AssetId;
use crate::journals::NextLook;
use crate::locks::{LockTime, Moment};
use crate::model::change::Change;
use crate::search::Index;
use crate::store::{OpenError, Store};
use crate::upgrade;

/// How to open a wiki.
#[derive(Debug, Clone)]
pub struct WikiConfig {
    /// The database's file; made if it is not there.
    pub database: PathBuf,
    /// The folder of the files that belong to pages; made when there is one.
    pub assets: PathBuf,
    /// How large such a file may be, in bytes.
    pub asset_limit: u64,
    /// How long a lock lasts from its token's time: 5 minutes by docs/spec/wiki.md, Locks.
    pub lock_ttl: Duration,
    /// How long to try while another process has the database.
    pub patience: Duration,
}

impl WikiConfig {
    /// How long a lock lasts unless it is renewed (docs/spec/wiki.md, Locks).
    pub const LOCK_TTL: Duration = Duration::from_secs(5 * 60);
    /// How large a file may be unless told: 100 MiB.
    pub const ASSET_LIMIT: u64 = 100 * 1024 * 1024;
    /// How long a start tries to get at data that another process has.
    pub const PATIENCE: Duration = Duration::from_secs(5);
}

/// An open wiki. Its methods may be called from any thread; writes wait for one another.
pub struct Wiki {
    pub(crate) store: Store,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) lock_ttl: Duration,
    pub(crate) asset_files: AssetFiles,
    pub(crate) asset_limit: u64,
    /// How large the files are, read when somebody first asks.
    pub(crate) asset_sizes: Sizes,
    lock_time: LockTime,
    /// When the ends of unsaved texts are looked through again.
    pub(crate) next_look: NextLook,
    /// What all pages are called, read at the first search.
    pub(crate) names: RwLock<Index>,
}

impl Wiki {
    /// Opens the wiki, making an empty one if there is none.
    ///
    /// # Errors
    /// [`OpenError`] says why the database can't be used; its file is then untouched.
    pub fn open(
        config: &WikiConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenError> {
        let path = &config.database;
        let look = assets::look_before_sweep;
        let store = Store::open(path, config.patience, look, upgrade::upgrade)?;
        let wiki = Self::over(store, config, clock, entropy);
        assets::sweep(&wiki.store, &wiki.asset_files)
            .map_err(|source| OpenError::failure(path, source))?;
        Ok(wiki)
    }

    /// The wiki that is kept in `store`. Files that a crash left over are still there.
    pub(crate) fn over(
        store: Store,
        config: &WikiConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Self {
        let asset_files = AssetFiles::new(config.assets.clone());
        let files = asset_files.clone();
        Self {
            store: store.unlinking(move |id| files.unlink(AssetId::from_bytes(*id))),
            asset_files,
            asset_limit: config.asset_limit,
            asset_sizes: Sizes::default(),
            lock_time: LockTime::new(&*clock, config.lock_ttl),
            clock,
            entropy,
            lock_ttl: config.lock_ttl,
            names: RwLock::default(),
            next_look: NextLook::default(),
        }
    }

    /// The same wiki, with someone who is told what changes: once for each commit that changed
    /// something that others may be looking at, in the order of the commits. `tell` is called before
    /// the next change can begin: it must be quick, and must not change the wiki.
    #[must_use]
    pub fn telling(self, tell: impl Fn(Vec<Change>) + Send + Sync + 'static) -> Self {
        Self {
            store: self.store.telling(tell),
            ..self
        }
    }

    /// Now, as far as locks are concerned.
    pub(crate) fn moment(&self) -> Moment {
        self.lock_time.look(&*self.clock)
    }
}
