//! What a developer reads: one calm line for each step.

#![expect(
    clippy::print_stdout,
    reason = "a developer's command speaks on standard output"
)]

use std::time::Duration;

/// One line: which step, and what became of it.
pub(crate) fn step(step: &str, what: impl std::fmt::Display) {
    println!("{step:<14} {what}");
}

/// A line of its own, as it is.
pub(crate) fn line(text: impl std::fmt::Display) {
    println!("{text}");
}

/// Why we stopped, with the chain of causes, on standard error.
pub(crate) fn failure(error: &anyhow::Error) {
    eprintln!("\n{error:#}");
}

/// `0:07`, `12:30`: minutes and seconds.
pub(crate) fn clock(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(clock(Duration::from_millis(6_600)), "0:07");
        assert_eq!(clock(Duration::from_secs(750)), "12:30");
    }
}
