//! Tests of the wiki's public interface.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

mod all_assets;
mod archives;
mod assets;
mod assets_of_pages;
mod backing_up;
mod bin;
mod children;
mod dead_drafts;
mod deleting;
mod exporting;
mod free_names;
mod heavy_texts;
mod importing;
mod importing_bad;
mod importing_laws;
mod journals;
mod links;
mod listing;
mod locks;
mod long_past;
mod naming;
mod past;
mod past_links;
mod renaming;
mod renaming_drafts;
mod restoring;
mod restoring_elsewhere;
mod saving;
mod searching;
mod sessions;
mod sleeping;
mod support;
mod telling;
mod tree;
mod upgrading;
mod users;
mod visited_folders;
mod visits;
