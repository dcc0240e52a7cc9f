//! Reports as text: for programs a line of JSON a finding, for people a line of words.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::folder::{Index, RecordKind};
use crate::path::FilePath;
use crate::run::{Finding, Report, Skipped, Summary};
use crate::state::State;

#[derive(Serialize)]
struct FindingLine<'a> {
    path: std::borrow::Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    state: State,
    expected: Option<String>,
    actual: Option<String>,
    size: Option<u64>,
    mtime: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<std::borrow::Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

impl<'a> From<&'a Finding> for FindingLine<'a> {
    fn from(finding: &'a Finding) -> Self {
        Self {
            path: finding.path.to_text(),
            path_bytes: bytes(&finding.path),
            state: finding.state,
            expected: finding.expected.map(|digest| digest.to_string()),
            actual: finding.actual.map(|digest| digest.to_string()),
            size: finding.size,
            mtime: finding.mtime,
            to: finding.to.as_ref().map(FilePath::to_text),
            files: finding.files,
            reason: finding.reason.as_deref(),
        }
    }
}

/// One JSON object a finding, and a last one with the summary.
#[must_use]
pub fn report_json_lines(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        text.push_str(&json(&FindingLine::from(finding)));
        text.push('\n');
    }
    let summary = Value::Object(Map::from_iter([(
        String::from("summary"),
        counts(&report.summary),
    )]));
    text.push_str(&json(&summary));
    text.push('\n');
    text
}

/// One line a finding, and a last one that counts. Control characters are escaped.
#[must_use]
pub fn report_text(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let to = finding
            .to
            .as_ref()
            .map(|to| format!(" → {to}"))
            .unwrap_or_default();
        let files = finding
            .files
            .map(|files| format!(" ({files} files)"))
            .unwrap_or_default();
        let reason = finding.reason.as_ref();
        let reason =
            reason.map(|reason| format!(": {}", fumikura_base::printable::Printable(reason)));
        let reason = reason.unwrap_or_default();
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {}{to}{files}{reason}",
            finding.state.word(),
            finding.path
        );
    }
    let counts: Vec<_> = report
        .summary
        .0
        .iter()
        .map(|(state, count)| format!("{count} {}", state.word()))
        .collect();
    let counts = if counts.is_empty() {
        String::from("no files")
    } else {
        counts.join(", ")
    };
    let _ = writeln!(text, "{counts}{}", passed_by(&report.skipped));
    text
}

fn passed_by(skipped: &Skipped) -> String {
    match (skipped.links, skipped.special) {
        (0, 0) => String::new(),
        (links, 0) => format!("; passed by: {links} links"),
        (0, special) => format!("; passed by: {special} pipes, sockets and devices"),
        (links, special) => {
            format!("; passed by: {links} links, {special} pipes, sockets and devices")
        }
    }
}

#[derive(Serialize)]
struct RecordLine<'a> {
    path: Option<std::borrow::Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    name: std::borrow::Cow<'a, str>,
    kind: RecordKind,
    state: Option<State>,
    content_hash: Option<String>,
    size: Option<u64>,
    recorded_at: Option<Timestamp>,
    verified_at: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
}

/// One JSON object a record, and one for each file that is no usable record.
#[must_use]
pub fn record_json_lines(index: &Index) -> String {
    let rows = index.rows.iter().map(|(path, row)| RecordLine {
        path: Some(path.to_text()),
        path_bytes: bytes(path),
        name: String::from_utf8_lossy(&row.name),
        kind: row.kind,
        state: row.state,
        content_hash: Some(row.digest.to_string()),
        size: row.stat.map(|stat| stat.size),
        recorded_at: row.recorded_at,
        verified_at: row.verified_at,
        reason: None,
    });
    let problems = index.problems.iter().map(|problem| RecordLine {
        path: problem.path.as_deref().map(String::from_utf8_lossy),
        path_bytes: None,
        name: String::from_utf8_lossy(&problem.name),
        kind: problem.kind,
        state: Some(problem.state),
        content_hash: None,
        size: None,
        recorded_at: None,
        verified_at: None,
        reason: Some(&problem.reason),
    });
    rows.chain(problems)
        .map(|line| json(&line) + "\n")
        .collect()
}

/// One line a record: its state, hash and path; and one for each file that is no usable record.
#[must_use]
pub fn record_text(index: &Index) -> String {
    let mut text = String::new();
    for (path, row) in &index.rows {
        let state = row.state.map_or("recorded", State::word);
        let _ = writeln!(text, "{state:<10} {} {path}", row.digest);
    }
    for problem in &index.problems {
        let name = String::from_utf8_lossy(&problem.name);
        let line = format!("{:<10} {name}: {}", problem.state.word(), problem.reason);
        let _ = writeln!(text, "{}", fumikura_base::printable::Printable(line));
    }
    text
}

/// How many files are in each state; `ok` always.
fn counts(summary: &Summary) -> Value {
    let mut counts = Map::new();
    counts.insert(State::Ok.word().to_owned(), summary.count(State::Ok).into());
    for (state, count) in &summary.0 {
        counts.insert(state.word().to_owned(), (*count).into());
    }
    Value::Object(counts)
}

pub(crate) fn bytes(path: &FilePath) -> Option<String> {
    path.as_str()
        .is_none()
        .then(|| STANDARD.encode(path.as_bytes()))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("BUG: text and numbers are JSON")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;

    #[test]
    fn a_line_says_what_programs_rely_on() {
        let mut report = Report::default();
        let mut finding = Finding::new(FilePath::new("/a\n\u{1b}[1m").unwrap(), State::Changed);
        finding.expected = Some(Digest([0; 32]));
        finding.size = Some(3);
        report.add(finding);
        report.add(Finding::new(
            FilePath::new(b"/\xff".as_slice()).unwrap(),
            State::Moved,
        ));
        report.summary.add(State::Ok, 2);
        let zeros = "0".repeat(64);
        let expected = [
            format!(
                r#"{{"path":"/a\n\u001b[1m","state":"changed","expected":"sha256:{zeros}","actual":null,"size":3,"mtime":null}}"#
            ),
            String::from(
                r#"{"path":"/�","path_bytes":"L/8=","state":"moved","expected":null,"actual":null,"size":null,"mtime":null}"#,
            ),
            String::from(r#"{"summary":{"changed":1,"moved":1,"ok":2}}"#),
            String::new(),
        ];
        assert_eq!(report_json_lines(&report), expected.join("\n"));
        let text = report_text(&report);
        assert_eq!(
            text,
            "changed: /a\\n\\u{1b}[1m\nmoved: /�\n2 ok, 1 changed, 1 moved\n"
        );
        assert_eq!(report_text(&Report::default()), "no files\n");
    }
}
