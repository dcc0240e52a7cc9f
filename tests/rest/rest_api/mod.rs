//! The REST API.

mod assets;
mod autosave;
mod backup;
mod cache;
mod check;
mod events;
mod export;
mod files;
mod hashes;
mod healthz;
mod import;
mod jobs;
mod limits;
mod locks;
mod long_paths;
mod marks;
mod metrics;
mod pages;
mod pictures;
mod search;
mod settings;
mod shares;
mod ttl;
mod users;
mod vision;
mod visited_folders;
