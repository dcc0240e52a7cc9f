//! The memory of a process.

use std::fs;

use anyhow::{Context, Result};
use rustix::process::Pid;

/// Sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The current resident memory.
    pub resident: u64,
    /// The part of it that is not backed by files.
    pub anonymous: u64,
    /// The peak since the process started.
    pub peak: u64,
}

impl Memory {
    /// Reads the memory of a running process.
    ///
    /// # Errors
    /// Fails if the process does not run.
    pub fn of(process: Pid) -> Result<Self> {
        let status = fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero()))?;
        let field = |name: &str| -> Result<u64> {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next());
            let kibibytes: u64 = number
                .with_context(|| format!("the kernel tells no {name}"))?
                .parse()?;
            Ok(kibibytes * 1024)
        };
        Ok(Self {
            resident: field("VmRSS:")?,
            anonymous: field("RssAnon:")?,
            peak: field("VmHWM:")?,
        })
    }
}

/// The resident memory at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// The time since the first one, in hours.
    pub hours: f64,
    /// The size in bytes.
    pub bytes: f64,
}

/// Returns the slope of the line through the samples, in percent of their mean an hour. `None` without two
/// different times.
#[must_use]
pub fn growth(samples: &[Sample]) -> Option<f64> {
    let count = samples.len() as f64;
    let mean_of = |value: fn(&Sample) -> f64| samples.iter().map(value).sum::<f64>() / count;
    let (hours, bytes) = (mean_of(|it| it.hours), mean_of(|it| it.bytes));
    let (mut along, mut squares) = (0.0, 0.0);
    for sample in samples {
        along += (sample.hours - hours) * (sample.bytes - bytes);
        squares += (sample.hours - hours).powi(2);
    }
    (squares > 0.0).then(|| along / squares / bytes * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_the_slope_by_the_hour() {
        let line = |slope: f64| -> Vec<Sample> {
            let hours = (0..60).map(|minute| f64::from(minute) / 60.0);
            hours
                .map(|hours| Sample {
                    hours,
                    bytes: 100.0 + slope * (hours - 59.0 / 120.0),
                })
                .collect()
        };
        assert!((growth(&line(5.0)).unwrap() - 5.0).abs() < 1e-9);
        assert!((growth(&line(-2.0)).unwrap() + 2.0).abs() < 1e-9);
        assert_eq!(growth(&[]), None);
    }
}
