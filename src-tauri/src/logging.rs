//! What is logged.

/// What is logged unless `FUMIKURA_LOG` says otherwise, as in `fumi`. tao warns of keys that are pressed after its end.
const USUALLY: &str = "warn,tao=error";

/// Begins to log.
pub(crate) fn start() {
    fumikura_server::start_logging(USUALLY);
}
