//! `fumi search`: full-text search of the wiki.

use std::io::Write;

use clap::{Args, ValueEnum};
use fumikura_base::printable::Printable;
use serde_json::Value;

use crate::client::{Client, Common, percent_encode, text};
use crate::output;

/// The kind of a result.
#[derive(Clone, Copy, ValueEnum)]
enum ResultKind {
    Page,
    File,
    Picture,
    Record,
}

#[derive(Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    common: Common,
    /// The query; docs/SEARCH.md describes the grammar. Put -- before a query that begins with -
    #[arg(required = true)]
    query: Vec<String>,
    /// Only this page and those below it
    #[arg(long, value_name = "PATH")]
    prefix: Option<String>,
    /// Include pages in the trash
    #[arg(long)]
    deleted: bool,
    /// Include earlier revisions of pages
    #[arg(long)]
    revisions: bool,
    /// Only results of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<ResultKind>,
    /// Maximum number of results
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print paths alone, each ended by a NUL byte, for `xargs -0`
    #[arg(long, conflicts_with = "json")]
    null: bool,
}

pub(crate) fn run(arguments: &SearchArguments) -> anyhow::Result<()> {
    let client = Client::open(&arguments.common)?;
    let prefix = arguments.prefix.as_deref().unwrap_or("/");
    let mut address = format!(
        "api/search?q={}&prefix={}&deleted={}&revisions={}&limit={}",
        percent_encode(&arguments.query.join(" ")),
        percent_encode(prefix),
        arguments.deleted,
        arguments.revisions,
        arguments.limit
    );
    if let Some(kind) = arguments.kind.and_then(|kind| kind.to_possible_value()) {
        address += &format!("&kind={}", kind.get_name());
    }
    let answer = client.get(&address)?;
    let mut out = output::stdout();
    if arguments.common.json {
        writeln!(out, "{answer}")?;
        return Ok(());
    }
    match arguments.null {
        true => print_paths(&answer, &mut out)?,
        false => print(&answer, &mut out)?,
    }
    for notice in partial(&answer).into_iter().chain(hints(&answer)) {
        output::notice(&notice);
    }
    Ok(())
}

/// Returns notices about the query.
fn hints(answer: &Value) -> Vec<String> {
    let fields = answer["unknown_fields"].as_array().into_iter().flatten();
    let fields = fields.filter_map(Value::as_str).map(|field| {
        let colon = if field.contains(':') { "" } else { ":" };
        format!(
            "{}{colon} is not a search field, and was searched as text",
            Printable(field)
        )
    });
    let near = answer["suggestion"].as_str();
    let near = near.map(|query| format!("did you mean {}?", Printable(query)));
    fields.chain(near).collect()
}

fn print_paths(answer: &Value, out: &mut impl Write) -> std::io::Result<()> {
    let items = answer["items"].as_array().into_iter().flatten();
    for item in items {
        write!(out, "{}\0", text(&item["path"], "text"))?;
    }
    Ok(())
}

/// Prints each result with its snippets.
fn print(answer: &Value, out: &mut impl Write) -> std::io::Result<()> {
    for item in answer["items"].as_array().into_iter().flatten() {
        let path = text(&item["path"], "text");
        writeln!(out, "{}{}", Printable(path), marks(item))?;
        for snippet in item["snippets"].as_array().into_iter().flatten() {
            for line in text(snippet, "text").lines() {
                writeln!(out, "    {}", Printable(line))?;
            }
        }
    }
    Ok(())
}

/// Returns the labels after the path of a result.
fn marks(item: &Value) -> String {
    let mut marks = match text(item, "kind") {
        "page" => String::new(),
        "record" => " (hash record)".to_owned(),
        kind => format!(" ({kind})"),
    };
    if let Some(revision) = item["revision"].as_u64() {
        marks += &format!(" (revision {revision})");
    }
    if item["deleted"] == true {
        marks += " (in the trash)";
    }
    marks
}

/// Returns a notice if the answer may lack results.
fn partial(answer: &Value) -> Option<String> {
    let partial = answer["partial"].as_object()?;
    let (indexed, of) = (&partial["indexed"], &partial["of"]);
    Some(match partial["reason"].as_str() {
        Some("index_failed") => format!("the index failed; {indexed} of {of} pages were searched"),
        Some("reading_pictures") => {
            format!("pictures are being read; {indexed} of {of} are known whole")
        }
        Some("folders_missing") => {
            format!(
                "{indexed} of {of} folders of pictures were searched; the others can't be reached"
            )
        }
        Some("records_failed") => "the hash records can't be read".to_owned(),
        Some("time_limit") => {
            format!("the search took too long; {indexed} of {of} were searched")
        }
        Some("long_pages") => {
            format!(
                "of some pages only the beginning is searched; {indexed} of {of} pages were searched whole"
            )
        }
        _ => format!("the index is being built; {indexed} of {of} pages were searched"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn results_are_printed_with_their_kind_and_snippets() {
        let marked = |text: &str| json!({"text": text, "highlights": []});
        let answer = json!({"items": [
            {"kind": "page", "path": marked("/旅/京都"), "revision": 2, "deleted": true,
                "snippets": [marked("one\ntwo\u{1b}[31m")]},
            {"kind": "picture", "path": marked("/pictures/a.jpg"), "snippets": []},
            {"kind": "record", "path": marked("/b"), "snippets": []},
        ]});
        let mut out = Vec::new();
        print(&answer, &mut out).unwrap();
        let lines = String::from_utf8(out).unwrap();
        let expected = "/旅/京都 (revision 2) (in the trash)\n    one\n    two\\u{1b}[31m\n\
            /pictures/a.jpg (picture)\n/b (hash record)\n";
        assert_eq!(lines, expected);
    }

    #[test]
    fn unknown_fields_and_near_words_are_reported() {
        let answer = json!({"unknown_fields": ["rating", "has:video"], "suggestion": "quokka"});
        let expected = [
            "rating: is not a search field, and was searched as text",
            "has:video is not a search field, and was searched as text",
            "did you mean quokka?",
        ];
        assert_eq!(hints(&answer), expected);
        assert!(hints(&json!({"suggestion": null})).is_empty());
    }

    #[test]
    fn missing_results_are_reported() {
        let answer = |reason: &str| json!({"partial": {"reason": reason, "indexed": 1, "of": 3}});
        let notice = |reason| partial(&answer(reason)).unwrap();
        assert_eq!(
            notice("indexing"),
            "the index is being built; 1 of 3 pages were searched"
        );
        assert_eq!(
            notice("time_limit"),
            "the search took too long; 1 of 3 were searched"
        );
        assert_eq!(partial(&json!({"partial": null})), None);
    }
}
