//! `fumi hash record`, `verify`, `migrate` and `tidy`: runs over many files, which end with a report.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use fumikura_hashes::{
    FileState, RecordOptions, Report, RunObserver, Scope, VerifyOptions, WalkOptions, lists,
};
use jiff::Timestamp;

use super::EXIT_FINDINGS;
use super::folder::Folder;
use super::paths::{resolve, resolve_one};

use crate::interruption::{Interrupted, SignalWatch};
use crate::output;
use crate::progress::{ProgressDisplay, Unit};

#[derive(Args)]
struct FileSelection {
    /// Pattern of names to skip, as in .gitignore; can be repeated
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<String>,
    /// Include folders on other file systems
    #[arg(long)]
    cross_devices: bool,
}

#[derive(Args)]
pub(crate) struct RecordArguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    selection: FileSelection,
    /// Also read files that seem unchanged
    #[arg(long)]
    full: bool,
    /// Overwrite malformed records
    #[arg(long)]
    force: bool,
    /// Write into another program's hash folder
    #[arg(long)]
    foreign: bool,
    /// Print one JSON object for each finding, and a summary
    #[arg(long)]
    json: bool,
    /// Files, and folders with everything in them
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    selection: FileSelection,
    /// Read only files whose size or times have changed; this finds no damage on the disk
    #[arg(long, conflicts_with = "resume")]
    quick: bool,
    /// Read every file, which is the default
    #[arg(long, hide = true, conflicts_with = "quick")]
    full: bool,
    /// Resume an interrupted verification of the same files
    #[arg(long)]
    resume: bool,
    /// Print one JSON object for each finding, and a summary
    #[arg(long)]
    json: bool,
    /// Verify a copy of this recorded file or folder at another place
    #[arg(long = "as", value_name = "ORIGINAL", conflicts_with_all = ["quick", "resume", "ignore"])]
    original: Option<PathBuf>,
    /// Files and folders; by default everything recorded
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct MigrateArguments {
    #[command(flatten)]
    folder: Folder,
    /// Print only what would be done
    #[arg(long)]
    dry_run: bool,
    /// Write into another program's hash folder
    #[arg(long)]
    foreign: bool,
    /// Print one JSON object for each finding, and a summary
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct TidyArguments {
    #[command(flatten)]
    folder: Folder,
    /// Print only what would be done
    #[arg(long)]
    dry_run: bool,
    /// Print one JSON object for each finding, and a summary
    #[arg(long)]
    json: bool,
}

impl FileSelection {
    fn options(&self) -> WalkOptions {
        WalkOptions {
            ignore: self.ignore.clone(),
            other_file_systems: self.cross_devices,
        }
    }
}

pub(super) fn record(arguments: &RecordArguments) -> anyhow::Result<ExitCode> {
    let paths = resolve(&arguments.paths)?;
    let folder = arguments.folder.create(arguments.foreign)?;
    let options = RecordOptions {
        full: arguments.full,
        force: arguments.force,
        walk: arguments.selection.options(),
    };
    let run = AttendedRun::begin(arguments.json)?;
    let report = folder.record(&paths, &options, &Timestamp::now, &run)?;
    drop(run);
    print(&report, arguments.json)
}

pub(super) fn verify(arguments: &VerifyArguments) -> anyhow::Result<ExitCode> {
    let paths = resolve(&arguments.paths)?;
    let folder = arguments.folder.open()?;
    if let Some(original) = &arguments.original {
        let [copy] = &paths[..] else {
            bail!("--as needs one PATH: the copy");
        };
        let walk = arguments.selection.options();
        let original = resolve_one(original)?;
        let run = AttendedRun::begin(arguments.json)?;
        let report = folder.verify_copy(&original, copy, &walk, &run)?;
        drop(run);
        return print(&report, arguments.json);
    }
    let options = VerifyOptions {
        quick: arguments.quick,
        resume: arguments.resume,
        is_part: false,
        walk: arguments.selection.options(),
    };
    let scope = if paths.is_empty() {
        Scope::Everything
    } else {
        Scope::Paths(paths)
    };
    let run = AttendedRun::begin(arguments.json)?;
    let report = folder.verify(&scope, &options, Timestamp::now(), &run)?;
    drop(run);
    print(&report, arguments.json)
}

pub(super) fn migrate(arguments: &MigrateArguments) -> anyhow::Result<ExitCode> {
    let folder = if arguments.dry_run {
        arguments.folder.open()?
    } else {
        arguments.folder.create(arguments.foreign)?
    };
    let report = folder.migrate(arguments.dry_run)?;
    print(&report, arguments.json)?;
    Ok(exit_code(&report, FileState::Legacy))
}

pub(super) fn tidy(arguments: &TidyArguments) -> anyhow::Result<ExitCode> {
    let folder = arguments.folder.create(false)?;
    let run = AttendedRun::begin(arguments.json)?;
    let report = folder.tidy(arguments.dry_run, Timestamp::now(), &run)?;
    drop(run);
    print(&report, arguments.json)?;
    Ok(exit_code(&report, FileState::Orphan))
}

/// Returns success if all findings are expected ones.
fn exit_code(report: &Report, expected: FileState) -> ExitCode {
    let is_done = report
        .findings
        .iter()
        .all(|finding| finding.state == expected);
    if is_done {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    }
}

/// Prints a report. The run may have been interrupted; then the report says what was done until then.
pub(super) fn print(report: &Report, json: bool) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(output::stdout());
    if json {
        lists::report_json_lines(&mut out, report)?;
    } else {
        lists::report_text(&mut out, report)?;
    }
    out.flush()?;
    if !report.skipped.file_systems.is_empty() {
        output::notice(
            "folders on other file systems were left out; --cross-devices includes them",
        );
    }
    if report.is_cancelled {
        return Err(Interrupted(done_words(report)).into());
    }
    let is_clean = report.summary.is_clean() && report.skipped.lines.is_empty();
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(EXIT_FINDINGS)
    })
}

/// Returns the words for what an interrupted run did.
fn done_words(report: &Report) -> String {
    let read = report.files_read;
    match report.written {
        0 => format!("{read} files were read; the others are as they were"),
        written => format!("{read} files were read, and {written} records written; they stay"),
    }
}

/// A run in the terminal: shows the progress, and ends in order when the command is interrupted.
pub(super) struct AttendedRun {
    display: ProgressDisplay,
    watch: SignalWatch,
}

impl AttendedRun {
    pub(super) fn begin(json: bool) -> io::Result<Self> {
        Ok(Self {
            display: ProgressDisplay::new(Unit::Bytes, json),
            watch: SignalWatch::begin()?,
        })
    }
}

impl RunObserver for AttendedRun {
    fn advance(&self, done: u64, total: u64) -> bool {
        self.display.set(done, total);
        !self.watch.is_interrupted()
    }
}
