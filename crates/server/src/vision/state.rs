//! The state of the service that describes pictures.

use std::path::PathBuf;
use std::sync::Arc;

use fumikura_vision::AnswerStore;
use parking_lot::{Mutex, MutexGuard};

use super::configured_service::ConfiguredService;
use super::key::{KeyStore, SystemKeyring};
use crate::config::{Config, LimiterConfig, VisionConfig};
use crate::limiters::Limiters;

/// The settings, the service and the stored answers.
pub(crate) struct Vision {
    pub(super) config: VisionConfig,
    /// The limits of the configuration, which those of the settings replace for a local service.
    pub(super) limiter_config: LimiterConfig,
    pub(super) limiters: Arc<Limiters>,
    pub(super) answers: AnswerStore,
    pub(super) settings_file: PathBuf,
    pub(super) keys: Box<dyn KeyStore>,
    /// Held while the settings are changed, so that a change is checked against those that it replaces.
    pub(super) changing: Mutex<()>,
    /// Built at the first use, and rebuilt after the settings have changed.
    service: Mutex<Option<Arc<ConfiguredService>>>,
}

impl Vision {
    /// Creates the state, and applies the limits of the settings.
    pub(crate) fn open(config: &Config, limiters: &Arc<Limiters>) -> Self {
        let data = &config.data_dir;
        let vision = Self {
            config: config.vision.clone(),
            limiter_config: config.limiter.clone(),
            limiters: Arc::clone(limiters),
            answers: AnswerStore::new(data.join("vision")),
            settings_file: data.join("vision.json"),
            keys: Box::new(SystemKeyring),
            changing: Mutex::default(),
            service: Mutex::default(),
        };
        if let Err(error) = vision.apply_limits() {
            // A damaged file of settings is reported where they are shown.
            let message = &error.body().message;
            tracing::warn!("the limits of the settings are not used: {message}");
        }
        vision
    }

    /// Returns true if the service has been built, so that no service need be asked for its models.
    pub(super) fn has_service(&self) -> bool {
        self.service.lock().is_some()
    }

    pub(super) fn built_service(&self) -> MutexGuard<'_, Option<Arc<ConfiguredService>>> {
        self.service.lock()
    }
}
