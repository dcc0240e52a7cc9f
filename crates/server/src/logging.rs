//! The log on standard error and in a file: one line per event, whatever names and texts the event contains.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal};
use std::sync::Arc;

use fumikura_base::printable::EscapingWriter;
use parking_lot::Mutex;
use tracing::field::Field;
use tracing_subscriber::field::MakeExt as _;
use tracing_subscriber::fmt::format::{FormatFields, Writer, debug_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, fmt as log};

/// The usual filter: warnings, and the counts of each expiry run (docs/spec/ttl.md).
pub const LOG_FILTER: &str = "warn,fumikura_expiry::run=info";

/// Starts to log with the filter of `FUMIKURA_LOG`, or `usually`. Never log an address with a token: a reader
/// of the log could sign in.
pub fn start_logging(usually: &str) {
    start_logging_to(usually, None::<io::Sink>);
}

/// Starts to log as [`start_logging`] does, and to a file as well, which gets each event by a single write.
pub fn start_logging_to(usually: &str, file: Option<impl io::Write + Send + 'static>) {
    let filter = EnvFilter::try_from_env("FUMIKURA_LOG");
    let filter = filter.unwrap_or_else(|_unset| EnvFilter::new(usually));
    let terminal = log::layer()
        .fmt_fields(fields())
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    let file = file.map(|file| {
        let file = LogFile(Arc::new(Mutex::new(file)));
        log::layer()
            .fmt_fields(fields())
            .with_ansi(false)
            .with_writer(move || file.clone())
    });
    tracing_subscriber::registry()
        .with(without_traffic(filter))
        .with(terminal)
        .with(file)
        .init();
}

/// A file that all threads write to.
struct LogFile<W>(Arc<Mutex<W>>);

impl<W> Clone for LogFile<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: io::Write> io::Write for LogFile<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.lock().flush()
    }
}

/// Removes the details of requests to services, whatever the filter says: the headers and addresses of an answer may
/// contain a key that a service sends back.
fn without_traffic(filter: EnvFilter) -> EnvFilter {
    let directives = ["ureq=warn", "ureq_proto=warn"];
    let parsed = directives.map(|one| one.parse().expect("BUG: it is a directive"));
    parsed.into_iter().fold(filter, EnvFilter::add_directive)
}

/// Escapes control characters in logged values: names of files and contents of pictures are untrusted.
fn fields() -> impl for<'writer> FormatFields<'writer> {
    debug_fn(field).delimited(" ")
}

fn field(writer: &mut Writer<'_>, field: &Field, value: &dyn fmt::Debug) -> fmt::Result {
    let mut writer = EscapingWriter(writer);
    match field.name() {
        "message" => write!(writer, "{value:?}"),
        // The `log` crate's metadata about its records.
        name if name.starts_with("log.") => Ok(()),
        name => write!(writer, "{name}={value:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct LogBuffer(Arc<Mutex<Vec<u8>>>);

    impl io::Write for LogBuffer {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn traffic_with_services_is_never_logged() {
        let buffer = LogBuffer::default();
        let writer = buffer.clone();
        let log = tracing_subscriber::fmt()
            .with_env_filter(without_traffic(EnvFilter::new("trace,ureq=trace")))
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(log, || {
            tracing::debug!(target: "ureq::run", "server: secret");
            tracing::trace!(target: "ureq_proto::parser", "location: secret");
            tracing::trace!(target: "fumikura_server::vision", "other events");
        });
        let text = String::from_utf8(buffer.0.lock().clone()).unwrap();
        assert!(
            text.contains("other events") && !text.contains("secret"),
            "{text}"
        );
    }

    #[test]
    fn event_is_logged_on_one_line() {
        let buffer = LogBuffer::default();
        let writer = buffer.clone();
        let log = tracing_subscriber::fmt()
            .fmt_fields(fields())
            .without_time()
            .with_target(false)
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        tracing::subscriber::with_default(log, || {
            let name = "a\n2026 ERROR forged\u{1b}[2J";
            tracing::warn!(%name, count = 3, "{name} can't be read");
        });
        let line = String::from_utf8(buffer.0.lock().clone()).unwrap();
        let name = "a\\n2026 ERROR forged\\u{1b}[2J";
        assert_eq!(
            line.trim_start(),
            format!("WARN {name} can't be read name={name} count=3\n")
        );
    }
}
