//! The cost of the wiki's operations as it grows, compared with a bare write of 4 KiB with its sync, in turns.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod check;
mod lists;
mod search;
mod subject;

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Parser;

use check::Check;
use fumikura_benches::Figure;
use fumikura_tests::generator::Generator;
use fumikura_tests::times::Times;
use fumikura_tests::writer::Writer;
use jiff::Timestamp;
use lists::Lists;
use search::Search;
use subject::Subject;

/// The maximum time of a save, as a multiple of the bare write and sync.
const SAVE: f64 = 2.0;
/// The maximum time of a save in the largest wiki, as a multiple of one in the smallest.
const GROWTH: f64 = 1.1;
/// The maximum time of a rename with a thousand inbound links, as a multiple of a save.
const RENAME: f64 = 1.5;
/// The maximum time of reading a source, in milliseconds.
const READ_MS: f64 = 0.2;
/// The maximum of the 95th percentile of searches, in milliseconds, for any query.
const SEARCH_MS: f64 = 50.0;
/// The maximum of the 95th percentile of a `pages` fence after a save, in milliseconds.
const FENCE_MS: f64 = 50.0;
/// The maximum of the 95th percentile of opening the tree, in milliseconds.
const TREE_MS: f64 = 100.0;
/// The maximum time of opening after a clean end, in milliseconds.
const OPEN_MS: f64 = 300.0;
/// The maximum time of opening after a kill, in milliseconds.
const OPEN_KILLED_MS: f64 = 2000.0;

#[derive(Parser)]
struct WikiOptions {
    /// Numbers of pages in the wiki, ascending
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    pages: Vec<usize>,
    /// Number of pages with properties, in a wiki of their own, for lists of pages
    #[arg(long, default_value_t = 10_000)]
    listed: usize,
    /// Number of measurements of each operation
    #[arg(long, default_value_t = 300)]
    rounds: usize,
    /// Writes to the wiki in this folder until it is killed
    #[arg(long, hide = true)]
    write_in: Option<PathBuf>,
}

/// The results for one size, in milliseconds.
struct Measurements {
    pages: usize,
    bare: f64,
    save: f64,
    read: f64,
    rename: f64,
    open: f64,
    open_killed: f64,
    search: f64,
}

fn main() -> Result<()> {
    let options = WikiOptions::parse();
    if let Some(folder) = &options.write_in {
        return write_until_killed(folder);
    }
    let folder = tempfile::tempdir()?;
    println!(
        "{} rounds of each; times in ms, p50 (p99); the files lie in {}",
        options.rounds,
        std::env::temp_dir().display()
    );
    let mut made = 0;
    let mut all = Vec::new();
    for &pages in &options.pages {
        let subject = Subject::open(folder.path())?;
        subject.grow(made..pages)?;
        made = pages;
        drop(subject);
        all.push(measure(folder.path(), pages, options.rounds)?);
    }
    let lists = Lists::measure(&folder.path().join("lists"), options.listed)?;
    verdict(&all);
    verdict_of_lists(&lists, options.listed);
    Ok(())
}

fn measure(folder: &Path, pages: usize, rounds: usize) -> Result<Measurements> {
    let mut open = Times::default();
    for _ in 0..5 {
        drop(open.measure(|| Subject::open(folder))?);
    }
    let subject = Subject::open(folder)?;
    let bare_file = BareFile::new(folder)?;
    let generator = Generator::new(pages as u64);
    let (mut bare, mut save, mut relink, mut read, mut list) = (
        Times::default(),
        Times::default(),
        Times::default(),
        Times::default(),
        Times::default(),
    );
    for round in 0..rounds {
        bare.measure(|| bare_file.write(round))?;
        let number = generator.below(pages);
        let text = generator.text(number);
        save.measure(|| subject.save(number, text))?;
        let number = generator.below(pages);
        let text = generator.with_other_links(number, pages);
        relink.measure(|| subject.save(number, text))?;
        let number = generator.below(pages);
        read.measure(|| subject.read(number))?;
        list.measure(|| subject.list(number))?;
    }
    let (mut rename, mut save_near_rename) = (Times::default(), Times::default());
    for round in 0..rounds / 3 {
        rename.measure(|| subject.rename_hub(round))?;
        let number = generator.below(pages);
        let text = generator.text(number);
        save_near_rename.measure(|| subject.save(number, text))?;
    }
    subject.name_hub_again()?;
    let memory = resident_mib()?;
    let check = Check::measure(&subject, pages)?;
    drop(subject);
    let mut open_killed = Times::default();
    for _ in 0..5 {
        kill_a_writer(folder)?;
        drop(open_killed.measure(|| Subject::open(folder))?);
    }
    let size = fs::metadata(Writer::database(folder))?.len();
    println!(
        "\n{pages} pages, {} MiB on disk, {memory} MiB resident",
        size >> 20
    );
    for (what, times) in [
        ("bare write + fdatasync", &bare),
        ("save", &save),
        ("save with other links", &relink),
        ("read a source", &read),
        ("list 50", &list),
        ("rename, 1,000 inbound", &rename),
        ("a concurrent save", &save_near_rename),
        ("open", &open),
        ("open after a kill", &open_killed),
        ("check of the tables", &check.tables),
        ("check of everything", &check.everything),
        ("a concurrent read", &check.read),
        ("a concurrent save", &check.save),
    ] {
        println!(
            "  {what:<24}{:>9.3} ({:.3})",
            times.median(),
            times.percentile(99)
        );
    }
    past(folder, pages, rounds)?;
    Ok(Measurements {
        pages,
        bare: bare.median(),
        save: save.median(),
        read: read.median(),
        rename: rename.median() / save_near_rename.median(),
        open: open.median(),
        open_killed: open_killed.median(),
        search: search(folder)?,
    })
}

/// Measures reading the wiki as of a moment after which many pages have changed.
fn past(folder: &Path, pages: usize, rounds: usize) -> Result<()> {
    let subject = Subject::open(folder)?;
    let generator = Generator::new(pages as u64);
    let before = Timestamp::now();
    for _ in 0..rounds {
        let number = generator.below(pages);
        subject.save(number, generator.with_other_links(number, pages))?;
    }
    let (mut tree, mut read) = (Times::default(), Times::default());
    for _ in 0..10 {
        tree.measure(|| subject.past_tree(before))?;
        read.measure(|| subject.past_read(generator.below(pages), before))?;
    }
    println!(
        "  as of a moment, p50: the tree {:.3}, a page {:.3}",
        tree.median(),
        read.median()
    );
    Ok(())
}

/// Returns the slowest of the searches' 95th percentiles, in milliseconds.
fn search(folder: &Path) -> Result<f64> {
    let subject = Subject::open(folder)?;
    let before = resident_mib()?;
    let search = Search::measure(&subject)?;
    println!(
        "  search, p50 (p95); the first one {:.0}; {} MiB more resident",
        search.first.median(),
        resident_mib()?.saturating_sub(before)
    );
    for (typed, times) in &search.typed {
        println!(
            "    {typed:<22}{:>9.3} ({:.3})",
            times.median(),
            times.percentile(95)
        );
    }
    Ok(search.slowest())
}

fn verdict(all: &[Measurements]) {
    println!();
    for measured in all {
        let ratio = measured.save / measured.bare;
        Figure::new(format!("save at {} pages", measured.pages), ratio)
            .to("4 KiB write + fdatasync")
            .at_most(SAVE);
    }
    let (Some(first), Some(last)) = (all.first(), all.last()) else {
        return;
    };
    // In units of the bare write at the same time, because the machine's speed varies.
    let growth = (last.save / last.bare) / (first.save / first.bare);
    Figure::new(format!("save at {} pages", last.pages), growth)
        .to(format!("at {}", first.pages))
        .at_most(GROWTH);
    Figure::new("rename with 1,000 inbound links", last.rename)
        .to("a save")
        .at_most(RENAME);
    for (work, ms, most) in [
        ("read of a source", last.read, READ_MS),
        ("search by title, p95", last.search, SEARCH_MS),
        ("open", last.open, OPEN_MS),
        ("open after a kill", last.open_killed, OPEN_KILLED_MS),
    ] {
        let work = format!("{work} at {} pages", last.pages);
        Figure::new(work, ms).unit("ms").at_most(most);
    }
}

fn verdict_of_lists(lists: &Lists, pages: usize) {
    let first = lists.first.median();
    println!("the first fence over {pages} pages, ms: {first:.0}");
    let fence = format!("a fence over {pages} pages after a save");
    for (what, times, most) in [
        (fence.as_str(), &lists.fence, FENCE_MS),
        ("the tree with a branch open", &lists.tree, TREE_MS),
        ("the tree with a large level open", &lists.flat, TREE_MS),
        ("all pages, to sort the tree", &lists.all, TREE_MS),
    ] {
        Figure::new(format!("{what}, p95"), times.percentile(95))
            .unit("ms")
            .at_most(most);
    }
}

/// The minimum work of a disk: 4 KiB in place, and the wait until they are durable.
struct BareFile(File);

impl BareFile {
    const PLACES: usize = 1024;

    fn new(folder: &Path) -> Result<Self> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .open(folder.join("bare"))?;
        file.write_all_at(&vec![1; 4096 * Self::PLACES], 0)?;
        file.sync_all()?;
        Ok(Self(file))
    }

    fn write(&self, round: usize) -> Result<()> {
        let place = round * 7 % Self::PLACES;
        let fill = u8::try_from(round % 251)?;
        self.0.write_all_at(&[fill; 4096], 4096 * place as u64)?;
        Ok(self.0.sync_data()?)
    }
}

fn resident_mib() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    Ok(kib
        .context("the system does not report the memory")?
        .parse::<u64>()?
        >> 10)
}

/// Starts another process that writes to the wiki, and kills it while it does.
fn kill_a_writer(folder: &Path) -> Result<()> {
    let mut writer = Command::new(std::env::current_exe()?)
        .arg("--write-in")
        .arg(folder)
        .stdout(Stdio::piped())
        .spawn()?;
    let out = writer.stdout.take().context("no pipe to the writer")?;
    let mut saves = BufReader::new(out).lines();
    for _ in 0..20 {
        saves.next().context("the writer ended too early")??;
    }
    std::thread::sleep(Duration::from_millis(3));
    writer.kill()?;
    writer.wait()?;
    Ok(())
}

fn write_until_killed(folder: &Path) -> Result<()> {
    let subject = Subject::open(folder)?;
    let generator = Generator::new(u64::from(std::process::id()));
    loop {
        let number = generator.below(1000);
        subject.save(number, generator.text(number))?;
        println!("saved");
    }
}
