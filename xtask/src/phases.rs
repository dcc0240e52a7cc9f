//! A sequence of steps that are timed, counted, and summed up at the end.

use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Error, Result, bail};
use rustix::process::setpriority_process;

use crate::output;
use crate::tally::Tally;

/// The "niceness" of steps that run beside others.
const LOWEST_PRIORITY: i32 = 19;

/// The steps taken so far.
pub(crate) struct Phases {
    start: Instant,
    taken: Vec<Phase>,
}

/// Steps that run beside those of the sequence.
pub(crate) struct Beside(JoinHandle<Vec<Phase>>);

struct Phase {
    name: &'static str,
    time: Duration,
    tally: Tally,
    failed: Option<String>,
}

impl Phases {
    /// Starts the clock, with no steps taken.
    pub(crate) fn new() -> Self {
        Self {
            start: Instant::now(),
            taken: Vec::new(),
        }
    }

    /// Runs a step that all others depend on: its failure ends the sequence.
    pub(crate) fn need(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<()>,
    ) -> Result<()> {
        let start = Instant::now();
        let outcome = step();
        self.record(name, start, Tally::default(), outcome.as_ref().err());
        outcome
    }

    /// Runs a step whose failure is reported at once and counted. The next steps still run.
    pub(crate) fn step(&mut self, name: &'static str, step: impl FnOnce() -> Result<()>) {
        self.count(name, |_| step());
    }

    /// Runs a step that counts tests.
    pub(crate) fn count(
        &mut self,
        name: &'static str,
        step: impl FnOnce(&mut Tally) -> Result<()>,
    ) {
        let start = Instant::now();
        let mut tally = Tally::default();
        let outcome = step(&mut tally);
        if let Err(error) = &outcome {
            // The causes are reported at the end.
            output::line(format!("\n{error}"));
        }
        self.record(name, start, tally, outcome.as_ref().err());
    }

    /// Starts steps that run beside the following ones, with the processor time that those leave: a test
    /// that waits for a window or a timer is not disturbed.
    pub(crate) fn beside(&self, steps: impl FnOnce(&mut Self) + Send + 'static) -> Beside {
        let mut beside = Self {
            start: self.start,
            taken: Vec::new(),
        };
        Beside(thread::spawn(move || {
            // In Linux it is a property of the thread, which its processes inherit.
            if let Err(error) = setpriority_process(None, LOWEST_PRIORITY) {
                output::step("priority", error);
            }
            steps(&mut beside);
            beside.taken
        }))
    }

    /// Waits for the steps, and adds them to the sequence.
    pub(crate) fn join(&mut self, beside: Beside) {
        match beside.0.join() {
            Ok(taken) => self.taken.extend(taken),
            Err(panic) => resume_unwind(panic),
        }
    }

    fn record(&mut self, name: &'static str, start: Instant, tally: Tally, error: Option<&Error>) {
        let time = start.elapsed();
        output::step(
            name,
            if error.is_some() {
                "FAILED".to_owned()
            } else {
                format!("done in {}", output::format_duration(time))
            },
        );
        self.taken.push(Phase {
            name,
            time,
            tally,
            failed: error.map(|error| format!("{error:#}")),
        });
    }

    /// Reports the duration of each step and the counts. Fails if one of the steps failed.
    pub(crate) fn finish(self) -> Result<()> {
        output::line("");
        let mut sum = Tally::default();
        for phase in &self.taken {
            sum.add(phase.tally);
            output::step(
                phase.name,
                format!(
                    "{:>6}  {}{}",
                    output::format_duration(phase.time),
                    phase.tally,
                    if phase.failed.is_some() {
                        "  FAILED"
                    } else {
                        ""
                    }
                ),
            );
        }
        output::step(
            "in all",
            format!("{:>6}", output::format_duration(self.start.elapsed())),
        );
        if !sum.is_empty() {
            output::line(format!("\n{sum}"));
        }
        let failed = || {
            self.taken
                .iter()
                .filter_map(|phase| Some((phase.name, phase.failed.as_ref()?)))
        };
        // Repeated at the end: the output above has thousands of lines, of which a log may show only the last.
        for (name, why) in failed() {
            output::line(format!("\n{name}: {why}"));
        }
        let names: Vec<&str> = failed().map(|(name, _)| name).collect();
        if !names.is_empty() {
            bail!("Failed: {}", names.join(", "));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command;

    #[test]
    fn steps_beside_others_yield_to_them() {
        let mut phases = Phases::new();
        let beside = phases.beside(|phases| {
            phases.step("beside", || {
                let niceness = command::quiet(&mut command::program("nice"))?;
                assert_eq!(niceness.trim(), "19");
                bail!("a failure")
            });
        });
        phases.step("first", || Ok(()));
        phases.join(beside);
        let names: Vec<_> = phases.taken.iter().map(|phase| phase.name).collect();
        assert_eq!(names, ["first", "beside"]);
        let error = phases
            .finish()
            .expect_err("a step beside the others failed");
        assert_eq!(error.to_string(), "Failed: beside");
    }
}
