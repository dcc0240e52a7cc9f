//! Export, import, backup and check of a wiki with many pages and files, compared with `zip -1` and `cp` of the same
//! bytes, and with restic, in turns.

#![expect(
    clippy::print_stdout,
    reason = "a measurement speaks on standard output"
)]

mod peers;
mod restic;
mod rounds;
mod subject;

use std::path::Path;

use anyhow::Result;
use clap::Parser;
use fumikura_benches::Figure;

use restic::Restic;
use rounds::Rounds;
use subject::Subject;

/// The maximum time of each operation, as a multiple of `zip -1` of the same bytes.
const OPERATION: f64 = 2.0;
/// The maximum time of a backup after a few changes, as a multiple of the first one.
const SECOND_BACKUP: f64 = 0.05;
/// The number of pages that change between the two backups.
const CHANGES: usize = 10;

#[derive(Parser)]
struct ArchiveOptions {
    /// Number of pages in the wiki
    #[arg(long, default_value_t = 10_000)]
    pages: usize,
    /// Number of files of pages
    #[arg(long, default_value_t = 1000)]
    files: usize,
    /// Size of all files together, in bytes
    #[arg(long, default_value_t = 1_000_000_000)]
    bytes: usize,
    /// Number of measurements of each operation
    #[arg(long, default_value_t = 3)]
    rounds: usize,
}

fn main() -> Result<()> {
    let options = ArchiveOptions::parse();
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    println!(
        "{} pages, {} files of {} MB together, {} rounds; the files lie in {}",
        options.pages,
        options.files,
        options.bytes / 1_000_000,
        options.rounds,
        std::env::temp_dir().display()
    );
    let subject = Subject::grow(&folder.join("data"), &options)?;
    let (plain, full) = (folder.join("plain"), folder.join("full"));
    peers::unpack(&subject.export(folder, "plain.zip")?, &plain)?;
    peers::unpack(&subject.export_full(folder, "full.zip")?, &full)?;
    let restic = Restic::find()?;
    let mut rounds = Rounds::default();
    for round in 0..options.rounds {
        let place = tempfile::tempdir_in(folder)?;
        rounds.begin();
        measure_peers(&mut rounds, &subject, [&plain, &full], place.path())?;
        measure(&mut rounds, &subject, place.path())?;
        let other = round * CHANGES;
        backups(&mut rounds, &subject, restic.as_ref(), other, place.path())?;
    }
    report(&rounds, restic.is_some());
    Ok(())
}

fn measure_peers(
    rounds: &mut Rounds,
    subject: &Subject,
    [plain, full]: [&Path; 2],
    place: &Path,
) -> Result<()> {
    for (bytes, folder) in [
        ("the archive", plain),
        ("the full archive", full),
        ("the data", subject.data()),
    ] {
        rounds.measure(&format!("zip {bytes}"), || peers::zip(folder, place))?;
        rounds.measure(&format!("cp {bytes}"), || peers::copy(folder, place))?;
    }
    Ok(())
}

fn measure(rounds: &mut Rounds, subject: &Subject, place: &Path) -> Result<()> {
    let plain = rounds.measure("export", || subject.export(place, "plain.zip"))?;
    let full = rounds.measure("full archive", || subject.export_full(place, "full.zip"))?;
    rounds.measure("import", || subject::import(&plain, &place.join("plain")))?;
    let restored = place.join("full");
    rounds.measure("import of a full archive", || {
        subject::restore(&full, &restored)
    })?;
    rounds.measure("check", || subject.check())
}

/// Measures two backups, of which the second removes the first: the schedule keeps one of a day.
fn backups(
    rounds: &mut Rounds,
    subject: &Subject,
    restic: Option<&Restic>,
    other: usize,
    place: &Path,
) -> Result<()> {
    let backups = place.join("backups");
    let repository = place.join("restic");
    rounds.measure("backup", || subject.back_up(&backups))?;
    if let Some(restic) = restic {
        restic.create(&repository)?;
        rounds.measure("restic backup", || {
            restic.back_up(&repository, subject.data())
        })?;
        rounds.measure("restic check --read-data", || restic.check(&repository))?;
    }
    subject.change(other..other + CHANGES)?;
    let removed = rounds.measure("backup after changes", || subject.back_up(&backups))?;
    if removed != 1 {
        println!("the second backup removed {removed} others: a day has ended");
    }
    if let Some(restic) = restic {
        rounds.measure("restic backup after changes", || {
            restic.back_up(&repository, subject.data())
        })?;
        rounds.measure("restic forget --prune", || restic.prune(&repository))?;
    }
    Ok(())
}

fn report(rounds: &Rounds, with_restic: bool) {
    println!("\nseconds, median of {} rounds", rounds.count());
    for name in rounds.names() {
        println!("  {name:<30}{:>9.3}", rounds.median(name));
    }
    println!("\nratios in the same round, median");
    for (operation, bytes) in [
        ("export", "the archive"),
        ("full archive", "the full archive"),
        ("import", "the archive"),
        ("import of a full archive", "the full archive"),
        ("backup", "the data"),
        ("check", "the data"),
    ] {
        let zip = rounds.ratio(&[operation], &[&format!("zip {bytes}")]);
        Figure::new(operation, zip).to("zip -1").at_most(OPERATION);
        let cp = rounds.ratio(&[operation], &[&format!("cp {bytes}")]);
        println!("  {operation} / cp: {cp:.2}");
    }
    let second = rounds.ratio(&["backup after changes"], &["backup"]);
    Figure::new(format!("backup after {CHANGES} changes"), second)
        .to("the first backup")
        .at_most(SECOND_BACKUP);
    if !with_restic {
        return;
    }
    let first = rounds.ratio(&["backup"], &["restic backup", "restic check --read-data"]);
    println!("  backup, which is proved / restic backup and check --read-data: {first:.2}");
    let alone = rounds.ratio(&["backup"], &["restic backup"]);
    println!("  backup, which is proved / restic backup: {alone:.2}");
    let theirs = ["restic backup after changes", "restic forget --prune"];
    let second = rounds.ratio(&["backup after changes"], &theirs);
    println!(
        "  backup after changes, which prunes / restic backup and forget --prune: {second:.2}"
    );
}
