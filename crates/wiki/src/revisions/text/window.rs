//! The part of two texts that must be compared: the part between their common beginning and their common end.

use super::lines::lines;

/// The number of unchanged lines that are shown around a change.
pub(super) const CONTEXT: usize = 3;

/// The parts of two texts without their common first and last lines, except [`CONTEXT`] of these on either
/// side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Window<'t> {
    pub(super) old: &'t str,
    pub(super) new: &'t str,
    /// The number of lines before it, in both texts.
    pub(super) lines_before: usize,
}

/// Returns the parts to compare, or `None` if the texts are equal.
pub(super) fn window<'t>(old: &'t str, new: &'t str) -> Option<Window<'t>> {
    if old == new {
        return None;
    }
    let (old_bytes, new_bytes) = (old.as_bytes(), new.as_bytes());
    let common = old_bytes.iter().zip(new_bytes).take_while(|(a, b)| a == b);
    // Only whole lines are common. A cut after a carriage return is invalid, because a line feed may follow it
    // in one of the texts.
    let prefix = match old_bytes[..common.count()]
        .iter()
        .rposition(|b| *b == b'\n')
    {
        Some(at) => at + 1,
        None => 0,
    };
    let (old_rest, new_rest) = (&old_bytes[prefix..], &new_bytes[prefix..]);
    let common = old_rest.iter().rev().zip(new_rest.iter().rev());
    let common = common.take_while(|(a, b)| a == b).count();
    let tail = &old_rest[old_rest.len() - common..];
    // The line ending before the common lines is common too, so that they begin as lines in both texts.
    let suffix = match tail.iter().position(|b| *b == b'\n') {
        Some(at) => tail.len() - at - 1,
        None => 0,
    };
    let from = context_before(&old[..prefix]);
    let after = context_after(&old[old.len() - suffix..]);
    Some(Window {
        old: &old[from..old.len() - suffix + after],
        new: &new[from..new.len() - suffix + after],
        lines_before: lines(&old[..from]).count(),
    })
}

/// Returns the start of the last few lines of a text that is empty or ends with a line feed.
fn context_before(text: &str) -> usize {
    let line_ends = text
        .bytes()
        .enumerate()
        .rev()
        .filter(|(_, byte)| *byte == b'\n');
    line_ends.map(|(at, _)| at + 1).nth(CONTEXT).unwrap_or(0)
}

/// Returns the length in bytes of the first few lines.
fn context_after(text: &str) -> usize {
    let line_ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
    line_ends
        .map(|(at, _)| at + 1)
        .nth(CONTEXT - 1)
        .unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, new: &str, expected: Option<(&str, &str, usize)>) {
        let found = window(old, new);
        let found = found.map(|window| (window.old, window.new, window.lines_before));
        assert_eq!(found, expected, "{old:?} → {new:?}");
    }

    #[test]
    fn common_lines_beyond_the_context_are_omitted() {
        check("", "", None);
        check("a\n", "a\n", None);
        check("", "a", Some(("", "a", 0)));
        check("a\n", "a", Some(("a\n", "a", 0)));
        check(
            "1\n2\n3\n4\n5\nx\n6\n7\n8\n9\n",
            "1\n2\n3\n4\n5\ny\n6\n7\n8\n9\n",
            Some(("3\n4\n5\nx\n6\n7\n8\n", "3\n4\n5\ny\n6\n7\n8\n", 2)),
        );
        // Lines common to both ends are counted once.
        check("a\na\n", "a\na\na\n", Some(("a\na\n", "a\na\na\n", 0)));
    }

    #[test]
    fn texts_are_cut_between_lines_only() {
        check("a\r\nb", "a\rb", Some(("a\r\nb", "a\rb", 0)));
        check("亜\n", "亝\n", Some(("亜\n", "亝\n", 0)));
        check("x\nab", "x\ncb", Some(("x\nab", "x\ncb", 0)));
        check("ab\nx", "cab\nx", Some(("ab\nx", "cab\nx", 0)));
    }
}
