//! Real processes: killed at any moment, ended, started twice, on full disks.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod cached_thumbnail;
mod commands;
mod connections;
mod durability;
mod expired_locks;
mod expiry;
mod exports;
mod file_operations;
mod folder_listing;
mod full_disk;
mod hash;
mod json_output;
mod kill;
mod large_cache;
mod large_folder;
mod limits;
mod local_socket;
mod mcp;
mod mirror_folder;
mod own_files;
mod ratings;
mod read_only;
mod search_index;
mod secrets;
mod server_file;
mod several_servers;
mod shared_cache;
mod shutdown;
mod socket;
mod startup;
mod strangers;
mod support;
mod terminal;
mod tokens;
mod uploads;
mod workers;
