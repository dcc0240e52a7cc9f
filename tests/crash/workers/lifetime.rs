//! The lifetime of workers, and their remains.

use std::fs::File;
use std::io::{Seek, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fumikura_image::{Decode, DecodeError, InProcess, Variant};
use fumikura_tests::memory::Memory;
use fumikura_thumbs::WorkerError;
use rustix::process::Pid;
use serde_json::Value;

use super::{DRILL, Drill, ENVIRONMENT, exists, good, is_running, kill, notes_in, png_of};
use crate::support::until;

#[test]
fn two_workers_decode_a_hundred_pictures() {
    let drill = Drill::new();
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&good()).unwrap();
    file.rewind().unwrap();
    let length = good().len() as u64;
    let expected = InProcess::default();
    let expected = expected
        .thumbnail(file, length, Variant::default())
        .unwrap()
        .bytes;
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..50 {
                    assert_eq!(drill.ask(&good()).unwrap(), expected);
                }
            });
        }
    });
    assert_eq!(drill.notes().len(), 100);
    let processes = drill.processes();
    assert!((1..=2).contains(&processes.len()), "{processes:?}");
}

#[test]
fn worker_is_replaced_after_many_pictures() {
    let drill = Drill::new();
    for _ in 0..501 {
        drill.ask(&good()).unwrap();
    }
    let processes = drill.processes();
    assert_eq!(processes.len(), 2);
    assert!(!exists(drill.notes()[0].0));
}

#[test]
fn memory_of_large_picture_returns_to_the_system() {
    let drill = Drill::new();
    drill.ask(&good()).unwrap();
    let process = Pid::from_raw(drill.last()).unwrap();
    let anonymous = || Memory::of(process).unwrap().anonymous;
    let before = anonymous();
    drill.ask(&png_of(6000, 4000)).unwrap();
    assert!(Memory::of(process).unwrap().peak > before + (72 << 20));
    until("it is given back", || anonymous() < before + (8 << 20));
    assert_eq!(drill.last(), process.as_raw_nonzero().get());
}

#[test]
fn idle_worker_ends() {
    let drill = Drill::with(|config| config.idle = Duration::from_millis(50));
    drill.ask(&good()).unwrap();
    let process = drill.last();
    until("it ends", || !exists(process));
    drill.ask(&good()).unwrap();
    assert_eq!(drill.processes().len(), 2);
}

#[test]
fn killed_idle_worker_is_replaced() {
    let drill = Drill::new();
    for _ in 0..5 {
        drill.ask(&good()).unwrap();
        kill(drill.last());
        until("it has ended", || !is_running(drill.last()));
    }
    assert_eq!(drill.processes().len(), 5);
}

#[test]
fn shutdown_ends_all_workers() {
    let drill = Drill::new();
    drill.ask(&good()).unwrap();
    let process = drill.last();
    drill.workers.shut_down();
    assert!(!exists(process));
    let error = drill.ask(&good()).unwrap_err();
    assert!(is_shut_down(&error), "{error:?}");
    drill.workers.shut_down();
}

#[test]
fn shutdown_does_not_wait_for_hanging_picture() {
    let drill = Drill::new();
    std::thread::scope(|scope| {
        let request = scope.spawn(|| drill.ask(b"hang").unwrap_err());
        until("it hangs", || !drill.notes().is_empty());
        let start = Instant::now();
        drill.workers.shut_down();
        let error = request.join().unwrap();
        // The picture itself has longer.
        assert!(start.elapsed() < Duration::from_secs(15));
        assert!(is_shut_down(&error) && !error.is_lasting(), "{error:?}");
    });
    assert!(!exists(drill.last()));
}

fn is_shut_down(error: &DecodeError) -> bool {
    matches!(error, DecodeError::NoDecoder(reason) if matches!(reason.downcast_ref(), Some(WorkerError::ShutDown)))
}

/// Checked in `/proc`, for an idle worker.
#[test]
fn worker_has_no_secrets_or_privileges() {
    let drill = Drill::new();
    drill.ask(&good()).unwrap();
    let of = |file| std::fs::read_to_string(format!("/proc/{}/{file}", drill.last())).unwrap();
    assert_eq!(of("environ"), ENVIRONMENT);
    let status = of("status");
    let has = |line: &str| status.lines().any(|is| is.replace('\t', " ") == line);
    assert!(has("NoNewPrivs: 1"), "{status}");
    let limits = of("limits");
    let limit = |name: &str| {
        let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
        let numbers = line[name.len()..].split_whitespace();
        numbers.take(2).map(ToOwned::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(limit("Max core file size"), ["0", "0"]);
    let memory = limit("Max address space");
    assert_eq!(memory[1], (2_u64 << 30).to_string());
    assert!(memory[0].parse::<u64>().unwrap() < 1 << 30, "{memory:?}");
    // Its socket, the null device, its error output, and files that this process may have open.
    assert!(
        std::fs::read_dir(format!("/proc/{}/fd", drill.last()))
            .unwrap()
            .count()
            < 8
    );
}

#[test]
fn no_handles_or_zombies_are_left() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(DRILL)
        .args(["parent", "count", "--notes"])
        .arg(folder.path().join("notes"))
        .stderr(File::create(folder.path().join("stderr")).unwrap())
        .output()
        .unwrap();
    let stderr = std::fs::read_to_string(folder.path().join("stderr")).unwrap();
    assert!(output.status.success(), "{stderr}");
    let counts: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counts.len(), 4);
    for count in &counts {
        assert_eq!(count, &counts[0]);
        assert_eq!(count["children"], Value::Array(Vec::new()));
    }
}

#[test]
fn worker_ends_with_its_killed_parent() {
    let folder = tempfile::tempdir().unwrap();
    let notes = folder.path().join("notes");
    let mut parent = Command::new(DRILL)
        .args(["parent", "hang", "--notes"])
        .arg(&notes)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let noted = || notes_in(&std::fs::read_to_string(&notes).unwrap_or_default());
    until("the picture hangs", || !noted().is_empty());
    let worker = noted()[0].0;
    assert!(is_running(worker));
    parent.kill().unwrap();
    parent.wait().unwrap();
    until("the worker ends", || !is_running(worker));
}
