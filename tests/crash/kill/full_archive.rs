//! Kills while a full archive is exported and imported: the wiki and the archive are complete, or as they were.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read, Seek, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use fumikura_tests::workload::Workload;
use fumikura_wiki::{Depth, ExportForm, Wiki};
use serde_json::Value;
use zip::ZipArchive;

use super::{kill_within, open};
use crate::support::{Home, Random, wait_for_exit};

/// The number of steps in the wiki that is moved.
const STEPS: u64 = 120;
const MANIFEST: &str = "fumikura-full.json";

/// Returns the number of kills.
fn kills() -> u32 {
    match std::env::var_os("FUMIKURA_FULL") {
        Some(_) => 100,
        None => 10,
    }
}

/// The entries of an archive, without its time.
type Entries = BTreeMap<String, Vec<u8>>;

fn entries(archive: &[u8]) -> Entries {
    let mut zip = ZipArchive::new(Cursor::new(archive)).unwrap();
    let count = zip.len();
    let read = |index| {
        let (mut entry, mut bytes) = (zip.by_index(index).unwrap(), Vec::new());
        entry.read_to_end(&mut bytes).unwrap();
        let name = entry.name().unwrap().into_owned();
        if name == MANIFEST {
            let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
            assert!(manifest["exported_at"].take().is_string());
            bytes = manifest.to_string().into_bytes();
        }
        (name, bytes)
    };
    (0..count).map(read).collect()
}

fn proceed(_done: u64, _total: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns a wiki's full archive.
fn exported(wiki: &Wiki, aside: &Path) -> Vec<u8> {
    let (archives, mut archive) = (wiki.archives(), Vec::new());
    let export = archives.begin_export(aside, ExportForm::Full).unwrap();
    let report = archives.write_export(export, &mut archive, &mut proceed);
    assert_eq!(report.unwrap().missing, []);
    archive
}

fn restore(wiki: &Wiki, archive: &[u8], aside: &Path) {
    let mut file = tempfile::tempfile_in(aside).unwrap();
    file.write_all(archive).unwrap();
    file.rewind().unwrap();
    let plan = wiki
        .archives()
        .plan_restore(file, 1 << 30, aside, &mut proceed);
    wiki.archives().apply_restore(plan.unwrap()).unwrap();
}

#[test]
fn killed_export_and_import_do_everything_or_nothing() {
    let seed = Random::seed();
    eprintln!("again with FUMIKURA_SEED={seed}");
    let random = Random::new(seed);
    let home = Home::new();
    let (from, aside) = (home.data().to_owned(), home.path().to_owned());
    fs::create_dir_all(&from).unwrap();
    let mut work = Workload::open(&from, seed, 0, BTreeMap::new()).unwrap();
    for step in 0..STEPS {
        work.step(step).unwrap();
    }
    // The file of a draft would be orphaned at the time of the export.
    work.end_locks().unwrap();
    drop(work);
    let whole = entries(&exported(&open(&from), &aside));

    let archive = aside.join("whole.zip");
    let export = |to: &Path| {
        let mut command = home.fumi(&["export", "--full", "--data"]);
        command.arg(&from).arg(to).spawn().unwrap()
    };
    let started = Instant::now();
    assert_eq!(wait_for_exit(&mut export(&archive)).code, Some(0));
    let time = started.elapsed();
    let archive_bytes = fs::read(&archive).unwrap();
    assert!(entries(&archive_bytes) == whole, "the archives differ");
    let mut written = 0;
    for number in 0..kills() {
        let to = aside.join(format!("{number}.zip"));
        kill_within(export(&to), time, &random);
        if to.exists() {
            written += 1;
            assert!(entries(&fs::read(&to).unwrap()) == whole, "{number}");
        }
    }

    let import = |data: &Path| {
        let mut command = home.fumi(&["import", "--data"]);
        command.arg(data).arg(&archive).spawn().unwrap()
    };
    let started = Instant::now();
    assert_eq!(
        wait_for_exit(&mut import(&aside.join("first"))).code,
        Some(0)
    );
    // The wiki is written near the end.
    let time = started.elapsed() * 4 / 3;
    let mut restored = 0;
    for number in 0..kills() {
        let data = aside.join(format!("data {number}"));
        kill_within(import(&data), time, &random);
        fs::create_dir_all(&data).unwrap();
        let wiki = open(&data);
        if wiki.users().all().unwrap().is_empty() {
            // What the kill left behind is in the way of nothing.
            restore(&wiki, &archive_bytes, &aside);
        } else {
            restored += 1;
        }
        assert!(entries(&exported(&wiki, &aside)) == whole, "{number}");
        let faults = wiki.check(Depth::Everything).unwrap().faults;
        assert!(faults.is_empty(), "{faults:#?}");
    }
    eprintln!("{written} archives written, {restored} wikis restored");
    let faults = open(&from).check(Depth::Everything).unwrap().faults;
    assert!(faults.is_empty(), "{faults:#?}");
}
