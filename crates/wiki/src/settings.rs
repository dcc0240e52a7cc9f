//! Reads and changes the settings.

use crate::model::change::Change;
use crate::model::settings::Settings;
use crate::store::{Read, SETTINGS, StorageError};
use crate::wiki::Wiki;

const NAME: &str = "settings";

impl Wiki {
    /// The current settings; the defaults if nothing was set.
    ///
    /// # Errors
    /// If the database fails, or the record is damaged.
    pub fn settings(&self) -> Result<Settings, StorageError> {
        self.store.read(read)
    }

    /// Changes the settings in one transaction and returns the new ones.
    ///
    /// # Errors
    /// If the database fails. The settings are then unchanged.
    pub fn change_settings<E: From<StorageError>>(
        &self,
        change: impl FnOnce(&mut Settings) -> Result<(), E>,
    ) -> Result<Settings, E> {
        self.store.write(|txn| {
            let mut settings = read(txn)?;
            change(&mut settings)?;
            let json = serde_json::to_string(&settings).expect("BUG: settings are plain JSON");
            txn.put(SETTINGS, NAME, &json)?;
            txn.report(Change::Settings);
            Ok(settings)
        })
    }
}

/// Reads the settings in a transaction.
pub(crate) fn read<R: Read>(txn: &R) -> Result<Settings, StorageError> {
    let Some(json) = txn.get(SETTINGS, NAME)? else {
        return Ok(Settings::default());
    };
    decode(&json).map_err(|error| StorageError::Damaged {
        table: "settings",
        reason: error.to_string(),
    })
}

/// Parses the record of the settings.
pub(crate) fn decode(json: &str) -> Result<Settings, serde_json::Error> {
    serde_json::from_str(json)
}
