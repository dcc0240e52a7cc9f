//! A Unix socket instead of a port.

use std::io::{Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::Signal;

use crate::support::{Home, Server, wait_for_exit};

fn socket(home: &Home) -> PathBuf {
    home.path().join("socket")
}

fn address(socket: &Path) -> String {
    format!("unix://{}", socket.display())
}

fn serve(home: &Home, socket: &Path) -> Server {
    Server::start_with(home, &mut home.serve(&["--addr", &address(socket)]))
}

/// Sends a raw request, and reads the whole response.
fn ask(socket: &Path, host: &str, path: &str, token: &str) -> String {
    let mut stream = UnixStream::connect(socket).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[track_caller]
fn check_refused(home: &Home, socket: &Path) {
    let mut command = home.serve(&["--addr", &address(socket)]);
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    let stderr = home.stderr();
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(1), ""),
        "{stderr}"
    );
    let message = format!("couldn't listen on {}", socket.display());
    assert!(stderr.contains(&message), "{stderr}");
}

#[test]
fn socket_is_private_to_its_owner() {
    let home = Home::new();
    let socket = socket(&home);
    let server = serve(&home, &socket);
    assert_eq!(server.url(), address(&socket));
    let login = server.ready["login"].as_str().unwrap();
    assert!(login.starts_with("/login?token="), "{login}");
    let metadata = socket.symlink_metadata().unwrap();
    assert!(metadata.file_type().is_socket());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    let token = server.token();
    let answer = ask(&socket, "localhost", "/api/users", token);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let answer = ask(&socket, "evil.example", "/api/users", token);
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
    let answer = ask(&socket, "localhost", "/api/users", "wrong");
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    let answer = ask(&socket, "localhost", login, "");
    assert!(answer.contains("set-cookie: fumikura_session="), "{answer}");
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    assert!(!socket.exists(), "the file goes with the server");
}

#[test]
fn stale_socket_after_a_kill_is_replaced() {
    let home = Home::new();
    let socket = socket(&home);
    serve(&home, &socket).kill();
    assert!(socket.exists());
    let server = serve(&home, &socket);
    let answer = ask(&socket, "localhost", "/api/users", server.token());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn socket_in_use_is_not_replaced() {
    let (home, other) = (Home::new(), Home::new());
    let socket = socket(&home);
    let server = serve(&home, &socket);
    check_refused(&other, &socket);
    let answer = ask(&socket, "localhost", "/api/users", server.token());
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn other_file_types_are_not_replaced() {
    let home = Home::new();
    let file = home.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    check_refused(&home, &file);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    check_refused(&home, &link);
    check_refused(&home, &home.path().join("none/socket"));
    check_refused(&home, &home.path().join("x".repeat(200)));
}

#[test]
fn failed_start_leaves_no_socket() {
    let home = Home::new();
    std::fs::create_dir(home.data()).unwrap();
    std::fs::write(home.data().join("wiki.redb"), "not a database").unwrap();
    let socket = socket(&home);
    let mut command = home.serve(&["--addr", &address(&socket)]);
    assert_eq!(wait_for_exit(&mut command.spawn().unwrap()).code, Some(1));
    assert!(
        socket.symlink_metadata().is_err(),
        "the file is still there"
    );
}

#[test]
fn unfinished_request_leaves_no_socket() {
    let home = Home::new();
    let socket = socket(&home);
    let server = serve(&home, &socket);
    let mut half = UnixStream::connect(&socket).unwrap();
    let request = format!(
        "PATCH /api/settings HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n",
        server.token()
    );
    half.write_all(request.as_bytes()).unwrap();
    let mut answer = [0; 25];
    half.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    half.write_all(b"{").unwrap();
    assert_eq!(server.stop(Signal::TERM).code, Some(0));
    assert!(
        socket.symlink_metadata().is_err(),
        "the file is still there"
    );
}

#[test]
fn login_command_refuses_a_socket() {
    let home = Home::new();
    let _server = serve(&home, &socket(&home));
    let mut command = home.fumi(&["login", "--data"]);
    let outcome = wait_for_exit(&mut command.arg(home.data()).spawn().unwrap());
    assert_eq!(outcome.code, Some(1));
    assert!(home.stderr().contains("listens on a Unix socket"));
}
