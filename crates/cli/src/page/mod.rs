//! `fumi page`: pages of the wiki.

mod difference;
mod edit;
mod merge;
mod relations;
mod texts;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::client::{Answer, Client, Common, percent_encode, print, text};
use crate::output::{self, List};
use crate::pdf;

use texts::TextCommand;

pub(crate) use difference::print_hunks;

#[derive(Args)]
pub(crate) struct PageArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: PageCommand,
}

#[derive(Subcommand)]
enum PageCommand {
    /// List pages by path
    List {
        /// Only this page and those below it
        #[arg(value_name = "PATH")]
        prefix: Option<String>,
        /// Include pages in the trash
        #[arg(long)]
        deleted: bool,
        /// As of a moment: a date, or a time such as 2026-05-12T14:30
        #[arg(long, value_name = "TIME", conflicts_with = "deleted")]
        at: Option<String>,
        /// Print paths alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// Print the text of a page
    Show {
        /// Path of the page
        path: String,
        /// Revision; the newest one if omitted
        #[arg(long, value_name = "N")]
        rev: Option<u64>,
        /// As of a moment: a date, or a time such as 2026-05-12T14:30
        #[arg(long, value_name = "TIME", conflicts_with = "rev")]
        at: Option<String>,
        /// Print an HTML file that contains the page's pictures, instead of its Markdown
        #[arg(long)]
        html: bool,
        /// Write the page to a PDF file instead; needs the desktop program fumikura and a display
        #[arg(long, value_name = "FILE", conflicts_with = "html")]
        pdf: Option<PathBuf>,
    },
    /// Create a page
    Add {
        /// Path of the page
        path: String,
        /// File with its text; standard input if omitted or -
        file: Option<PathBuf>,
    },
    #[command(flatten)]
    Text(TextCommand),
    /// Rename or move a page
    Move {
        /// Path of the page
        from: String,
        /// New path
        to: String,
        /// Also move all pages below it
        #[arg(long)]
        recursive: bool,
    },
    /// Duplicate a page with its files
    Duplicate {
        /// Path of the page
        path: String,
    },
    /// Append a page to another one, and move it to the trash
    Merge {
        /// Path of the page
        from: String,
        /// Path of the page that receives its text and files
        into: String,
    },
    /// Move a page to the trash
    Delete {
        /// Path of the page
        path: String,
        /// Also delete all pages below it
        #[arg(long)]
        recursive: bool,
        /// Delete for good
        #[arg(long)]
        hard: bool,
    },
    /// Restore a page from the trash
    Undelete {
        /// Path that the page had
        path: String,
        /// Also restore all pages that were deleted with it
        #[arg(long)]
        recursive: bool,
    },
    /// End the edit lock of a page
    Unlock {
        /// Path of the page
        path: String,
    },
}

pub(crate) fn run(arguments: PageArguments) -> anyhow::Result<()> {
    let PageArguments { common, command } = arguments;
    let json = common.json;
    // Standard input may take its time, so it is read before the data is opened.
    let mut source = Vec::new();
    if let PageCommand::Add { file, .. } = &command {
        source = read_source(file.as_deref())?;
    }
    if let PageCommand::Text(command) = command {
        return command.run(&common);
    }
    let client = Client::open(&common)?;
    match command {
        PageCommand::List {
            prefix,
            deleted,
            at,
            null,
        } => {
            let form = List::new(json, null);
            list(&client, form, prefix.as_deref(), deleted, at.as_deref())
        }
        PageCommand::Show {
            path,
            rev,
            at,
            html,
            pdf,
        } => {
            let shown = ShownPage {
                client: &client,
                path: &path,
                rev,
                at: at.as_deref(),
            };
            match pdf {
                Some(file) => shown.save_pdf(json, &file),
                None => shown.print(json, html),
            }
        }
        PageCommand::Add { path, .. } => add(&client, json, &path, &source),
        PageCommand::Text(_) => unreachable!("BUG: it was run before the data were opened"),
        PageCommand::Move {
            from,
            to,
            recursive,
        } => rename(&client, json, &from, &to, recursive),
        PageCommand::Duplicate { path } => {
            let id = id_of(&client, &path)?;
            let created = client.send("POST", &format!("api/pages/{id}/duplicate"))?;
            let created = created.json()?;
            let words = format!("Duplicated {path} as {}", text(&created, "path"));
            print(json, &created, &words)
        }
        PageCommand::Merge { from, into } => merge(&client, json, &from, &into),
        PageCommand::Delete {
            path,
            recursive,
            hard,
        } => {
            let id = id_of(&client, &path)?;
            client.send(
                "DELETE",
                &format!("api/pages/{id}?recursive={recursive}&hard={hard}"),
            )?;
            print(
                json,
                &json!({"id": id, "path": path}),
                &format!("Deleted {path}"),
            )
        }
        PageCommand::Undelete { path, recursive } => undelete(&client, json, &path, recursive),
        PageCommand::Unlock { path } => unlock(&client, json, &path),
    }
}

/// Returns the id of the page at a path.
pub(crate) fn id_of(client: &Client, path: &str) -> anyhow::Result<String> {
    id_at(client, path, None)
}

/// Returns the id of the page at a path, now or as of a moment.
pub(crate) fn id_at(client: &Client, path: &str, at: Option<&str>) -> anyhow::Result<String> {
    let address = format!("api/pages/resolve?path={}", percent_encode(path));
    let page = client.get(&as_of(address, at))?;
    let id = page["id"]
        .as_str()
        .context("the server's answer has no id")?;
    Ok(id.to_owned())
}

/// Returns an address of the API as of a moment.
pub(crate) fn as_of(address: String, at: Option<&str>) -> String {
    match at {
        Some(at) => {
            let mark = if address.contains('?') { '&' } else { '?' };
            format!("{address}{mark}at={}", percent_encode(at))
        }
        None => address,
    }
}

fn list(
    client: &Client,
    form: List,
    prefix: Option<&str>,
    deleted: bool,
    at: Option<&str>,
) -> anyhow::Result<()> {
    let prefix = percent_encode(prefix.unwrap_or("/"));
    let mut anchor: Option<String> = None;
    let mut out = output::stdout();
    loop {
        let forward = anchor.map(|anchor| format!("&forward={}", percent_encode(&anchor)));
        let address = format!(
            "api/pages?prefix={prefix}&limit=1000&with_deleted={deleted}{}",
            forward.unwrap_or_default()
        );
        let page = client.get(&as_of(address, at))?;
        for item in page["items"].as_array().into_iter().flatten() {
            let line = fumikura_base::printable::Printable(line(item)).to_string();
            form.write(&mut out, item, text(item, "path"), &line)?;
        }
        anchor = page["anchor"].as_str().map(str::to_owned);
        if page["has_more"] != true || anchor.is_none() {
            return Ok(());
        }
    }
}

fn line(item: &Value) -> String {
    let mark = if item["deleted"] == true {
        " (in the trash)"
    } else {
        ""
    };
    format!("{}{mark}", text(item, "path"))
}

/// A page to show: its newest text, a revision, or the page as of a moment.
struct ShownPage<'a> {
    client: &'a Client,
    path: &'a str,
    rev: Option<u64>,
    at: Option<&'a str>,
}

impl ShownPage<'_> {
    /// Gets the page in a form, with its id.
    fn get(&self, form: &str) -> anyhow::Result<(String, Answer)> {
        let id = id_at(self.client, self.path, self.at)?;
        let rev = self.rev.map(|rev| format!("?rev={rev}"));
        let address = format!("api/pages/{id}/{form}{}", rev.unwrap_or_default());
        let answer = self.client.send("GET", &as_of(address, self.at))?;
        Ok((id, answer))
    }

    fn print(&self, json: bool, html: bool) -> anyhow::Result<()> {
        let form = if html { "html" } else { "source" };
        let (id, answer) = self.get(form)?;
        let mut out = output::stdout();
        if json {
            let mut page = json!({"id": id, "path": self.path});
            page[form] = String::from_utf8_lossy(&answer.body).into();
            if let Ok(revision) = answer.header("x-page-revision") {
                page["revision"] = revision.parse::<u64>()?.into();
            }
            writeln!(out, "{page}")?;
        } else {
            out.write_all(&answer.body)?;
        }
        Ok(())
    }

    fn save_pdf(&self, json: bool, file: &Path) -> anyhow::Result<()> {
        let (id, html) = self.get("html")?;
        pdf::write(&html.body, file)?;
        print(
            json,
            &json!({"id": id, "path": self.path, "file": file.to_string_lossy()}),
            &format!("Saved {} as {}", self.path, file.display()),
        )
    }
}

fn read_source(file: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    match file.filter(|file| *file != Path::new("-")) {
        Some(file) => fs::read(file).with_context(|| format!("couldn't read {}", file.display())),
        None => {
            let mut source = Vec::new();
            let read = std::io::stdin().lock().read_to_end(&mut source);
            read.context("couldn't read standard input")?;
            Ok(source)
        }
    }
}

/// Returns the path of a page, which is normalized, unlike that of an argument.
pub(crate) fn path_of(client: &Client, id: &str) -> anyhow::Result<String> {
    let page = client.get(&format!("api/pages/{id}/path"))?;
    let path = page["path"].as_str();
    Ok(path.context("the server's answer has no path")?.to_owned())
}

fn add(client: &Client, json: bool, path: &str, source: &[u8]) -> anyhow::Result<()> {
    let created = client.send("POST", &format!("api/pages?path={}", percent_encode(path)))?;
    let id = text(&created.json()?, "id").to_owned();
    let lock = created.header("x-page-lock")?;
    let token = lock.split("token=").nth(1).context("a lock has a token")?;
    let headers = [
        ("content-type", "text/markdown"),
        ("x-lock-authentication", &format!("token={token}")),
    ];
    let saved = client.ask("PUT", &format!("api/pages/{id}/source"), &headers, source);
    if saved.is_err() {
        // The text was refused, so its draft is useless.
        client.ask(
            "DELETE",
            &format!("api/pages/{id}/lock"),
            &headers[1..],
            b"",
        )?;
    }
    saved?;
    let path = path_of(client, &id)?;
    print(
        json,
        &json!({"id": id, "path": path}),
        &format!("Created {path}"),
    )
}

fn rename(
    client: &Client,
    json: bool,
    from: &str,
    to: &str,
    recursive: bool,
) -> anyhow::Result<()> {
    let id = id_of(client, from)?;
    let address = format!(
        "api/pages/{id}/path?rename_to={}&recursive={recursive}",
        percent_encode(to)
    );
    let moved = client.send("POST", &address)?.json()?;
    let mut out = String::new();
    for warning in moved["warnings"].as_array().into_iter().flatten() {
        let link = text(warning, "link");
        out += &format!("\n  {link} now leads to another place");
    }
    let to = path_of(client, &id)?;
    print(json, &moved, &format!("Moved {from} to {to}{out}"))
}

fn merge(client: &Client, json: bool, from: &str, into: &str) -> anyhow::Result<()> {
    let (id, into) = (id_of(client, from)?, id_of(client, into)?);
    let body = json!({ "into": into }).to_string();
    let headers = [("content-type", "application/json")];
    let address = format!("api/pages/{id}/merge");
    let merged = client.ask("POST", &address, &headers, body.as_bytes())?;
    let merged = merged.json()?;
    let words = format!("Merged {from} into {}", text(&merged, "path"));
    print(json, &merged, &words)
}

fn undelete(client: &Client, json: bool, path: &str, recursive: bool) -> anyhow::Result<()> {
    let deleted = client.get(&format!("api/pages/deleted?path={}", percent_encode(path)))?;
    let Some(page) = deleted.as_array().and_then(|pages| pages.first()) else {
        bail!("no page that was at {path} is in the trash");
    };
    let id = text(page, "page_id");
    let address = format!(
        "api/pages/{id}/path?restore_to={}&recursive={recursive}",
        percent_encode(path)
    );
    client.send("POST", &address)?;
    let path = path_of(client, id)?;
    print(
        json,
        &json!({"id": id, "path": path}),
        &format!("Restored {path}"),
    )
}

pub(crate) fn unlock(client: &Client, json: bool, path: &str) -> anyhow::Result<()> {
    let locks = client.get("api/locks")?;
    let mut locks = locks.as_array().into_iter().flatten();
    let Some(lock) = locks.find(|lock| lock["path"] == path) else {
        bail!("{path} is not locked");
    };
    let id = text(lock, "page_id");
    client.send("DELETE", &format!("api/locks/{id}"))?;
    print(
        json,
        &json!({"id": id, "path": path}),
        &format!("Unlocked {path}"),
    )
}
