//! Recording and verifying real files.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod fixture;
mod folders;
mod links;
mod lists;
mod records;
mod repair;
mod states;
mod stored_files;
mod unreachable;
