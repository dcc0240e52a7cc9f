//! The past of a page: its revisions, what they changed, and going back to them (wiki.md §8 to §10).

mod text;

pub use text::{DiffLine, Hunk, LineEnd, LineKind, Part, TextDiff};
