//! The DTO of a difference between two revisions of a page.

use fumikura_wiki::{
    DiffLine, Hunk, LineEnd, LineKind, PageDiff, RevisionWithPath, Span, TextDiff,
};
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
    hunks: Vec<HunkDto>,
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

/// Neighbouring changes, with three lines of context around them.
#[derive(Serialize, ToSchema)]
#[schema(as = Hunk)]
struct HunkDto {
    /// The number of its first line in the old text, from 1; 0 if it has no lines of the old text.
    old_start: usize,
    /// The number of its lines in the old text.
    old_lines: usize,
    /// The number of its first line in the new text, from 1; 0 if it has no lines of the new text.
    new_start: usize,
    /// The number of its lines in the new text.
    new_lines: usize,
    /// Its lines. Within a change, removed lines come before added ones.
    lines: Vec<DiffLineDto>,
}

/// A line of a hunk.
#[derive(Serialize, ToSchema)]
#[schema(as = DiffLine)]
struct DiffLineDto {
    kind: LineKindDto,
    /// Its number in the old text, from 1; null if it is not in that text.
    old: Option<usize>,
    /// Its number in the new text, from 1; null if it is not in that text.
    new: Option<usize>,
    /// The contents in pieces; empty for an empty line.
    spans: Vec<SpanDto>,
    end: LineEndDto,
}

/// The kind of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = LineKind)]
#[serde(rename_all = "snake_case")]
enum LineKindDto {
    /// In both texts.
    Context,
    /// Only in the old text.
    Removed,
    /// Only in the new text.
    Added,
}

/// A piece of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = DiffSpan)]
struct SpanDto {
    text: String,
    /// True if the other text has no counterpart.
    changed: bool,
}

/// The end of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = LineEnd)]
#[serde(rename_all = "snake_case")]
enum LineEndDto {
    /// A line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
    /// A carriage return alone.
    Cr,
    /// The end of the text, without a line ending.
    None,
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
            hunks: hunks.into_iter().map(HunkDto::from).collect(),
            added,
            removed,
            approximate,
            truncated,
        }
    }
}

impl From<Hunk> for HunkDto {
    fn from(hunk: Hunk) -> Self {
        Self {
            old_start: hunk.old_start,
            old_lines: hunk.old_lines,
            new_start: hunk.new_start,
            new_lines: hunk.new_lines,
            lines: hunk.lines.into_iter().map(DiffLineDto::from).collect(),
        }
    }
}

impl From<DiffLine> for DiffLineDto {
    fn from(line: DiffLine) -> Self {
        let span = |Span { text, changed }| SpanDto { text, changed };
        Self {
            kind: match line.kind {
                LineKind::Context => LineKindDto::Context,
                LineKind::Removed => LineKindDto::Removed,
                LineKind::Added => LineKindDto::Added,
            },
            old: line.old,
            new: line.new,
            spans: line.spans.into_iter().map(span).collect(),
            end: match line.end {
                LineEnd::Lf => LineEndDto::Lf,
                LineEnd::CrLf => LineEndDto::Crlf,
                LineEnd::Cr => LineEndDto::Cr,
                LineEnd::None => LineEndDto::None,
            },
        }
    }
}
