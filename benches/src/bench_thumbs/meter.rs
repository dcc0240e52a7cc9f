//! The cost of commands. Each measurement is a separate process, since the system sums up the costs of a
//! process's children over its whole life.

use std::env;
use std::io::{self, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use serde_json::{Value, json};

/// A program and its arguments.
pub(crate) type Line = Vec<String>;

/// The number of concurrent commands.
pub(crate) const CONCURRENCY: usize = 2;

pub(crate) struct Cost {
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    /// The peak memory of all concurrent processes together.
    pub(crate) peak_mib: f64,
}

/// Runs the commands, [`CONCURRENCY`] at a time, and returns their cost.
pub(crate) fn measure(commands: &[Line]) -> Result<Cost> {
    let mut meter = Command::new(env::current_exe()?)
        .arg("meter")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = meter.stdin.take().context("the meter has no input")?;
    input.write_all(&serde_json::to_vec(commands)?)?;
    drop(input);
    let output = meter.wait_with_output()?;
    ensure!(output.status.success(), "the meter failed");
    let report: Value = serde_json::from_slice(&output.stdout)?;
    let number = |name: &str| report[name].as_f64().with_context(|| format!("no {name}"));
    Ok(Cost {
        cpu_s: number("cpu_s")?,
        wall_s: number("wall_s")?,
        peak_mib: number("peak_mib")?,
    })
}

/// Measures, as the process that runs the commands.
pub(crate) fn run() -> Result<()> {
    let commands: Vec<Line> = serde_json::from_reader(io::stdin())?;
    let start = Instant::now();
    let printed_mib = run_all(&commands)?;
    let wall_s = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds = |time: TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    // The system reports only the largest child; a command with children of its own prints their sum.
    let peak_mib = printed_mib.unwrap_or_else(|| {
        let largest = usage.max_rss() as f64 / 1024.0;
        largest * commands.len().min(CONCURRENCY) as f64
    });
    let cost = json!({
        "cpu_s": seconds(usage.user_time()) + seconds(usage.system_time()),
        "wall_s": wall_s,
        "peak_mib": peak_mib,
    });
    serde_json::to_writer(io::stdout(), &cost)?;
    Ok(())
}

/// Runs the commands and returns the memory that one of them printed, in MiB.
fn run_all(commands: &[Line]) -> Result<Option<f64>> {
    let mut printed_mib = None;
    let mut running: Vec<Child> = Vec::new();
    let mut waiting = commands.iter();
    loop {
        while running.len() < CONCURRENCY
            && let Some(command) = waiting.next()
        {
            running.push(start(command)?);
        }
        if running.is_empty() {
            return Ok(printed_mib);
        }
        let mut left = Vec::new();
        for mut child in running {
            match child.try_wait()? {
                None => left.push(child),
                Some(status) if status.success() => {
                    let output = io::read_to_string(child.stdout.take().context("no output")?)?;
                    printed_mib = printed_mib.or(output.trim().parse().ok());
                }
                Some(status) => bail!("a command failed: {status}"),
            }
        }
        running = left;
        // Fine enough for processes that last ten times as long, and nearly free.
        std::thread::sleep(Duration::from_micros(200));
    }
}

fn start(line: &Line) -> Result<Child> {
    let (program, arguments) = line.split_first().context("an empty command")?;
    Command::new(program)
        .args(arguments)
        .env("VIPS_CONCURRENCY", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| program.clone())
}
