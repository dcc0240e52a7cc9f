//! The wiki as its callers see it.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

mod assets;
mod children;
mod journals;
mod links;
mod listing;
mod locks;
mod past;
mod saving;
mod sleeping;
mod support;
mod users;
