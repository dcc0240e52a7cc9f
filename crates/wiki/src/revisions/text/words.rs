//! The changes inside lines, by word.

use std::time::Instant;

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};
use unicode_segmentation::UnicodeSegmentation;

use super::hunks::Span;
use super::lines::Line;

/// The maximum length in bytes, of both sides together, of a block of changed lines that is compared by word.
const MAX_BLOCK: usize = 128 * 1024;

/// A marker for any line ending.
const END: &str = "\n";

/// The spans of each line of both sides.
pub(super) type Spans = (Vec<Vec<Span>>, Vec<Vec<Span>>);

/// Finds the common words of the removed and the added lines. Returns `None` if the block is too long, or no
/// time is left.
pub(super) fn word_spans(old: &[Line<'_>], new: &[Line<'_>], deadline: Instant) -> Option<Spans> {
    let bytes = |lines: &[Line<'_>]| lines.iter().map(|line| line.text.len()).sum::<usize>();
    if bytes(old) + bytes(new) > MAX_BLOCK || Instant::now() > deadline {
        return None;
    }
    let (old_words, new_words) = (words(old), words(new));
    let ops =
        capture_diff_slices_deadline(Algorithm::Myers, &old_words, &new_words, Some(deadline));
    let (mut old_common, mut new_common) =
        (vec![false; old_words.len()], vec![false; new_words.len()]);
    for common in common_words(&ops, &old_words, &new_words) {
        old_common[common.old..common.old + common.len].fill(true);
        new_common[common.new..common.new + common.len].fill(true);
    }
    Some((
        spans_by_line(&old_words, &old_common),
        spans_by_line(&new_words, &new_common),
    ))
}

/// Splits lines into Unicode's words (UAX #29), the text between them, and the line endings. Each kanji or
/// hiragana is a word, and each run of katakana.
fn words<'t>(lines: &[Line<'t>]) -> Vec<&'t str> {
    lines
        .iter()
        .flat_map(|line| line.text.split_word_bounds().chain([END]))
        .collect()
}

/// Words that both sides have.
#[derive(Debug, Clone, Copy)]
struct CommonWords {
    old: usize,
    new: usize,
    len: usize,
}

/// Returns the common pieces without accidental ones: a piece that is no longer than the changes on both of its
/// sides (a particle, a space) reads as a part of the change.
fn common_words(ops: &[DiffOp], old: &[&str], new: &[&str]) -> Vec<CommonWords> {
    let mut common: Vec<CommonWords> = Vec::new();
    // The changes before each of `common`, and the one that is growing.
    let mut changes = vec![0];
    for op in ops {
        match *op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => {
                common.push(CommonWords {
                    old: old_index,
                    new: new_index,
                    len,
                });
                changes.push(0);
            }
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                let size = letters(&old[op.old_range()]).max(letters(&new[op.new_range()]));
                if let Some(change) = changes.last_mut() {
                    *change += size;
                }
                merge_accidental(&mut common, &mut changes, old);
            }
        }
    }
    common
}

/// Merges the last common pieces into the changes around them as long as they are accidental.
fn merge_accidental(common: &mut Vec<CommonWords>, changes: &mut Vec<usize>, old: &[&str]) {
    while let ([.., last], [.., before, after]) = (common.as_slice(), changes.as_slice()) {
        let piece = &old[last.old..last.old + last.len];
        let size = letters(piece);
        if size > *before || size > *after || piece.contains(&END) {
            return;
        }
        let joined = before + size + after;
        common.pop();
        changes.truncate(changes.len() - 2);
        changes.push(joined);
    }
}

fn letters(words: &[&str]) -> usize {
    words.iter().map(|word| word.chars().count()).sum()
}

/// Joins the words again, line by line. A line with few common words counts as entirely changed: a few
/// unchanged spots in it would be meaningless.
fn spans_by_line(words: &[&str], common: &[bool]) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut begin = 0;
    while begin < words.len() {
        let rest = words[begin..].iter();
        let len = rest.take_while(|word| **word != END).count();
        let line = &words[begin..begin + len];
        lines.push(spans(line, &common[begin..begin + len]));
        begin += len + 1;
    }
    lines
}

fn spans(words: &[&str], common: &[bool]) -> Vec<Span> {
    let written = |common: &dyn Fn(usize) -> bool| {
        let words = words.iter().enumerate().filter(|(at, _)| common(*at));
        words
            .flat_map(|(_, word)| word.chars())
            .filter(|c| !c.is_whitespace())
            .count()
    };
    let little = written(&|at| common[at]) * 4 < written(&|_| true);
    let mut spans: Vec<Span> = Vec::new();
    for (word, common) in words.iter().zip(common) {
        let changed = little || !common;
        match spans.last_mut() {
            Some(span) if span.changed == changed => span.text.push_str(word),
            Some(_) | None => spans.push(Span {
                text: (*word).to_owned(),
                changed,
            }),
        }
    }
    spans
}
