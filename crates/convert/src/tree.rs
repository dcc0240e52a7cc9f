//! The entries of a chosen folder or file, without its symbolic links.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fumikura_base::dir_handle::{DirHandle, is_link};
use fumikura_base::own_file;
use jiff::Timestamp;

use crate::archive::{self, Packed};
use crate::source::{Content, SkipReason, Skipped, Watch};
use crate::{ReadError, decode};

/// The largest number of entries that are read.
pub(crate) const MAX_ENTRIES: usize = 500_000;
/// The deepest folder that is read.
const MAX_DEPTH: usize = 100;

/// The files of a source, sorted by path.
#[derive(Debug)]
pub struct Tree {
    /// The name of the folder, or that of the file without its ending.
    name: String,
    entries: Vec<Entry>,
    skipped: Vec<Skipped>,
    backing: Backing,
}

/// A file of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The relative path with `/`, decoded; unique.
    pub path: String,
    pub size: u64,
    place: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Path(PathBuf),
    Packed(Packed),
}

#[derive(Debug)]
enum Backing {
    Folder(DirHandle),
    File(PathBuf),
    Archive(Vec<Arc<File>>),
}

/// The dates of a file, as far as they are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Dates {
    pub created: Option<Timestamp>,
    pub changed: Option<Timestamp>,
}

impl Entry {
    /// The name: the last part of the path.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The ending of the name in lower case, without its dot; empty if there is none.
    #[must_use]
    pub fn ending(&self) -> String {
        let dot = self.name().rsplit_once('.');
        dot.filter(|(stem, _)| !stem.is_empty())
            .map(|(_, ending)| ending.to_ascii_lowercase())
            .unwrap_or_default()
    }
}

impl Tree {
    /// Lists a folder, or makes a file the only entry. Links below are not followed. A link that the user chose is.
    ///
    /// # Errors
    /// [`ReadError::Source`], [`ReadError::TooManyFiles`], [`ReadError::Cancelled`].
    pub fn open(path: &Path, watch: &mut Watch<'_>) -> Result<Self, ReadError> {
        let path = path.canonicalize().map_err(ReadError::Source)?;
        let name = path.file_name().unwrap_or(OsStr::new("import"));
        let name = decode(name.as_bytes()).text;
        if !path.is_dir() {
            let file = own_file::open_users(&path).map_err(ReadError::Source)?;
            let copy = file.try_clone().map_err(ReadError::Source)?;
            return match archive::list(copy, watch)? {
                Some(listed) => Ok(Self::of_archive(&name, listed)),
                None => Self::of_file(path, name, &file),
            };
        }
        let top = DirHandle::open_resolved(&path).map_err(ReadError::Source)?;
        let mut listing = Listing::default();
        let first = top.entries().map_err(ReadError::Source)?;
        listing.folder(&top, first, Path::new(""), "", watch)?;
        let Listing {
            mut entries,
            skipped,
            ..
        } = listing;
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self {
            name,
            entries,
            skipped,
            backing: Backing::Folder(top),
        })
    }

    fn of_file(path: PathBuf, name: String, file: &File) -> Result<Self, ReadError> {
        let size = file.metadata().map_err(ReadError::Source)?.len();
        let entry = Entry {
            path: name.clone(),
            size,
            place: Place::Path(path.clone()),
        };
        Ok(Self {
            name: stem(&name),
            entries: vec![entry],
            skipped: Vec::new(),
            backing: Backing::File(path),
        })
    }

    fn of_archive(name: &str, listed: archive::Listed) -> Self {
        let entry = |(path, packed): (String, Packed)| Entry {
            path,
            size: packed.size,
            place: Place::Packed(packed),
        };
        let mut entries: Vec<Entry> = listed.entries.into_iter().map(entry).collect();
        entries.sort_by(|a, b| a.path.cmp(&b.path));
        Self {
            name: listed.top.unwrap_or_else(|| stem(name)),
            entries,
            skipped: listed.skipped,
            backing: Backing::Archive(listed.files),
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries that can't be read at all.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Returns true if the user chose a file that is not an archive of files.
    #[must_use]
    pub fn is_single_file(&self) -> bool {
        matches!(self.backing, Backing::File(_))
    }

    /// Returns true if the files are in an archive, where damage shows only when they are read.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        matches!(self.backing, Backing::Archive(_))
    }

    /// Finds an entry by its path.
    #[must_use]
    pub fn entry(&self, path: &str) -> Option<&Entry> {
        let found = self
            .entries
            .binary_search_by(|entry| entry.path.as_str().cmp(path));
        found.ok().map(|at| &self.entries[at])
    }

    /// Opens an entry for reading.
    ///
    /// # Errors
    /// [`ReadError::Source`].
    pub fn reader(&self, entry: &Entry) -> Result<Box<dyn Read + Send + '_>, ReadError> {
        if let (Backing::Archive(files), Place::Packed(packed)) = (&self.backing, &entry.place) {
            return Ok(archive::reader(files, packed));
        }
        Ok(Box::new(self.file(entry)?))
    }

    /// Reads an entry of at most `limit` bytes; `None` if it is longer.
    ///
    /// # Errors
    /// [`ReadError::Source`].
    pub fn bytes(&self, entry: &Entry, limit: u64) -> Result<Option<Vec<u8>>, ReadError> {
        if entry.size > limit {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let mut reader = self.reader(entry)?.take(limit + 1);
        reader.read_to_end(&mut bytes).map_err(ReadError::Source)?;
        Ok((bytes.len() as u64 <= limit).then_some(bytes))
    }

    /// Returns the dates of an entry.
    ///
    /// # Errors
    /// [`ReadError::Source`].
    pub fn dates(&self, entry: &Entry) -> Result<Dates, ReadError> {
        if let Place::Packed(packed) = &entry.place {
            return Ok(packed.dates);
        }
        let metadata = self.file(entry)?.metadata().map_err(ReadError::Source)?;
        let timestamp = |time: std::io::Result<std::time::SystemTime>| {
            time.ok().and_then(|at| at.try_into().ok())
        };
        let changed: Option<Timestamp> = timestamp(metadata.modified());
        let created: Option<Timestamp> = timestamp(metadata.created());
        Ok(Dates {
            // A copy of a file keeps the time of the change, and is itself younger.
            created: match (created, changed) {
                (Some(created), Some(changed)) => Some(created.min(changed)),
                (created, changed) => created.or(changed),
            },
            changed,
        })
    }

    /// Opens the contents of a file.
    ///
    /// # Errors
    /// [`ReadError::Source`], [`ReadError::Spool`].
    pub fn open_content(&self, content: &Content) -> Result<Box<dyn Read + Send + '_>, ReadError> {
        match content {
            Content::Entry(path) => {
                let missing = || ReadError::Source(std::io::ErrorKind::NotFound.into());
                self.reader(self.entry(path).ok_or_else(missing)?)
            }
            Content::Spooled(spooled) => Ok(Box::new(spooled.open()?)),
        }
    }

    fn file(&self, entry: &Entry) -> Result<File, ReadError> {
        match (&self.backing, &entry.place) {
            (Backing::Folder(top), Place::Path(path)) => top.file(path),
            (Backing::File(path), Place::Path(_)) => own_file::open_users(path),
            (_, Place::Packed(_)) | (Backing::Archive(_), Place::Path(_)) => {
                unreachable!("BUG: an entry of another tree")
            }
        }
        .map_err(ReadError::Source)
    }
}

/// Returns a name without its ending.
fn stem(name: &str) -> String {
    let stem = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
    stem.map_or(name, |(stem, _)| stem).to_owned()
}

#[derive(Default)]
struct Listing {
    entries: Vec<Entry>,
    skipped: Vec<Skipped>,
    paths: HashSet<String>,
}

impl Listing {
    fn folder(
        &mut self,
        folder: &DirHandle,
        listed: Vec<fumikura_base::dir_handle::DirEntry>,
        place: &Path,
        shown: &str,
        watch: &mut Watch<'_>,
    ) -> Result<(), ReadError> {
        for found in listed {
            let place = place.join(&found.name);
            let name = decode(found.name.as_bytes()).text;
            let mut path = match shown {
                "" => name,
                above => format!("{above}/{name}"),
            };
            // Names in different encodings may be read alike.
            while !self.paths.insert(path.clone()) {
                path.push('_');
            }
            let count = self.paths.len();
            if count > MAX_ENTRIES {
                return Err(ReadError::TooManyFiles(MAX_ENTRIES as u64));
            }
            if watch(count as u64, 0).is_break() {
                return Err(ReadError::Cancelled);
            }
            let name = Path::new(&found.name);
            if found.is_folder() {
                let below = folder
                    .folder(name)
                    .and_then(|below| Ok((below.entries()?, below)));
                match below {
                    Ok((listed, below)) if place.components().count() < MAX_DEPTH => {
                        self.folder(&below, listed, &place, &path, watch)?;
                    }
                    Ok(_) => self.skip(path, SkipReason::Unreadable),
                    Err(error) if is_link(&error) => self.skip(path, SkipReason::Link),
                    Err(_) => self.skip(path, SkipReason::Unreadable),
                }
            } else if found.is_file() {
                match folder.stat(name) {
                    Ok(stat) => self.entries.push(Entry {
                        path,
                        size: u64::try_from(stat.st_size).unwrap_or_default(),
                        place: Place::Path(place),
                    }),
                    Err(_) => self.skip(path, SkipReason::Unreadable),
                }
            } else if found.is_link() {
                self.skip(path, SkipReason::Link);
            } else {
                self.skip(path, SkipReason::Special);
            }
        }
        Ok(())
    }

    fn skip(&mut self, origin: String, reason: SkipReason) {
        self.skipped.push(Skipped { origin, reason });
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_listed_and_not_followed() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.md"), "s").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("b")).unwrap();
        std::fs::write(folder.path().join("b/京都.md"), "text").unwrap();
        std::fs::write(folder.path().join("a.md"), "a").unwrap();
        symlink(outside.path(), folder.path().join("folder")).unwrap();
        symlink(outside.path().join("secret.md"), folder.path().join("z.md")).unwrap();
        let name = encoding_rs::SHIFT_JIS
            .encode("日本語のファイルの名前です.md")
            .0;
        let name = OsStr::from_bytes(&name);
        std::fs::write(folder.path().join(name), "x").unwrap();

        let tree = Tree::open(folder.path(), &mut |_, _| ControlFlow::Continue(())).unwrap();
        let paths: Vec<&str> = tree.entries().iter().map(|entry| &*entry.path).collect();
        assert_eq!(
            paths,
            ["a.md", "b/京都.md", "日本語のファイルの名前です.md"]
        );
        let mut skipped = tree.skipped().to_vec();
        skipped.sort_by(|a, b| a.origin.cmp(&b.origin));
        let link = |origin: &str| Skipped {
            origin: origin.to_owned(),
            reason: SkipReason::Link,
        };
        assert_eq!(skipped, [link("folder"), link("z.md")]);
        let entry = tree.entry("b/京都.md").unwrap();
        assert_eq!(tree.bytes(entry, 4).unwrap().unwrap(), b"text");
        assert_eq!(tree.bytes(entry, 3).unwrap(), None);
    }
}
