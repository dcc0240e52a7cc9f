//! Text of unknown origin, made fit for one line of a log or a terminal.

use std::fmt::{self, Display, Write};

/// Shows a value with its control characters escaped: no line breaks, no terminal commands, and nothing that changes the
/// direction of the text around it.
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
        let mut rest = text;
        while let Some((at, letter)) = rest.char_indices().find(|(_, letter)| is_command(*letter)) {
            self.0.write_str(&rest[..at])?;
            write!(self.0, "{}", letter.escape_default())?;
            rest = &rest[at + letter.len_utf8()..];
        }
        self.0.write_str(rest)
    }
}

/// True if a character has an effect instead of a glyph: C0 and C1 controls, separators of lines and
/// paragraphs, and marks of direction.
fn is_command(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
        check("", "");
    }
}
