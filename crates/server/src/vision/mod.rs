//! Descriptions of pictures: the configured service, the store of its answers, and the flow behind the rate
//! limiter. docs/VISION.md describes them.

mod answers;
mod error;
mod job;
mod key;
mod scan;
mod service;
mod settings;

pub(crate) use job::DescribeRequest;
pub(crate) use scan::{ScanRequest, ScanResult};
pub(crate) use settings::{VisionSettings, VisionState};

use std::path::PathBuf;
use std::sync::Arc;

use answers::Answers;
use parking_lot::{Mutex, MutexGuard};
use service::Configured;

/// The settings, the service and the stored answers.
pub(crate) struct Vision {
    answers: Answers,
    settings_file: PathBuf,
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

    fn configured(&self) -> MutexGuard<'_, Option<Arc<Configured>>> {
        self.configured.lock()
    }
}
