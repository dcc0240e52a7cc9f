//! Tests of `fumi` as a process, in unusual environments.
#![expect(
    clippy::unwrap_used,
    reason = "a test stops where something is missing"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// A server that ends with the test.
struct TestServer {
    process: Child,
    ready: String,
}

impl TestServer {
    /// Requests a path under a host name, without a session, and returns the status.
    fn status(&self, host: &str, path: &str) -> String {
        let answer = self.ask(host, path, "");
        answer.split(' ').nth(1).unwrap().to_owned()
    }

    /// Sends a request with further header lines, and returns the answer with its head.
    fn ask(&self, host: &str, path: &str, headers: &str) -> String {
        let port = self.ready.split("\"http://127.0.0.1:").nth(1).unwrap();
        let port: u16 = port.split('/').next().unwrap().parse().unwrap();
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let host = host.replace("PORT", &port.to_string());
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

fn fumi(home: &Path, command: &str) -> Command {
    let mut fumi = Command::new(env!("CARGO_BIN_EXE_fumi"));
    fumi.arg(command).arg("--data").arg(home.join("data"));
    fumi.env("HOME", home)
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_RUNTIME_DIR")
        .stdin(Stdio::null());
    fumi
}

/// Returns when the server is ready.
fn serve(home: &Path, further: &[(&str, &str)]) -> TestServer {
    let mut command = fumi(home, "serve");
    command.arg("--cache").arg(home.join("cache"));
    command.args(["--host", "wiki.example"]);
    let command = command.envs(further.iter().copied()).stdout(Stdio::piped());
    let mut server = TestServer {
        process: command.spawn().unwrap(),
        ready: String::new(),
    };
    let mut output = BufReader::new(server.process.stdout.take().unwrap());
    output.read_line(&mut server.ready).unwrap();
    assert!(
        server.ready.starts_with("FUMIKURA_READY "),
        "{}",
        server.ready
    );
    server
}

#[track_caller]
fn prints_an_address(login: &Output) {
    let said = String::from_utf8_lossy(&login.stderr);
    assert!(login.status.success(), "{said}");
    let address = String::from_utf8_lossy(&login.stdout);
    assert!(address.contains("/login?token="), "{address}");
}

#[test]
fn proxy_of_the_environment_is_ignored() {
    let home = tempfile::tempdir().unwrap();
    let _served = serve(home.path(), &[]);
    // Nothing listens on the “discard” port, so a request through this proxy would fail.
    let nowhere = "http://127.0.0.1:9";
    let login = fumi(home.path(), "login")
        .env("http_proxy", nowhere)
        .env("ALL_PROXY", nowhere)
        .output();
    prints_an_address(&login.unwrap());
}

#[test]
fn failed_ready_line_leaves_nothing_behind() {
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

#[test]
fn worker_started_by_hand_explains_itself() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_fumi"));
    let command = command.arg("thumb-worker").env("HOME", home.path());
    let ended = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(said.contains("only for Fumikura itself"), "{said}");
    assert!(ended.stdout.is_empty());
}

#[test]
fn thumbnails_without_key_need_the_bound_host() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(home.path(), &[]);
    for path in ["/get?source=/none", "/queue?source=/none"] {
        assert_eq!(server.status("127.0.0.1:PORT", path), "403", "outside");
        assert_eq!(server.status("wiki.example", path), "401", "a stranger");
    }
    assert_eq!(server.status("wiki.example", "/healthz"), "200");
}

#[test]
fn configured_key_is_required_at_every_host() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(home.path(), &[("ESTELLE_SECRET", "open sesame")]);
    for host in ["127.0.0.1:PORT", "wiki.example"] {
        assert_eq!(server.status(host, "/get?size=nonsense"), "403");
        let with_key = "/get?size=nonsense&key=open%20sesame";
        assert_eq!(server.status(host, with_key), "400");
    }
}

#[test]
fn session_is_listed_and_ended() {
    let home = tempfile::tempdir().unwrap();
    let server = serve(home.path(), &[]);
    let login = server.ready.split("/login?").nth(1).unwrap();
    let login = format!("/login?{}", login.split('"').next().unwrap());
    let firefox = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0\r\n";
    let entered = server.ask("127.0.0.1:PORT", &login, firefox);
    let cookie = entered.split("set-cookie: ").nth(1).unwrap();
    let cookie = format!("Cookie: {}\r\n", cookie.split(';').next().unwrap());
    let is_signed_in = || {
        let answer = server.ask("127.0.0.1:PORT", "/api/settings", &cookie);
        answer.starts_with("HTTP/1.1 200 ")
    };
    assert!(is_signed_in());
    let run = |arguments: &[&str]| {
        let ran = fumi(home.path(), "session").args(arguments).output();
        let ran = ran.unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{said}");
        String::from_utf8(ran.stdout).unwrap()
    };
    let listed = run(&["list"]);
    let fields: Vec<&str> = listed.trim_end().split('\t').collect();
    let [id, "Firefox on Linux", _, _, _] = fields[..] else {
        panic!("{listed}");
    };
    assert!(run(&["list", "--json"]).contains("\"browser\":\"Firefox\""));
    assert_eq!(run(&["end", id]), format!("Ended session {id}\n"));
    assert!(!is_signed_in());
    assert_eq!(run(&["list"]), "");
    assert_eq!(run(&["end", "--all"]), "Signed 0 browsers out\n");
}
