//! Commands that work on the data: with a server that has it open, and without one.

use std::io::Write;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Ended, Place, Server, end_of};

/// Runs a command on the data of a place.
fn fumi(place: &Place, words: &[&str], input: &str) -> Ended {
    let mut command = place.fumi(words);
    command
        .arg("--data")
        .arg(place.data())
        .stdin(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    end_of(&mut child)
}

#[track_caller]
fn ok(place: &Place, words: &[&str], input: &str) -> String {
    let ended = fumi(place, words, input);
    assert_eq!(ended.code, Some(0), "{words:?}: {}", place.said());
    ended.output
}

#[track_caller]
fn fails(place: &Place, words: &[&str], part: &str) {
    let ended = fumi(place, words, "");
    let said = place.said();
    assert_eq!((ended.code, ended.output.as_str()), (Some(1), ""), "{said}");
    assert!(said.contains(part), "{said}");
}

/// Checks the commands, with or without a server.
fn check_commands(place: &Place, folder: &str) {
    let path = |name: &str| format!("/{folder}/{name}");
    let (page, moved) = (path("旅"), path("moved"));
    ok(place, &["page", "add", &page], "# 旅\n\ntext\n");
    fails(place, &["page", "add", &page], "page");
    assert_eq!(ok(place, &["page", "show", &page], ""), "# 旅\n\ntext\n");
    let shown = ok(place, &["page", "show", &page, "--json"], "");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(
        (&shown["path"], &shown["revision"]),
        (&page.as_str().into(), &1.into())
    );
    ok(place, &["page", "move", &page, &moved], "");
    fails(place, &["page", "show", &path("nothing")], "nothing");
    let listed = ok(place, &["page", "list", &format!("/{folder}")], "");
    assert_eq!(listed, format!("{moved}\n"));

    let file = place.path().join("notes.txt");
    std::fs::write(&file, "in a file").unwrap();
    ok(place, &["asset", "add", &moved, file.to_str().unwrap()], "");
    assert!(ok(place, &["asset", "list", &moved], "").starts_with("notes.txt\t9\t"));
    assert_eq!(
        ok(place, &["asset", "get", &moved, "notes.txt"], ""),
        "in a file"
    );
    ok(place, &["asset", "delete", &moved, "notes.txt"], "");
    assert_eq!(ok(place, &["asset", "list", &moved], ""), "");

    let revisions = ok(place, &["revision", "list", &moved], "");
    assert_eq!(revisions.lines().count(), 2, "{revisions}");
    ok(place, &["revision", "rollback", &moved, "1"], "");
    ok(place, &["page", "delete", &moved], "");
    fails(place, &["page", "show", &moved], "page");
    ok(place, &["page", "undelete", &moved], "");
    ok(place, &["page", "delete", &moved, "--hard"], "");

    assert!(ok(place, &["user", "list"], "").starts_with("Aya\t"));
    assert_eq!(ok(place, &["lock", "list"], ""), "");
    assert!(ok(place, &["thumbs", "stats"], "").contains("thumbnails"));
    ok(place, &["thumbs", "gc"], "");
    assert_eq!(
        ok(place, &["ttl", "set", "default", "--days", "30"], ""),
        "30 days\n"
    );
    assert!(ok(place, &["ttl", "list"], "").starts_with("default\t30 days\t"));
    assert!(ok(place, &["ttl", "run", "--dry-run"], "").starts_with("0 files, 0 bytes"));
    assert!(ok(place, &["ttl", "run"], "").starts_with("Removed 0 files"));
    assert_eq!(ok(place, &["ttl", "set", "default", "--off"], ""), "off\n");
    fails(
        place,
        &["ttl", "set", "/nowhere", "--off"],
        "not an opened folder",
    );
    assert!(ok(place, &["check"], "").contains(" 0 faults"));
    ok(place, &["backup"], "");
    let archive = place.path().join(format!("{folder}.zip"));
    let archive = archive.to_str().unwrap();
    ok(place, &["export", archive], "");
    assert!(std::fs::read(archive).unwrap().starts_with(b"PK"));
    fails(place, &["export", archive], "couldn't create");
}

#[test]
fn commands_work_with_and_without_a_server() {
    let place = Place::new();
    fails(&place, &["page", "list"], "there is no data");
    let server = Server::start(&place);
    check_commands(&place, "served");
    server.end(Signal::TERM);
    check_commands(&place, "alone");
    check_thumbnails(&place);
}

/// Checks thumbnails, in folders that an environment variable opens.
fn check_thumbnails(place: &Place) {
    let folder = place.path().join("photos");
    std::fs::create_dir_all(folder.join("below")).unwrap();
    let photo = fumikura_tests::seed::fixture("images/orientation/Landscape_1.jpg");
    for name in ["a.jpg", "below/b.jpg"] {
        std::fs::copy(&photo, folder.join(name)).unwrap();
    }
    std::fs::write(folder.join("damaged.jpg"), "nothing").unwrap();
    let thumbs = |words: &[&str]| {
        let mut command = place.fumi(&["thumbs"]);
        let command = command
            .args(words)
            .env("ESTELLE_ALLOWED_DIRS", &folder)
            .arg("--data")
            .arg(place.data());
        let ended = end_of(&mut command.spawn().unwrap());
        assert_eq!(ended.code, Some(0), "{words:?}: {}", place.said());
        ended.output
    };
    let warmed = thumbs(&["warm", "photos", "--size", "64x64"]);
    assert_eq!(
        warmed,
        "2 thumbnails are there, 1 could not be made\n",
        "{}",
        place.said()
    );
    assert!(place.said().contains("damaged.jpg"));
    let path = thumbs(&["get", "photos/a.jpg", "--size", "64x64"]);
    let thumbnail = std::fs::read(path.trim_end()).unwrap();
    assert!(thumbnail.starts_with(b"\xff\xd8"));
    assert!(thumbs(&["stats"]).starts_with("2 thumbnails"));
}

#[test]
fn completions_are_printed() {
    let place = Place::new();
    // Longer than a pipe's buffer.
    let printed = place.fumi(&["completions", "bash"]).output().unwrap();
    assert!(printed.status.success());
    let script = String::from_utf8(printed.stdout).unwrap();
    assert!(script.contains("complete ") && script.contains("undelete"));
}
