//! Reports for a terminal: one line each, control characters escaped.

use std::io::{self, Write};

use fumikura_base::printable::Printable;

use super::fields::{kind_word, states};
use crate::folder::Index;
use crate::removed::RemovedRecord;
use crate::run::{Report, SkippedEntries};
use crate::state::FileState;

/// Writes a line per finding and a line with the summary.
///
/// # Errors
/// Errors of the writer.
pub fn report_text(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        write!(out, "{:<10} {}", finding.state.word(), finding.path)?;
        if let Some(to) = &finding.to {
            write!(out, " → {to}")?;
        }
        if let Some(files) = finding.files {
            write!(out, " ({files} files)")?;
        }
        if let Some(reason) = &finding.reason {
            write!(out, ": {}", Printable(reason))?;
        }
        writeln!(out)?;
    }
    for folder in &report.skipped.file_systems {
        writeln!(out, "{:<10} {folder}: on another file system", "left out")?;
    }
    for (line, reason) in &report.skipped.lines {
        writeln!(out, "{:<10} line {line}: {}", "skipped", Printable(reason))?;
    }
    if report.skipped.lines.omitted() > 0 {
        let more = report.skipped.lines.omitted();
        writeln!(out, "{:<10} {more} more lines", "skipped")?;
    }
    let counts = states(&report.summary).map(|(word, count)| format!("{count} {word}"));
    let end = if report.is_cancelled {
        "; cancelled before the end"
    } else {
        ""
    };
    let counts = counts.collect::<Vec<_>>().join(", ");
    let (unread, skipped) = (unread(report), passed_by(&report.skipped));
    writeln!(out, "{counts}{unread}{skipped}{end}")
}

/// Returns the numbers of files that were not read and that were, if some were not.
fn unread(report: &Report) -> String {
    match (report.files_unread, report.files_read) {
        (0, _) => String::new(),
        (unread, read) => format!("; {unread} unchanged by their times, not read; {read} read"),
    }
}

fn passed_by(skipped: &SkippedEntries) -> String {
    let file_systems = skipped.file_systems.len() as u64;
    let counts = [
        (skipped.links, "links"),
        (skipped.special, "pipes, sockets and devices"),
        (skipped.left_out, "recorded files left out by a pattern"),
        (file_systems, "folders on other file systems"),
    ];
    let counts = counts.into_iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    match counts.as_slice() {
        [] => String::new(),
        counts => format!("; passed by: {}", counts.join(", ")),
    }
}

/// Writes a line per record that was set aside, and a line with their number.
///
/// # Errors
/// Errors of the writer.
pub fn removed_text(out: &mut impl Write, records: &[RemovedRecord]) -> io::Result<()> {
    for record in records {
        let at = record.removed_at.map(|at| at.to_string());
        let (at, hash) = (at.unwrap_or_default(), record.digest.to_hex());
        writeln!(out, "{at:<30} {hash}  {}", record.path)?;
    }
    writeln!(out, "{} records set aside", records.len())
}

/// Writes a line per record, a line per file that is not a usable record, and a line with the counts of both.
///
/// # Errors
/// Errors of the writer.
pub fn records_text(out: &mut impl Write, index: &Index) -> io::Result<()> {
    for (path, row) in &index.rows {
        let kind = kind_word(row.kind);
        let state = row.state.map_or("recorded", FileState::word);
        write!(out, "{state:<10} {}  {kind:<9} {path}", row.digest.to_hex())?;
        if row.is_lossy {
            write!(out, " (lossy name)")?;
        }
        if row.is_newer {
            write!(out, " (newer format)")?;
        }
        writeln!(out)?;
    }
    for problem in &index.problems {
        let name = String::from_utf8_lossy(&problem.name);
        let state = problem.state.word();
        let (name, reason) = (Printable(name), Printable(&problem.reason));
        writeln!(out, "{state:<10} {name}: {reason}")?;
    }
    let (records, problems) = (index.rows.len(), index.problems.len());
    writeln!(out, "{records} records, {problems} problems")
}
