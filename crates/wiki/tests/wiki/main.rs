//! Tests of the wiki's public interface.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

mod all_assets;
mod archive_round_trip;
mod archive_support;
mod assets;
mod autosave;
mod backup;
mod changes;
mod children;
mod delete;
mod expired_drafts;
mod export;
mod free_file_names;
mod full_archive;
mod history;
mod history_links;
mod import;
mod invalid_archives;
mod linked_titles;
mod links;
mod list;
mod locks;
mod long_history;
mod mirror;
mod mirror_model;
mod mirror_support;
mod page_assets;
mod past;
mod past_steps;
mod pathological_texts;
mod pins;
mod property_links;
mod recent_folders;
mod recent_pages;
mod rename;
mod rename_drafts;
mod restore;
mod restore_elsewhere;
mod save;
mod search;
mod sessions;
mod sleep;
mod support;
mod trash;
mod trash_links;
mod tree_support;
mod users;
