//! `fumi events`: the changes that the running server reports, as lines of JSON.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::client::RunningServer;
use crate::output;

#[derive(Args)]
pub(crate) struct EventsArguments {
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Prints events until the server or the reader of standard output ends.
pub(crate) fn run(arguments: &EventsArguments) -> anyhow::Result<()> {
    let server = RunningServer::find(arguments.data.as_deref())?;
    let mut lines = EventLines::new(output::stdout());
    server.download("GET", "api/events", &mut lines)
}

/// Writes a stream of server-sent events as lines of JSON.
struct EventLines<W> {
    out: W,
    /// The beginning of a line.
    pending: Vec<u8>,
    event: SentEvent,
}

/// The fields of an event so far.
#[derive(Default)]
struct SentEvent {
    id: String,
    name: String,
    data: String,
}

impl<W: Write> EventLines<W> {
    fn new(out: W) -> Self {
        Self {
            out,
            pending: Vec::new(),
            event: SentEvent::default(),
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        let Some((field, value)) = line.split_once(':') else {
            if line.is_empty() {
                return self.end();
            }
            return Ok(());
        };
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => value.clone_into(&mut self.event.id),
            "event" => value.clone_into(&mut self.event.name),
            "data" => self.event.data.push_str(value),
            // Comments keep the connection open.
            _ => {}
        }
        Ok(())
    }

    /// Writes an event. A frame of comments alone is none.
    fn end(&mut self) -> io::Result<()> {
        let SentEvent { id, name, data } = std::mem::take(&mut self.event);
        if data.is_empty() {
            return Ok(());
        }
        let data: Value = serde_json::from_str(&data)?;
        let event = json!({"id": id, "event": name, "data": data});
        writeln!(self.out, "{event}")?;
        self.out.flush()
    }
}

impl<W: Write> Write for EventLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        while let Some(end) = self.pending.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.pending.drain(..=end).collect();
            self.line(String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_lines_whatever_the_pieces() {
        let stream =
            ": hello\n\nid: 1-2\nevent: page.changed\ndata: {\"path\":\"/旅\"}\n\nevent: x\r\n";
        for length in [1, 7, 1000] {
            let mut lines = EventLines::new(Vec::new());
            for piece in stream.as_bytes().chunks(length) {
                lines.write_all(piece).unwrap();
            }
            let line = String::from_utf8(lines.out).unwrap();
            let expected = r#"{"data":{"path":"/旅"},"event":"page.changed","id":"1-2"}"#;
            assert_eq!(line, format!("{expected}\n"));
        }
    }
}
