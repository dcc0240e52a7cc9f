//! The log: on standard error, warnings and errors unless `FUMIKURA_LOG` asks for more.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// What is logged unless `FUMIKURA_LOG` says otherwise, as in `fumi`. tao warns of keys that are pressed after its end.
const USUALLY: &str = "warn,tao=error";

/// Begins to log. Never write an address with a token: whoever reads the log could come in.
pub(crate) fn start() {
    let filter =
        EnvFilter::try_from_env("FUMIKURA_LOG").unwrap_or_else(|_unset| EnvFilter::new(USUALLY));
    let colours = io::stderr().is_terminal();
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(colours)
        .with_writer(io::stderr)
        .init();
}
