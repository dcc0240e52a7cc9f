//! The processes that decode pictures: the effects if they die, hang or break the protocol.

mod hostile_pictures;
mod lifetime;
mod protocol;
mod sandbox;
mod server;
mod shutdown;
mod videos;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Seek, Write};
use std::path::PathBuf;
use std::time::Duration;

use fumikura_image::{Decode, DecodeError, Limits, Variant};
use fumikura_thumbs::{WorkerConfig, WorkerLimits, Workers};
use rustix::process::{Pid, Signal, kill_process};

/// The program that can be every kind of worker.
const DRILL: &str = env!("CARGO_BIN_EXE_worker_drill");

/// Obedient workers, and the file in which they note their jobs.
struct Drill {
    workers: Workers,
    notes: PathBuf,
    _folder: tempfile::TempDir,
}

impl Drill {
    fn new() -> Self {
        Self::with(|_| {})
    }

    fn with(change: impl FnOnce(&mut WorkerConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let notes = folder.path().join("notes");
        let mut config = config(&["child", "--notes", notes.to_str().unwrap()]);
        change(&mut config);
        Self {
            workers: Workers::start(config, Limits::default()).unwrap(),
            notes,
            _folder: folder,
        }
    }

    /// Decodes a picture.
    fn ask(&self, picture: &[u8]) -> Result<Vec<u8>, DecodeError> {
        ask(&self.workers, picture)
    }

    /// Returns the worker and the picture of each job, in order.
    fn notes(&self) -> Vec<(i32, String)> {
        notes_in(&std::fs::read_to_string(&self.notes).unwrap_or_default())
    }

    /// Returns the process of the worker with the last job.
    fn last(&self) -> i32 {
        self.notes().last().unwrap().0
    }

    /// Returns the processes of all workers so far.
    fn processes(&self) -> BTreeSet<i32> {
        self.notes().iter().map(|(process, _)| *process).collect()
    }
}

/// The whole environment of a worker.
const ENVIRONMENT: &str = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1\0";

/// Parses the complete lines.
fn notes_in(text: &str) -> Vec<(i32, String)> {
    let whole = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    let note = |line: &str| {
        let (process, picture) = line.trim_end().split_once(' ').unwrap();
        (process.parse().unwrap(), picture.to_owned())
    };
    whole.map(note).collect()
}

fn config(arguments: &[&str]) -> WorkerConfig {
    WorkerConfig {
        arguments: arguments.iter().map(Into::into).collect(),
        limits: WorkerLimits {
            wall: Duration::from_secs(20),
            ..WorkerLimits::default()
        },
        ..WorkerConfig::new(DRILL.into())
    }
}

fn ask(workers: &Workers, picture: &[u8]) -> Result<Vec<u8>, DecodeError> {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(picture).unwrap();
    file.rewind().unwrap();
    let made = workers.thumbnail(file, picture.len() as u64, Variant::default());
    made.map(|made| made.bytes)
}

/// Returns a picture that any decoder can read.
fn good() -> Vec<u8> {
    png_of(40, 30)
}

fn png_of(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let pixels = vec![7; width as usize * height as usize * 3];
    writer.write_image_data(&pixels).unwrap();
    drop(writer);
    bytes
}

/// Returns true if the process exists, even as a zombie.
fn exists(process: i32) -> bool {
    File::open(format!("/proc/{process}/stat")).is_ok()
}

/// Returns true if the process runs; a zombie does not.
fn is_running(process: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().unwrap_or_default();
    !matches!(state.trim_start().chars().next(), None | Some('Z' | 'X'))
}

fn kill(process: i32) {
    send(process, Signal::KILL);
}

fn send(process: i32, signal: Signal) {
    kill_process(Pid::from_raw(process).unwrap(), signal).unwrap();
}
