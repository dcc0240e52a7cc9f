//! Reports as JSON, whole or as one object per line.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::{Serialize, Serializer};

use super::fields::{self, FindingFields, ProblemFields, RemovedFields, records};
use crate::folder::Index;
use crate::path::FilePath;
use crate::removed::RemovedRecord;
use crate::run::{Finding, Report, SkippedEntries};

/// Writes a line per finding and a line with the summary.
///
/// # Errors
/// Errors of the writer.
pub fn report_json_lines(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        write_line(out, &FindingFields::from(finding))?;
    }
    write_line(
        out,
        &LastLine {
            summary: report,
            skipped: SkippedCounts::from(&report.skipped),
        },
    )
}

/// Writes an object with the findings and the summary.
///
/// # Errors
/// Errors of the writer.
pub fn report_json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    let whole = WholeReport {
        findings: &report.findings,
        summary: report,
        skipped: SkippedCounts::from(&report.skipped),
    };
    write_whole(out, &whole)
}

/// Writes a line per record, a line per file that is not a usable record, and a line with the counts of both.
///
/// # Errors
/// Errors of the writer.
pub fn records_json_lines(out: &mut impl Write, index: &Index) -> io::Result<()> {
    for record in records(index) {
        write_line(out, &record)?;
    }
    for problem in &index.problems {
        write_line(out, &ProblemFields::from(problem))?;
    }
    let (records, problems) = (index.rows.len(), index.problems.len());
    let counts = serde_json::json!({"summary": {"records": records, "problems": problems}});
    write_line(out, &counts)
}

/// Writes a line per record that was set aside.
///
/// # Errors
/// Errors of the writer.
pub fn removed_json_lines(out: &mut impl Write, records: &[RemovedRecord]) -> io::Result<()> {
    for record in records {
        write_line(out, &RemovedFields::from(record))?;
    }
    Ok(())
}

/// Writes an object with the records and the files that are not usable records.
///
/// # Errors
/// Errors of the writer.
pub fn records_json(out: &mut impl Write, index: &Index) -> io::Result<()> {
    let whole = WholeIndex {
        records: index,
        problems: index,
    };
    write_whole(out, &whole)
}

#[derive(Serialize)]
struct LastLine<'a> {
    #[serde(serialize_with = "collect_summary")]
    summary: &'a Report,
    skipped: SkippedCounts<'a>,
}

/// The entries that a run skipped, and the unused lines of a list.
#[derive(Serialize)]
struct SkippedCounts<'a> {
    links: u64,
    special: u64,
    left_out: u64,
    file_systems: Vec<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<SkippedLine<'a>>,
    /// The number of all unused lines, if some are not listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines_total: Option<u64>,
}

/// A line of a list that was not used.
#[derive(Serialize)]
struct SkippedLine<'a> {
    line: usize,
    reason: &'a str,
}

impl<'a> From<&'a SkippedEntries> for SkippedCounts<'a> {
    fn from(skipped: &'a SkippedEntries) -> Self {
        let file_systems = skipped.file_systems.iter();
        let lines = skipped.lines.iter();
        let lines = lines.map(|(line, reason)| SkippedLine {
            line: *line,
            reason,
        });
        Self {
            links: skipped.links,
            special: skipped.special,
            left_out: skipped.left_out,
            file_systems: file_systems.map(FilePath::to_text).collect(),
            lines: lines.collect(),
            lines_total: (skipped.lines.omitted() > 0).then(|| skipped.lines.count()),
        }
    }
}

#[derive(Serialize)]
struct WholeReport<'a> {
    #[serde(serialize_with = "collect_findings")]
    findings: &'a [Finding],
    #[serde(serialize_with = "collect_summary")]
    summary: &'a Report,
    skipped: SkippedCounts<'a>,
}

#[derive(Serialize)]
struct WholeIndex<'a> {
    #[serde(serialize_with = "collect_records")]
    records: &'a Index,
    #[serde(serialize_with = "collect_problems")]
    problems: &'a Index,
}

fn collect_summary<S: Serializer>(report: &Report, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(fields::summary(report))
}

fn collect_findings<S: Serializer>(findings: &[Finding], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(findings.iter().map(FindingFields::from))
}

fn collect_records<S: Serializer>(index: &Index, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(records(index))
}

fn collect_problems<S: Serializer>(index: &Index, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(index.problems.iter().map(ProblemFields::from))
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    out.write_all(b"\n")
}

fn write_whole(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}
