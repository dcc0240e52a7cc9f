//! `fumi search`: full-text search of the wiki.

use std::io::Write;

use clap::Args;
use fumikura_base::printable::Printable;
use serde_json::Value;

use crate::client::{Client, Common, encoded, text};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    common: Common,
    /// The query; docs/SEARCH.md has the grammar
    #[arg(required = true, allow_hyphen_values = true)]
    query: Vec<String>,
    /// Only this page and those below it
    #[arg(long, value_name = "PATH")]
    prefix: Option<String>,
    /// Include pages in the trash
    #[arg(long)]
    deleted: bool,
    /// The greatest number of pages
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let client = Client::open(&arguments.common)?;
    let prefix = arguments.prefix.as_deref().unwrap_or("/");
    let address = format!(
        "api/search?q={}&prefix={}&deleted={}&limit={}",
        encoded(&arguments.query.join(" ")),
        encoded(prefix),
        arguments.deleted,
        arguments.limit
    );
    let answer = client.get(&address)?;
    let mut out = std::io::stdout().lock();
    if arguments.common.json {
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    for item in answer["items"].as_array().into_iter().flatten() {
        let mark = if item["deleted"] == true {
            " (in the trash)"
        } else {
            ""
        };
        let path = text(&item["path"], "text");
        writeln!(out, "{}{mark}", Printable(path))?;
        for snippet in item["snippets"].as_array().into_iter().flatten() {
            for line in text(snippet, "text").lines() {
                writeln!(out, "    {}", Printable(line))?;
            }
        }
    }
    if let Some(partial) = partial(&answer) {
        eprintln!("fumi: {partial}");
    }
    Ok(())
}

/// Says that the answer may lack pages.
fn partial(answer: &Value) -> Option<String> {
    let partial = answer["partial"].as_object()?;
    let (indexed, of) = (&partial["indexed"], &partial["of"]);
    Some(match partial["reason"].as_str() {
        Some("index_failed") => format!("the index failed; {indexed} of {of} pages were searched"),
        _ => format!("the index is being built; {indexed} of {of} pages were searched"),
    })
}
