//! The time from the start of the process to the painted page, and memory, compared with a blank window, in turns.
//!
//! "Painted" means visible: letters are on the screen in the area of a page's text. Both windows are observed
//! from outside, in the same way, and without their cooperation.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::Parser;
use fumikura_benches::Figure;
use fumikura_tests::screen::{Area, Screen};
use fumikura_tests::stage::{Display, Home, Process, process_tree, programs};
use fumikura_tests::wait;
use rustix::process::Signal;

/// The area of a page's text in either window.
const TEXT: Area = Area {
    x: 400,
    y: 80,
    width: 640,
    height: 320,
};

/// The polling interval. Polling more often would take time from the measurement.
const POLL_INTERVAL: Duration = Duration::from_millis(8);

/// The maximum time, as a multiple of the blank window's.
const TIME_AIM: f64 = 1.15;
/// The maximum memory, as a multiple of the blank window's.
const MEMORY_AIM: f64 = 1.3;

#[derive(Parser)]
struct StartOptions {
    /// The program of the blank window
    #[arg(long)]
    blank: PathBuf,
    /// Number of counted starts of each of the two
    #[arg(long, default_value_t = 9)]
    launches: usize,
}

/// The result of a start.
struct Launch {
    painted_ms: f64,
    memory: Memory,
}

/// Proportional memory of the processes of one start, in MiB.
#[derive(Default)]
struct Memory {
    /// The program itself.
    program: f64,
    /// The process that renders the page and runs its scripts.
    page: f64,
    /// Everything else: WebKit's network process.
    rest: f64,
}

impl Memory {
    fn sum(&self) -> f64 {
        self.program + self.page + self.rest
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let options = StartOptions::parse();
    let ours = programs::window()?;
    let home = Home::new()?;
    let display = Display::open(&home).await?;
    let screen = Screen::of(&display)?;
    register(&home).await?;

    // The first start of each is not counted: it reads the programs from the disk.
    for program in [&options.blank, &ours] {
        launch(&home, &display, &screen, program).await?;
    }
    let (mut blank, mut full) = (Vec::new(), Vec::new());
    for _ in 0..options.launches {
        blank.push(launch(&home, &display, &screen, &options.blank).await?);
        full.push(launch(&home, &display, &screen, &ours).await?);
    }

    println!(
        "{} launches of each, in turns; median (least–most)",
        options.launches
    );
    let time = report("start to painted page, ms", &blank, &full, |launch| {
        launch.painted_ms
    });
    let memory = report(
        "memory (PSS of all processes), MiB",
        &blank,
        &full,
        |launch| launch.memory.sum(),
    );
    report("  of it the program", &blank, &full, |launch| {
        launch.memory.program
    });
    report("  of it the page", &blank, &full, |launch| {
        launch.memory.page
    });
    report("  of it the rest", &blank, &full, |launch| {
        launch.memory.rest
    });
    for (work, ratio, aim) in [
        ("start to the painted page", time, TIME_AIM),
        ("memory when idle", memory, MEMORY_AIM),
    ] {
        Figure::new(work, ratio).to("a blank window").at_most(aim);
    }
    Ok(())
}

/// Gives the home a user and thereby a root page, as after the first day.
async fn register(home: &Home) -> Result<()> {
    let mut serve = Process::command(home, programs::headless()?)?;
    serve
        .args(["serve", "--user", "Reader"])
        .arg("--data")
        .arg(home.data())
        .arg("--cache")
        .arg(home.cache());
    let (server, _, _) = Process::spawn_and_read(&mut serve).await?;
    end(&server).await
}

async fn launch(home: &Home, display: &Display, screen: &Screen, program: &Path) -> Result<Launch> {
    let mut command = display.command(home, program)?;
    let start = Instant::now();
    let process = Process::spawn(&mut command)?;
    let painted = loop {
        // The window appears, is moved into its frame and resized: there is nothing to capture before that.
        let picture = screen
            .windows()?
            .first()
            .and_then(|window| screen.capture(*window, TEXT).ok());
        if picture.is_some_and(|picture| picture.shows_text()) {
            break start.elapsed();
        }
        anyhow::ensure!(
            start.elapsed() < wait::PATIENCE,
            "{} painted nothing",
            program.display()
        );
        tokio::time::sleep(POLL_INTERVAL).await;
    };
    let memory = settled_memory(&process).await;
    end(&process).await?;
    wait::until("the window to leave the screen", async || {
        Ok(screen.windows()?.is_empty().then_some(()))
    })
    .await?;
    Ok(Launch {
        painted_ms: painted.as_secs_f64() * 1000.0,
        memory,
    })
}

/// Returns the memory of the whole process tree, once it has changed by less than a hundredth within two seconds.
async fn settled_memory(process: &Process) -> Memory {
    let end = Instant::now() + wait::PATIENCE;
    let mut before = 0.0_f64;
    loop {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let memory = memory_now(process);
        let now = memory.sum();
        if (now - before).abs() < now / 100.0 || Instant::now() > end {
            return memory;
        }
        before = now;
    }
}

fn memory_now(process: &Process) -> Memory {
    let mib = |pid| process_tree::proportional_kib(pid) as f64 / 1024.0;
    let mut memory = Memory {
        program: mib(process.pid()),
        ..Memory::default()
    };
    for pid in process_tree::descendants(process.pid()) {
        let draws =
            process_tree::program(pid).is_some_and(|program| program.ends_with("WebKitWebProcess"));
        let part = if draws {
            &mut memory.page
        } else {
            &mut memory.rest
        };
        *part += mib(pid);
    }
    memory
}

async fn end(process: &Process) -> Result<()> {
    rustix::process::kill_process(process.pid(), Signal::TERM)
        .context("a program ended too early")?;
    wait::until("the program to end", async || {
        Ok(process_tree::has_ended(process.pid()).then_some(()))
    })
    .await
}

/// Prints the medians of both, and returns their ratio.
fn report(what: &str, blank: &[Launch], full: &[Launch], value: impl Fn(&Launch) -> f64) -> f64 {
    let sorted = |launches: &[Launch]| {
        let mut values: Vec<f64> = launches.iter().map(&value).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (blank, full) = (sorted(blank), sorted(full));
    let show = |values: &[f64]| {
        format!(
            "{:.0} ({:.0}–{:.0})",
            middle(values),
            values[0],
            values[values.len() - 1]
        )
    };
    let ratio = middle(&full) / middle(&blank);
    println!(
        "{what}: blank {}, Fumikura {}: {ratio:.2} times",
        show(&blank),
        show(&full)
    );
    ratio
}

fn middle(sorted: &[f64]) -> f64 {
    sorted[sorted.len() / 2]
}
