//! Logging.

/// The log filter unless `FUMIKURA_LOG` is set, as in `fumi`. tao warns of keys that are pressed after its
/// end.
const USUALLY: &str = "warn,fumikura_expiry::run=info,tao=error";

/// Starts logging.
pub(crate) fn start() {
    fumikura_server::start_logging(USUALLY);
}
