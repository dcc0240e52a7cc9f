//! The past of a page: its revisions, their differences, rollback and removal (docs/spec/wiki.md, History and
//! differences).

mod compact;
mod difference;
mod error;
mod history;
mod list;
mod rollback;
mod text;
mod wording;

pub use difference::{PageDiff, RevisionWithPath};
pub use error::HistoryError;
pub use list::{ListedRevision, RevisionList};
pub use rollback::RollbackOutcome;
pub use text::{DiffLine, Hunk, LineEnd, LineKind, Span, TextDiff};
pub use wording::Wording;

pub(crate) use rollback::roll_back;
pub(crate) use text::diff as diff_texts;
