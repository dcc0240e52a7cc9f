//! Debounces hints: a burst of changes is reported once, when it is over.

use std::time::Duration;

/// The quiet time that ends a burst. Replacing a file takes a few steps, a moment apart.
const QUIET: Duration = Duration::from_millis(50);
/// The maximum delay of a report: a file that is written all the time is shown all the same.
const PATIENCE: Duration = Duration::from_millis(500);
/// The number of hints from which on a folder is being filled or emptied.
const FLOOD: u32 = 200;
/// The values of [`QUIET`] and [`PATIENCE`] in a flood, in which every check of the folder costs much and is soon
/// outdated.
const FLOOD_QUIET: Duration = Duration::from_millis(300);
const FLOOD_PATIENCE: Duration = Duration::from_secs(5);

/// Hints that were not reported yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Debouncer {
    first: Duration,
    last: Duration,
    hints: u32,
}

impl Debouncer {
    /// Adds a hint to a burst, or begins one.
    pub(super) fn with_hint(before: Option<Self>, now: Duration) -> Self {
        match before {
            None => Self {
                first: now,
                last: now,
                hints: 1,
            },
            Some(debouncer) => Self {
                last: now,
                hints: debouncer.hints.saturating_add(1),
                ..debouncer
            },
        }
    }

    /// Returns the time of the report, if no more hints follow.
    pub(super) fn due(&self) -> Duration {
        let (quiet, patience) = if self.hints < FLOOD {
            (QUIET, PATIENCE)
        } else {
            (FLOOD_QUIET, FLOOD_PATIENCE)
        };
        (self.last + quiet).min(self.first + patience)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Returns the times at which hints at these moments are reported.
    fn reports(hints: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        let mut reports = Vec::new();
        let mut debouncer: Option<Debouncer> = None;
        for at in hints.into_iter().map(ms) {
            if let Some(over) = debouncer.filter(|debouncer| debouncer.due() <= at) {
                reports.push(over.due());
                debouncer = None;
            }
            debouncer = Some(Debouncer::with_hint(debouncer, at));
        }
        reports.extend(debouncer.map(|debouncer| debouncer.due()));
        reports
    }

    #[test]
    fn steps_of_one_save_are_reported_once() {
        assert_eq!(reports([0, 3, 20, 60]), [ms(110)]);
    }

    #[test]
    fn constantly_written_file_is_reported_at_intervals() {
        assert_eq!(
            reports((0..1010).step_by(20)),
            [ms(500), ms(1000), ms(1050)]
        );
    }

    #[test]
    fn ten_thousand_files_are_reported_once() {
        let hints = (0..30_000).map(|hint| hint / 10);
        assert_eq!(reports(hints), [ms(2_999 + 300)]);
    }

    #[test]
    fn endless_flood_is_reported_at_intervals() {
        assert_eq!(
            reports((0..11_000).step_by(2))[..2],
            [ms(5_000), ms(10_000)]
        );
    }
}
