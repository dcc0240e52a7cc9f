//! Descriptions of pictures: the configured service, and the flow behind the rate limiter. docs/VISION.md describes them.

mod configured_service;
mod error;
mod job;
mod key;
mod scan;
mod service;
mod settings;
mod state;

pub(crate) use job::DescribeRequest;
pub(crate) use scan::{ScanRequest, ScanResult};
pub(crate) use settings::{VisionSettings, VisionState};
pub(crate) use state::Vision;
