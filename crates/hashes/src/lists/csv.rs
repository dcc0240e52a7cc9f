//! Reports as CSV (RFC 4180).

use std::borrow::Cow;
use std::io::{self, Write};

use super::fields::{FindingFields, ProblemFields, kind_word, records};
use crate::folder::Index;
use crate::run::Report;

const REPORT: &str = "path,state,expected,actual,size,mtime,to,files,reason,path_bytes,to_bytes";
const RECORDS: &str = "path,name,kind,state,content_hash,size,mtime,recorded_at,verified_at,reason,\
                       path_bytes,name_bytes";

/// Writes a header and a row per finding.
///
/// # Errors
/// Errors of the writer.
pub fn report_csv(out: &mut impl Write, report: &Report) -> io::Result<()> {
    write!(out, "{REPORT}\r\n")?;
    for finding in report.findings.iter().map(FindingFields::from) {
        let cells = [
            text(&finding.path),
            text(finding.state.word()),
            text_of(finding.expected.as_ref()),
            text_of(finding.actual.as_ref()),
            text_of(finding.size),
            text_of(finding.mtime),
            text_of(finding.to.as_ref()),
            text_of(finding.files),
            text_of(finding.reason),
            text_of(finding.path_bytes.as_ref()),
            text_of(finding.to_bytes.as_ref()),
        ];
        write_row(out, &cells)?;
    }
    Ok(())
}

/// Writes a header, a row per record, and a row per file that is not a usable record. Only the latter have a state.
///
/// # Errors
/// Errors of the writer.
pub fn records_csv(out: &mut impl Write, index: &Index) -> io::Result<()> {
    write!(out, "{RECORDS}\r\n")?;
    for record in records(index) {
        let cells = [
            text(&record.path),
            text(&record.name),
            text(kind_word(record.kind)),
            text(""),
            text(&record.content_hash),
            text_of(record.size),
            text_of(record.mtime),
            text_of(record.recorded_at),
            text_of(record.verified_at),
            text(""),
            text_of(record.path_bytes.as_ref()),
            text_of(record.name_bytes.as_ref()),
        ];
        write_row(out, &cells)?;
    }
    for problem in index.problems.iter().map(ProblemFields::from) {
        let cells = [
            text_of(problem.path.as_ref()),
            text(&problem.name),
            text(kind_word(problem.kind)),
            text(problem.state.word()),
            text(""),
            text(""),
            text(""),
            text(""),
            text(""),
            text(problem.reason),
            text_of(problem.path_bytes.as_ref()),
            text_of(problem.name_bytes.as_ref()),
        ];
        write_row(out, &cells)?;
    }
    Ok(())
}

fn text(value: &str) -> Cow<'_, str> {
    Cow::Borrowed(value)
}

fn text_of<'a>(value: Option<impl ToString>) -> Cow<'a, str> {
    Cow::Owned(value.map(|value| value.to_string()).unwrap_or_default())
}

fn write_row(out: &mut impl Write, cells: &[Cow<'_, str>]) -> io::Result<()> {
    for (place, value) in cells.iter().enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        out.write_all(cell(value).as_bytes())?;
    }
    out.write_all(b"\r\n")
}

/// Quotes a cell if needed. A spreadsheet would evaluate a cell that begins like a formula, so an apostrophe
/// is put before it.
fn cell(value: &str) -> Cow<'_, str> {
    let value = if value.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        Cow::Owned(format!("'{value}"))
    } else {
        Cow::Borrowed(value)
    };
    if value.contains([',', '"', '\r', '\n']) {
        Cow::Owned(format!("\"{}\"", value.replace('"', "\"\"")))
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, expected: &str) {
        assert_eq!(cell(value), expected);
    }

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        check("", "");
        check("/写真/a b", "/写真/a b");
        check("a,b", "\"a,b\"");
        check("say \"a\"", "\"say \"\"a\"\"\"");
        check("a\nb", "\"a\nb\"");
        check("=1+1", "'=1+1");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@a", "'@a");
        check("\ta", "'\ta");
        check("\ra", "\"'\ra\"");
        check(
            "=HYPERLINK(\"a\",\"b\")",
            "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"",
        );
        check("a=b", "a=b");
    }
}
