//! The open wiki: the database, and the clock and entropy that its operations use.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;
use jiff::Timestamp;
use parking_lot::RwLock;

use crate::assets::{AssetFiles, Sizes};
use crate::autosave::NextScan;
use crate::catalogue::CatalogueRows;
use crate::id::AssetId;
use crate::locks::LockTime;
use crate::model::change::Change;
use crate::parts::{
    Archives, Assets, Autosave, Backups, Catalogue, Links, Locks, Migrations, PageSearch, Pages,
    Reorganize, Revisions, Sessions, Tree, Users, Visits,
};
use crate::past::Past;
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

/// An open wiki. Its parts ([`Pages`], [`Tree`] and so on) have the operations; they may be called from any thread, and
/// writes wait for one another.
pub struct Wiki {
    pub(crate) store: Store,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    pub(crate) lock_time: LockTime,
    pub(crate) asset_files: AssetFiles,
    asset_limit: u64,
    /// The sizes of the files, read on first use.
    asset_sizes: Sizes,
    /// Decides when to scan for old tombstones of autosave entries.
    next_scan: NextScan,
    /// The names of all pages, read at the first search.
    names: RwLock<Index>,
    /// The tags and properties of all pages, read at the first query.
    catalogue: RwLock<CatalogueRows>,
}

impl Wiki {
    /// Returns the number of its changes since it was opened. A state that is read later has all of these.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.store.commits()
    }

    /// Returns its pages.
    #[must_use]
    pub fn pages(&self) -> Pages<'_> {
        Pages {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
            next_scan: &self.next_scan,
        }
    }

    /// Returns the wiki as of a moment.
    #[must_use]
    pub fn past(&self, at: Timestamp) -> Past<'_> {
        Past {
            store: &self.store,
            at,
        }
    }

    /// Returns the search of its pages by their names.
    #[must_use]
    pub fn search(&self) -> PageSearch<'_> {
        PageSearch {
            store: &self.store,
            names: &self.names,
        }
    }

    /// Returns the tags and properties of its pages.
    #[must_use]
    pub fn catalogue(&self) -> Catalogue<'_> {
        Catalogue {
            store: &self.store,
            rows: &self.catalogue,
        }
    }

    /// Returns the revisions of its pages.
    #[must_use]
    pub fn revisions(&self) -> Revisions<'_> {
        Revisions {
            store: &self.store,
            clock: &*self.clock,
            lock_time: &self.lock_time,
        }
    }

    /// Returns the links between its pages.
    #[must_use]
    pub fn links(&self) -> Links<'_> {
        Links {
            store: &self.store,
            lock_time: &self.lock_time,
        }
    }

    /// Returns the tree of its pages.
    #[must_use]
    pub fn tree(&self) -> Tree<'_> {
        Tree {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
        }
    }

    /// Returns the reorganization of its pages.
    #[must_use]
    pub fn reorganize(&self) -> Reorganize<'_> {
        Reorganize {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
            files: &self.asset_files,
        }
    }

    /// Returns the locks of its pages.
    #[must_use]
    pub fn locks(&self) -> Locks<'_> {
        Locks {
            store: &self.store,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
        }
    }

    /// Returns the files of its pages.
    #[must_use]
    pub fn assets(&self) -> Assets<'_> {
        Assets {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
            files: &self.asset_files,
            sizes: &self.asset_sizes,
            limit: self.asset_limit,
        }
    }

    /// Returns the export and import of its pages.
    #[must_use]
    pub fn archives(&self) -> Archives<'_> {
        Archives {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
            files: &self.asset_files,
            limit: self.asset_limit,
        }
    }

    /// Returns the imports from other programs.
    #[must_use]
    pub fn migrations(&self) -> Migrations<'_> {
        Migrations {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
            lock_time: &self.lock_time,
            files: &self.asset_files,
        }
    }

    /// Returns its backups.
    #[must_use]
    pub fn backups(&self) -> Backups<'_> {
        Backups {
            wiki: self,
            clock: &self.clock,
            entropy: &self.entropy,
            limit: self.asset_limit,
        }
    }

    /// Returns the autosave entries of its users.
    #[must_use]
    pub fn autosave(&self) -> Autosave<'_> {
        Autosave {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
        }
    }

    /// Returns its users.
    #[must_use]
    pub fn users(&self) -> Users<'_> {
        Users {
            store: &self.store,
            clock: &*self.clock,
            entropy: &*self.entropy,
        }
    }

    /// Returns the pages and folders that its users viewed last.
    #[must_use]
    pub fn visits(&self) -> Visits<'_> {
        Visits {
            store: &self.store,
            clock: &*self.clock,
            lock_time: &self.lock_time,
        }
    }

    /// Returns the sessions of browsers.
    #[must_use]
    pub fn sessions(&self) -> Sessions<'_> {
        Sessions {
            store: &self.store,
            clock: &*self.clock,
        }
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
            lock_time: LockTime::new(Arc::clone(&clock), config.lock_ttl),
            clock,
            entropy,
            names: RwLock::default(),
            catalogue: RwLock::default(),
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
}
