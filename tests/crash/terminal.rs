//! Commands on a terminal: aligned columns, colors, progress and interruptions.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::{Client, Home, Server, until, wait_for_exit};

/// The size of a file that takes longer to read than any test. It occupies no space.
const ENDLESS: u64 = 1 << 40;

/// A terminal, and what was printed there.
pub(crate) struct Terminal {
    controller: File,
    device: File,
    shown: String,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let controller = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR).unwrap();
        rustix::pty::grantpt(&controller).unwrap();
        rustix::pty::unlockpt(&controller).unwrap();
        let name = rustix::pty::ptsname(&controller, Vec::new()).unwrap();
        let mut options = File::options();
        options.read(true).write(true);
        let device = options.open(name.to_str().unwrap()).unwrap();
        Self {
            controller: File::from(controller),
            device,
            shown: String::new(),
        }
    }

    pub(crate) fn device(&self) -> File {
        self.device.try_clone().unwrap()
    }

    /// Reads until a text is shown.
    fn wait_for(&mut self, text: &str) {
        let mut piece = [0; 4096];
        while !self.shown.contains(text) {
            let length = self.controller.read(&mut piece).unwrap();
            assert_ne!(length, 0, "{:?}", self.shown);
            self.shown += &String::from_utf8_lossy(&piece[..length]);
        }
    }

    /// Returns everything that was shown. No other program may have the terminal open.
    pub(crate) fn rest(mut self) -> String {
        drop(self.device);
        let mut piece = [0; 4096];
        // The end of a terminal is an error.
        while let Ok(length @ 1..) = self.controller.read(&mut piece) {
            self.shown += &String::from_utf8_lossy(&piece[..length]);
        }
        self.shown.replace("\r\n", "\n")
    }
}

/// Runs a command on the data with its output on a terminal.
fn shown(home: &Home, words: &[&str], environment: &[(&str, &str)]) -> String {
    let terminal = Terminal::new();
    let outcome = {
        let mut command = home.fumi(words);
        command.arg("--data").arg(home.data());
        command.envs(environment.iter().copied());
        command.stdout(terminal.device());
        wait_for_exit(&mut command.spawn().unwrap())
    };
    assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
    terminal.rest()
}

fn add_page(home: &Home, path: &str, text: &str) {
    let mut command = home.fumi(&["page", "append", path, "--create", "--text", text]);
    let command = command.arg("--data").arg(home.data());
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
}

#[test]
fn columns_are_aligned_on_a_terminal_alone() {
    let home = Home::new();
    let _server = Server::start(&home);
    add_page(&home, "/京都の旅", "# Kyoto\n");
    add_page(&home, "/a", "[[/京都の旅]] [[/b]]\n");
    let aligned = "/b         missing\n/京都の旅  page     Kyoto\n";
    let rows = "/b\tmissing\t\n/京都の旅\tpage\tKyoto\n";
    let links = ["page", "links", "/a"];
    let sorted = |text: String| {
        let mut lines: Vec<_> = text.lines().map(|line| format!("{line}\n")).collect();
        lines.sort();
        lines.concat()
    };
    assert_eq!(sorted(shown(&home, &links, &[])), aligned);
    let porcelain = [&links[..], &["--porcelain"]].concat();
    // The terminal has set no tabs to be expanded.
    assert_eq!(sorted(shown(&home, &porcelain, &[])), rows);
    let mut piped = home.fumi(&links);
    piped.arg("--data").arg(home.data());
    let piped = wait_for_exit(&mut piped.spawn().unwrap());
    assert_eq!(sorted(piped.output), rows);
}

#[test]
fn colors_are_left_out_on_request() {
    let home = Home::new();
    let _server = Server::start(&home);
    add_page(&home, "/a", "one\n");
    add_page(&home, "/a", "two\n");
    let diff = ["page", "diff", "/a"];
    let term = ("TERM", "xterm");
    assert!(shown(&home, &diff, &[term]).contains("\u{1b}[32m+two"));
    let plain = shown(&home, &diff, &[term, ("NO_COLOR", "1")]);
    assert!(
        plain.contains("\n+two\n") && !plain.contains('\u{1b}'),
        "{plain:?}"
    );
}

/// Returns a command that records a file without end, whose messages are on the terminal.
fn recording(home: &Home, terminal: &Terminal, further: &[&str]) -> Command {
    let file = home.path().join("endless");
    File::create(&file).unwrap().set_len(ENDLESS).unwrap();
    let mut command = home.fumi(&["hash", "record", "--data"]);
    command.arg(home.data()).arg(file).args(further);
    command.env("TERM", "xterm").stderr(terminal.device());
    command
}

fn bytes_read(process: &Path) -> u64 {
    let counters = fs::read_to_string(process.join("io")).unwrap();
    let read = counters
        .lines()
        .find_map(|line| line.strip_prefix("rchar: "));
    read.unwrap().parse().unwrap()
}

#[test]
fn interrupted_recording_says_what_it_did() {
    let home = Home::new();
    let mut terminal = Terminal::new();
    let mut child = recording(&home, &terminal, &[]).spawn().unwrap();
    terminal.wait_for(" % ");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let outcome = wait_for_exit(&mut child);
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(130), "0 ok; cancelled before the end\n")
    );
    let shown = terminal.rest();
    assert!(
        shown.contains("fumi: interrupted: 0 files were read"),
        "{shown:?}"
    );
}

#[test]
fn json_has_no_progress_beside_it() {
    let home = Home::new();
    let terminal = Terminal::new();
    let mut child = recording(&home, &terminal, &["--json"]).spawn().unwrap();
    let pid = Pid::from_child(&child);
    let process = Path::new("/proc").join(pid.as_raw_nonzero().to_string());
    until("much is read", || bytes_read(&process) >= 1 << 30);
    kill_process(pid, Signal::INT).unwrap();
    assert_eq!(wait_for_exit(&mut child).code, Some(130));
    let shown = terminal.rest();
    assert!(shown.starts_with("fumi: interrupted: "), "{shown:?}");
}

/// Returns a command that makes a backup of a page with a large file, and the address of its job, which is paused. A backup
/// that ends first is followed by another, with one more file.
fn paused_backup(home: &Home, client: &Client, page: &str) -> (Child, String) {
    for attempt in 0..20 {
        let name = format!("large-{attempt}.bin");
        let large = vec![attempt; 64 << 20];
        client.upload(page, &name, &large).unwrap().is(201);
        let earlier = backup_jobs(client);
        let mut command = home.fumi(&["backup", "--data"]);
        let mut child = command.arg(home.data()).spawn().unwrap();
        let mut job = String::new();
        until("the backup begins", || {
            let begun = backup_jobs(client).into_iter();
            let new = begun.into_iter().find(|job| !earlier.contains(job));
            job = new.unwrap_or_default();
            !job.is_empty()
        });
        let address = format!("/api/jobs/{job}");
        let paused = client.patch_json(&address, &json!({"paused": true}));
        let paused = paused.unwrap().is(200).json();
        // It waits at its next step, if there is one.
        let (done, total) = (paused["done"].as_u64(), paused["total"].as_u64());
        if paused["state"] == "paused" && (total == Some(0) || done < total) {
            return (child, address);
        }
        let resumed = client.patch_json(&address, &json!({"paused": false}));
        resumed.unwrap().is(200);
        assert_eq!(wait_for_exit(&mut child).code, Some(0));
    }
    panic!("each backup ended before it was paused");
}

/// Returns the ids of the jobs that make backups.
fn backup_jobs(client: &Client) -> Vec<String> {
    let jobs = client.get("/api/jobs").unwrap().is(200).json();
    let jobs = jobs.as_array().unwrap().iter();
    let backups = jobs.filter(|job| job["kind"] == "backup");
    backups
        .map(|job| job["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn interrupted_backup_is_cancelled_at_the_server() {
    let home = Home::new();
    let server = Server::start(&home);
    let client = server.client();
    add_page(&home, "/a", "text\n");
    let page = client.get("/api/pages/resolve?path=/a").unwrap().json();
    let page = page["id"].as_str().unwrap();
    let (mut child, address) = paused_backup(&home, &client, page);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(
        wait_for_exit(&mut child).code,
        Some(130),
        "{}",
        home.stderr()
    );
    assert!(home.stderr().contains("interrupted: no backup was made"));
    let job = client.get(&address).unwrap().json();
    assert_eq!(job["state"], "cancelled", "{job}");
}

#[test]
fn misspelled_words_are_answered_with_similar_ones() {
    let home = Home::new();
    for (words, similar) in [
        (&["pgae", "list"][..], "'page'"),
        (&["page", "list", "--jsno"], "'--json'"),
    ] {
        let outcome = wait_for_exit(&mut home.fumi(words).spawn().unwrap());
        assert_eq!(outcome.code, Some(2));
        let stderr = home.stderr();
        assert!(
            stderr.contains("similar") && stderr.contains(similar),
            "{stderr}"
        );
    }
}

#[test]
fn double_hyphen_ends_the_options() {
    let home = Home::new();
    fs::write(home.path().join("--json"), "a").unwrap();
    let mut command = home.fumi(&["hash", "record", "--dir", "hashes", "--", "--json"]);
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    assert!(outcome.output.contains("1 ok") || outcome.output.contains("1 new"));
}
