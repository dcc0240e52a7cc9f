//! Tests of both HTTP dialects against a local service, which checks requests field by field and fails in
//! every way.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

mod dialects;
mod faults;
mod log;
mod models;
mod requests;
mod server;
