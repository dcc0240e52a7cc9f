//! The state of the service that describes pictures.

use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use super::answers::Answers;
use super::configured::Configured;

/// The settings, the service and the stored answers.
pub(crate) struct Vision {
    pub(super) answers: Answers,
    pub(super) settings_file: PathBuf,
    /// Built at the first use, and rebuilt after the settings have changed.
    configured: Mutex<Option<Arc<Configured>>>,
}

impl Vision {
    /// Creates the state for a data folder.
    pub(crate) fn new(data: &std::path::Path) -> Self {
        Self {
            answers: Answers::new(data.join("vision")),
            settings_file: data.join("vision.json"),
            configured: Mutex::default(),
        }
    }

    pub(super) fn configured(&self) -> MutexGuard<'_, Option<Arc<Configured>>> {
        self.configured.lock()
    }
}
