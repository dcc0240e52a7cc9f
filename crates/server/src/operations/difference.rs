//! The DTO of a difference between two revisions of a page.

use fumikura_wiki::{Hunk, PageDiff, RevisionWithPath, TextDiff};
use serde::Serialize;
use utoipa::ToSchema;

use super::RevisionInfoDto;

/// The difference from one revision to another, newer or older. Links are shown as they are now.
#[derive(Serialize, ToSchema)]
#[schema(as = PageDiff)]
pub(crate) struct Difference {
    from: RevisionInfoDto,
    to: RevisionInfoDto,
    /// The revisions between the two that changed the page's path, oldest first: after the older one, up to
    /// the newer one.
    rename: Vec<RevisionInfoDto>,
    /// The changes of the text, in order; empty if the texts are equal.
    hunks: Vec<Hunk>,
    /// The total number of added lines.
    added: usize,
    /// The total number of removed lines.
    removed: usize,
    /// True if the search for equal lines was cut short, so that more lines than necessary may be marked as
    /// changed.
    approximate: bool,
    /// True if changes were left out because there are too many to show.
    truncated: bool,
}

impl From<PageDiff> for Difference {
    fn from(diff: PageDiff) -> Self {
        let revision = |RevisionWithPath { info, path }| RevisionInfoDto::new(info, &path);
        let TextDiff {
            hunks,
            added,
            removed,
            approximate,
            truncated,
        } = diff.text;
        Self {
            from: revision(diff.from),
            to: revision(diff.to),
            rename: diff.renames.into_iter().map(revision).collect(),
            hunks,
            added,
            removed,
            approximate,
            truncated,
        }
    }
}
