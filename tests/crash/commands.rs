//! Commands that work on the data: with a server that has it open, and without one.

use std::io::Write;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Home, Outcome, Server, wait_for_exit};

/// Runs a command on the data of a home.
fn fumi(home: &Home, words: &[&str], input: &str) -> Outcome {
    let mut command = home.fumi(words);
    command.arg("--data").arg(home.data()).stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    wait_for_exit(&mut child)
}

#[track_caller]
fn ok(home: &Home, words: &[&str], input: &str) -> String {
    let outcome = fumi(home, words, input);
    assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
    outcome.output
}

#[track_caller]
fn fails(home: &Home, words: &[&str], part: &str) {
    let outcome = fumi(home, words, "");
    let stderr = home.stderr();
    assert_eq!(
        (outcome.code, outcome.output.as_str()),
        (Some(1), ""),
        "{stderr}"
    );
    assert!(stderr.contains(part), "{stderr}");
}

/// Checks the commands, with or without a server.
fn check_commands(home: &Home, folder: &str) {
    let path = |name: &str| format!("/{folder}/{name}");
    let (page, moved) = (path("旅"), path("moved"));
    ok(home, &["page", "add", &page], "# 旅\n\ntext\n");
    fails(home, &["page", "add", &page], "page");
    assert_eq!(ok(home, &["page", "show", &page], ""), "# 旅\n\ntext\n");
    let page_json = ok(home, &["page", "show", &page, "--json"], "");
    let page_json: Value = serde_json::from_str(&page_json).unwrap();
    assert_eq!(
        (&page_json["path"], &page_json["revision"]),
        (&page.as_str().into(), &1.into())
    );
    ok(home, &["page", "move", &page, &moved], "");
    fails(home, &["page", "show", &path("nothing")], "nothing");
    let listed = ok(home, &["page", "list", &format!("/{folder}")], "");
    assert_eq!(listed, format!("{moved}\n"));

    let file = home.path().join("notes.txt");
    std::fs::write(&file, "in a file").unwrap();
    ok(home, &["asset", "add", &moved, file.to_str().unwrap()], "");
    assert!(ok(home, &["asset", "list", &moved], "").starts_with("notes.txt\t9\t"));
    assert_eq!(
        ok(home, &["asset", "get", &moved, "notes.txt"], ""),
        "in a file"
    );
    ok(home, &["asset", "delete", &moved, "notes.txt"], "");
    assert_eq!(ok(home, &["asset", "list", &moved], ""), "");

    let revisions = ok(home, &["revision", "list", &moved], "");
    assert_eq!(revisions.lines().count(), 2, "{revisions}");
    ok(home, &["revision", "rollback", &moved, "1"], "");
    ok(home, &["page", "delete", &moved], "");
    fails(home, &["page", "show", &moved], "page");
    ok(home, &["page", "undelete", &moved], "");
    ok(home, &["page", "delete", &moved, "--hard"], "");

    assert!(ok(home, &["user", "list"], "").starts_with("Aya\t"));
    assert_eq!(ok(home, &["lock", "list"], ""), "");
    assert!(ok(home, &["thumbs", "stats"], "").contains("thumbnails"));
    ok(home, &["thumbs", "gc"], "");
    assert_eq!(
        ok(home, &["ttl", "set", "default", "--days", "30"], ""),
        "30 days\n"
    );
    assert!(ok(home, &["ttl", "list"], "").starts_with("default\t30 days\t"));
    assert!(ok(home, &["ttl", "run", "--dry-run"], "").starts_with("0 files, 0 bytes"));
    assert!(ok(home, &["ttl", "run"], "").starts_with("Removed 0 files"));
    assert_eq!(ok(home, &["ttl", "set", "default", "--off"], ""), "off\n");
    fails(
        home,
        &["ttl", "set", "/nowhere", "--off"],
        "not an opened folder",
    );
    assert!(ok(home, &["check"], "").contains(" 0 faults"));
    ok(home, &["backup"], "");
    let archive = home.path().join(format!("{folder}.zip"));
    let archive = archive.to_str().unwrap();
    ok(home, &["export", archive], "");
    assert!(std::fs::read(archive).unwrap().starts_with(b"PK"));
    fails(home, &["export", archive], "couldn't create");
}

#[test]
fn commands_work_with_and_without_a_server() {
    let home = Home::new();
    fails(&home, &["page", "list"], "there is no data");
    let server = Server::start(&home);
    check_commands(&home, "served");
    server.stop(Signal::TERM);
    check_commands(&home, "alone");
    check_thumbnails(&home);
}

/// Checks thumbnails, in folders that an environment variable opens.
fn check_thumbnails(home: &Home) {
    let folder = home.path().join("photos");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    let photo = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    for name in ["a.jpg", "below/b.jpg"] {
        std::fs::copy(&photo, folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("damaged.jpg"), "nothing").unwrap();
    let thumbs = |words: &[&str]| {
        let mut command = home.fumi(&["thumbs"]);
        let command = command
            .args(words)
            .env("ESTELLE_ALLOWED_DIRS", &folder)
            .arg("--data")
            .arg(home.data());
        let outcome = wait_for_exit(&mut command.spawn().unwrap());
        assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
        outcome.output
    };
    let warmed = thumbs(&["warm", "photos", "--size", "64x64"]);
    assert_eq!(
        warmed,
        "2 thumbnails are there, 1 could not be made\n",
        "{}",
        home.stderr()
    );
    assert!(home.stderr().contains("damaged.jpg"));
    let path = thumbs(&["get", "photos/a.jpg", "--size", "64x64"]);
    let thumbnail = std::fs::read(path.trim_end()).unwrap();
    assert!(thumbnail.starts_with(b"\xff\xd8"));
    assert!(thumbs(&["stats"]).starts_with("2 thumbnails"));
}

#[test]
fn completions_are_printed() {
    let home = Home::new();
    // Longer than a pipe's buffer.
    let printed = home.fumi(&["completions", "bash"]).output().unwrap();
    assert!(printed.status.success());
    let script = String::from_utf8(printed.stdout).unwrap();
    assert!(script.contains("complete ") && script.contains("undelete"));
}
