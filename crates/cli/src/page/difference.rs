//! `fumi page diff`: the changes between two revisions of a page.

use std::io::Write;

use anyhow::bail;
use fumikura_base::printable::Printable;
use serde_json::Value;

use super::id_of;
use crate::client::{Client, percent_encode, text};
use crate::output::{self, Color, Output};

/// Prints the changes from a revision to another one. Without `from`, it is the one before `to`; without `to`, that is
/// the newest one.
pub(super) fn diff(
    client: &Client,
    json: bool,
    path: &str,
    from: Option<u64>,
    to: Option<u64>,
) -> anyhow::Result<()> {
    let id = id_of(client, path)?;
    let to = match to {
        Some(to) => to,
        None => newest(client, path)?,
    };
    let from = from.unwrap_or(to.saturating_sub(1));
    if from == 0 {
        bail!("{path} has no revision before {to}");
    }
    let found = client.get(&format!("api/pages/{id}/diff?from={from}&to={to}"))?;
    let mut out = output::stdout();
    if json {
        writeln!(out, "{found}")?;
        return Ok(());
    }
    if found["hunks"].as_array().is_none_or(Vec::is_empty) {
        return Ok(());
    }
    let path = Printable(path);
    out.write_colored(Color::Red, &format!("--- {path} (revision {from})"))?;
    out.write_colored(Color::Green, &format!("+++ {path} (revision {to})"))?;
    print_hunks(&mut out, &found)
}

fn newest(client: &Client, path: &str) -> anyhow::Result<u64> {
    let address = format!("api/pages/resolve?path={}", percent_encode(path));
    Ok(client.get(&address)?["revision"]
        .as_u64()
        .unwrap_or_default())
}

/// Prints the changes between two texts of a page, in the unified format.
pub(crate) fn print_hunks(out: &mut Output, found: &Value) -> anyhow::Result<()> {
    for hunk in found["hunks"].as_array().into_iter().flatten() {
        out.write_colored(Color::Cyan, &heading(hunk))?;
        for line in hunk["lines"].as_array().into_iter().flatten() {
            let spans = line["spans"].as_array().into_iter().flatten();
            let words: String = spans.map(|span| text(span, "text")).collect();
            let words = Printable(&words);
            match text(line, "kind") {
                "added" => out.write_colored(Color::Green, &format!("+{words}"))?,
                "removed" => out.write_colored(Color::Red, &format!("-{words}"))?,
                _context => writeln!(out, " {words}")?,
            }
        }
    }
    Ok(())
}

fn heading(hunk: &Value) -> String {
    let range = |side: &str| {
        let [start, lines] = ["start", "lines"].map(|field| &hunk[format!("{side}_{field}")]);
        format!("{start},{lines}")
    };
    format!("@@ -{} +{} @@", range("old"), range("new"))
}
