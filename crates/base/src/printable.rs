//! Text of unknown origin, made fit for one line of a log or a terminal.

use std::fmt::{self, Display, Write};

use crate::characters::unshowable;

/// Shows a value with its invisible characters escaped: no line breaks, no terminal commands, nothing that changes the
/// direction of the text around it, and nothing that hides the ending of a name.
#[derive(Debug, Clone, Copy)]
pub struct Printable<T>(pub T);

impl<T: Display> Display for Printable<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(EscapingWriter(f), "{}", self.0)
    }
}

/// A writer that escapes what passes through it.
pub struct EscapingWriter<W>(pub W);

impl<W: Write> Write for EscapingWriter<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut written = 0;
        for (at, character) in unshowable(text) {
            self.0.write_str(&text[written..at])?;
            write!(self.0, "{}", character.escape_default())?;
            written = at + character.len_utf8();
        }
        self.0.write_str(&text[written..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(Printable(text).to_string(), expected);
    }

    #[test]
    fn control_characters_are_escaped_and_text_stays() {
        check("写真 \"a\" \\ é 🌸", "写真 \"a\" \\ é 🌸");
        check("a\nb\r\n\tc", "a\\nb\\r\\n\\tc");
        check("\u{1b}[31mred\u{9b}0m\0", "\\u{1b}[31mred\\u{9b}0m\\u{0}");
        check("a\u{2028}b\u{202e}gpj.exe", "a\\u{2028}b\\u{202e}gpj.exe");
        check(
            "exe\u{200b}.jpg 👩\u{200d}🚀",
            "exe\\u{200b}.jpg 👩\u{200d}🚀",
        );
        check("", "");
    }
}
