//! `fumi folder ls`: the files of a folder, with ratings and tags.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use serde_json::Value;

use super::place::{OpenFolders, bytes_of, is_joined};
use crate::client::{Client, percent_encode, row, text};
use crate::output::{self, List, named};

/// The number of entries in one answer.
const PART: usize = 1000;
/// The time between two questions whether the pictures have been read.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// The time without progress after which the listing is printed as far as the pictures have been read.
const PATIENCE: Duration = Duration::from_secs(10);

/// The order of a listing.
#[derive(Clone, Copy, ValueEnum)]
enum Sort {
    Name,
    Modified,
    Size,
    Type,
    Taken,
    Rating,
    Camera,
    Pixels,
}

/// The kind of an entry.
#[derive(Clone, Copy, ValueEnum)]
enum Kind {
    Folder,
    Picture,
    Other,
}

#[derive(Args)]
pub(super) struct ListingArguments {
    /// Folder inside an open folder
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// All files below it as well
    #[arg(long, short)]
    recursive: bool,
    /// Order
    #[arg(long, value_name = "ORDER", default_value = "name")]
    sort: Sort,
    /// Reverse the order
    #[arg(long)]
    reverse: bool,
    /// Only entries of this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,
    /// Only entries with names that contain this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only pictures with at least this rating (1 to 5), or `unrated` or `rejected` ones
    #[arg(long, value_name = "RATING")]
    rating: Option<String>,
    /// Only pictures with this tag
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// Print paths alone, each ended by a NUL byte, for `xargs -0`
    #[arg(long, conflicts_with = "json")]
    null: bool,
}

impl ListingArguments {
    /// Returns the parameters of the request.
    fn query(&self, joined: bool) -> String {
        let order = if self.reverse { "desc" } else { "asc" };
        let mut query = format!("&limit={PART}&order={order}&joined={joined}");
        let mut add = |name: &str, value: Option<&str>| {
            if let Some(value) = value {
                query += &format!("&{name}={}", percent_encode(value));
            }
        };
        add(
            "sort",
            self.sort
                .to_possible_value()
                .as_ref()
                .map(|one| one.get_name()),
        );
        let kind = self.kind.and_then(|kind| kind.to_possible_value());
        add("kind", kind.as_ref().map(|one| one.get_name()));
        add("filter", self.filter.as_deref());
        add("rating", self.rating.as_deref());
        add("tag", self.tag.as_deref());
        add("group", self.recursive.then_some("folder"));
        query
    }
}

/// Lists files: path, kind, size, time of change, rating and tags.
pub(super) fn list_files(
    client: &Client,
    json: bool,
    arguments: &ListingArguments,
) -> anyhow::Result<()> {
    let place = OpenFolders::get(client)?.place(&arguments.folder)?;
    let query = arguments.query(is_joined(client)?);
    let address = format!("api/folders?{}{query}", place.query());
    let mut part = when_read(client, &address)?;
    let form = List::new(json, arguments.null);
    let mut out = output::stdout();
    let mut offset = 0;
    loop {
        let entries = part["entries"].as_array().into_iter().flatten();
        for entry in entries {
            offset += 1;
            let path = path_of(&arguments.folder, entry);
            let path = path.as_os_str().as_bytes();
            form.write(&mut out, &item(entry, path), path, &line(entry, path))?;
        }
        let total = part["total"].as_u64().unwrap_or_default();
        let is_empty = part["entries"].as_array().is_none_or(Vec::is_empty);
        if is_empty || offset >= total {
            break;
        }
        let listing = percent_encode(text(&part, "listing"));
        part = client.get(&format!("{address}&offset={offset}&listing={listing}"))?;
    }
    out.flush()?;
    if let Some(left_out) = part["left_out"].as_u64() {
        output::notice(&format!(
            "{left_out} folders couldn't be read, or are too many"
        ));
    }
    Ok(())
}

/// Requests a listing until all pictures in it have been read, or no more are.
fn when_read(client: &Client, address: &str) -> anyhow::Result<Value> {
    let mut progress = (u64::MAX, Instant::now());
    loop {
        let part = client.get(address)?;
        let unread = part["unread"].as_u64().unwrap_or_default();
        if unread == 0 {
            return Ok(part);
        }
        if unread < progress.0 {
            progress = (unread, Instant::now());
        } else if progress.1.elapsed() > PATIENCE {
            output::notice(&format!(
                "the ratings and tags of {unread} pictures have not been read yet"
            ));
            return Ok(part);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Returns the path of an entry, as the folder was named.
fn path_of(folder: &Path, entry: &Value) -> PathBuf {
    let bytes = |field| PathBuf::from(std::ffi::OsStr::from_bytes(&bytes_of(entry, field)));
    let folder = match folder == Path::new(".") {
        true => PathBuf::new(),
        false => folder.to_owned(),
    };
    match text(entry, "folder") {
        "" => folder.join(bytes("name")),
        _ => folder.join(bytes("folder")).join(bytes("name")),
    }
}

/// Returns the entry with its path.
fn item(entry: &Value, path: &[u8]) -> Value {
    let mut item = entry.clone();
    if let (Some(item), Value::Object(named)) = (item.as_object_mut(), named("path", path)) {
        item.extend(named);
    }
    item
}

fn line(entry: &Value, path: &[u8]) -> String {
    let tags = entry["tags"].as_array().into_iter().flatten();
    let tags: Vec<_> = tags.filter_map(Value::as_str).collect();
    row(&[
        &String::from_utf8_lossy(path),
        text(entry, "kind"),
        &entry["size"].to_string(),
        text(entry, "mtime"),
        &super::marks::rating(entry),
        &tags.join(", "),
    ])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entry_is_one_line() {
        let entry = json!({"name": "a.jpg", "folder": "旅", "kind": "picture", "size": 12,
            "mtime": "2026-11-20T09:30:00Z", "rating": 4, "tags": ["Places/Kyoto", "庭"]});
        let path = path_of(Path::new("photos"), &entry);
        assert_eq!(
            line(&entry, path.as_os_str().as_bytes()),
            "photos/旅/a.jpg\tpicture\t12\t2026-11-20T09:30:00Z\t4\tPlaces/Kyoto, 庭"
        );
        let latin = json!({"name": "caf\u{fffd}", "name_bytes": "Y2Fm6Q==", "kind": "other"});
        let path = path_of(Path::new("."), &latin);
        assert_eq!(path.as_os_str().as_bytes(), b"caf\xe9");
        let item = item(&latin, path.as_os_str().as_bytes());
        assert_eq!(item["path_bytes"], "Y2Fm6Q==");
    }
}
