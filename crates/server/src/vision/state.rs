//! The state of the service that describes pictures.

use std::path::PathBuf;
use std::sync::Arc;

use fumikura_vision::AnswerStore;
use parking_lot::{Mutex, MutexGuard};

use super::configured_service::ConfiguredService;
use super::key::{KeyStore, SystemKeyring};

/// The settings, the service and the stored answers.
pub(crate) struct Vision {
    pub(super) answers: AnswerStore,
    pub(super) settings_file: PathBuf,
    pub(super) keys: Box<dyn KeyStore>,
    /// Held while the settings are changed, so that a change is checked against those that it replaces.
    pub(super) changing: Mutex<()>,
    /// Built at the first use, and rebuilt after the settings have changed.
    service: Mutex<Option<Arc<ConfiguredService>>>,
}

impl Vision {
    /// Creates the state for a data folder.
    pub(crate) fn new(data: &std::path::Path) -> Self {
        Self {
            answers: AnswerStore::new(data.join("vision")),
            settings_file: data.join("vision.json"),
            keys: Box::new(SystemKeyring),
            changing: Mutex::default(),
            service: Mutex::default(),
        }
    }

    /// Returns true if the service has been built, so that no service need be asked for its models.
    pub(super) fn has_service(&self) -> bool {
        self.service.lock().is_some()
    }

    pub(super) fn service(&self) -> MutexGuard<'_, Option<Arc<ConfiguredService>>> {
        self.service.lock()
    }
}
