//! Kills of a server while it works: the number of acknowledged writes that are lost, over every operation.
//!
//! The server is started, all operations run at the same time, and it is killed at a random moment. After the next
//! start, each operation compares what was acknowledged with what is there.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod folders;
mod operation;
mod pages;
mod whole;

use std::time::Duration;

use anyhow::{Result, ensure};
use clap::Parser;
use fumikura_base::entropy::{Entropy, SeededEntropy};
use fumikura_benches::Figure;
use fumikura_tests::stage::{Home, Server};
use rustix::process::{Signal, kill_process};
use serde_json::json;
use tokio::time::{Instant, sleep};

use folders::{Expiry, Moves, Ratings, Records};
use operation::{Running, Tally};
use pages::{Edits, Imports, Trashing};
use whole::{Backups, Exports};

/// The number of kills after which the integrity of all data is checked.
const CHECK_INTERVAL: u32 = 25;

#[derive(Parser)]
struct KillsOptions {
    /// Number of kills
    #[arg(long, default_value_t = 1000)]
    count: u32,
    /// The longest time until a kill, in milliseconds
    #[arg(long, default_value_t = 1500)]
    within: u64,
    /// Seed of the moments
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Everything that the server does while it is killed.
struct Work {
    edits: Running<Edits>,
    trashing: Running<Trashing>,
    imports: Running<Imports>,
    exports: Running<Exports>,
    backups: Running<Backups>,
    ratings: Running<Ratings>,
    moves: Running<Moves>,
    records: Running<Records>,
    expiry: Running<Expiry>,
}

impl Work {
    async fn prepare(home: &Home, server: &Server) -> Result<Self> {
        let (api, places) = (server.api()?, home.folder("Places")?);
        api.post("api/users", &json!({"name": "Writer"})).await?;
        Ok(Self {
            edits: Running::new("edit", Edits::prepare(&api).await?),
            trashing: Running::new("delete, restore", Trashing::prepare(&api).await?),
            imports: Running::new("import", Imports::prepare(home)?),
            exports: Running::new("export", Exports),
            backups: Running::new("backup, prune", Backups::default()),
            ratings: Running::new("rating", Ratings::prepare(&api, &places).await?),
            moves: Running::new("move of a file", Moves::prepare(&api, &places).await?),
            records: Running::new("hash record", Records::prepare(&api, &places).await?),
            expiry: Running::new("expiry", Expiry::prepare(&api, &places).await?),
        })
    }

    /// Lets everything run until the server is gone.
    async fn run(
        &mut self,
        server: &Server,
        until: impl Future<Output = Result<()>>,
    ) -> Result<()> {
        let api = || server.api();
        let (.., killed) = tokio::join!(
            self.edits.run(api()?),
            self.trashing.run(api()?),
            self.imports.run(api()?),
            self.exports.run(api()?),
            self.backups.run(api()?),
            self.ratings.run(api()?),
            self.moves.run(api()?),
            self.records.run(api()?),
            self.expiry.run(api()?),
            until,
        );
        killed
    }

    /// Compares what is there with what was acknowledged.
    async fn check(&mut self, server: &Server) -> Result<()> {
        let api = server.api()?;
        self.edits.check(&api).await?;
        self.trashing.check(&api).await?;
        self.imports.check(&api).await?;
        self.exports.check(&api).await?;
        self.backups.check(&api).await?;
        self.ratings.check(&api).await?;
        self.moves.check(&api).await?;
        self.records.check(&api).await?;
        self.expiry.check(&api).await
    }

    fn tallies(&self) -> [&Tally; 9] {
        [
            self.edits.tally(),
            self.trashing.tally(),
            self.imports.tally(),
            self.exports.tally(),
            self.backups.tally(),
            self.ratings.tally(),
            self.moves.tally(),
            self.records.tally(),
            self.expiry.tally(),
        ]
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = KillsOptions::parse();
    ensure!(options.within > 0, "--within must be greater than 0");
    let home = Home::new()?;
    let folders = [home.folder("Places")?];
    let entropy = SeededEntropy::new(options.seed);
    let mut server = Server::start(&home, &folders).await?;
    let mut work = Work::prepare(&home, &server).await?;
    let mut integrity = Tally::new("integrity check");
    let begin = Instant::now();
    for kill in 1..=options.count {
        let time = Duration::from_millis(below(&entropy, options.within));
        let pid = server.pid();
        let killed = async {
            sleep(time).await;
            Ok(kill_process(pid, Signal::KILL)?)
        };
        work.run(&server, killed).await?;
        drop(server);
        server = Server::start(&home, &folders).await?;
        work.check(&server).await?;
        if kill.is_multiple_of(CHECK_INTERVAL) || kill == options.count {
            integrity.note(server.api()?.check_integrity().await);
        }
        if kill.is_multiple_of(CHECK_INTERVAL) {
            let seconds = begin.elapsed().as_secs();
            println!("{kill} kills, {} writes, {seconds} s", acknowledged(&work));
        }
    }
    verdict(&options, &work, &integrity);
    Ok(())
}

fn acknowledged(work: &Work) -> u64 {
    work.tallies().iter().map(|tally| tally.acknowledged).sum()
}

fn below(entropy: &dyn Entropy, bound: u64) -> u64 {
    let mut bytes = [0; 8];
    entropy.fill(&mut bytes);
    u64::from_le_bytes(bytes) % bound
}

fn verdict(options: &KillsOptions, work: &Work, integrity: &Tally) {
    println!(
        "\n{:<20}{:>14}{:>8}{:>8}",
        "", "acknowledged", "lost", "faults"
    );
    for tally in work.tallies().into_iter().chain([integrity]) {
        println!(
            "{:<20}{:>14}{:>8}{:>8}",
            tally.name, tally.acknowledged, tally.lost, tally.faults
        );
        if let Some(first) = &tally.first {
            println!("    the first: {first}");
        }
    }
    let sum = |of: fn(&Tally) -> u64| work.tallies().into_iter().map(of).sum::<u64>();
    let writes = acknowledged(work);
    let what = format!(
        "of {writes} acknowledged writes, lost in {} kills",
        options.count
    );
    Figure::new(what, sum(|tally| tally.lost) as f64).at_most(0.0);
    let faults = sum(|tally| tally.faults) + integrity.faults;
    Figure::new("unexpected answers and faults meanwhile", faults as f64).at_most(0.0);
}
