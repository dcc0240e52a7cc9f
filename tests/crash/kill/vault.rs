//! Kills while a folder of notes is imported: all of its pages and files, or none.

use std::fs;
use std::path::Path;
use std::time::Instant;

use fumikura_wiki::{Depth, ListingQuery, PagePath, Wiki};
use rustix::process::Signal;

use super::{kill_within, open};
use crate::support::{Home, Random, Server, wait_for_exit};

/// The number of notes, each with an attached file.
const NOTES: usize = 150;

/// Returns the number of kills.
fn kills() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 100,
        None => 8,
    }
}

/// Writes a vault of Obsidian.
fn write_vault(vault: &Path) {
    fs::create_dir_all(vault.join(".obsidian")).unwrap();
    fs::create_dir_all(vault.join("files")).unwrap();
    for note in 0..NOTES {
        let text = format!(
            "# Note {note}\n\n[[Note {}]] ![[{note}.txt]]\n",
            (note + 1) % NOTES
        );
        fs::write(vault.join(format!("Note {note}.md")), text).unwrap();
        fs::write(vault.join(format!("files/{note}.txt")), note.to_string()).unwrap();
    }
}

/// Returns the numbers of pages and files.
fn contents(wiki: &Wiki) -> (usize, usize) {
    let listing = wiki.pages().list(&ListingQuery {
        prefix: PagePath::root(),
        cursor: None,
        backwards: false,
        limit: 1000,
        with_deleted: true,
    });
    let pages = listing.unwrap().items.len();
    (pages, wiki.assets().all().unwrap().len())
}

#[test]
fn killed_vault_import_does_everything_or_nothing() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let home = Home::new();
    let vault = home.path().join("vault");
    write_vault(&vault);
    Server::start(&home).stop(Signal::TERM);
    let import = |data: &Path| {
        let mut command = home.fumi(&["import", "--data"]);
        command.arg(data).arg(&vault).spawn().unwrap()
    };
    let empty = contents(&open(home.data()));
    let fresh = |name: &str| {
        let data = home.path().join(name);
        fs::create_dir_all(&data).unwrap();
        fs::copy(home.data().join("wiki.redb"), data.join("wiki.redb")).unwrap();
        data
    };
    let whole = fresh("whole");
    let started = Instant::now();
    assert_eq!(wait_for_exit(&mut import(&whole)).code, Some(0));
    // The wiki is written near the end.
    let time = started.elapsed() * 4 / 3;
    let full = contents(&open(&whole));
    assert!(full.0 >= NOTES && full.1 == NOTES, "{full:?}");
    let mut imported = 0;
    for kill in 0..kills() {
        let data = fresh(&format!("data {kill}"));
        kill_within(import(&data), time, &random);
        let wiki = open(&data);
        let found = contents(&wiki);
        assert!(found == empty || found == full, "{found:?}");
        imported += u32::from(found == full);
        let faults = wiki.check(Depth::Everything).unwrap().faults;
        assert!(faults.is_empty(), "{faults:#?}");
        drop(wiki);
        // What the kill left behind is in the way of nothing, and nothing is imported twice.
        assert_eq!(wait_for_exit(&mut import(&data)).code, Some(0));
        let again = contents(&open(&data));
        assert_eq!(again.1, full.1);
    }
    eprintln!("{imported} of {} were imported", kills());
}
