//! Starting: one line if it works, one sentence if it doesn't.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::support::{Home, Server, wait_for_exit};

/// Checks that the start fails with this exit code and message, without standard output. Returns the time
/// that it took.
#[track_caller]
fn check_refused(home: &Home, command: &mut Command, code: i32, message: &str) -> Duration {
    let start = Instant::now();
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    let took = start.elapsed();
    let stderr = home.stderr();
    assert_eq!(outcome.code, Some(code), "{stderr}");
    assert_eq!(outcome.output, "");
    assert!(stderr.contains(message), "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    took
}

#[test]
fn ready_line_is_the_only_output() {
    let home = Home::new();
    let server = Server::start(&home);
    let (url, port) = (server.url().to_owned(), server.port());
    assert_eq!(url, format!("http://127.0.0.1:{port}/"));
    let keys: Vec<_> = server.ready.as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["login", "token", "url"]);
    let login = server.ready["login"].as_str().unwrap().to_owned();
    let secret = login.strip_prefix(&format!("{url}login?token=")).unwrap();
    assert_eq!(secret.len(), 43);
    assert_ne!(secret, server.token(), "the two are different secrets");
    let client = server.client();
    client.get("/api/users").unwrap().is(200);
    client.get("/none").unwrap().is(404);
    let path = &login[url.len() - 1..];
    assert!(client.get(path).unwrap().is(200).body.contains("/wiki/"));
    client.get(path).unwrap().is(401);
    let outcome = server.stop(Signal::TERM);
    assert_eq!((outcome.code, outcome.output.as_str()), (Some(0), ""));
    // The login secret is in no log.
    assert!(!home.stderr().contains(secret));
}

#[test]
fn user_option_registers_the_user() {
    let home = Home::new();
    let server = Server::start(&home);
    let me = server.client().get("/api/users/me").unwrap().is(200);
    assert_eq!(me.json()["name"], "Aya");
    let root = server.client().get("/wiki/").unwrap().is(200);
    assert!(root.body.contains("wiki-page-id"));
}

#[test]
fn second_process_fails_after_five_seconds() {
    let home = Home::new();
    let server = Server::start(&home);
    let took = check_refused(
        &home,
        &mut home.serve(&[]),
        1,
        "is in use: Fumikura is running already",
    );
    assert!(took > Duration::from_secs(4), "{took:?}");
    // A busy machine takes longer than that to start and to end a process.
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert!(home.stderr().contains(&home.data().display().to_string()));
    // The first one is not affected, and is still found.
    server.client().get("/api/users").unwrap().is(200);
    let file = std::fs::read_to_string(home.data().join("server.json")).unwrap();
    assert!(file.contains(server.token()));
    let outcome = server.stop(Signal::TERM);
    assert_eq!(outcome.code, Some(0));
}

#[test]
fn waiting_process_starts_when_first_ends() {
    let home = Home::new();
    let server = Server::start(&home);
    let first = server.token().to_owned();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            server.stop(Signal::TERM)
        });
        let second = Server::start(&home);
        assert_ne!(second.token(), first);
        second.client().get("/api/users").unwrap().is(200);
        let file = std::fs::read_to_string(home.data().join("server.json")).unwrap();
        assert!(file.contains(second.token()), "the file is the second's");
    });
}

#[test]
fn taken_port_is_reported() {
    let home = Home::new();
    // An address of its own: no other test takes its port once it is free.
    let listener = TcpListener::bind("127.0.0.53:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let message = format!("the address {address} is taken by another program");
    check_refused(&home, &mut home.serve(&["--addr", &address]), 1, &message);
    drop(listener);
    let server = Server::start_with(&home, &mut home.serve(&["--addr", &address]));
    assert_eq!(server.url(), format!("http://{address}/"));
}

#[test]
fn only_loopback_addresses_are_accepted() {
    for address in [
        "0.0.0.0:0",
        "0.0.0.0:8080",
        "[::]:0",
        "192.168.1.1:0",
        "8.8.8.8:53",
        "example.com:80",
        "127.0.0.1",
        "unix://relative",
        ":0",
        "",
    ] {
        let home = Home::new();
        let mut command = home.serve(&["--addr", address]);
        check_refused(&home, &mut command, 2, "a loopback address with a port");
        assert!(!home.data().exists(), "nothing was made");
        if !address.is_empty() {
            let mut command = home.serve(&[]);
            command.env("ESTELLE_ADDR", address);
            check_refused(&home, &mut command, 1, "ESTELLE_ADDR is “");
        }
    }
    for address in ["127.0.0.1:0", "127.0.0.2:0", "localhost:0"] {
        let home = Home::new();
        Server::start_with(&home, &mut home.serve(&["--addr", address]));
    }
}

#[test]
fn invalid_configuration_is_named() {
    let home = Home::new();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let with = |name: &str, value: &str, message: &str| {
        let mut command = home.serve(&[]);
        check_refused(&home, command.env(name, value), 1, message);
    };
    with("ESTELLE_WORKERS", "0", "ESTELLE_WORKERS is “0”");
    with("ESTELLE_QUEUE_SIZE", "many", "a whole number");
    with(
        "ESTELLE_CACHE_DIR",
        file.to_str().unwrap(),
        "is not a folder",
    );
    with("ESTELLE_ALLOWED_DIRS", file.to_str().unwrap(), "file");
    let allow = ["--allow", file.to_str().unwrap()];
    check_refused(&home, &mut home.serve(&allow), 1, "can't be opened");
    let mut elsewhere = home.fumi(&["serve", "--data"]);
    elsewhere.arg(file.join("data"));
    check_refused(&home, &mut elsewhere, 1, "can't be used");
    let mut invalid = home.serve(&[]);
    invalid.args(["--user", "\u{202e}"]);
    let outcome = wait_for_exit(&mut invalid.spawn().unwrap());
    assert_ne!(outcome.code, Some(0));
}

#[test]
fn only_folders_of_the_environment_are_allowed() {
    let home = Home::new();
    let folders = ["first", "second", "first-evil"].map(|name| home.path().join(name));
    for folder in &folders {
        std::fs::create_dir(folder).unwrap();
        let fixture = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
        std::fs::copy(fixture, folder.join("a.jpg")).unwrap();
    }
    let [first, second, evil] = &folders;
    let allowed = std::env::join_paths([first, second]).unwrap();
    let mut command = home.serve(&[]);
    let server = Server::start_with(&home, command.env("ESTELLE_ALLOWED_DIRS", allowed));
    let client = server.client();
    let get = |path: &str| client.get(&format!("/get?source={path}")).unwrap();
    for folder in [first, second] {
        let picture = folder.join("a.jpg");
        let thumbnail = get(picture.to_str().unwrap()).is(200).body;
        assert!(std::fs::exists(&thumbnail).unwrap(), "{thumbnail}");
    }
    let sibling = evil.join("a.jpg");
    get(sibling.to_str().unwrap()).refused(403, "outside_roots");
    let around = first.join("../first-evil/a.jpg");
    get(around.to_str().unwrap()).refused(403, "outside_roots");
}

#[test]
fn world_writable_data_folder_is_refused() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    std::fs::create_dir(home.data()).unwrap();
    let set_mode = |mode| {
        let mode = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(home.data(), mode).unwrap();
    };
    set_mode(0o777);
    let message = format!("other users may write to {}", home.data().display());
    check_refused(&home, &mut home.serve(&[]), 1, &message);
    assert!(home.stderr().contains("chmod go-w"), "it says what to do");
    assert_eq!(std::fs::read_dir(home.data()).unwrap().count(), 0);
    let mut login = home.fumi(&["login", "--data"]);
    check_refused(&home, login.arg(home.data()), 1, &message);
    set_mode(0o755);
    Server::start(&home);
}

#[test]
fn damaged_database_is_left_unchanged() {
    let home = Home::new();
    std::fs::create_dir(home.data()).unwrap();
    let database = home.data().join("wiki.redb");
    for contents in ["not a database", &"x".repeat(100_000)] {
        std::fs::write(&database, contents).unwrap();
        let message = "damaged or no database";
        check_refused(&home, &mut home.serve(&[]), 1, message);
        assert_eq!(std::fs::read_to_string(&database).unwrap(), contents);
    }
}

#[test]
fn lost_database_does_not_become_an_empty_wiki() {
    let home = Home::new();
    Server::start(&home).stop(Signal::TERM);
    let database = home.data().join("wiki.redb");
    std::fs::create_dir_all(home.data().join("asset/00")).unwrap();
    std::fs::remove_file(&database).unwrap();
    let message = "is missing, but other data of a wiki are there";
    check_refused(&home, &mut home.serve(&[]), 1, message);
    assert!(!database.exists());
}

#[test]
fn missing_allowed_folders_do_not_prevent_start() {
    let home = Home::new();
    let [flag, environment] = ["stick", "disk"].map(|name| home.path().join(name).join("photos"));
    let allow = ["--allow", flag.to_str().unwrap()];
    let mut command = home.serve(&allow);
    let server = Server::start_with(&home, command.env("ESTELLE_ALLOWED_DIRS", &environment));
    let client = server.client();
    let available = || -> Vec<bool> {
        let roots = client.get("/api/roots").unwrap().is(200).json();
        let roots = roots.as_array().unwrap().iter();
        roots
            .map(|root| root["available"].as_bool().unwrap())
            .collect()
    };
    assert_eq!(available(), [false, false]);
    for folder in [&flag, &environment] {
        std::fs::create_dir_all(folder).unwrap();
    }
    assert_eq!(available(), [true, true]);
    let stderr = home.stderr();
    assert_eq!(
        stderr.matches("an allowed folder is unavailable").count(),
        2,
        "{stderr}"
    );
}
