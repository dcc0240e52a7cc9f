//! The numbers of tests that passed and failed, parsed from the closing lines of the test runners.

use std::fmt;

/// The numbers of tests that passed, failed and were skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    pub(crate) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Adds the counts of a line, if it is a closing line of cargo or of vitest.
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        let (counts, separator) = if let Some(rest) = line.strip_prefix("test result: ") {
            (
                rest.split_once(". ").map_or(rest, |(_, counts)| counts),
                ';',
            )
        } else if let Some(rest) = line.strip_prefix("Tests ") {
            (rest.split('(').next().unwrap_or(rest), '|')
        } else {
            return;
        };
        for part in counts.split(separator) {
            let mut words = part.split_whitespace();
            let (Some(Ok(number)), Some(word)) =
                (words.next().map(str::parse::<u64>), words.next())
            else {
                continue;
            };
            match word {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" | "skipped" => self.skipped += number,
                _ => {}
            }
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return Ok(());
        }
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, passed: u64, failed: u64, skipped: u64) {
        let mut tally = Tally::default();
        tally.read(line);
        assert_eq!(
            tally,
            Tally {
                passed,
                failed,
                skipped
            }
        );
    }

    #[test]
    fn closing_lines_are_read() {
        check(
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.01s",
            12,
            0,
            1,
        );
        check(
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1s",
            3,
            2,
            0,
        );
        check("      Tests  112 passed (112)", 112, 0, 0);
        check(
            "      Tests  1 failed | 111 passed | 2 skipped (114)",
            111,
            1,
            2,
        );
        check(" Test Files  9 passed (9)", 0, 0, 0);
        check("test greeting ... ok", 0, 0, 0);
    }
}
