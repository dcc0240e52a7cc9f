//! `fumi` as it is started, among what its surroundings may do to it.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A server that ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn fumi(home: &Path, command: &str) -> Command {
    let mut fumi = Command::new(env!("CARGO_BIN_EXE_fumi"));
    fumi.arg(command).arg("--data").arg(home.join("data"));
    fumi.env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .stdin(Stdio::null());
    fumi
}

/// Returns when the server is ready.
fn serve(home: &Path) -> Served {
    let mut command = fumi(home, "serve");
    let command = command.arg("--cache").arg(home.join("cache"));
    let mut served = Served(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    let mut output = BufReader::new(served.0.stdout.take().unwrap());
    output.read_line(&mut line).unwrap();
    assert!(line.starts_with("FUMIKURA_READY "), "{line}");
    served
}

#[track_caller]
fn prints_an_address(login: &Output) {
    let said = String::from_utf8_lossy(&login.stderr);
    assert!(login.status.success(), "{said}");
    let address = String::from_utf8_lossy(&login.stdout);
    assert!(address.contains("/login?token="), "{address}");
}

#[test]
fn a_proxy_of_the_environment_has_no_part_in_it() {
    let home = tempfile::tempdir().unwrap();
    let _served = serve(home.path());
    // Nobody listens on the port of “discard”; asking a proxy there fails.
    let nowhere = "http://127.0.0.1:9";
    let login = fumi(home.path(), "login")
        .env("http_proxy", nowhere)
        .env("ALL_PROXY", nowhere)
        .output();
    prints_an_address(&login.unwrap());
}

#[test]
fn a_server_that_can_tell_nobody_where_it_is_leaves_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let (reader, closed) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = fumi(home.path(), "serve");
    let command = command.arg("--cache").arg(home.path().join("cache"));
    let ended = command.stdout(closed).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("the ready line can't be written"), "{said}");
    assert!(!home.path().join("data/server.json").exists());
}
