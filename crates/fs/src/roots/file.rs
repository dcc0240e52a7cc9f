//! The file that stores the roots between launches: JSON with a version (docs/STORAGE.md).

use std::io;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use serde::{Deserialize, Serialize};

use super::error::RootsFileError;
use super::root::{Root, RootId};
use crate::{
    path::{self, clean_absolute, display_path},
    platform,
};

/// The version that this program writes.
const VERSION: u32 = 2;
/// The first version, which does not have folders that must stay within another one.
const OLDEST_VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct RootsFile {
    version: u32,
    roots: Vec<StoredRoot>,
}

/// The version alone, which is read first: the rest may differ in another version.
#[derive(Deserialize)]
struct VersionOnly {
    version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredRoot {
    id: RootId,
    /// The folder, if its bytes are UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The folder's bytes in base64, if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
    /// The allowed folder that contains it, if a client opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within: Option<String>,
    /// The bytes of that folder in base64, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    within_bytes: Option<String>,
}

/// Encodes a path as text, or in base64.
fn encode_path(path: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(path) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(BASE64_STANDARD.encode(path))),
    }
}

impl StoredRoot {
    fn of(root: &Root) -> Self {
        let (path, path_bytes) = encode_path(&root.path);
        let within = root.within.as_deref().map(encode_path);
        let (within, within_bytes) = within.unwrap_or_default();
        Self {
            id: root.id,
            path,
            path_bytes,
            within,
            within_bytes,
        }
    }

    fn into_root(self) -> Result<Root, String> {
        let id = self.id;
        let path = decode_path(id, self.path, self.path_bytes)?;
        let path = path.ok_or_else(|| format!("the folder {id} needs one path"))?;
        let within = decode_path(id, self.within, self.within_bytes)?;
        if let Some(within) = &within
            && path::strip_base(within, &path).is_none()
        {
            return Err(format!("the folder {id} is not within its allowed folder"));
        }
        Ok(Root {
            id,
            path,
            session: false,
            allowed: false,
            within,
        })
    }
}

/// Decodes a path from text or base64. Returns `None` if there is none.
fn decode_path(
    id: RootId,
    text: Option<String>,
    base64: Option<String>,
) -> Result<Option<Vec<u8>>, String> {
    let path = match (text, base64) {
        (Some(text), None) => text.into_bytes(),
        (None, Some(base64)) => BASE64_STANDARD
            .decode(base64)
            .map_err(|error| format!("the folder {id} is no base64: {error}"))?,
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(format!("the folder {id} needs one path")),
    };
    match clean_absolute(&path) {
        Ok(cleaned) if cleaned == path => Ok(Some(path)),
        _ => Err(format!("the folder {id} has no clean absolute path")),
    }
}

/// Reads the roots. There are none if the file does not exist.
pub(super) fn read(path: &Path) -> Result<Vec<Root>, RootsFileError> {
    let shown_path = || display_path(platform::bytes_of(path.as_os_str()));
    let malformed = |reason: String| RootsFileError::Malformed {
        path: shown_path(),
        reason,
    };
    let bytes = match own_file::read(path, own_file::SETTINGS) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => {
            return Err(RootsFileError::Read {
                path: shown_path(),
                source,
            });
        }
    };
    let VersionOnly { version } =
        serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))?;
    if !(OLDEST_VERSION..=VERSION).contains(&version) {
        return Err(RootsFileError::Version {
            path: shown_path(),
            version,
            supported: VERSION,
        });
    }
    let file: RootsFile =
        serde_json::from_slice(&bytes).map_err(|error| malformed(error.to_string()))?;
    file.roots
        .into_iter()
        .map(|stored| stored.into_root().map_err(malformed))
        .collect()
}

/// Writes the roots durably, except for those of a single launch.
pub(super) fn write<'a>(path: &Path, roots: impl IntoIterator<Item = &'a Root>) -> io::Result<()> {
    let file = RootsFile {
        version: VERSION,
        roots: roots
            .into_iter()
            .filter(|root| !root.session)
            .map(StoredRoot::of)
            .collect(),
    };
    let mut bytes = serde_json::to_vec_pretty(&file)?;
    bytes.push(b'\n');
    durable::write_file(path, &bytes, Access::Private)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(text: &str, expected: &str) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roots.json");
        std::fs::write(&path, text).unwrap();
        let message = read(&path).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn paths_with_arbitrary_bytes_are_stored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roots.json");
        let roots: Vec<Root> = [&b"/home/me/\xe5\x86\x99\xe7\x9c\x9f"[..], b"/old/\xff\n"]
            .into_iter()
            .map(|path| Root {
                id: RootId::of_session_root(path),
                path: path.to_vec(),
                session: false,
                allowed: false,
                within: Some(b"/".to_vec()),
            })
            .collect();
        write(&path, &roots).unwrap();
        assert_eq!(read(&path).unwrap(), roots);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("\"path\": \"/home/me/写真\""), "{text}");
        assert!(text.contains("\"path_bytes\": \"L29sZC//Cg==\""), "{text}");
        // The format of the first version.
        let old = r#"{"version":1,"roots":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","path":"/a"}]}"#;
        std::fs::write(&path, old).unwrap();
        assert_eq!(read(&path).unwrap()[0].within, None);
    }

    #[test]
    fn missing_file_is_an_empty_list() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(&folder.path().join("none")).unwrap().is_empty());
    }

    #[test]
    fn special_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("roots.json");
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert!(matches!(read(&path), Err(RootsFileError::Read { .. })));
    }

    #[test]
    fn invalid_file_is_refused_and_left_unchanged() {
        check_refused("", "damaged");
        check_refused("{", "damaged");
        check_refused(r#"{"version":3,"folders":{}}"#, "has version 3");
        check_refused(
            r#"{"version":1,"roots":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV"}]}"#,
            "needs one path",
        );
        check_refused(
            r#"{"version":1,"roots":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","path":"a/../b"}]}"#,
            "no clean absolute path",
        );
        check_refused(
            r#"{"version":2,"roots":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","path":"/a","within":"/ab"}]}"#,
            "not within its allowed folder",
        );
        check_refused(
            r#"{"version":1,"roots":[{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","path_bytes":"?"}]}"#,
            "no base64",
        );
    }
}
