//! The output for developers: one line for each step.

#![expect(
    clippy::print_stdout,
    reason = "a developer's command speaks on standard output"
)]

use std::time::Duration;

/// Prints the name of a step and its outcome.
pub(crate) fn step(step: &str, what: impl std::fmt::Display) {
    println!("{step:<14} {what}");
}

/// Prints a line as it is.
pub(crate) fn line(text: impl std::fmt::Display) {
    println!("{text}");
}

/// Prints an error with its causes on standard error.
pub(crate) fn failure(error: &anyhow::Error) {
    eprintln!("\n{error:#}");
}

/// Formats minutes and seconds: `0:07`, `12:30`.
pub(crate) fn format_duration(time: Duration) -> String {
    let seconds = time.as_secs_f64().round() as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_and_seconds() {
        assert_eq!(format_duration(Duration::from_millis(6_600)), "0:07");
        assert_eq!(format_duration(Duration::from_secs(750)), "12:30");
    }
}
