//! Each kind of picture in the worker's decoder: upright, in its colours, and damaged in every way.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails fails the test that called it"
)]

mod animated;
mod avif;
mod cases;
mod damage;
mod harness;
mod heif;
mod jpeg;
mod jxl;
mod lossy_formats;
mod raw;
mod scene;
mod svg;
mod tiff;
mod vips;
mod webp;
