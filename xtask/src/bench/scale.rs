//! `cargo xtask bench scale`: growth of each operation's cost, and `docs/SCALE.md`.

use anyhow::Result;

use super::all::{self, Measurement, measurement};
use super::report;
use crate::build::Profile;
use crate::{install, tests_crate};

/// The measurement of `docs/SCALE.md`. It has no peers but itself.
pub(super) const SCALE: Measurement = measurement("scale", "", &[]);

#[derive(clap::Args)]
pub(crate) struct ScaleBenchOptions {
    /// Number of thumbnails in the cache; 0 for none
    #[arg(long, default_value_t = 2_000_000)]
    thumbnails: u32,
    /// Number of hash records; 0 for none
    #[arg(long, default_value_t = 1_000_000)]
    records: u32,
    /// Number of pages; 0 for none
    #[arg(long, default_value_t = 100_000)]
    pages: u32,
    /// Number of revisions of each page
    #[arg(long, default_value_t = 10)]
    revisions: u32,
    /// Number of measurements of each operation
    #[arg(long, default_value_t = 100)]
    rounds: u32,
    /// Write the figures into docs/SCALE.md
    #[arg(long)]
    report: bool,
}

impl ScaleBenchOptions {
    fn words(&self) -> Vec<String> {
        let numbers = [
            ("--thumbnails", self.thumbnails),
            ("--records", self.records),
            ("--pages", self.pages),
            ("--revisions", self.revisions),
            ("--rounds", self.rounds),
        ];
        let word = |(option, number): (&str, u32)| [option.to_owned(), number.to_string()];
        numbers.into_iter().flat_map(word).collect()
    }
}

pub(super) fn run(options: &ScaleBenchOptions, profile: Profile) -> Result<()> {
    let words = options.words();
    let mut words: Vec<_> = words.iter().map(String::as_str).collect();
    if !options.report {
        install::for_building()?;
        return tests_crate::alone(profile, "bench_scale", &words);
    }
    words.splice(0..0, ["bench", "scale"]);
    if profile == Profile::Dev {
        words.push("--dev");
    }
    all::measure(&SCALE, &words)?;
    report::write_scale()
}
