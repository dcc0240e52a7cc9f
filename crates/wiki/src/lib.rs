//! The wiki: pages and drafts with their revisions, edit locks, autosave entries, users, settings
//! and sessions, all in one redb database. Synchronous; independent of HTTP and windows.
//!
//! [`Wiki`] is the entry point; its parts ([`Pages`], [`Tree`] and so on) have the operations. Each is one transaction:
//! when it returns, either its changes are completely on the disk, or nothing has changed.

mod archive;
mod assets;
mod autosave;
mod backup;
mod catalogue;
mod check;
mod file_name;
#[cfg(test)]
mod fixture;
mod html;
mod id;
mod latest_text;
mod links;
mod locks;
mod markdown;
mod migration;
mod mirror;
mod model;
mod open;
mod page_names;
mod pages;
mod parts;
mod past;
mod path;
mod pins;
#[cfg(test)]
mod power_failure_tests;
mod properties;
mod reorganize;
mod repair;
mod repository;
mod revisions;
mod search;
mod sessions;
mod settings;
mod size;
mod store;
mod temp_names;
mod tree;
mod tree_view;
mod user_pages;
mod users;
mod visited_folders;
mod visits;
mod wiki;

// Each module declares its own public items.
pub use archive::*;
pub use assets::*;
pub use autosave::*;
pub use backup::*;
pub use catalogue::*;
pub use check::*;
pub use file_name::*;
pub use id::*;
pub use links::*;
pub use locks::*;
pub use migration::*;
pub use mirror::*;
pub use model::asset::*;
pub use model::autosave::*;
pub use model::change::*;
pub use model::lock::*;
pub use model::migration::*;
pub use model::page::*;
pub use model::session::*;
pub use model::settings::*;
pub use model::user::*;
pub use pages::*;
pub use parts::*;
pub use past::*;
pub use path::*;
pub use pins::*;
pub use properties::*;
pub use reorganize::*;
pub use repair::*;
pub use revisions::*;
pub use search::*;
pub use sessions::*;
pub use size::*;
pub use store::*;
pub use tree::*;
pub use tree_view::*;
pub use user_pages::*;
pub use users::*;
pub use visited_folders::*;
pub use wiki::*;
