//! Kills while backups are made and removed, while the data go back to one, and while a database of an earlier schema is
//! upgraded: the old state or the new.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use flate2::read::GzDecoder;
use fumikura_tests::workload::Workload;
use fumikura_wiki::{BackupFolder, Depth, ListedBackup, PagePath, Wiki, list_backups};
use rustix::process::Signal;

use super::{kill_within, open};
use crate::support::{Home, Random, Server, wait_for_exit};

/// The number of steps in the wiki that is backed up.
const STEPS: u64 = 80;
/// The longest time until a process that makes backups is killed, in milliseconds.
const MAX_TIME_MS: u64 = 700;

/// Returns the number of kills.
fn kills() -> u64 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 100,
        None => 8,
    }
}

fn random() -> Random {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    Random::new(seed)
}

/// Copies a folder with its files.
fn copy(from: &Path, to: &Path) {
    let copied = Command::new("cp").arg("-r").arg(from).arg(to).status();
    assert!(copied.unwrap().success());
}

#[track_caller]
fn assert_no_faults(wiki: &Wiki) {
    let faults = wiki.check(Depth::Everything).unwrap().faults;
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn killed_backups_leave_whole_ones() {
    let random = random();
    let home = Home::new();
    let (data, backups) = (home.data(), home.path().join("backups"));
    fs::create_dir_all(data).unwrap();
    let mut work = Workload::open(data, 1, 0, BTreeMap::new()).unwrap();
    for step in 0..STEPS {
        work.step(step).unwrap();
    }
    drop(work);
    let (mut made, mut newest) = (0, String::new());
    for kill in 0..kills() {
        // Ten hours later each time: some remove one of the same day, some do not.
        let mut worker = Command::new(env!("CARGO_BIN_EXE_wiki_worker"))
            .arg("--folder")
            .arg(data)
            .args(["--seed", "1", "--done", "0"])
            .args(["--clock", &(kill * 36_000 + STEPS * 60).to_string()])
            .arg("--backups")
            .arg(&backups)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let out = worker.stdout.take().unwrap();
        let (told, heard) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            // A truncated line was not acknowledged.
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            let each = lines.inspect(|_| _ = told.send(()));
            each.collect::<Vec<String>>()
        });
        // However slow the machine is, some backups are completed.
        if kill % 4 == 1 {
            heard.recv_timeout(Duration::from_secs(60)).unwrap();
        }
        std::thread::sleep(Duration::from_millis(random.below(MAX_TIME_MS)));
        worker.kill().unwrap();
        worker.wait().unwrap();
        let acknowledged = reader.join().unwrap();
        made += acknowledged.len();
        newest = acknowledged.into_iter().fold(newest, Ord::max);

        let wiki = open(data);
        BackupFolder::sweep(&backups).unwrap();
        let listed = list_backups(&backups).unwrap();
        let last = listed.first().map_or("", |backup| &backup.name);
        assert!(*last >= *newest, "{newest} was made, and is not there");
        let is_proved = |backup: &ListedBackup| backup.record.proved_at.is_some();
        assert!(listed.iter().all(is_proved));
        let watch = &mut |_, _| ControlFlow::Continue(());
        let faults = wiki.backups().inspect(&backups, watch).unwrap();
        assert!(faults.is_empty(), "{faults:#?}");
        assert_no_faults(&wiki);
        let left = fs::read_dir(&backups).into_iter().flatten();
        let left = left.map(|entry| entry.unwrap().file_name());
        let left: Vec<_> = left
            .filter(|name| name.as_encoded_bytes().starts_with(b"."))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
    eprintln!("{made} backups were made");
    assert!(!newest.is_empty(), "no backup was made");
}

/// A data folder with a page that was changed after a backup.
struct ChangedData {
    home: Home,
    /// The name of the backup.
    backup: String,
}

impl ChangedData {
    fn new() -> Self {
        let home = Home::new();
        let server = Server::start(&home);
        let client = server.client();
        let created = client.post("/api/pages?path=/a").unwrap().is(201);
        let id = created.json()["id"].as_str().unwrap().to_owned();
        let source = format!("/api/pages/{id}/source");
        let saved = client.save(&source, &created.lock(), "old\n");
        saved.unwrap().is(200);
        client.upload(&id, "old.txt", b"old").unwrap().is(201);
        let made = client.run_job("/api/backup").unwrap();
        let folder = made["result"]["folder"].as_str().unwrap().to_owned();
        client.upload(&id, "new.txt", b"new").unwrap().is(201);
        let locked = client.post(&format!("/api/pages/{id}/lock")).unwrap();
        let saved = client.save(&source, &locked.is(204).lock(), "new\n");
        saved.unwrap().is(200);
        server.stop(Signal::TERM);
        let backup = Path::new(&folder).file_name().unwrap();
        Self {
            backup: backup.to_str().unwrap().to_owned(),
            home,
        }
    }

    fn go_back(&self, data: &Path) -> Child {
        let words = ["backup", "restore", &self.backup, "--all", "--data"];
        self.home.fumi(&words).arg(data).spawn().unwrap()
    }
}

#[test]
fn killed_return_leaves_one_whole_state() {
    let random = random();
    let changed = ChangedData::new();
    let home = &changed.home;
    let measured = home.path().join("measured");
    copy(home.data(), &measured);
    let started = Instant::now();
    let ended = wait_for_exit(&mut changed.go_back(&measured));
    assert_eq!(ended.code, Some(0), "{}", home.stderr());
    let time = started.elapsed();
    let mut returned = 0;
    for kill in 0..kills() {
        let data = home.path().join(format!("data {kill}"));
        copy(home.data(), &data);
        // The copy is complete soon, and a start after that continues.
        let within = if kill % 2 == 0 { time } else { time / 4 };
        kill_within(changed.go_back(&data), within, &random);
        // A start continues what was begun.
        let mut show = home.fumi(&["page", "show", "/a", "--data"]);
        let shown = wait_for_exit(&mut show.arg(&data).spawn().unwrap());
        assert_eq!(shown.code, Some(0), "{}", home.stderr());
        let wiki = open(&data);
        let page = wiki.pages().resolve(&PagePath::new("/a").unwrap());
        let files = wiki.assets().of_page(page.unwrap().id, false).unwrap();
        let expected = match shown.output.as_str() {
            "old\n" => 1,
            "new\n" => 2,
            other => panic!("{other}"),
        };
        returned += usize::from(expected == 1);
        assert_eq!(files.len(), expected);
        assert_no_faults(&wiki);
        assert!(!data.join("restore").exists());
    }
    eprintln!("{returned} of {} have gone back", kills());
}

/// The database of schema 4.
fn earlier_database() -> Vec<u8> {
    let fixtures = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/wiki");
    let packed = File::open(format!("{fixtures}/schema-4.redb.gz")).unwrap();
    let mut database = Vec::new();
    std::io::copy(&mut GzDecoder::new(packed), &mut database).unwrap();
    database
}

#[test]
fn killed_upgrade_loses_nothing() {
    let random = random();
    let home = Home::new();
    let earlier = earlier_database();
    let upgrade = |data: &Path| {
        fs::create_dir_all(data).unwrap();
        fs::write(data.join("wiki.redb"), &earlier).unwrap();
        let mut command = home.fumi(&["page", "list", "--data"]);
        command.arg(data).spawn().unwrap()
    };
    let started = Instant::now();
    let ended = wait_for_exit(&mut upgrade(&home.path().join("measured")));
    assert_eq!(ended.code, Some(0), "{}", home.stderr());
    let time = started.elapsed();
    for kill in 0..kills() {
        let data = home.path().join(format!("data {kill}"));
        kill_within(upgrade(&data), time, &random);
        let is_untouched = fs::read(data.join("wiki.redb")).unwrap() == earlier;
        let kept = data.join("wiki.redb.schema-4");
        if kept.exists() || !is_untouched {
            assert!(fs::read(&kept).unwrap() == earlier, "{kill}");
        }
        let left = fs::read(data.join("wiki.redb")).unwrap();
        let wiki = open(&data);
        let mut faults = wiki.check(Depth::Everything).unwrap().faults;
        // The files themselves are not part of the fixture.
        faults.retain(|fault| fault.place != "asset/");
        assert!(faults.is_empty(), "{faults:#?}");
        // redb marks a database as open before anything is upgraded: a kill in between leaves one of schema 4 with
        // that mark, which the next start keeps.
        let now_kept = fs::read(&kept).unwrap();
        assert!(now_kept == earlier || now_kept == left, "{kill}");
        assert_is_upgraded(&now_kept, &home.path().join(format!("again {kill}")));
    }
}

/// Opens a kept database in a folder of its own: it must be upgraded there, so it is of schema 4.
fn assert_is_upgraded(database: &[u8], data: &Path) {
    fs::create_dir_all(data).unwrap();
    fs::write(data.join("wiki.redb"), database).unwrap();
    drop(open(data));
    assert!(fs::read(data.join("wiki.redb.schema-4")).unwrap() == database);
}
