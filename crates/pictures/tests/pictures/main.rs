//! The crate from outside: real folders, real pictures, real threads.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod access;
mod beneath;
mod damage;
mod engine;
mod growing;
mod headers;
mod house;
mod listing;
mod marks;
mod orientation;
mod original;
mod pictures;
mod placeholders;
mod roots;
mod samples;
mod sidecars;
mod startup;
mod survey;
mod versions;
