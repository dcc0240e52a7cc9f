//! Standard output and standard error of the commands.

use std::io::{self, IsTerminal, StdoutLock, Write};
use std::str;
use std::sync::atomic::{AtomicBool, Ordering};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use fumikura_base::printable::Printable;
use serde_json::{Value, json};

use crate::columns::AlignedRows;

/// Standard output, locked. On a terminal, control characters are escaped as in JSON: texts, titles and names
/// may contain terminal commands. Other programs get the exact bytes.
pub(crate) struct Output {
    out: StdoutLock<'static>,
    escaper: Option<Escaper>,
    has_colors: bool,
    /// The rows that wait for others to be aligned with; none if columns are separated by tabs.
    rows: Option<AlignedRows>,
}

/// True if columns are separated by tabs on a terminal as well.
static PORCELAIN: AtomicBool = AtomicBool::new(false);

/// Sets whether columns are separated by tabs on a terminal as well.
pub(crate) fn set_porcelain(porcelain: bool) {
    PORCELAIN.store(porcelain, Ordering::Relaxed);
}

/// The color of a text on a terminal.
#[derive(Clone, Copy)]
pub(crate) enum Color {
    Red,
    Green,
    Cyan,
}

/// An error of standard output.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    /// The reader has closed the pipe, as `head` does when it has enough.
    #[error("the reader of standard output has closed it")]
    Closed,
    #[error("couldn't write to standard output")]
    Failed(#[source] io::Error),
}

/// Locks standard output.
pub(crate) fn stdout() -> Output {
    let out = io::stdout().lock();
    let escaper = out.is_terminal().then(Escaper::default);
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let is_dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    Output {
        has_colors: escaper.is_some() && !is_dumb && !is_set("NO_COLOR"),
        rows: (escaper.is_some() && !PORCELAIN.load(Ordering::Relaxed)).then(AlignedRows::default),
        out,
        escaper,
    }
}

/// The form of a list.
#[derive(Clone, Copy)]
pub(crate) enum List {
    /// Lines with columns.
    Lines,
    /// One JSON object per line.
    Json,
    /// The paths alone, each ended by a NUL byte.
    Paths,
}

impl List {
    pub(crate) fn new(json: bool, null: bool) -> Self {
        match (json, null) {
            (true, _) => Self::Json,
            (_, true) => Self::Paths,
            _ => Self::Lines,
        }
    }

    /// Writes an item: its JSON, its path, or a line.
    pub(crate) fn write(
        self,
        out: &mut Output,
        item: &Value,
        path: impl AsRef<[u8]>,
        line: &str,
    ) -> io::Result<()> {
        match self {
            Self::Lines => out.write_row(line),
            Self::Json => writeln!(out, "{item}"),
            Self::Paths => {
                out.write_all(path.as_ref())?;
                out.write_all(b"\0")
            }
        }
    }
}

/// Prints a notice, or an error, to standard error. It is lost if standard error is closed.
pub(crate) fn notice(text: &str) {
    let mut err = io::stderr().lock();
    let lines: Vec<_> = text
        .lines()
        .map(|line| Printable(line).to_string())
        .collect();
    drop(writeln!(err, "fumi: {}", lines.join("\n")));
}

/// Returns a JSON object that names a file: as text, or in base64 in `{field}_bytes` if the name is not UTF-8.
pub(crate) fn named(field: &str, name: &[u8]) -> Value {
    match str::from_utf8(name) {
        Ok(text) => json!({ field: text }),
        Err(_) => json!({ format!("{field}_bytes"): BASE64.encode(name) }),
    }
}

/// True if the error is that the reader of standard output has closed it.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        let cause = cause.and_then(|error| error.get_ref());
        cause.is_some_and(|error| matches!(error.downcast_ref(), Some(OutputError::Closed)))
    })
}

impl Output {
    pub(crate) fn is_terminal(&self) -> bool {
        self.escaper.is_some()
    }

    /// Writes a line of columns, which are separated by tabs. On a terminal, they are aligned with those of the rows
    /// before and after.
    pub(crate) fn write_row(&mut self, line: &str) -> io::Result<()> {
        let Some(rows) = &mut self.rows else {
            return writeln!(self, "{line}");
        };
        match rows.push(line) {
            true => self.write_waiting_rows(),
            false => Ok(()),
        }
    }

    fn write_waiting_rows(&mut self) -> io::Result<()> {
        let text = self.rows.as_mut().map(AlignedRows::take);
        match text.filter(|text| !text.is_empty()) {
            Some(text) => self.write_escaped(text.as_bytes()),
            None => Ok(()),
        }
    }

    fn write_escaped(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.escaper {
            None => self.out.write_all(bytes),
            Some(escaper) => self.out.write_all(escaper.escape(bytes).as_bytes()),
        }
        .map_err(output_error)
    }

    /// Writes a line in a color, which only a terminal shows (<https://no-color.org>).
    pub(crate) fn write_colored(&mut self, color: Color, line: &str) -> io::Result<()> {
        if !self.has_colors {
            return writeln!(self, "{line}");
        }
        let number = match color {
            Color::Red => 31,
            Color::Green => 32,
            Color::Cyan => 36,
        };
        self.write_waiting_rows()?;
        write!(self.out, "\x1b[{number}m").map_err(output_error)?;
        self.write_all(line.as_bytes())?;
        write!(self.out, "\x1b[m").map_err(output_error)?;
        writeln!(self)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.escaper.is_none() {
            return self.out.write(bytes).map_err(output_error);
        }
        self.write_waiting_rows()?;
        self.write_escaped(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_waiting_rows()?;
        self.out.flush().map_err(output_error)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // Rows wait only for a terminal, which is gone if it can't be written to.
        let _gone = self.write_waiting_rows();
    }
}

fn output_error(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::Interrupted {
        error
    } else if error.kind() == io::ErrorKind::BrokenPipe {
        io::Error::other(OutputError::Closed)
    } else {
        io::Error::other(OutputError::Failed(error))
    }
}

/// Escapes control characters other than line breaks and tabs. Characters may be split between calls.
#[derive(Default)]
struct Escaper {
    /// The beginning of a character or of a line break.
    pending: Vec<u8>,
}

impl Escaper {
    fn escape(&mut self, bytes: &[u8]) -> String {
        let mut bytes = [&std::mem::take(&mut self.pending)[..], bytes].concat();
        let complete = bytes.len() - incomplete_suffix(&bytes);
        self.pending = bytes.split_off(complete);
        let mut escaped = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            push_escaped(chunk.valid(), &mut escaped);
            if !chunk.invalid().is_empty() {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
        }
        escaped
    }
}

fn push_escaped(text: &str, escaped: &mut String) {
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_line_break = letter == '\n' || (letter == '\r' && letters.peek() == Some(&'\n'));
        if letter == '\t' || is_line_break || !letter.is_control() {
            escaped.push(letter);
        } else {
            *escaped += &format!("\\u{:04x}", u32::from(letter));
        }
    }
}

/// Returns the length of the incomplete character, or of the carriage return, at the end.
fn incomplete_suffix(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return 1;
    }
    let invalid = bytes
        .utf8_chunks()
        .last()
        .map_or(&[][..], |chunk| chunk.invalid());
    match str::from_utf8(invalid) {
        Err(error) if error.error_len().is_none() => invalid.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pieces: &[&[u8]], expected: &str) {
        let mut escaper = Escaper::default();
        let escaped = pieces.iter().map(|piece| escaper.escape(piece));
        assert_eq!(escaped.collect::<String>(), expected);
    }

    #[test]
    fn terminal_commands_are_escaped() {
        check(&["旅\n\t🌸".as_bytes()], "旅\n\t🌸");
        check(
            &[b"\x1b]0;title\x07 \x7f"],
            "\\u001b]0;title\\u0007 \\u007f",
        );
        check(&["\u{9b}31m".as_bytes()], "\\u009b31m");
        check(&[b"line\r\nover\rwritten"], "line\r\nover\\u000dwritten");
        check(&[b"\x9b31m"], "\u{fffd}31m");
    }

    #[test]
    fn characters_may_be_split_between_writes() {
        let text = "旅\u{9b}🌸";
        let bytes: Vec<_> = text.as_bytes().chunks(1).collect();
        check(&bytes, "旅\\u009b🌸");
        check(&[b"a\r", b"\nb\r", b"c"], "a\r\nb\\u000dc");
    }

    #[test]
    fn closed_output_is_recognized_in_a_chain() {
        let closed = || output_error(io::ErrorKind::BrokenPipe.into());
        assert!(is_closed(
            &anyhow::Error::new(closed()).context("while printing")
        ));
        let full = output_error(io::ErrorKind::StorageFull.into());
        assert!(!is_closed(&full.into()));
        // Of a connection to the server.
        assert!(!is_closed(
            &io::Error::from(io::ErrorKind::BrokenPipe).into()
        ));
    }
}
