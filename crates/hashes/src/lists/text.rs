//! Reports for a terminal: one line each, control characters escaped.

use std::io::{self, Write};

use fumikura_base::printable::Printable;

use super::fields::{counts, kind_word};
use crate::folder::Index;
use crate::run::Report;

/// Writes a line a finding and a line with the summary.
///
/// # Errors
/// Those of the writer.
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
    let counts = counts(&report.summary).map(|(word, count)| format!("{count} {word}"));
    let end = if report.is_cancelled {
        "; cancelled before the end"
    } else {
        ""
    };
    writeln!(out, "{}{end}", counts.collect::<Vec<_>>().join(", "))
}

/// Writes a line a record, a line a file that is no usable record, and a line with the counts of both.
///
/// # Errors
/// Those of the writer.
pub fn records_text(out: &mut impl Write, index: &Index) -> io::Result<()> {
    for (path, row) in &index.rows {
        let kind = kind_word(row.kind);
        write!(out, "{}  {kind:<9} {path}", row.digest.to_hex())?;
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
