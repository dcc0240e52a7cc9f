//! Figures of the measurements, printed with their aims and collected for `docs/PERFORMANCE.md`.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a measurement speaks on standard output"
)]

use std::env;
use std::fs::File;
use std::io::{self, Write};

use serde_json::json;

/// The variable with the file that `cargo xtask bench all` reads: a JSON object a line, one for each figure.
pub const FIGURES: &str = "FUMIKURA_FIGURES";

/// A figure of a measurement: a ratio to a peer that does the same work, or a plain number.
#[derive(Debug, Clone)]
#[must_use = "a figure is printed when its aim is given"]
pub struct Figure {
    work: String,
    peer: Option<String>,
    value: f64,
    unit: &'static str,
}

/// The side of its aim on which a figure must be.
#[derive(Debug, Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

impl Figure {
    /// Returns the figure of some work, without a peer or unit.
    pub fn new(work: impl Into<String>, value: f64) -> Self {
        Self {
            work: work.into(),
            peer: None,
            value,
            unit: "",
        }
    }

    /// Names the peer whose cost is 1.
    pub fn to(mut self, peer: impl Into<String>) -> Self {
        self.peer = Some(peer.into());
        self
    }

    /// Names the unit.
    pub fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Prints and collects the figure, which should not be greater than `aim`.
    pub fn at_most(self, aim: f64) {
        self.publish(Some(Bound::AtMost(aim)));
    }

    /// Prints and collects the figure, which should not be smaller than `aim`.
    pub fn at_least(self, aim: f64) {
        self.publish(Some(Bound::AtLeast(aim)));
    }

    /// Prints and collects the figure, which has no aim.
    pub fn without_aim(self) {
        self.publish(None);
    }

    fn publish(&self, bound: Option<Bound>) {
        println!("{}", self.line(bound));
        // The measurement goes on: its other figures count as well.
        if let Err(error) = self.collect(bound) {
            eprintln!("this figure was not collected: {error}");
        }
    }

    /// Returns whether the aim is met; not a number meets none.
    fn is_met(&self, bound: Bound) -> bool {
        match bound {
            Bound::AtMost(aim) => self.value <= aim,
            Bound::AtLeast(aim) => self.value >= aim,
        }
    }

    fn line(&self, bound: Option<Bound>) -> String {
        let unit = match self.unit {
            "" => String::new(),
            unit => format!(" {unit}"),
        };
        let peer = match &self.peer {
            Some(peer) => format!(" / {peer}"),
            None => String::new(),
        };
        let (side, aim) = match bound {
            Some(Bound::AtMost(aim)) => ("at most", aim),
            Some(Bound::AtLeast(aim)) => ("at least", aim),
            None => return format!("  {}{peer}: {:.2}{unit}", self.work, self.value),
        };
        let met = match bound.is_some_and(|bound| self.is_met(bound)) {
            true => "met",
            false => "not met",
        };
        format!(
            "  {}{peer}: {:.2}{unit}, aim {side} {aim}{unit}: {met}",
            self.work, self.value
        )
    }

    fn collect(&self, bound: Option<Bound>) -> io::Result<()> {
        let Some(path) = env::var_os(FIGURES) else {
            return Ok(());
        };
        let (at_most, at_least) = match bound {
            Some(Bound::AtMost(aim)) => (Some(aim), None),
            Some(Bound::AtLeast(aim)) => (None, Some(aim)),
            None => (None, None),
        };
        let row = json!({
            "work": self.work,
            "peer": self.peer,
            "value": self.value,
            "unit": self.unit,
            "at_most": at_most,
            "at_least": at_least,
            "met": bound.map(|bound| self.is_met(bound)),
        });
        let mut file = File::options().create(true).append(true).open(path)?;
        writeln!(file, "{row}")
    }
}

/// Returns the median; not a number if there are none.
#[must_use]
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
