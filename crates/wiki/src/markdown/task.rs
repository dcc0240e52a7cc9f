//! Open tasks, `- [ ] text`: the lines that the page shows with a box (`ui/src/markdown/rules/blocks/task-lists.ts`).

use std::ops::Range;

use super::block::Blocks;
use super::unescape::block_id;

/// The mark of an open task.
const OPEN: &str = "[ ]";

/// An open task.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TaskLine {
    /// The number of its line, from 0.
    pub(crate) line: usize,
    /// The line in the source.
    pub(crate) written: Range<usize>,
    /// The part of the line after the mark.
    pub(crate) text: Range<usize>,
}

/// Returns the open tasks of a text, in source order.
pub(crate) fn open_tasks(source: &str) -> Vec<TaskLine> {
    if !source.contains(OPEN) {
        return Vec::new();
    }
    let mut tasks: Vec<TaskLine> = Blocks::parse(source)
        .contents
        .iter()
        .filter(|content| content.text().starts_with(OPEN))
        .filter_map(|content| task_at(source, content.range_in_source(&(0..OPEN.len())).start))
        .collect();
    tasks.sort_by_key(|task| task.written.start);
    let (mut line, mut at) = (0, 0);
    for task in &mut tasks {
        line += line_ends(&source[at..task.written.start]);
        (task.line, at) = (line, task.written.start);
    }
    tasks
}

/// Returns the task whose mark is at a position, without its line number.
fn task_at(source: &str, mark: usize) -> Option<TaskLine> {
    let start = source[..mark].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let from = mark + OPEN.len();
    let end = source[from..]
        .find(['\n', '\r'])
        .map_or(source.len(), |length| from + length);
    let after = &source[from..end];
    let text = after.trim_start_matches([' ', '\u{3000}']);
    let begins_item = ends_with_marker(&source[start..mark]);
    (begins_item && text.len() < after.len() && !text.trim().is_empty()).then(|| TaskLine {
        line: 0,
        written: start..end,
        text: end - text.len()..end,
    })
}

/// True if the start of a line consists of marks of blocks, the last of which is that of a list item.
fn ends_with_marker(prefix: &str) -> bool {
    let mut rest = prefix;
    let mut is_marker = false;
    while let Some(first) = rest.chars().next() {
        if matches!(first, ' ' | '\t' | '>') {
            is_marker &= first != '>';
            rest = &rest[1..];
        } else if let Some(label) = rest.strip_prefix("[^") {
            let Some((_, after)) = label.split_once("]:") else {
                return false;
            };
            (is_marker, rest) = (false, after);
        } else {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let marks: &[char] = if digits == 0 {
                &['-', '*', '+']
            } else {
                &['.', ')']
            };
            let Some(after) = rest[digits..].strip_prefix(marks) else {
                return false;
            };
            if !after.starts_with([' ', '\t']) {
                return false;
            }
            (is_marker, rest) = (true, after);
        }
    }
    is_marker
}

/// Returns a line without its block id: ` ^id`, which the page does not show.
pub(crate) fn without_block_id(line: &str) -> &str {
    match line.rsplit_once([' ', '\t', '\u{3000}']) {
        Some((before, id)) if block_id(id) == Some(0) => before.trim_end(),
        _ => line,
    }
}

fn line_ends(text: &str) -> usize {
    let bytes = text.as_bytes();
    memchr::memchr2_iter(b'\n', b'\r', bytes)
        .filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expected: &[(usize, &str)]) {
        let found = open_tasks(source);
        let found = found
            .iter()
            .map(|task| (task.line, &source[task.text.clone()]));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{source:?}");
    }

    #[test]
    fn items_with_an_empty_box_are_open() {
        check(
            "- [ ] a\n- [x] b\n- [X] c\n  1. [ ] d",
            &[(0, "a"), (3, "d")],
        );
        check("a\r\n\r\n> * [ ] b\r\n> + [ ]　c", &[(2, "b"), (3, "c")]);
        check("a[^n]\n\n[^n]: - [ ] b", &[(2, "b")]);
    }

    #[test]
    fn text_that_looks_like_a_task_is_none() {
        check(
            "[ ] a\n\n```\n- [ ] b\n```\n\n    - [ ] c\n\n- [ ]\n- [ ]d",
            &[],
        );
        check("- > [ ] a\n- b\n\n  [ ] c\n- # [ ] d", &[]);
    }
}
