//! A program that has workers.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use clap::ValueEnum;
use fumikura_image::{Decode, Limits, Variant};
use fumikura_thumbs::{WorkerConfig, WorkerLimits, Workers};
use serde_json::json;

use crate::child::Rogue;

/// The commands in pictures for obedient workers.
const PICTURES: [&str; 7] = [
    "abort",
    "exit",
    "allocate",
    "panic",
    "wrong-kind",
    "huge",
    "no picture at all",
];

/// Decodes all kinds of pictures by all kinds of workers in four rounds. Prints the open files and the children after
/// each round.
pub(crate) fn count(notes: &Path) -> Result<()> {
    let mut counts = Vec::new();
    for _ in 0..4 {
        run_round(notes)?;
        counts.push(json!({ "handles": open_handles()?, "children": children()? }));
    }
    writeln!(std::io::stdout(), "{}", json!(counts))?;
    Ok(())
}

fn run_round(notes: &Path) -> Result<()> {
    let obedient = workers(&["child", "--notes", notes.to_str().context("a path")?])?;
    for words in PICTURES {
        for _ in 0..3 {
            let refused =
                obedient.thumbnail(picture(words)?, words.len() as u64, Variant::default());
            anyhow::ensure!(refused.is_err(), "{words} gives a thumbnail");
        }
    }
    // The last idle worker ends while the others are still running.
    let end = Instant::now() + Duration::from_secs(20);
    while !children()?.is_empty() {
        anyhow::ensure!(Instant::now() < end, "idle workers do not end");
        thread::sleep(Duration::from_millis(5));
    }
    for fault in Rogue::value_variants() {
        let name = fault.to_possible_value().context("a name")?;
        let rogues = workers(&["rogue", name.get_name()])?;
        let refused = rogues.thumbnail(picture("x")?, 1, Variant::default());
        anyhow::ensure!(refused.is_err(), "{} gives a thumbnail", name.get_name());
    }
    Ok(())
}

/// Decodes a picture that hangs.
pub(crate) fn hang(notes: &Path) -> Result<()> {
    let workers = workers(&["child", "--notes", notes.to_str().context("a path")?])?;
    let words = "hang";
    let outcome = workers.thumbnail(picture(words)?, words.len() as u64, Variant::default());
    anyhow::bail!("it does not hang: {outcome:?}");
}

fn workers(arguments: &[&str]) -> Result<Workers> {
    let config = WorkerConfig {
        arguments: arguments.iter().map(Into::into).collect(),
        idle: Duration::from_millis(50),
        limits: WorkerLimits {
            output: 1 << 20,
            ..WorkerLimits::default()
        },
        ..WorkerConfig::new(std::env::current_exe()?)
    };
    Ok(Workers::start(config, Limits::default())?)
}

fn picture(words: &str) -> Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(words.as_bytes())?;
    std::io::Seek::rewind(&mut file)?;
    Ok(file)
}

fn open_handles() -> Result<usize> {
    // The descriptor that reads the folder is not counted.
    Ok(fs::read_dir("/proc/self/fd")?.count() - 1)
}

/// Returns the children of this process, including zombies.
fn children() -> Result<Vec<String>> {
    let mut children = Vec::new();
    for task in fs::read_dir("/proc/self/task")? {
        // A thread may end while its file is read.
        let Ok(of_task) = fs::read_to_string(task?.path().join("children")) else {
            continue;
        };
        children.extend(of_task.split_whitespace().map(ToOwned::to_owned));
    }
    Ok(children)
}
