//! The socket by which local programs reach the server without a port or a token.

use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;

use crate::strangers::as_stranger;
use crate::support::{Home, Outcome, Server, files, wait_for_exit};

/// Creates a folder for the session's runtime files.
fn runtime(home: &Home) -> PathBuf {
    let folder = home.path().join("run");
    fs::DirBuilder::new().mode(0o700).create(&folder).unwrap();
    folder
}

fn start(home: &Home, runtime: &Path) -> Server {
    Server::start_with(home, home.serve(&[]).env("XDG_RUNTIME_DIR", runtime))
}

/// Returns the only socket in the folder of runtime files.
fn socket_in(runtime: &Path) -> PathBuf {
    let mut sockets = files(runtime);
    assert_eq!(sockets.len(), 1, "{sockets:?}");
    sockets.remove(0)
}

fn run(home: &Home, command: &mut Command) -> Outcome {
    wait_for_exit(&mut command.arg("--data").arg(home.data()).spawn().unwrap())
}

/// Checks that a command reaches the server although nothing names its port and token.
#[track_caller]
fn check_reached(home: &Home, runtime: Option<&Path>) {
    let file = home.data().join("server.json");
    let away = home.path().join("away.json");
    fs::rename(&file, &away).unwrap();
    let mut command = home.fumi(&["session", "list"]);
    if let Some(runtime) = runtime {
        command.env("XDG_RUNTIME_DIR", runtime);
    }
    let outcome = run(home, &mut command);
    fs::rename(&away, &file).unwrap();
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
}

/// Sends a raw request, and reads the whole response.
fn ask(socket: &Path, host: &str, further: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    let request =
        format!("GET /api/users HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{further}\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn server_is_reached_without_port_and_token() {
    let home = Home::new();
    let runtime = runtime(&home);
    let server = start(&home, &runtime);
    let socket = socket_in(&runtime);
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&socket), 0o600);
    assert_eq!(mode(socket.parent().unwrap()), 0o700);
    assert!(socket.parent().unwrap().ends_with("fumikura"));
    check_reached(&home, Some(&runtime));
    let mut login = home.fumi(&["login"]);
    let login = run(&home, login.env("XDG_RUNTIME_DIR", &runtime)).output;
    let path = login
        .trim_end()
        .strip_prefix(server.url().trim_end_matches('/'));
    server.client().get(path.unwrap()).unwrap().is(200);
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    assert!(
        files(&runtime).is_empty(),
        "the socket goes with the server"
    );
}

#[test]
fn requests_at_the_socket_are_still_checked() {
    let home = Home::new();
    let runtime = runtime(&home);
    let server = start(&home, &runtime);
    let socket = socket_in(&runtime);
    for (host, header, status) in [
        ("localhost", "", 200),
        ("evil.example", "", 403),
        ("localhost", "Authorization: Bearer wrong\r\n", 401),
        ("localhost", "Sec-Fetch-Site: cross-site\r\n", 403),
    ] {
        let answer = ask(&socket, host, header);
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    // At the port, a token is needed.
    let url = format!("{}api/users", server.url());
    let refused = ureq::get(url).call().unwrap_err().to_string();
    assert!(refused.contains("401"), "{refused}");
}

#[test]
fn other_users_are_not_answered() {
    let home = Home::new();
    let runtime = runtime(&home);
    let _server = start(&home, &runtime);
    let socket = socket_in(&runtime);
    // Even if the user opens everything.
    for path in [home.path(), &runtime, socket.parent().unwrap(), &socket] {
        fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
    }
    let asked = socket.clone();
    let answer = as_stranger(move || {
        let mut stream = UnixStream::connect(asked).unwrap();
        let mut answer = Vec::new();
        // The connection may be closed before the request is sent.
        let _closed = stream.write_all(b"GET /api/users HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let _reset = stream.read_to_end(&mut answer);
        answer
    });
    assert_eq!(String::from_utf8(answer).unwrap(), "");
    assert!(ask(&socket, "localhost", "").starts_with("HTTP/1.1 200"));
}

#[test]
fn socket_fits_a_long_data_folder() {
    let home = Home::new();
    let data = home.path().join("x".repeat(150)).join("data");
    let home = home.with_data(&data);
    let server = Server::start(&home);
    assert!(data.join("fumi.sock").exists());
    check_reached(&home, None);
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    assert!(!data.join("fumi.sock").exists());
}

#[test]
fn stale_socket_is_replaced_and_ignored() {
    let home = Home::new();
    let runtime = runtime(&home);
    start(&home, &runtime).kill();
    let stale = socket_in(&runtime);
    let mut command = home.fumi(&["session", "list"]);
    let outcome = run(&home, command.env("XDG_RUNTIME_DIR", &runtime));
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    let _server = start(&home, &runtime);
    assert_eq!(socket_in(&runtime), stale);
    check_reached(&home, Some(&runtime));
}

#[test]
fn unusable_folder_does_not_stop_the_start() {
    let home = Home::new();
    let runtime = runtime(&home);
    fs::write(runtime.join("fumikura"), "a file").unwrap();
    let server = start(&home, &runtime);
    let message = format!("by a socket in {}", runtime.join("fumikura").display());
    assert!(home.stderr().contains(&message), "{}", home.stderr());
    check_reached(&home, Some(&runtime));
    server.stop(Signal::TERM);
    fs::create_dir(home.data().join("fumi.sock")).unwrap();
    let server = start(&home, &runtime);
    let message = format!("by a socket in {}", home.data().display());
    assert!(home.stderr().contains(&message), "{}", home.stderr());
    // By its port.
    let outcome = run(&home, &mut home.fumi(&["session", "list"]));
    assert_eq!(outcome.code, Some(0), "{}", home.stderr());
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
}
