//! `fumi import`: imports notes of other programs, and archives of `fumi export`.

use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use fumikura_base::own_file;
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::output;
use crate::page::print_hunks;

/// The entry that every archive of `fumi export` has.
const MANIFEST: &str = "fumikura.json";
/// The entry that every archive of `fumi export --full` has.
const FULL_MANIFEST: &str = "fumikura-full.json";
/// The words for an interrupted import.
const NOTHING_IMPORTED: &str = "nothing was imported";

#[derive(Args)]
pub(crate) struct Import {
    #[command(flatten)]
    common: Common,
    /// Folder, archive or file: an Obsidian vault, a folder of Markdown, an export of another program or of `fumi export`
    #[arg(required_unless_present_any = ["list", "undo", "compare", "take_over", "keep"])]
    source: Option<PathBuf>,
    /// Page below which the pages are put; by default one with the name of the source
    #[arg(long, value_name = "PATH")]
    into: Option<String>,
    /// Show what would be imported, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Existing pages at the paths of an archive of `fumi export`: fail, skip or replace
    #[arg(long, default_value = "fail", value_name = "WHAT")]
    on_conflict: String,
    /// List the imports from other programs
    #[arg(long, conflicts_with_all = ["source", "undo"])]
    list: bool,
    /// Undo an import
    #[arg(long, value_name = "ID", conflicts_with = "source")]
    undo: Option<String>,
    /// Compare an imported text with its page, which was changed here as well
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["source", "list", "undo"])]
    compare: Option<String>,
    /// Make an imported text a revision of its page
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["source", "list", "undo", "compare"])]
    take_over: Option<String>,
    /// Keep a page as it is, without its imported text
    #[arg(long, value_name = "PAGE", conflicts_with_all = ["source", "list", "undo", "compare", "take_over"])]
    keep: Option<String>,
}

pub(crate) fn import(arguments: &Import) -> anyhow::Result<()> {
    let json = arguments.common.json;
    if let Some(source) = &arguments.source
        && is_archive_with(FULL_MANIFEST, source)?
    {
        // Everything that the data folder needs is in it.
        let client = Client::open_or_create(&arguments.common)?;
        return import_archive(&client, arguments, source);
    }
    let client = Client::open(&arguments.common)?;
    if arguments.list {
        return list(&client, json);
    }
    if let Some(id) = &arguments.undo {
        return undo(&client, json, id);
    }
    if let Some(page) = &arguments.compare {
        let found = client.get(&imported_text(&client, page)?)?;
        return match json {
            true => print(json, &found, ""),
            false => print_hunks(&mut output::stdout(), &found),
        };
    }
    if let Some(page) = &arguments.take_over {
        let address = format!("{}/take-over", imported_text(&client, page)?);
        let kind = [("content-type", "application/json")];
        let taken = client.ask("POST", &address, &kind, b"{}")?.json()?;
        let line = format!(
            "{page} has the imported text (revision {})",
            taken["revision"]
        );
        return print(json, &taken, &line);
    }
    if let Some(page) = &arguments.keep {
        client.send("POST", &format!("{}/keep", imported_text(&client, page)?))?;
        return print(
            json,
            &json!({"path": page}),
            &format!("{page} stays as it is"),
        );
    }
    let source = arguments.source.as_deref().unwrap_or(Path::new("."));
    let source = std::path::absolute(source)?;
    if is_archive_with(MANIFEST, &source)? {
        return import_archive(&client, arguments, &source);
    }
    let path = source.to_str().context("the path is not UTF-8")?;
    let body = json!({"path": path, "into": arguments.into}).to_string();
    let kind = [("content-type", "application/json")];
    let start = || client.ask("POST", "api/imports", &kind, body.as_bytes());
    let preview = client.run_job(start, json, NOTHING_IMPORTED)?;
    if arguments.dry_run {
        return match json {
            true => print(json, &preview, ""),
            false => print_preview(&preview),
        };
    }
    let address = format!("api/imports/{}/run", text(&preview, "id"));
    let done = client.run_job(|| client.send("POST", &address), json, NOTHING_IMPORTED)?;
    let counts = &done["counts"];
    let offered = offered_lines(&client)?;
    if done["id"].is_null() {
        let line = format!(
            "Nothing has changed since the last import: {} pages and {} files; left {} as they are, skipped {}{offered}",
            counts["unchanged"], counts["files_unchanged"], counts["kept"], done["skipped"],
        );
        return print_lines(json, &done, &line);
    }
    let line = format!(
        "Imported {} pages and {} files; updated {}, left {} as they are, skipped {}\nReport: {}\nUndo: fumi import --undo {}{offered}",
        counts["created"],
        counts["attached"],
        counts["updated"],
        counts["kept"],
        done["skipped"],
        text(&done, "report"),
        text(&done, "id"),
    );
    print_lines(json, &done, &line)
}

/// Returns the address of the imported text that waits for a decision about a page.
fn imported_text(client: &Client, page: &str) -> anyhow::Result<String> {
    let texts = client.get("api/imported-texts")?;
    let mut texts = texts["items"].as_array().into_iter().flatten();
    let found = texts.find(|item| text(item, "path") == page);
    let found = found.with_context(|| format!("no imported text waits for {page}"))?;
    Ok(format!("api/imported-texts/{}", text(found, "id")))
}

/// Names the pages that were changed here and in the source.
fn offered_lines(client: &Client) -> anyhow::Result<String> {
    let texts = client.get("api/imported-texts")?;
    let mut lines = String::new();
    for item in texts["items"].as_array().into_iter().flatten() {
        lines.push_str(&format!(
            "\nChanged here and in the source: {}",
            text(item, "path")
        ));
    }
    if !lines.is_empty() {
        lines.push_str(
            "\nSettle each by fumi import --compare, --take-over or --keep, and its path",
        );
    }
    Ok(lines)
}

/// Returns true for a zip file that has an entry.
fn is_archive_with(entry: &str, path: &Path) -> anyhow::Result<bool> {
    if path.is_dir() {
        return Ok(false);
    }
    let file =
        own_file::open_users(path).with_context(|| format!("couldn't read {}", path.display()))?;
    let archive = zip::ZipArchive::new(file);
    Ok(archive.is_ok_and(|archive| archive.index_for_name(entry).is_some()))
}

fn import_archive(client: &Client, arguments: &Import, path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(
        arguments.into.is_none() && !arguments.dry_run,
        "this is an archive of fumi export, whose pages have their paths; --into and --dry-run are for other programs"
    );
    let mut archive = Vec::new();
    own_file::open_users(path)?.read_to_end(&mut archive)?;
    let address = format!(
        "api/import?on_conflict={}",
        percent_encode(&arguments.on_conflict)
    );
    let kind = [("content-type", "application/zip")];
    let start = || client.ask("POST", &address, &kind, &archive);
    let done = client.run_job(start, arguments.common.json, NOTHING_IMPORTED)?;
    let line = match done["restored"] == true {
        true => format!(
            "Restored {} pages with {} revisions and {} files, and {} users",
            done["pages"], done["revisions"], done["assets"], done["users"]
        ),
        false => format!(
            "Imported {} pages and {} files; replaced {}, skipped {}",
            done["created"], done["assets"], done["replaced"], done["skipped"]
        ),
    };
    print(arguments.common.json, &done, &line)
}

fn print_preview(preview: &Value) -> anyhow::Result<()> {
    let counts = &preview["counts"];
    let mut out = output::stdout();
    writeln!(
        out,
        "{}: {} pages and {} files into {}; {} updated, {} left as they are, {} skipped",
        text(preview, "format"),
        counts["created"],
        counts["files"],
        text(preview, "into"),
        counts["updated"],
        counts["kept"],
        counts["skipped"],
    )?;
    for page in preview["pages"].as_array().into_iter().flatten() {
        out.write_row(&row(
            &["action", "path", "origin"].map(|field| text(page, field))
        ))?;
    }
    for skipped in preview["skipped"].as_array().into_iter().flatten() {
        let (reason, origin) = (text(skipped, "reason"), text(skipped, "origin"));
        out.write_row(&row(&["skip", reason, origin]))?;
    }
    Ok(())
}

/// Prints lines, whose line breaks stay.
fn print_lines(json: bool, value: &Value, lines: &str) -> anyhow::Result<()> {
    if json {
        return print(json, value, "");
    }
    lines.lines().try_for_each(|line| print(json, value, line))
}

fn list(client: &Client, json: bool) -> anyhow::Result<()> {
    let list = client.get("api/imports")?;
    let mut out = output::stdout();
    for import in list["items"].as_array().into_iter().flatten() {
        let pages = import["counts"]["created"].to_string();
        let state = if import["undone"] == true {
            "undone"
        } else {
            ""
        };
        let [id, at, format, source] =
            ["id", "created_at", "format", "source"].map(|field| text(import, field));
        match json {
            true => writeln!(out, "{import}")?,
            false => out.write_row(&row(&[id, at, format, &pages, state, source]))?,
        }
    }
    Ok(())
}

fn undo(client: &Client, json: bool, id: &str) -> anyhow::Result<()> {
    let undone = client.send("POST", &format!("api/imports/{}/undo", percent_encode(id)))?;
    let undone = undone.json()?;
    let mut line = format!(
        "Moved {} pages to the trash, restored {} texts",
        undone["trashed"], undone["restored"]
    );
    for path in undone["kept"].as_array().into_iter().flatten() {
        line.push_str(&format!(
            "\nKept, because it was changed since: {}",
            path.as_str().unwrap_or_default()
        ));
    }
    print_lines(json, &undone, &line)
}
