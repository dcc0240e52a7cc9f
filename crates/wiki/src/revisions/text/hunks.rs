//! The changes of a text, in hunks with a few lines of context.

use std::ops::Range;
use std::time::{Duration, Instant};

use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline, group_diff_ops};

use super::lines::{Line, LineEnd, lines};
use super::window::{CONTEXT, window};
use super::words;

/// The time limit of the search for the smallest difference. After that, lines that are not known to be equal
/// count as changed.
const TIME: Duration = Duration::from_millis(500);
/// The maximum number of lines to compare on one side. With more lines, everything between the first and the
/// last change counts as changed.
const MAX_COMPARED: usize = 500_000;
/// The maximum number of lines in a difference.
const MAX_SHOWN: usize = 200_000;

/// The difference between two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextDiff {
    /// The changes, from the beginning of the text to its end.
    pub hunks: Vec<Hunk>,
    /// The total number of added lines.
    pub added: usize,
    /// The total number of removed lines.
    pub removed: usize,
    /// True if lines count as changed that a longer search might have found equal.
    pub approximate: bool,
    /// True if changes were omitted because there are too many to show.
    pub truncated: bool,
}

/// Neighbouring changes, with three lines of context around them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Hunk {
    /// The number of its first line in the old text, from 1; 0 if it has no lines of the old text.
    pub old_start: usize,
    /// The number of its lines in the old text.
    pub old_lines: usize,
    /// The number of its first line in the new text, from 1; 0 if it has no lines of the new text.
    pub new_start: usize,
    /// The number of its lines in the new text.
    pub new_lines: usize,
    /// Its lines. Within a change, removed lines come before added ones.
    pub lines: Vec<DiffLine>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct DiffLine {
    /// The kind of the line.
    pub kind: LineKind,
    /// Its number in the old text, from 1; null if it is not in that text.
    pub old: Option<usize>,
    /// Its number in the new text, from 1; null if it is not in that text.
    pub new: Option<usize>,
    /// The contents in pieces; empty for an empty line.
    pub spans: Vec<Span>,
    /// The line ending.
    pub end: LineEnd,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// It is in both texts.
    Context,
    /// It is only in the old text.
    Removed,
    /// It is only in the new text.
    Added,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = DiffSpan))]
pub struct Span {
    /// The text of the piece.
    pub text: String,
    /// True if it has no counterpart in the other text.
    pub changed: bool,
}

/// Compares two texts of any size in bounded time and space.
pub(crate) fn diff(old: &str, new: &str) -> TextDiff {
    diff_until(old, new, Instant::now() + TIME)
}

fn diff_until(old: &str, new: &str, deadline: Instant) -> TextDiff {
    let mut found = TextDiff {
        hunks: Vec::new(),
        added: 0,
        removed: 0,
        approximate: false,
        truncated: false,
    };
    let Some(window) = window(old, new) else {
        return found;
    };
    let line_diff = LineDiff::new(window.old, window.new, window.lines_before, deadline);
    found.approximate = line_diff.approximate;
    for op in &line_diff.ops {
        if is_change(op) {
            found.added += op.new_range().len();
            found.removed += op.old_range().len();
        }
    }
    let mut room = MAX_SHOWN;
    for group in group_diff_ops(line_diff.ops.clone(), CONTEXT) {
        if room == 0 {
            found.truncated = true;
            break;
        }
        let hunk = line_diff.hunk(&group, &mut room, &mut found.truncated);
        found.hunks.push(hunk);
    }
    found
}

/// Two texts, compared by line.
struct LineDiff<'t> {
    old: Vec<Line<'t>>,
    new: Vec<Line<'t>>,
    ops: Vec<DiffOp>,
    lines_before: usize,
    approximate: bool,
    deadline: Instant,
}

impl<'t> LineDiff<'t> {
    fn new(old: &'t str, new: &'t str, lines_before: usize, deadline: Instant) -> Self {
        let (counted_old, counted_new) = (lines(old).count(), lines(new).count());
        let few = counted_old.max(counted_new) <= MAX_COMPARED;
        // With too many lines, only those that will be shown are kept.
        let max = if few { MAX_COMPARED } else { MAX_SHOWN };
        let old: Vec<_> = lines(old).take(max).collect();
        let new: Vec<_> = lines(new).take(max).collect();
        let ops = if few {
            capture_diff_slices_deadline(Algorithm::Myers, &old, &new, Some(deadline))
        } else {
            vec![DiffOp::Replace {
                old_index: 0,
                old_len: counted_old,
                new_index: 0,
                new_len: counted_new,
            }]
        };
        Self {
            old,
            new,
            ops,
            lines_before,
            approximate: !few || Instant::now() > deadline,
            deadline,
        }
    }

    /// Returns the hunk of these operations, limited to `room` lines.
    fn hunk(&self, ops: &[DiffOp], room: &mut usize, truncated: &mut bool) -> Hunk {
        let (old_start, old_lines) = self.extent(ops, DiffOp::old_range);
        let (new_start, new_lines) = self.extent(ops, DiffOp::new_range);
        let mut hunk = Hunk {
            old_start,
            old_lines,
            new_start,
            new_lines,
            lines: Vec::new(),
        };
        for op in ops {
            let before = hunk.lines.len();
            if is_change(op) {
                self.show_change(op, *room, truncated, &mut hunk.lines);
            } else {
                self.show_context(op, *room, truncated, &mut hunk.lines);
            }
            *room -= hunk.lines.len() - before;
        }
        hunk
    }

    fn show_context(
        &self,
        op: &DiffOp,
        room: usize,
        truncated: &mut bool,
        out: &mut Vec<DiffLine>,
    ) {
        let pairs = op.old_range().zip(op.new_range());
        *truncated |= op.old_range().len() > room;
        for (old, new) in pairs.take(room) {
            out.push(DiffLine {
                kind: LineKind::Context,
                old: Some(self.number(old)),
                new: Some(self.number(new)),
                ..whole_line(&self.old[old], false)
            });
        }
    }

    fn show_change(&self, op: &DiffOp, room: usize, truncated: &mut bool, out: &mut Vec<DiffLine>) {
        let (old, new) = (op.old_range(), op.new_range());
        if old.len() + new.len() > room {
            *truncated = true;
        }
        // A change that does not fit shows lines of both sides.
        let old_shown = old.len().min(room.saturating_sub(new.len()).max(room / 2));
        let new_shown = new.len().min(room - old_shown);
        let (old_lines, new_lines) = (
            &self.old[old.start..old.start + old_shown],
            &self.new[new.start..new.start + new_shown],
        );
        let word_spans = match old.is_empty() || new.is_empty() || *truncated {
            true => None,
            false => words::word_spans(old_lines, new_lines, self.deadline),
        };
        let (old_spans, new_spans) = word_spans.unwrap_or_default();
        let sides = [
            (LineKind::Removed, old.start, old_lines, old_spans),
            (LineKind::Added, new.start, new_lines, new_spans),
        ];
        for (kind, start, lines, spans) in sides {
            let mut spans = spans.into_iter();
            for (at, line) in lines.iter().enumerate() {
                let number = Some(self.number(start + at));
                let mut diff_line = whole_line(line, true);
                if let Some(spans) = spans.next() {
                    diff_line.spans = spans;
                }
                let (old, new) = match kind {
                    LineKind::Removed => (number, None),
                    LineKind::Added => (None, number),
                    LineKind::Context => (number, number),
                };
                out.push(DiffLine {
                    kind,
                    old,
                    new,
                    ..diff_line
                });
            }
        }
    }

    /// Returns the number of the first line of one side, and its number of lines.
    fn extent(&self, ops: &[DiffOp], side: fn(&DiffOp) -> Range<usize>) -> (usize, usize) {
        let len = ops.iter().map(|op| side(op).len()).sum();
        let start = ops.first().map_or(0, |op| side(op).start);
        (if len == 0 { 0 } else { self.number(start) }, len)
    }

    fn number(&self, at: usize) -> usize {
        self.lines_before + at + 1
    }
}

fn is_change(op: &DiffOp) -> bool {
    match op {
        DiffOp::Equal { .. } => false,
        DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => true,
    }
}

/// Returns a line in one piece.
fn whole_line(line: &Line<'_>, changed: bool) -> DiffLine {
    let text = line.text.to_owned();
    let span = (!text.is_empty()).then_some(Span { text, changed });
    DiffLine {
        kind: LineKind::Context,
        old: None,
        new: None,
        spans: span.into_iter().collect(),
        end: line.end,
    }
}

#[cfg(test)]
#[path = "hunks_tests.rs"]
mod tests;
