//! What changed from one revision of a page to another, as it is sent.

use fumikura_wiki::{DiffLine, Hunk, LineEnd, LineKind, PageDiff, PlacedRevision, Span, TextDiff};
use serde::Serialize;
use utoipa::ToSchema;

use super::RevisionInfoDto;

/// What changed from one revision to another, newer or older. Links are shown as they stand now.
#[derive(Serialize, ToSchema)]
#[schema(as = PageDiff)]
pub struct Difference {
    from: RevisionInfoDto,
    to: RevisionInfoDto,
    /// The revisions between the two that gave the page another path, oldest first: after the older
    /// one, up to the newer one.
    rename: Vec<RevisionInfoDto>,
    /// The changes of the text, from its beginning to its end; none when the texts are equal.
    hunks: Vec<HunkDto>,
    /// How many lines were added, in all.
    added: usize,
    /// How many lines were removed, in all.
    removed: usize,
    /// Whether lines count as changed that a longer search would have found alike.
    approximate: bool,
    /// Whether changes were left out, as there are too many to show.
    truncated: bool,
}

/// Changes that lie close together, with three lines around them.
#[derive(Serialize, ToSchema)]
#[schema(as = Hunk)]
struct HunkDto {
    /// The number of its first line in the old text, from 1; 0 if it has none of it.
    old_start: usize,
    /// How many lines it has of the old text.
    old_lines: usize,
    /// The number of its first line in the new text, from 1; 0 if it has none of it.
    new_start: usize,
    /// How many lines it has of the new text.
    new_lines: usize,
    /// Its lines; of a change first those that were removed, then those that were added.
    lines: Vec<DiffLineDto>,
}

/// A line of a hunk.
#[derive(Serialize, ToSchema)]
#[schema(as = DiffLine)]
struct DiffLineDto {
    kind: LineKindDto,
    /// Its number in the old text, from 1; null when it is not there.
    old: Option<usize>,
    /// Its number in the new text, from 1; null when it is not there.
    new: Option<usize>,
    /// What it says, in pieces; none if it is empty.
    spans: Vec<SpanDto>,
    end: LineEndDto,
}

/// What became of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = LineKind)]
#[serde(rename_all = "snake_case")]
enum LineKindDto {
    /// It is in both texts.
    Context,
    /// It is in the old text alone.
    Removed,
    /// It is in the new text alone.
    Added,
}

/// A piece of a line.
#[derive(Serialize, ToSchema)]
#[schema(as = DiffSpan)]
struct SpanDto {
    text: String,
    /// Whether the other text has no counterpart of it.
    changed: bool,
}

/// How a line ends.
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
    /// The text ends here, without a line's end.
    None,
}

impl From<PageDiff> for Difference {
    fn from(diff: PageDiff) -> Self {
        let revision = |PlacedRevision { info, path }| RevisionInfoDto::new(info, &path);
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
