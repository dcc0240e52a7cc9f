//! The index of full-text search, killed in a commit, damaged, deleted or without its folder: saved pages are
//! still found, and the index recovers by itself.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

use rustix::process::Signal;

use crate::support::{Client, ConnectionLost, Home, Server, files, until};

fn write(client: &Client, path: &str, text: &str) {
    try_write(client, path, text).unwrap();
}

/// Writes a page by a server that may be killed.
fn try_write(client: &Client, path: &str, text: &str) -> Result<(), ConnectionLost> {
    let draft = client.post(&format!("/api/pages?path={path}"))?;
    let draft = draft.is(201);
    let id = draft.json()["id"].as_str().unwrap().to_owned();
    let source = format!("/api/pages/{id}/source");
    client.save(&source, &draft.lock(), text)?.is(200);
    Ok(())
}

/// Returns the number of pages that a word finds when all are searched: on a busy machine, the time for those that are not
/// in the index may end before.
fn count_matches(client: &Client, word: &str) -> u64 {
    let mut total = None;
    until("a complete answer", || {
        let answer = client.get(&format!("/api/search?q={word}")).unwrap();
        let answer = answer.is(200).json();
        total = answer["total"].as_u64();
        answer["partial"].is_null()
    });
    total.unwrap()
}

fn meta(home: &Home) -> PathBuf {
    home.data().join("search/meta.json")
}

/// Waits until the index has pages.
fn until_indexed(home: &Home) {
    until("the index to have pages", || {
        fs::read_to_string(meta(home)).is_ok_and(|meta| meta.contains("\"max_doc\""))
    });
}

#[test]
fn index_recovers_from_a_kill_in_commit() {
    let home = Home::new();
    let server = Server::start(&home);
    write(&server.client(), "/0", "wombat");
    until_indexed(&home);
    server.stop(Signal::TERM);
    // In an existing index, this is the only file that a commit renames.
    let target = meta(&home).display().to_string();
    let killing = ["--trace=/^rename", "--inject=/^rename:signal=KILL:when=1"];
    let home = home.with_faults(&target, &killing);
    let mut server = Server::start(&home);
    let written = try_write(&server.client(), "/a", "quokka");
    until("the commit", || !server.is_running());
    drop(server);

    let home = home.run_under(&[]);
    let server = Server::start(&home);
    // On a busy machine, the commit may come before the answer, or even before the page.
    if written.is_err() && count_matches(&server.client(), "quokka") == 0 {
        write(&server.client(), "/b", "quokka");
    }
    assert_eq!(count_matches(&server.client(), "quokka"), 1);
    until_indexed(&home);
    assert_eq!(count_matches(&server.client(), "quokka"), 1);
}

#[test]
fn damaged_or_deleted_index_is_rebuilt() {
    let home = Home::new();
    let server = Server::start(&home);
    write(&server.client(), "/a", "quokka");
    until_indexed(&home);
    // The server may be writing a file there.
    let index = home.data().join("search");
    until("the index is deleted", || {
        fs::remove_dir_all(&index).is_ok()
    });
    write(&server.client(), "/b", "quokka");
    assert_eq!(count_matches(&server.client(), "quokka"), 2);
    until_indexed(&home);
    server.kill();

    for file in files(&home.data().join("search")) {
        fs::write(file, "damaged").unwrap();
    }
    let server = Server::start(&home);
    assert_eq!(count_matches(&server.client(), "quokka"), 2);
    until_indexed(&home);
    assert_eq!(count_matches(&server.client(), "quokka"), 2);
}

/// Waits for a complete answer. One that lacks results must say so.
fn until_all_are_found(client: &Client, word: &str, total: u64) {
    until("a complete answer", || {
        let answer = client.get(&format!("/api/search?q={word}")).unwrap();
        let answer = answer.is(200).json();
        let found = answer["total"].as_u64() == Some(total);
        assert!(found || !answer["partial"].is_null(), "{answer}");
        found && answer["partial"].is_null()
    });
}

/// Returns the files of the index with postings, and its list of segments.
fn index_files(home: &Home) -> Vec<PathBuf> {
    let mut files = files(&home.data().join("search"));
    files.retain(|path| {
        path.extension()
            .is_some_and(|kind| kind == "idx" || kind == "json")
    });
    files.sort();
    files
}

#[test]
fn flipped_bits_lose_no_results() {
    const PAGES: u64 = 40;
    let home = Home::new();
    let server = Server::start(&home);
    for page in 0..PAGES {
        write(
            &server.client(),
            &format!("/{page}"),
            &format!("quokka {page}"),
        );
    }
    until_indexed(&home);
    server.stop(Signal::TERM);
    for file in index_files(&home) {
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 3;
        bytes[middle] ^= 1;
        fs::write(&file, bytes).unwrap();
    }
    let server = Server::start(&home);
    until_all_are_found(&server.client(), "quokka", PAGES);
    until_indexed(&home);

    // Damage during the use of the index.
    for path in index_files(&home) {
        // It may have been merged into another meanwhile.
        if let Ok(mut file) = fs::File::options().write(true).open(&path) {
            let length = file.metadata().unwrap().len();
            let damage = vec![0xFF; usize::try_from(length).unwrap()];
            file.write_all(&damage).unwrap();
        }
    }
    write(&server.client(), "/more", "quokka");
    until_all_are_found(&server.client(), "quokka", PAGES + 1);
    until("a new index", || {
        fs::read_to_string(meta(&home)).is_ok_and(|meta| meta.contains("\"max_doc\""))
    });
    until_all_are_found(&server.client(), "quokka", PAGES + 1);
    let marks = "*%EF%B8%8F%E2%83%A3";
    until_all_are_found(&server.client(), marks, 0);
}

#[test]
fn unwritable_index_loses_no_results() {
    let home = Home::new();
    let folder = home.data().join("search");
    fs::create_dir_all(home.data()).unwrap();
    fs::write(&folder, "in the way").unwrap();
    let server = Server::start(&home);
    write(&server.client(), "/a", "quokka");
    assert_eq!(count_matches(&server.client(), "quokka"), 1);
    assert!(folder.is_file());
    server.kill();

    fs::remove_file(&folder).unwrap();
    let server = Server::start(&home);
    until_indexed(&home);
    assert_eq!(count_matches(&server.client(), "quokka"), 1);
}

#[test]
fn concurrent_saves_are_all_found() {
    const WRITERS: usize = 8;
    const PAGES_PER_WRITER: usize = 125;
    let home = Home::new();
    let server = Server::start(&home);
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let client = server.client();
            scope.spawn(move || {
                for page in 0..PAGES_PER_WRITER {
                    write(&client, &format!("/{writer}/{page}"), "quokka words");
                }
            });
        }
    });
    let client = server.client();
    let total = (WRITERS * PAGES_PER_WRITER) as u64;
    until("all to be found", || {
        let answer = client.get("/api/search?q=quokka&limit=1").unwrap();
        let answer = answer.is(200).json();
        let matches = answer["total"].as_u64().unwrap();
        // An incomplete answer is marked as partial.
        assert!(matches == total || !answer["partial"].is_null(), "{answer}");
        matches == total
    });
}
