//! Files and folders of the command line, as places below open folders.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use clap::Args;
use fumikura_base::printable::Printable;
use serde_json::{Value, json};

use crate::client::{Client, percent_encode, percent_encode_bytes, text};

/// Files on the command line.
#[derive(Args)]
pub(super) struct FileArguments {
    /// Files in open folders; - reads their paths from standard input, one per line
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The paths of standard input end with NUL bytes instead of line breaks
    #[arg(long)]
    null: bool,
}

impl FileArguments {
    /// Returns the files, of which standard input may have some.
    pub(super) fn read(&self) -> anyhow::Result<Vec<PathBuf>> {
        with_standard_input(&self.files, self.null)
    }
}

/// Replaces the path `-` by the paths in standard input.
pub(super) fn with_standard_input(files: &[PathBuf], null: bool) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for file in files {
        if file != Path::new("-") {
            all.push(file.clone());
            continue;
        }
        let mut input = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut input);
        read.context("couldn't read standard input")?;
        let end = if null { b'\0' } else { b'\n' };
        let paths = input
            .split(|&byte| byte == end)
            .filter(|path| !path.is_empty());
        all.extend(paths.map(|path| PathBuf::from(OsStr::from_bytes(path))));
    }
    Ok(all)
}

/// The open folders.
pub(crate) struct OpenFolders(Vec<OpenFolder>);

struct OpenFolder {
    id: String,
    path: PathBuf,
    /// The path without symbolic links.
    real: PathBuf,
}

/// A file or folder below an open folder.
pub(super) struct Place {
    root: String,
    /// The path relative to the open folder.
    path: Vec<u8>,
}

impl OpenFolders {
    pub(crate) fn get(client: &Client) -> anyhow::Result<Self> {
        let roots = client.get("api/roots")?;
        let folder = |root: &Value| {
            let path = PathBuf::from(OsStr::from_bytes(&bytes_of(root, "path")));
            OpenFolder {
                id: text(root, "id").to_owned(),
                real: path.canonicalize().unwrap_or_else(|_| path.clone()),
                path,
            }
        };
        Ok(Self(
            roots.as_array().into_iter().flatten().map(folder).collect(),
        ))
    }

    /// Returns the place of a file, which may not exist.
    pub(super) fn place(&self, file: &Path) -> anyhow::Result<Place> {
        let absolute = std::path::absolute(file)?;
        // Below a link in an open folder, the path by which the file was named leads there.
        let is_plain = !absolute
            .components()
            .any(|part| part == Component::ParentDir);
        let named = is_plain.then(|| self.find(&absolute, |folder| &folder.path));
        let found = match named.flatten() {
            Some(place) => Some(place),
            None => self.find(&real(&absolute), |folder| &folder.real),
        };
        found.with_context(|| {
            format!(
                "{} is in no open folder; open one with “fumi folder add”",
                display(file)
            )
        })
    }

    pub(super) fn places(&self, files: &[PathBuf]) -> anyhow::Result<Vec<Place>> {
        files.iter().map(|file| self.place(file)).collect()
    }

    /// Returns the id of an open folder, which is named by its id or its path.
    pub(crate) fn id(&self, folder: &Path) -> anyhow::Result<String> {
        let absolute = std::path::absolute(folder)?;
        let real = real(&absolute);
        let is_meant = |open: &&OpenFolder| {
            Path::new(&open.id) == folder || open.path == absolute || open.real == real
        };
        let found = self.0.iter().find(is_meant);
        let found = found.with_context(|| format!("{} is not open", display(folder)))?;
        Ok(found.id.clone())
    }

    /// Finds the innermost open folder that contains a path.
    fn find(&self, path: &Path, of: impl Fn(&OpenFolder) -> &Path) -> Option<Place> {
        let containing = self
            .0
            .iter()
            .filter_map(|folder| Some((folder, path.strip_prefix(of(folder)).ok()?)));
        let (folder, relative) =
            containing.min_by_key(|(_, relative)| relative.as_os_str().len())?;
        Some(Place {
            root: folder.id.clone(),
            path: relative.as_os_str().as_bytes().to_vec(),
        })
    }
}

impl Place {
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    pub(super) fn path(&self) -> &[u8] {
        &self.path
    }

    /// Returns the place as an object of a request.
    pub(super) fn json(&self) -> Value {
        let mut place = crate::output::named("path", &self.path);
        place["root"] = self.root.clone().into();
        place
    }

    /// Returns the place as parameters of an address.
    pub(super) fn query(&self) -> String {
        format!(
            "root={}&path={}",
            percent_encode(&self.root),
            percent_encode_bytes(&self.path)
        )
    }
}

/// Returns the bytes of a name in an answer.
pub(super) fn bytes_of(value: &Value, field: &str) -> Vec<u8> {
    let decoded = value[format!("{field}_bytes")]
        .as_str()
        .and_then(|bytes| BASE64.decode(bytes).ok());
    decoded.unwrap_or_else(|| text(value, field).as_bytes().to_vec())
}

/// Returns a path fit for a line.
pub(super) fn display(path: &Path) -> String {
    Printable(path.display()).to_string()
}

/// Reports the files of an answer that failed, and fails if there are some.
pub(super) fn check_failed(answer: &Value) -> anyhow::Result<()> {
    let failed = answer["failed"].as_array().cloned().unwrap_or_default();
    for file in &failed {
        let reason = text(&file["error"], "message");
        crate::output::notice(&format!("{}: {reason}", Printable(text(file, "name"))));
    }
    match failed.len() {
        0 => Ok(()),
        1 => bail!("1 file failed"),
        count => bail!("{count} files failed"),
    }
}

/// Returns true if the program joins the files of one picture.
pub(super) fn is_joined(client: &Client) -> anyhow::Result<bool> {
    Ok(client.get("api/settings")?["join_picture_files"] == true)
}

pub(super) fn items(places: &[Place]) -> Value {
    places.iter().map(Place::json).collect::<Vec<_>>().into()
}

/// Returns `1 file` or `N files`.
pub(super) fn counted(count: &Value) -> String {
    match count.as_u64() {
        Some(1) => "1 file".to_owned(),
        _ => json!(count).to_string() + " files",
    }
}

/// Resolves the symbolic links of the folder of a file.
fn real(path: &Path) -> PathBuf {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => match parent.canonicalize() {
            Ok(parent) => parent.join(name),
            Err(_) => path.to_owned(),
        },
        // It is `/`, or ends with `..`.
        _ => path.canonicalize().unwrap_or_else(|_| path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(folders: &OpenFolders, file: &Path, expected: (&str, &[u8])) {
        let place = folders.place(file).unwrap();
        assert_eq!((place.root.as_str(), place.path.as_slice()), expected);
    }

    #[test]
    fn file_is_placed_in_innermost_folder() {
        let home = tempfile::tempdir().unwrap();
        let photos = home.path().join("photos");
        std::fs::create_dir_all(photos.join("2026")).unwrap();
        std::os::unix::fs::symlink("photos", home.path().join("link")).unwrap();
        let open = |id: &str, path: PathBuf| OpenFolder {
            id: id.to_owned(),
            real: path.canonicalize().unwrap(),
            path,
        };
        let folders = OpenFolders(vec![
            open("A", photos.clone()),
            open("B", photos.join("2026")),
        ]);
        check(&folders, &photos, ("A", b""));
        check(&folders, &photos.join("a.jpg"), ("A", b"a.jpg"));
        check(&folders, &photos.join("2026/b.jpg"), ("B", b"b.jpg"));
        check(&folders, &photos.join("2026/../a"), ("A", b"a"));
        check(&folders, &home.path().join("link/2026/c"), ("B", b"c"));
        let latin = OsStr::from_bytes(b"caf\xe9");
        check(&folders, &photos.join(latin), ("A", b"caf\xe9"));
        assert!(folders.place(&home.path().join("other")).is_err());
        assert_eq!(folders.id(&home.path().join("link/2026")).unwrap(), "B");
        assert_eq!(folders.id(Path::new("A")).unwrap(), "A");
    }
}
