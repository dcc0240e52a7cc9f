//! Texts as lines, each with its line ending.

/// A line of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Line<'t> {
    /// The text without the line ending.
    pub(super) text: &'t str,
    pub(super) end: LineEnd,
}

/// The end of a line. Lines that differ only in it are different lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineEnd {
    /// A line feed.
    Lf,
    /// Carriage return and line feed.
    CrLf,
    /// A carriage return alone.
    Cr,
    /// The end of the text, without a line ending.
    None,
}

/// Returns the lines of a text. An empty text has none; the text after the last line ending is a line only if
/// it is not empty.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (at, end) = first_end(rest);
        let line = Line {
            text: &rest[..at],
            end,
        };
        rest = &rest[at + end.bytes()..];
        Some(line)
    })
}

/// Returns the length of the first line of the text, and its line ending.
fn first_end(text: &str) -> (usize, LineEnd) {
    let bytes = text.as_bytes();
    match bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
        None => (text.len(), LineEnd::None),
        Some(at) if bytes[at] == b'\n' => (at, LineEnd::Lf),
        Some(at) if bytes.get(at + 1) == Some(&b'\n') => (at, LineEnd::CrLf),
        Some(at) => (at, LineEnd::Cr),
    }
}

impl LineEnd {
    /// Returns its length in bytes.
    fn bytes(self) -> usize {
        match self {
            Self::Lf | Self::Cr => 1,
            Self::CrLf => 2,
            Self::None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, LineEnd)]) {
        let found: Vec<_> = lines(text).map(|line| (line.text, line.end)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn lines_keep_their_endings() {
        use LineEnd::{Cr, CrLf, Lf, None};
        check("", &[]);
        check("a", &[("a", None)]);
        check("a\n", &[("a", Lf)]);
        check("\n\n", &[("", Lf), ("", Lf)]);
        check(
            "a\r\nb\rc\nd",
            &[("a", CrLf), ("b", Cr), ("c", Lf), ("d", None)],
        );
        check("\r\r\n\n\r", &[("", Cr), ("", CrLf), ("", Lf), ("", Cr)]);
        check("題\u{2028}x\n", &[("題\u{2028}x", Lf)]);
    }
}
