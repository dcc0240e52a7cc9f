//! Tests of the public interface, with real folders, real pictures and real threads.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod access;
mod cache_files;
mod covers;
mod crop;
mod damage;
mod dates;
mod duplicate_proposals;
mod duplicates;
mod engine;
mod export;
mod failure_log;
mod headers;
mod incremental_listing;
mod joined_files;
mod listing;
mod orientation;
mod original;
mod pictures;
mod placeholders;
mod programs;
mod recursive_listing;
mod roots;
mod samples;
mod sidecars;
mod similar;
mod startup;
mod tags;
mod test_app;
mod versions;
mod videos;
