//! The tools that read folders of pictures.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rmcp::model::{CallToolResult, ContentBlock};
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::connection::Connection;
use crate::client::{percent_encode, percent_encode_bytes, text};

/// The length of the longer side of a thumbnail, unless the assistant asks for another.
const EDGE: u32 = 768;
/// The maximum length of the longer side.
const MAX_EDGE: u32 = 2048;

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct FolderInput {
    /// The absolute path of the folder; the open folders by default
    path: Option<String>,
    /// The order of the pictures; name by default
    sort: Option<PictureOrder>,
    /// True for the reverse order
    descending: Option<bool>,
    /// The number of entries to skip
    offset: Option<usize>,
    /// The maximum number of entries, 100 by default, at most 1000
    limit: Option<usize>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum PictureOrder {
    Name,
    Taken,
    Modified,
    Rating,
    Size,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct PictureInput {
    /// The absolute path of the picture
    path: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct ThumbnailInput {
    /// The absolute path of the picture
    path: String,
    /// The maximum length of the longer side in pixels, 768 by default, at most 2048
    size: Option<u32>,
}

/// An open folder.
struct OpenFolder {
    id: String,
    name: String,
    path: PathBuf,
    available: bool,
}

/// A file or folder below an open folder.
struct Place {
    root: String,
    /// The path from the root.
    relative: PathBuf,
}

impl Place {
    /// Returns the address of an operation on the place.
    fn address(&self, operation: &str) -> String {
        let path = percent_encode_bytes(self.relative.as_os_str().as_bytes());
        format!(
            "{operation}?root={}&path={path}",
            percent_encode(&self.root)
        )
    }
}

/// Returns the open folders that are not hidden.
fn open_folders(connection: &Connection<'_>) -> anyhow::Result<Vec<OpenFolder>> {
    let roots = connection.get("api/roots")?;
    let mut folders = Vec::new();
    for root in roots.as_array().into_iter().flatten() {
        let path = PathBuf::from(bytes_of(root, "path")?);
        if !connection.exclusions.hide_file(&path) {
            folders.push(OpenFolder {
                id: text(root, "id").to_owned(),
                name: text(root, "name").to_owned(),
                path,
                available: root["available"] == true,
            });
        }
    }
    Ok(folders)
}

/// Returns a name of an answer, which may not be UTF-8.
fn bytes_of(value: &Value, field: &str) -> anyhow::Result<OsString> {
    match value[format!("{field}_bytes")].as_str() {
        Some(encoded) => Ok(OsString::from_vec(BASE64.decode(encoded)?)),
        None => Ok(text(value, field).into()),
    }
}

/// Finds the place of an absolute path. What is hidden is answered as what is not below an open folder.
fn find(connection: &Connection<'_>, path: &str) -> anyhow::Result<Place> {
    let outside = || format!("{path} is not below an open folder");
    let path = Path::new(path);
    let plain = |part| matches!(part, Component::RootDir | Component::Normal(_));
    if !path.is_absolute() || !path.components().all(plain) || connection.exclusions.hide_file(path)
    {
        bail!(outside());
    }
    let folders = open_folders(connection)?;
    let below = folders
        .iter()
        .filter(|folder| path.starts_with(&folder.path));
    let folder = below.max_by_key(|folder| folder.path.as_os_str().len());
    let folder = folder.with_context(outside)?;
    Ok(Place {
        root: folder.id.clone(),
        relative: path.strip_prefix(&folder.path)?.to_owned(),
    })
}

pub(super) fn list_folder(
    connection: &Connection<'_>,
    input: FolderInput,
) -> anyhow::Result<CallToolResult> {
    let Some(path) = input.path else {
        let folders = open_folders(connection)?.into_iter().map(|folder| {
            json!({ "path": folder.path.to_string_lossy(), "name": folder.name, "available": folder.available })
        });
        let folders: Vec<_> = folders.collect();
        return Ok(CallToolResult::structured(json!({ "folders": folders })));
    };
    let place = find(connection, &path)?;
    let sort = match input.sort.unwrap_or(PictureOrder::Name) {
        PictureOrder::Name => "name",
        PictureOrder::Taken => "taken",
        PictureOrder::Modified => "modified",
        PictureOrder::Rating => "rating",
        PictureOrder::Size => "size",
    };
    let order = match input.descending {
        Some(true) => "desc",
        _ => "asc",
    };
    let offset = input.offset.unwrap_or(0);
    let limit = input.limit.unwrap_or(100).clamp(1, 1000);
    let listing = connection.get(&format!(
        "{}&sort={sort}&order={order}&offset={offset}&limit={limit}",
        place.address("api/folders")
    ))?;
    let entries = listing["entries"].as_array().map_or(&[][..], Vec::as_slice);
    let folder = Path::new(&path);
    let mut shown = Vec::new();
    let mut unnamed = 0;
    for entry in entries {
        let Some(name) = entry["name"]
            .as_str()
            .filter(|_| entry["name_bytes"].is_null())
        else {
            unnamed += 1;
            continue;
        };
        if !connection.exclusions.hide_file(&folder.join(name)) {
            shown.push(entry_of(&folder.join(name), entry));
        }
    }
    let mut listed = json!({ "path": path, "entries": shown });
    let next = offset + entries.len();
    let total = listing["total"].as_u64().unwrap_or(0);
    if u64::try_from(next)? < total {
        listed["next_offset"] = next.into();
    }
    if unnamed > 0 {
        listed["names_not_utf8"] = unnamed.into();
    }
    if listing["unread"].as_u64().is_some_and(|unread| unread > 0) {
        listed["incomplete"] = "some pictures have not been read yet".into();
    }
    Ok(CallToolResult::structured(listed))
}

/// The fields of an entry that an assistant gets.
const ENTRY_FIELDS: [&str; 11] = [
    "kind", "size", "mtime", "width", "height", "taken", "duration", "camera", "rating", "tags",
    "caption",
];

fn entry_of(path: &Path, entry: &Value) -> Value {
    let mut shown = json!({ "path": path.to_string_lossy() });
    for field in ENTRY_FIELDS {
        if !entry[field].is_null() {
            shown[field] = entry[field].clone();
        }
    }
    shown
}

pub(super) fn info(
    connection: &Connection<'_>,
    input: PictureInput,
) -> anyhow::Result<CallToolResult> {
    let place = find(connection, &input.path)?;
    let mut info = connection.get(&place.address("api/image/info"))?;
    let marks = connection.get(&place.address("api/files/marks"))?;
    let mut about = Map::new();
    about.insert("path".to_owned(), input.path.into());
    if let Some(fields) = info.as_object_mut() {
        fields.remove("id");
        about.append(fields);
    }
    for field in ["rating", "tags", "caption", "title"] {
        if !marks[field].is_null() {
            about.insert(field.to_owned(), marks[field].clone());
        }
    }
    Ok(CallToolResult::structured(about.into()))
}

pub(super) fn thumbnail(
    connection: &Connection<'_>,
    input: ThumbnailInput,
) -> anyhow::Result<CallToolResult> {
    let place = find(connection, &input.path)?;
    let size = input.size.unwrap_or(EDGE).clamp(1, MAX_EDGE);
    let mut address = format!(
        "{}&size={size}x{size}&mode=shrink&format=jpg&priority=next",
        place.address("thumb")
    );
    address += &shown_part(connection, &place)?;
    let picture = connection.get_bytes(&address)?;
    let picture = BASE64.encode(&picture.body);
    Ok(CallToolResult::success(vec![ContentBlock::image(
        picture,
        "image/jpeg",
    )]))
}

/// Returns the parameters for the turn and the part with which the program shows the picture.
fn shown_part(connection: &Connection<'_>, place: &Place) -> anyhow::Result<String> {
    let (Some(folder), Some(name)) = (place.relative.parent(), place.relative.file_name()) else {
        bail!("this is a folder, not a picture");
    };
    let folder = Place {
        root: place.root.clone(),
        relative: folder.to_owned(),
    };
    let listing = connection.get(&format!(
        "{}&limit=1&around={}",
        folder.address("api/folders"),
        percent_encode_bytes(name.as_bytes())
    ))?;
    let entry = &listing["entries"][0];
    if bytes_of(entry, "name")? != name {
        bail!("there is no such picture");
    }
    let mut shown = String::new();
    if let Some(turn) = entry["turn"].as_u64() {
        shown += &format!("&turn={turn}");
    }
    if entry["crop"].is_object() {
        let side = |side: &str| entry["crop"][side].to_string();
        let crop = ["x", "y", "width", "height", "angle"].map(side).join(",");
        shown += &format!("&crop={crop}");
    }
    Ok(shown)
}
