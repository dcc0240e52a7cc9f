//! The HTTP API, driven in-process: each file corresponds to a part of the server's.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod connection;
mod entry;
mod errors;
mod frame;
mod guard;
mod openapi;
mod operations;
mod rest_api;
mod static_files;
mod support;
mod transports;
