//! The path of a thumbnail: `{thumbs}/{id[0..2]}/{id[2..4]}/{id}-{w}x{h}-{mode}.{ext}`, with the
//! turn behind the mode if there is one
//! (docs/spec/thumbnails.md, Layout).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_base::dir_handle::{DirHandle, is_temporary};
use fumikura_fs::ThumbId;

use fumikura_image::Variant;

/// The prefix of the name of an unfinished file.
pub(super) const UNFINISHED_PREFIX: &str = ".thumb-";

/// A folder of thumbnails: of all whose ids begin with these two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Shard(pub(super) u16);

impl Shard {
    /// Returns the folder of the thumbnails of `id`.
    pub(super) fn of(id: ThumbId) -> Self {
        let [first, second, ..] = id.to_bytes();
        Self(u16::from_be_bytes([first, second]))
    }

    /// Returns its number, from 0 to 65,535.
    pub(super) fn index(self) -> u32 {
        self.0.into()
    }

    pub(super) fn path(self, top: &Path) -> PathBuf {
        let [outer, inner] = self.names();
        top.join(outer).join(inner)
    }

    /// Opens it for reading, deleting and writing. A link in its place leads elsewhere, and is an error.
    pub(super) fn open(self, top: &Path) -> io::Result<DirHandle> {
        DirHandle::open(top)?.folder(&self.path(Path::new("")))
    }

    /// Does the same, and creates it unless it exists.
    pub(super) fn create(self, top: &Path) -> io::Result<DirHandle> {
        let [outer, inner] = self.names().map(OsString::from);
        let top = DirHandle::open(top)?;
        top.create_folder(&outer, PRIVATE)?
            .create_folder(&inner, PRIVATE)
    }

    fn names(self) -> [String; 2] {
        self.0.to_be_bytes().map(|byte| format!("{byte:02x}"))
    }

    /// Returns the thumbnail of a file in this folder, by its name, or `None` if the name is not one of ours
    /// or belongs to another folder.
    pub(super) fn thumbnail(self, name: &[u8]) -> Option<(ThumbId, Variant)> {
        parse_thumbnail_name(name).filter(|(id, _)| Self::of(*id) == self)
    }
}

/// The mode of a shard.
const PRIVATE: u32 = 0o700;

/// Returns the file of a thumbnail.
pub(super) fn path_of(top: &Path, id: ThumbId, variant: Variant) -> PathBuf {
    Shard::of(id).path(top).join(name_of(id, variant))
}

/// Returns the name of a thumbnail in its shard.
pub(super) fn name_of(id: ThumbId, variant: Variant) -> OsString {
    format!("{id}-{variant}").into()
}

/// Returns the thumbnail of a file by its name, or `None` if the name is not one of ours.
fn parse_thumbnail_name(name: &[u8]) -> Option<(ThumbId, Variant)> {
    let name = std::str::from_utf8(name).ok()?;
    let (id, variant) = name.split_once('-')?;
    Some((id.parse().ok()?, Variant::of_name(variant)?))
}

/// Returns the byte for which a shard is named, by two hexadecimal digits in lower case.
pub(super) fn parse_shard_name(name: &[u8]) -> Option<u8> {
    let is_digit = |digit: &u8| matches!(digit, b'0'..=b'9' | b'a'..=b'f');
    let name = std::str::from_utf8(name).ok()?;
    let is_name = name.len() == 2 && name.as_bytes().iter().all(is_digit);
    is_name.then(|| u8::from_str_radix(name, 16).ok()).flatten()
}

/// True if a name is that of an unfinished file of ours.
pub(super) fn is_unfinished(name: &[u8]) -> bool {
    is_temporary(OsStr::from_bytes(name), UNFINISHED_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn folders_of_shards_hold_at_most_256_entries() {
        let mut folders: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for number in 0..=u16::MAX {
            let shard = Shard(number).path(Path::new("thumbs"));
            let middle = shard.parent().unwrap().to_owned();
            let top = middle.parent().unwrap().to_owned();
            folders.entry(top).or_default().insert(middle.clone());
            folders.entry(middle).or_default().insert(shard);
        }
        assert_eq!(folders.len(), 1 + 256);
        assert!(folders.values().all(|entries| entries.len() == 256));
    }

    #[test]
    fn thumbnail_path_follows_the_specification() {
        let id: ThumbId = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c".parse().unwrap();
        let variant = Variant::parse(Some("400x300"), Some("shrink"), Some("png")).unwrap();
        assert_eq!(
            path_of(Path::new("/cache/thumbs"), id, variant),
            Path::new(
                "/cache/thumbs/a3/f5/a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-400x300-shrink.png"
            )
        );
    }

    #[test]
    fn only_canonical_names_are_recognized() {
        assert_eq!(
            (parse_shard_name(b"a3"), parse_shard_name(b"00")),
            (Some(0xa3), Some(0))
        );
        for name in [&b"A3"[..], b"a", b"a3f", b"zz", b"+3", b"\xff\xff"] {
            assert_eq!(parse_shard_name(name), None);
        }
        let shard = Shard(0xa3f5);
        let id = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c";
        let name = format!("{id}-85x85-crop.jpg");
        let thumbnail = (id.parse().unwrap(), Variant::default());
        assert_eq!(shard.thumbnail(name.as_bytes()), Some(thumbnail));
        assert_eq!(Shard(0xa3f6).thumbnail(name.as_bytes()), None);
        let turned = Variant::default().turned(Some("6")).unwrap();
        let name = format!("{id}-85x85-crop-6.jpg");
        let thumbnail = (id.parse().unwrap(), turned);
        assert_eq!(shard.thumbnail(name.as_bytes()), Some(thumbnail));
        for variant in [
            "085x85-crop.jpg",
            "85x85-crop.jpeg",
            "85x85-cut.jpg",
            "0x85-crop.jpg",
            "85x85-crop.jpg.bak",
            "85x85-crop-1.jpg",
            "85x85-crop-9.jpg",
        ] {
            let name = format!("{id}-{variant}");
            assert_eq!(shard.thumbnail(name.as_bytes()), None, "{variant}");
        }
        for name in [&b"notes.txt"[..], id.as_bytes()] {
            assert_eq!(shard.thumbnail(name), None);
        }
        assert!(is_unfinished(b".thumb-abcDEF012345.tmp"));
        for name in [
            &b".thumb-abcDEF01234.tmp"[..],
            b".thumb-abcDEF01234/.tmp",
            b"thumb-abcDEF012345.tmp",
            b".thumb-abcDEF012345",
            b"notes.tmp",
        ] {
            assert!(!is_unfinished(name));
        }
    }
}
