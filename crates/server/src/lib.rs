//! The embedded HTTP server, and the only crate that assembles the application from its parts.
//!
//! [`App`] is the application without a user interface. The shell, `fumi serve`, the offline commands and the
//! tests all start from [`App::open`]. [`serve()`] serves it at an address.

mod acting_user;
mod activity;
mod address;
mod albums;
mod app;
mod auth;
mod backups;
mod blocking;
mod commands;
mod config;
mod connections;
mod damaged_data;
mod duplicates;
mod error;
mod etag;
mod events;
mod expiry;
mod folder_records;
mod found_pictures;
mod frame;
mod grants;
mod guard;
mod held_body;
mod identity;
mod imports;
mod inline_work;
mod job_runner;
mod jobs;
mod limiters;
mod listen;
mod local;
mod local_socket;
mod logging;
mod metrics_key;
mod mirror;
mod names;
mod openapi;
mod operations;
mod part;
mod picture_sizes;
mod picture_tags;
mod pipe;
mod rest_api;
mod rotating_log;
mod router;
mod serve;
mod services;
mod shares;
mod start;
mod static_files;
mod stopping;
mod vision;
mod window_state;

pub use address::Address;
pub use app::App;
pub use auth::Client;
pub use commands::{Commands, commands_table};
pub use config::{
    Config, ConfigError, LimiterConfig, Listen, Overrides, Secret, VisionConfig, VisionDialect,
    VisionFile,
};
pub use connections::PeerUser;
pub use damaged_data::{replace_damaged_data, restorable_backups};
pub use error::{ArchiveFault, ErrorBody, ErrorCode, HashNameFault, QueryFault, UndoConflict};
pub use events::HashesFound;
pub use frame::SystemFont;
pub use fumikura_image::Limits;
pub use fumikura_limits::Limits as RateLimits;
pub use fumikura_thumbs::{Capacity, WorkerConfig, WorkerLimits};
pub use fumikura_wiki::ListedBackup;
pub use identity::{ServerFile, find_running};
pub use jobs::StartedJob;
pub use listen::{BoundListener, bind};
pub use local::{LocalAnswer, LocalClient};
pub use local_socket::LocalEndpoint;
pub use logging::{LOG_FILTER, start_logging, start_logging_to};
pub use openapi::document as openapi_document;
pub use operations::{
    AddedFile, AssetAddPicture, AssetPaste, FileToSave, HashName, PlaceInRoot, WholeWiki,
};
pub use rotating_log::RotatingLog;
pub use serve::{ANSWERING_THREADS, RunningServer, serve};
pub use services::{DesktopWindow, Hashes, LocalFiles, PageFiles};
pub use start::{StartError, StartFault};
pub use window_state::{WindowTab, WindowTabs, ZoomChange};

/// Parsers of the server, for the properties that fuzz targets check.
#[doc(hidden)]
pub mod fuzzing {
    pub use crate::config::read_config;
    pub use crate::rest_api::read_query;
}
