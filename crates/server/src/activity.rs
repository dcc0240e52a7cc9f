//! Detection of an idle program.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::Method;

use crate::app::App;

/// The time of the last request that a user may be waiting for, in milliseconds of the monotonic clock.
#[derive(Debug, Default)]
pub(crate) struct Activity(AtomicU64);

impl App {
    /// Records a request. Routine requests that open pages send by themselves are ignored.
    pub(crate) fn note_request(&self, method: &Method, path: &str) {
        if !is_routine(method, path) {
            let now = self.clock.monotonic().as_millis();
            self.activity
                .0
                .store(u64::try_from(now).unwrap_or(u64::MAX), Ordering::Relaxed);
        }
    }

    /// Returns true if no request has arrived for this time, and no job is running.
    pub(crate) fn is_idle(&self, quiet: Duration) -> bool {
        let last = Duration::from_millis(self.activity.0.load(Ordering::Relaxed));
        self.clock.monotonic().saturating_sub(last) >= quiet && !self.jobs.are_at_work()
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
    fn pages_that_are_only_open_leave_the_program_idle() {
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
