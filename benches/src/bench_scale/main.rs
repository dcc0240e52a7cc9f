//! The cost of each operation at full size, compared with the same at a tenth of it: thumbnails in the cache, hash records,
//! and pages with many revisions.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod pages;
mod records;
mod thumbnails;

use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use fumikura_benches::{Figure, median};

/// The maximum cost at full size, as a multiple of that at a tenth of it.
const GROWTH: f64 = 1.3;

#[derive(Parser)]
struct ScaleOptions {
    /// Number of thumbnails in the cache; 0 for none
    #[arg(long, default_value_t = 2_000_000)]
    thumbnails: u32,
    /// Number of hash records; 0 for none
    #[arg(long, default_value_t = 1_000_000)]
    records: usize,
    /// Number of pages; 0 for none
    #[arg(long, default_value_t = 100_000)]
    pages: usize,
    /// Number of revisions of each page
    #[arg(long, default_value_t = 10)]
    revisions: usize,
    /// Number of measurements of each operation
    #[arg(long, default_value_t = 100)]
    rounds: usize,
}

/// The cost of an operation, in microseconds.
struct Cost {
    work: &'static str,
    micros: f64,
}

/// The costs of the operations of one size.
#[derive(Default)]
struct Costs(Vec<Cost>);

impl Costs {
    /// Records the median of an operation's repetitions.
    fn measure<T>(
        &mut self,
        work: &'static str,
        rounds: usize,
        mut operation: impl FnMut(usize) -> Result<T>,
    ) -> Result<()> {
        let mut times = Vec::with_capacity(rounds);
        for round in 0..rounds {
            let began = Instant::now();
            std::hint::black_box(operation(round).with_context(|| work.to_owned())?);
            times.push(began.elapsed().as_secs_f64() * 1e6);
        }
        self.push(work, median(times));
        Ok(())
    }

    /// Records an operation that goes through many items, by its cost for one of them.
    fn per_item(&mut self, work: &'static str, began: Instant, items: u64) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "a measurement need not be exact"
        )]
        let items = items.max(1) as f64;
        self.push(work, began.elapsed().as_secs_f64() * 1e6 / items);
    }

    fn push(&mut self, work: &'static str, micros: f64) {
        self.0.push(Cost { work, micros });
    }
}

fn main() -> Result<()> {
    let options = ScaleOptions::parse();
    let rounds = options.rounds;
    if options.thumbnails > 0 {
        let measure = |count: usize| thumbnails::measure(u32::try_from(count)?, rounds);
        compare("thumbnails", options.thumbnails as usize, measure)?;
    }
    if options.records > 0 {
        compare("records", options.records, |count| {
            records::measure(count, rounds)
        })?;
    }
    if options.pages > 0 {
        let folder = tempfile::tempdir()?;
        compare("pages", options.pages, |count| {
            pages::measure(folder.path(), count, options.revisions, rounds)
        })?;
    }
    Ok(())
}

/// Measures the operations at a tenth of the size and at full size, and prints their growth.
fn compare(
    what: &str,
    count: usize,
    mut measure: impl FnMut(usize) -> Result<Costs>,
) -> Result<()> {
    let fewer = (count / 10).max(1);
    println!("{fewer} {what}");
    let small = measure(fewer)?;
    println!("{count} {what}");
    let large = measure(count)?;
    for large in &large.0 {
        let Some(small) = small.0.iter().find(|small| small.work == large.work) else {
            println!("  {}: only at full size", large.work);
            continue;
        };
        let work = format!("{}, {count} {what}: {}", large.work, shown(large.micros));
        Figure::new(work, large.micros / small.micros)
            .to(format!("{fewer}: {}", shown(small.micros)))
            .at_most(GROWTH);
    }
    Ok(())
}

fn shown(micros: f64) -> String {
    match micros {
        micros if micros >= 10_000.0 => format!("{:.1} ms", micros / 1000.0),
        micros => format!("{micros:.1} µs"),
    }
}
