//! A process that works on a wiki until it is killed, and reports each step on standard output, for crash tests.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use fumikura_tests::workload::Workload;

#[derive(Parser)]
struct Options {
    /// Folder of the wiki
    #[arg(long)]
    folder: PathBuf,
    /// Seed of the work
    #[arg(long)]
    seed: u64,
    /// Number of steps that are done already
    #[arg(long)]
    done: u64,
    /// Time of the clock, in seconds after the beginning
    #[arg(long)]
    clock: u64,
    /// Makes every second step an import, announced by a line
    #[arg(long)]
    importing: bool,
    /// Makes backups in this folder, and reports their names, instead of steps
    #[arg(long)]
    backups: Option<PathBuf>,
    /// The tokens of locks that were given: PAGE=TOKEN
    #[arg(long)]
    token: Vec<String>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let tokens = options.token.iter().map(|pair| {
        let (page, token) = pair.split_once('=').unwrap_or_default();
        Ok((page.parse()?, token.parse()?))
    });
    let tokens = tokens.collect::<Result<_>>()?;
    let mut work = Workload::open(&options.folder, options.seed, options.clock, tokens)?;
    if options.importing {
        work = work.with_imports(|| print("import"));
    }
    if let Some(backups) = &options.backups {
        loop {
            print(&work.back_up(backups)?)?;
        }
    }
    for number in options.done.. {
        work.step(number)?;
        print(&number.to_string())?;
    }
    Ok(())
}

fn print(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
