//! `fumi backup`: makes, lists and reads backups, and brings pages and files of them back.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use fumikura_base::printable::Printable;
use fumikura_server::replace_damaged_data;
use serde_json::{Value, json};

use crate::client::{Client, Common, config_of, is_damage, percent_encode, print, row, text};
use crate::maintenance::EXIT_FINDINGS;
use crate::output;

#[derive(Args)]
pub(crate) struct Backup {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Option<BackupCommand>,
}

#[derive(Subcommand)]
enum BackupCommand {
    /// List the backups in the data folder: time, name, whether it was proved, the rules that keep it, and when everything in
    /// it was read
    List,
    /// List the pages of a backup, or print the text of one of them
    Show {
        /// Name of the backup
        name: String,
        /// Path of the page in the backup
        path: Option<String>,
        /// List its hash records and sidecars of pictures instead: state now, kind, folder, path
        #[arg(long, conflicts_with = "path")]
        records: bool,
    },
    /// Choose a second place for backups, such as a folder on a USB disk, and copy the newest proved backup there
    Copy {
        /// Existing folder; the one chosen before if omitted
        folder: Option<PathBuf>,
    },
    /// Bring a page, a file of a page, or everything back from a backup
    Restore {
        /// Name of the backup
        name: String,
        #[command(flatten)]
        what: RestoredItem,
    },
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct RestoredItem {
    /// Give this page its text of the backup, as a new revision; its missing files come with it
    #[arg(long, value_name = "PATH")]
    page: Option<String>,
    /// Add a file of the backup to its page again, instead of the one of its name
    #[arg(long, num_args = 2, value_names = ["PAGE", "FILE"])]
    file: Option<Vec<String>>,
    /// Go back to the backup as a whole: at once, or at the next start of the program that has the data open. The present
    /// data are backed up first; if they are too damaged to be opened, they are kept in a folder of the data folder
    #[arg(long)]
    all: bool,
    /// Write the missing hash records and sidecars of pictures beside the originals; changed ones stay
    #[arg(long)]
    records: bool,
}

pub(crate) fn backup(arguments: &Backup) -> anyhow::Result<ExitCode> {
    let common = &arguments.common;
    if let Some(BackupCommand::Restore { name, what }) = &arguments.command
        && what.all
    {
        return restore_all(common, name).map(|()| ExitCode::SUCCESS);
    }
    let client = Client::open(common)?;
    let json = common.json;
    let done = match &arguments.command {
        None => return make_backup(&client, json),
        Some(BackupCommand::List) => list_backups(&client, json),
        Some(BackupCommand::Show {
            name,
            records: true,
            ..
        }) => list_records(&client, name, json),
        Some(BackupCommand::Show { name, path, .. }) => match path {
            None => list_pages(&client, name, json),
            Some(path) => show_page(&client, name, path, json),
        },
        Some(BackupCommand::Copy { folder }) => copy_backup(&client, folder.as_deref(), json),
        Some(BackupCommand::Restore { name, what }) => match (&what.page, what.file.as_deref()) {
            (Some(path), _) => restore_page(&client, name, path, json),
            (None, Some([page, file])) => restore_file(&client, name, (page, file), json),
            (None, _) if what.records => restore_records(&client, name, json),
            (None, _) => bail!("say what to restore: --page, --file, --records or --all"),
        },
    };
    done.map(|()| ExitCode::SUCCESS)
}

fn list_backups(client: &Client, json: bool) -> anyhow::Result<()> {
    let list = client.get("api/backups")?;
    let mut out = output::stdout();
    if json {
        writeln!(out, "{list}")?;
        return Ok(());
    }
    for backup in list["backups"].as_array().into_iter().flatten() {
        let rules = backup["kept_by"].as_array().into_iter().flatten();
        let rules: Vec<&str> = rules.filter_map(|rule| rule.as_str()).collect();
        let proof = if backup["proved_at"].is_null() {
            "faulty"
        } else {
            "proved"
        };
        let read = backup["read_in_full_at"].as_str();
        let read = read.map(|at| format!("read in full on {at}"));
        let fields = [
            text(backup, "taken_at"),
            text(backup, "name"),
            proof,
            &rules.join(","),
            &read.unwrap_or_default(),
        ];
        out.write_row(&row(&fields))?;
        let records = &backup["folder_records"];
        if !records.is_null() {
            let (hashes, sidecars) = (&records["hashes"], &records["sidecars"]);
            writeln!(out, "  with {hashes} hash records and {sidecars} sidecars")?;
        }
        for fault in backup["faults"].as_array().into_iter().flatten() {
            writeln!(out, "  {}", Printable(fault.as_str().unwrap_or_default()))?;
        }
    }
    Ok(())
}

fn make_backup(client: &Client, json: bool) -> anyhow::Result<ExitCode> {
    let start = || client.send("POST", "api/backup");
    let made = client.run_job(start, json, "no backup was made")?;
    let place = ["path", "folder", "name"]
        .iter()
        .find_map(|field| made[field].as_str());
    let is_proved = made["proved"] == true;
    let proof = if is_proved {
        "and proved"
    } else {
        "with faults: see `fumi backup list`"
    };
    let line = format!("Backed up to {} {proof}", place.unwrap_or_default());
    print(json, &made, &line)?;
    Ok(match is_proved {
        true => ExitCode::SUCCESS,
        false => EXIT_FINDINGS.into(),
    })
}

/// The number of pages in one answer of the server.
const MAX_PAGES: usize = 1000;

fn pages_address(name: &str) -> String {
    format!("api/backups/{}/pages", percent_encode(name))
}

fn list_pages(client: &Client, name: &str, json: bool) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let mut after = String::new();
    loop {
        let address = format!(
            "{}?limit={MAX_PAGES}&after={}",
            pages_address(name),
            percent_encode(&after)
        );
        let list = client.get(&address)?;
        for page in list["items"].as_array().into_iter().flatten() {
            if json {
                writeln!(out, "{page}")?;
            } else {
                let fields = ["saved_at", "present", "path", "title"];
                let fields = fields.map(|field| text(page, field));
                out.write_row(&row(&fields))?;
            }
            text(page, "path").clone_into(&mut after);
        }
        if list["has_more"] != true {
            return Ok(());
        }
    }
}

fn records_address(name: &str) -> String {
    format!("api/backups/{}/records", percent_encode(name))
}

fn list_records(client: &Client, name: &str, json: bool) -> anyhow::Result<()> {
    let mut out = output::stdout();
    let mut offset = 0;
    loop {
        let address = format!(
            "{}?limit={MAX_PAGES}&offset={offset}",
            records_address(name)
        );
        let list = client.get(&address)?;
        let items = list["items"].as_array().cloned().unwrap_or_default();
        for record in &items {
            if json {
                writeln!(out, "{record}")?;
            } else {
                let fields = ["state", "kind", "folder", "path"];
                let fields = fields.map(|field| text(record, field));
                out.write_row(&row(&fields))?;
            }
        }
        offset += items.len();
        if items.is_empty() || Some(offset as u64) >= list["total"].as_u64() {
            return Ok(());
        }
    }
}

fn restore_records(client: &Client, name: &str, json: bool) -> anyhow::Result<()> {
    let address = format!("{}/restore", records_address(name));
    let back = client.send("POST", &address)?.json()?;
    let list = |field: &str| back[field].as_array().cloned().unwrap_or_default();
    let (changed, unavailable) = (list("changed"), list("unavailable"));
    let line = format!(
        "Brought {} records back; {} are unchanged, {} have changed and stay, and the folders of {} are not open",
        back["restored"],
        back["same"],
        changed.len(),
        unavailable.len()
    );
    print(json, &back, &line)?;
    if !json {
        for (paths, why) in [(changed, "has changed"), (unavailable, "is not open")] {
            for path in paths.iter().filter_map(Value::as_str) {
                output::notice(&format!("{path} {why}"));
            }
        }
    }
    Ok(())
}

fn copy_backup(client: &Client, folder: Option<&Path>, json: bool) -> anyhow::Result<()> {
    if let Some(folder) = folder {
        let folder = std::path::absolute(folder)?;
        let path = folder
            .to_str()
            .context("the name of the folder is not text")?;
        let body = json!({"path": path}).to_string();
        let headers = [("content-type", "application/json")];
        client.ask("PUT", "api/backups/place", &headers, body.as_bytes())?;
    } else if client.get("api/backups")?["place"].is_null() {
        bail!("no second place was chosen: name a folder");
    }
    let start = || client.send("POST", "api/backups/place/copy");
    let copied = client.run_job(start, json, "no backup was copied")?;
    let line = match copied["folder"].as_str() {
        Some(folder) => format!("Copied to {folder}"),
        None => "The newest proved backup is there already, or there is none".to_owned(),
    };
    print(json, &copied, &line)
}

/// Returns a page of a backup by its path there.
fn page_of(client: &Client, name: &str, path: &str) -> anyhow::Result<Value> {
    let address = format!("{}?path={}", pages_address(name), percent_encode(path));
    let found = client.get(&address)?;
    let id = found["items"][0]["page_id"].as_str();
    let id = id.context("the server's answer has no page_id")?;
    client.get(&format!("{}/{id}", pages_address(name)))
}

fn show_page(client: &Client, name: &str, path: &str, json: bool) -> anyhow::Result<()> {
    let page = page_of(client, name, path)?;
    let mut out = output::stdout();
    match json {
        true => writeln!(out, "{page}")?,
        false => out.write_all(text(&page, "text").as_bytes())?,
    }
    Ok(())
}

/// Goes back to a backup. Without a server, opening the data again puts it in place.
fn restore_all(common: &Common, name: &str) -> anyhow::Result<()> {
    let client = match Client::open(common) {
        Err(error) if is_damage(&error) => return replace_damaged(common, name),
        opened => opened?,
    };
    let address = format!("api/backups/{}/go-back", percent_encode(name));
    let start = || client.send("POST", &address);
    let mut done = client.run_job(start, common.json, "the data are as they were")?;
    let is_now = matches!(client, Client::Local(_));
    drop(client);
    if is_now {
        drop(Client::open(common)?);
    }
    done["is_in_place"] = is_now.into();
    let when = match is_now {
        true => "The data are those of the backup now",
        false => "The backup takes the place of the data when Fumikura starts the next time",
    };
    let before = match (done["folder"].as_str(), done["kept_as"].as_str()) {
        (Some(folder), _) => format!("The data before are backed up in {folder}"),
        (None, kept) => format!(
            "The data before are too damaged for a backup, and kept as {} in the data folder",
            kept.unwrap_or_default()
        ),
    };
    let line = format!("{when}: the state of {}. {before}", text(&done, "taken_at"));
    print(common.json, &done, &line)
}

/// Goes back to a backup from data that can't be opened.
fn replace_damaged(common: &Common, name: &str) -> anyhow::Result<()> {
    let config = config_of(common)?;
    let prepared = replace_damaged_data(&config, name)?;
    drop(Client::open_or_create(common)?);
    let kept = prepared.kept_as.unwrap_or_default();
    let done = json!({
        "folder": null,
        "name": prepared.name,
        "taken_at": prepared.taken_at.to_string(),
        "kept_as": kept,
        "is_in_place": true,
    });
    let line = format!(
        "The data are those of the backup now: the state of {}. The damaged data are kept in {}",
        text(&done, "taken_at"),
        config.data_dir.join(&kept).display()
    );
    print(common.json, &done, &line)
}

fn restore_page(client: &Client, name: &str, path: &str, json: bool) -> anyhow::Result<()> {
    let page = page_of(client, name, path)?;
    let address = format!("{}/{}/restore", pages_address(name), text(&page, "page_id"));
    let back = client.send("POST", &address)?.json()?;
    let what = match text(&back, "way") {
        "unchanged" => "had this text already",
        "restored" => "is back from the trash",
        "created" => "was created again",
        _ => "has its text of the backup again",
    };
    let line = format!(
        "{} {what} (revision {})",
        text(&back, "path"),
        back["revision"]
    );
    print(json, &back, &line)?;
    let damaged = back["damaged"].as_array().into_iter().flatten();
    for file in damaged.filter_map(Value::as_str) {
        output::notice(&format!(
            "{file} is damaged in the backup and did not come back"
        ));
    }
    Ok(())
}

fn restore_file(
    client: &Client,
    name: &str,
    (path, file): (&str, &str),
    json: bool,
) -> anyhow::Result<()> {
    let page = page_of(client, name, path)?;
    let mut files = page["files"].as_array().into_iter().flatten();
    let found = files.find(|found| text(found, "file_name") == file);
    let found = found.with_context(|| format!("{path} has no file {file} in this backup"))?;
    let address = format!(
        "api/backups/{}/files/{}/restore",
        percent_encode(name),
        text(found, "asset_id")
    );
    let back = client.send("POST", &address)?.json()?;
    let line = match (back["changed"] == true, back["replaced"].is_null()) {
        (false, _) => format!("{path} has {file} already"),
        (true, true) => format!("{file} is back on {path}"),
        (true, false) => {
            format!("{file} is back on {path}; the file it replaces is deleted and can be restored")
        }
    };
    print(json, &back, &line)
}
