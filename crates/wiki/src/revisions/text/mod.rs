//! Differences between two texts: by line, and by word inside changed lines.

mod hunks;
mod lines;
mod window;
mod words;

pub use hunks::{DiffLine, Hunk, LineKind, Span, TextDiff};
pub use lines::LineEnd;

pub(crate) use hunks::diff;
