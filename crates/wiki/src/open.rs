//! Opening the wiki: the database, and the files that a crash left behind.

use std::sync::Arc;

use fumikura_base::clock::Clock;
use fumikura_base::entropy::Entropy;

use crate::assets;
use crate::store::{OpenError, Store};
use crate::wiki::{Wiki, WikiConfig};

impl Wiki {
    /// Opens the wiki, or creates an empty one.
    ///
    /// # Errors
    /// [`OpenError`] if the database can't be used. Its file is then untouched.
    pub fn open(
        config: &WikiConfig,
        clock: Arc<dyn Clock>,
        entropy: Arc<dyn Entropy>,
    ) -> Result<Self, OpenError> {
        let path = &config.database;
        let store = Store::open(path, config.open_timeout, assets::check_before_sweep)?;
        let wiki = Self::with_store(store, config, clock, entropy);
        assets::sweep(&wiki.store, &wiki.asset_files)
            .map_err(|source| OpenError::failure(path, source))?;
        Ok(wiki)
    }
}
