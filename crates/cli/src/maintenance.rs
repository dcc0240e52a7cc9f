//! `fumi thumbs`, `check` and `export`: maintenance of the whole data.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Context;
use clap::{Args, Subcommand};
use fumikura_base::printable::Printable;
use fumikura_image::is_picture_name;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, percent_encode_bytes, print, text};
use crate::interruption::SignalWatch;
use crate::new_file::write_new;
use crate::output::{self, named};
use crate::page::as_of;
use crate::progress::{ProgressDisplay, Unit};

/// The exit code if the data has faults.
pub(crate) const EXIT_FINDINGS: u8 = 3;

#[derive(Args)]
pub(crate) struct Thumbs {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: ThumbsCommand,
}

#[derive(Subcommand)]
enum ThumbsCommand {
    /// Show the size of the thumbnail cache
    Stats,
    /// Delete the least recently used thumbnails, down to the low mark
    Gc,
    /// Make the thumbnail of a picture, if it is missing, and print its path
    Get {
        /// A picture in an opened folder
        path: PathBuf,
        #[command(flatten)]
        variant: Variant,
    },
    /// Make the missing thumbnails of all pictures in a folder, including its subfolders
    Warm {
        /// A folder in an opened folder
        folder: PathBuf,
        #[command(flatten)]
        variant: Variant,
    },
}

/// The thumbnail.
#[derive(Args)]
struct Variant {
    /// Size in pixels, each side 1 to 4096
    #[arg(long, default_value = "85x85", value_name = "WxH")]
    size: String,
    /// crop, shrink or stretch
    #[arg(long, default_value = "crop")]
    mode: String,
    /// jpg, png or webp
    #[arg(long, default_value = "jpg")]
    format: String,
}

impl Variant {
    /// Returns the address at which the server makes the thumbnail of a picture.
    fn address(&self, picture: &Path, priority: &str) -> String {
        let source = percent_encode_bytes(picture.as_os_str().as_encoded_bytes());
        let Self { size, mode, format } = self;
        let [size, mode, format] = [size, mode, format].map(|text| percent_encode(text));
        format!("get?source={source}&size={size}&mode={mode}&format={format}&priority={priority}")
    }
}

#[derive(Args)]
pub(crate) struct Check {
    #[command(flatten)]
    common: Common,
    /// Repair what can be repaired without a loss; a copy of the database is made before
    #[arg(long)]
    repair: bool,
}

#[derive(Args)]
pub(crate) struct Export {
    #[command(flatten)]
    common: Common,
    /// Write a folder of Markdown that Obsidian opens as a vault, instead of an archive that an import reads
    #[arg(long)]
    vault: bool,
    /// Write a folder of HTML that a browser opens without a server, with all pictures and a search
    #[arg(long, conflicts_with = "vault")]
    site: bool,
    /// Write everything, with all revisions, users, settings and the trash, for an import into an empty wiki
    #[arg(long, conflicts_with_all = ["vault", "site", "at"])]
    full: bool,
    /// As of a moment: a date, or a time such as 2026-05-12T14:30
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// The zip file to write; an existing file is not overwritten
    file: PathBuf,
}

pub(crate) fn thumbs(arguments: &Thumbs) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match &arguments.command {
        ThumbsCommand::Stats => {
            let stats = client.get("api/cache")?;
            let number = |field: &str| stats[field].as_u64().unwrap_or_default();
            let line = format!(
                "{} thumbnails, {} of {} bytes",
                number("files"),
                number("used_bytes"),
                number("limit_bytes")
            );
            print(json, &stats, &line)
        }
        ThumbsCommand::Gc => {
            let start = || client.send("POST", "api/cache/gc");
            let remains = "what was deleted until then stays deleted";
            let freed = client.run_job(start, json, remains)?;
            let line = format!(
                "Deleted {} thumbnails, {} bytes",
                freed["files"], freed["bytes"]
            );
            print(json, &freed, &line)
        }
        ThumbsCommand::Get { path, variant } => get(&client, path, variant, json),
        ThumbsCommand::Warm { folder, variant } => warm(&client, folder, variant, json),
    }
}

fn get(client: &Client, path: &Path, variant: &Variant, json: bool) -> anyhow::Result<()> {
    let path = std::path::absolute(path)?;
    let answer = client.send("GET", &variant.address(&path, "next"))?;
    if json {
        return print(json, &named("path", &answer.body), "");
    }
    // Other programs need the exact bytes of the path.
    let mut out = output::stdout();
    out.write_all(&answer.body)?;
    writeln!(out)?;
    Ok(())
}

/// Requests all missing thumbnails. The server makes several at once, so as many threads here wait for them.
fn warm(client: &Client, folder: &Path, variant: &Variant, json: bool) -> anyhow::Result<()> {
    let pictures = Mutex::new(pictures_below(&std::path::absolute(folder)?)?);
    let failures = Mutex::new(Vec::new());
    let made = AtomicU64::new(0);
    let watch = SignalWatch::begin()?;
    let total = pictures.lock().len() as u64;
    let display = ProgressDisplay::new(Unit::Step, json);
    let next = || {
        let mut left = pictures.lock();
        display.set(total - left.len() as u64, total);
        left.pop().filter(|_| !watch.is_interrupted())
    };
    let waiting = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| {
        for _ in 0..waiting {
            scope.spawn(|| {
                while let Some(picture) = next() {
                    match client.send("GET", &variant.address(&picture, "background")) {
                        Ok(_) => drop(made.fetch_add(1, Ordering::Relaxed)),
                        Err(error) => {
                            let failure = format!("{}: {error}", picture.display());
                            failures.lock().push(failure);
                        }
                    }
                }
            });
        }
    });
    drop(display);
    let mut failures = failures.into_inner();
    failures.sort();
    for failure in &failures {
        output::notice(failure);
    }
    let made = made.into_inner();
    let line = format!(
        "{made} thumbnails are there, {} could not be made",
        failures.len()
    );
    print(json, &json!({"made": made, "failures": failures}), &line)?;
    let stay = || "the thumbnails that were made stay".to_owned();
    Ok(watch.check(stay)?)
}

/// Returns the files that are pictures by their extensions. Links to folders are not followed.
fn pictures_below(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pictures = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder);
        let path = folder.display();
        for entry in entries.with_context(|| format!("couldn't read {path}"))? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if is_picture(&entry.file_name()) {
                pictures.push(entry.path());
            }
        }
    }
    pictures.sort_by(|a, b| b.cmp(a));
    Ok(pictures)
}

fn is_picture(name: &std::ffi::OsStr) -> bool {
    is_picture_name(name.as_encoded_bytes())
}

/// Checks the data. The exit code is 3 if it has faults, also after a repair.
pub(crate) fn check(arguments: &Check) -> anyhow::Result<ExitCode> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    let address = format!("api/check?repair={}", arguments.repair);
    let remains = match arguments.repair {
        true => "what was repaired until then stays repaired",
        false => "nothing was changed",
    };
    let found = client.run_job(|| client.send("POST", &address), json, remains)?;
    let list = |name: &str| found[name].as_array().cloned().unwrap_or_default();
    let (faults, repaired) = (list("faults"), list("repaired"));
    let mut out = output::stdout();
    if json {
        writeln!(out, "{found}")?;
    } else {
        let mut print_faults = |faults: &[Value], about: &dyn Fn(&Value) -> &'static str| {
            faults.iter().try_for_each(|fault| {
                let (place, words) = (text(fault, "place"), text(fault, "words"));
                let line = format!("{place}: {words}{}", about(fault));
                writeln!(out, "{}", Printable(&line))
            })
        };
        print_faults(&repaired, &|_| " [repaired]")?;
        print_faults(&faults, &|fault| match fault["repairable"] == true {
            true => " [can be repaired]",
            false => " [can't be repaired; a backup may have it]",
        })?;
        let (pages, revisions) = (&found["pages"], &found["revisions"]);
        writeln!(
            out,
            "{pages} pages, {revisions} revisions, {} faults",
            faults.len()
        )?;
        if let Some(copy) = found["copy"].as_str() {
            writeln!(out, "The state before the repair is in {}", Printable(copy))?;
        }
    }
    Ok(match faults.is_empty() {
        true => ExitCode::SUCCESS,
        false => EXIT_FINDINGS.into(),
    })
}

pub(crate) fn export(arguments: &Export) -> anyhow::Result<()> {
    let client = Client::open(&arguments.common)?;
    let form = match (arguments.vault, arguments.site, arguments.full) {
        (true, _, _) => "vault",
        (_, true, _) => "site",
        (_, _, true) => "full",
        (false, false, false) => "archive",
    };
    let address = as_of(format!("api/export?form={form}"), arguments.at.as_deref());
    write_new(&arguments.file, |out| {
        client.download("GET", &address, &[], b"", out)
    })?;
    print(
        arguments.common.json,
        &named("file", arguments.file.as_os_str().as_encoded_bytes()),
        &format!("Exported to {}", arguments.file.display()),
    )
}
