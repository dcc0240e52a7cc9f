//! `fumi token` and `fumi events`.

use std::io::{BufRead, BufReader};
use std::sync::mpsc;

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Home, Server, until, wait_for_exit};

/// Runs a command on the data of a home. Returns its exit code and output.
fn fumi(home: &Home, words: &[&str]) -> (Option<i32>, String) {
    let mut command = home.fumi(words);
    command.arg("--data").arg(home.data());
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    (outcome.code, outcome.output)
}

#[track_caller]
fn ok(home: &Home, words: &[&str]) -> String {
    let (code, output) = fumi(home, words);
    assert_eq!(code, Some(0), "{words:?}: {}", home.stderr());
    output
}

#[test]
fn tokens_are_created_listed_and_revoked() {
    let home = Home::new();
    let server = Server::start(&home);
    let create = ["token", "create", "script", "--scope", "read", "--scope"];
    let token = ok(&home, &[&create[..], &["write", "--days", "7"]].concat());
    assert!(token.starts_with("fumi_"), "{token}");
    server.stop(Signal::TERM);

    let listed = ok(&home, &["token", "list"]);
    let fields: Vec<_> = listed.trim_end().split('\t').collect();
    assert_eq!(fields[1..4], ["script", "read,write", "Aya"]);
    ok(&home, &["token", "revoke", fields[0]]);
    assert_eq!(ok(&home, &["token", "list"]), "");
    let (code, _) = fumi(&home, &["token", "revoke", fields[0]]);
    assert_eq!(code, Some(1));
}

#[test]
fn events_are_printed_until_the_server_stops() {
    let home = Home::new();
    let server = Server::start(&home);
    let mut command = home.fumi(&["events"]);
    let mut events = command.arg("--data").arg(home.data()).spawn().unwrap();
    let lines = BufReader::new(events.stdout.take().unwrap()).lines();
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in lines {
            let line: Value = serde_json::from_str(&line.unwrap()).unwrap();
            sender
                .send(line["event"].as_str().unwrap().to_owned())
                .unwrap();
        }
    });
    // Events before the stream began are not in it.
    let client = server.client();
    let mut pages = 0;
    until("a new page is reported", || {
        pages += 1;
        let create = format!("/api/pages?path=/p{pages}");
        client.post(&create).unwrap().is(201);
        receiver.try_iter().count() > 0
    });
    server.stop(Signal::TERM);
    assert_eq!(wait_for_exit(&mut events).code, Some(0));
    let _earlier = receiver.try_iter().count();
    reader.join().unwrap();
    assert_eq!(fumi(&home, &["events"]).0, Some(1));
}
