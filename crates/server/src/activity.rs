//! Detection of an idle program.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::Method;

/// The time of the last request that a user may be waiting for, in milliseconds of the monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Activity(AtomicU64);

impl Activity {
    /// Records a request at a time of the monotonic clock. Routine requests that open pages send by
    /// themselves are ignored.
    pub(crate) fn note(&self, method: &Method, path: &str, now: Duration) {
        if !is_routine(method, path) {
            let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
            self.0.store(now, Ordering::Relaxed);
        }
    }

    /// Returns the time since the last request.
    pub(crate) fn quiet_for(&self, now: Duration) -> Duration {
        let last = Duration::from_millis(self.0.load(Ordering::Relaxed));
        now.saturating_sub(last)
    }
}

fn is_routine(method: &Method, path: &str) -> bool {
    match *method {
        Method::GET => matches!(path, "/healthz" | "/api/events"),
        Method::PUT => path == "/api/folders/watch" || path.ends_with("/lock"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_pages_alone_leave_the_program_idle() {
        for (method, path) in [
            (Method::GET, "/healthz"),
            (Method::GET, "/api/events"),
            (Method::PUT, "/api/folders/watch"),
            (Method::PUT, "/api/pages/01/lock"),
        ] {
            assert!(is_routine(&method, path), "{path}");
        }
        assert!(!is_routine(&Method::GET, "/wiki/"));
        assert!(!is_routine(&Method::POST, "/api/pages/01/lock"));
    }
}
