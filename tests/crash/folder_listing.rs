//! A listed folder: the file system calls of a listing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Call, Client, Home, Server, Trace, Tracing, until};

/// The number of entries of the folder.
const ENTRIES: usize = 300;
/// The number of entries in a part of the listing.
const PART: usize = 100;

/// The calls that stat a file.
const STATS: &[&str] = &["stat", "lstat", "fstat", "newfstatat", "statx"];
/// The calls that open a file.
const OPENS: &[&str] = &["open", "openat", "openat2"];

/// A traced server, with a folder to list.
struct TracedFolder {
    server: Server,
    client: Client,
    root: String,
    folder: PathBuf,
    tracing: Tracing,
    _home: Home,
}

impl TracedFolder {
    /// Starts the server; `fill` fills the folder.
    fn start(fill: impl Fn(&Path)) -> Self {
        let (home, tracing) = Home::new().with_tracing();
        let folder = home.path().join("listed");
        fs::create_dir(&folder).unwrap();
        fill(&folder);
        let allow = ["--allow", folder.to_str().unwrap()];
        let server = Server::start_with(&home, &mut home.serve(&allow));
        let client = server.client();
        let root = client.open_root(&folder).is(201).json();
        Self {
            root: root["id"].as_str().unwrap().to_owned(),
            server,
            client,
            folder,
            tracing,
            _home: home,
        }
    }

    fn list(&self, query: &str) -> Value {
        let path = format!("/api/folders?root={}&limit={PART}{query}", self.root);
        self.client.get(&path).unwrap().is(200).json()
    }

    /// Lists the whole folder part by part in each order, all from one scan of the folder, whose id it returns.
    fn list_whole(&self) -> String {
        let first = self.list("");
        assert_eq!(first["total"], ENTRIES);
        let listing = first["listing"].as_str().unwrap();
        for sort in ["name", "modified", "size"] {
            let mut count = 0;
            for offset in (0..ENTRIES).step_by(PART) {
                let query = format!("&sort={sort}&offset={offset}&listing={listing}");
                let part = self.list(&query);
                assert_eq!(part["listing"], listing);
                count += part["entries"].as_array().unwrap().len();
            }
            assert_eq!(count, ENTRIES, "{sort}");
        }
        listing.to_owned()
    }

    /// Returns the number of stats and opens of each file of the folder, until the server has ended.
    fn count_calls(self) -> BTreeMap<String, FileCalls> {
        let pid = self.server.pid();
        self.server.stop(Signal::TERM);
        let trace = self.tracing.of_process(pid);
        let mut calls = BTreeMap::new();
        for entry in fs::read_dir(&self.folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            calls.insert(name, FileCalls::default());
        }
        count(&trace, STATS, &mut calls, |file| &mut file.stats);
        count(&trace, OPENS, &mut calls, |file| &mut file.opens);
        calls
    }
}

/// The calls for a file.
#[derive(Debug, Default, PartialEq, Eq)]
struct FileCalls {
    /// The number of stats by its name.
    stats: usize,
    /// The number of opens by its name. Stats of an open file do not count.
    opens: usize,
}

fn count(
    trace: &Trace,
    calls: &[&str],
    files: &mut BTreeMap<String, FileCalls>,
    counter: impl Fn(&mut FileCalls) -> &mut usize,
) {
    let names = trace.calls(calls).filter_map(file_name_of);
    for name in names {
        if let Some(file) = files.get_mut(&name) {
            *counter(file) += 1;
        }
    }
}

/// Returns the last component of the path in a call; `None` if the call names an open file.
fn file_name_of(call: &Call) -> Option<String> {
    if call.text.contains("AT_EMPTY_PATH") {
        return None;
    }
    let path = call.paths().next()?;
    let name = path.file_name()?;
    Some(name.to_str().unwrap().to_owned())
}

#[track_caller]
fn check(calls: &BTreeMap<String, FileCalls>, files: usize, expected: &FileCalls) {
    assert_eq!(calls.len(), files);
    let others: Vec<_> = calls.iter().filter(|(_, one)| *one != expected).collect();
    assert!(others.is_empty(), "{others:?}");
}

#[test]
fn listing_stats_each_file_once() {
    let listed = TracedFolder::start(|folder| {
        for number in 0..ENTRIES {
            fs::write(folder.join(format!("{number}.txt")), "no picture").unwrap();
        }
    });
    listed.list_whole();
    check(
        &listed.count_calls(),
        ENTRIES,
        &FileCalls { stats: 1, opens: 0 },
    );
}

#[test]
fn listing_opens_pictures_and_sidecars_once() {
    let listed = TracedFolder::start(|folder| {
        for number in 0..ENTRIES {
            let name = format!("{number}.bmp");
            let sidecar = folder.join(format!("{name}.xmp"));
            fs::write(folder.join(&name), "BM").unwrap();
            fs::write(sidecar, "no XMP").unwrap();
        }
    });
    let listing = listed.list_whole();
    until("all is read", || {
        listed.list(&format!("&listing={listing}"))["unread"] == 0
    });
    let again = listed.list(&format!("&sort=taken&listing={listing}"));
    assert_eq!(again["listing"], *listing);
    check(
        &listed.count_calls(),
        2 * ENTRIES,
        &FileCalls { stats: 1, opens: 1 },
    );
}
