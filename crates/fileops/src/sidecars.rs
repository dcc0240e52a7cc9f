//! Sidecars that move with their picture: `a.jpg.xmp` of `a.jpg`, and Lightroom's `a.xmp`, which all pictures of that
//! name share and which moves only if all of them do.

use std::collections::{HashMap, HashSet};
use std::io;

use fumikura_fs::{
    AccessError, NodeKind,
    platform::{self, Identity},
};
use fumikura_image::is_picture_name;
use fumikura_xmp::{EXTENSIONS, stem};

use super::error::FileError;
use super::name::LONGEST;
use super::place::{Folder, Looked, NamedEntry};

/// A sidecar that moves with a picture.
pub(super) struct Sidecar {
    pub(super) name: Vec<u8>,
    pub(super) looked: Looked,
    /// True if it is named after the picture's name without its extension.
    is_of_stem: bool,
    extension: &'static str,
}

impl Sidecar {
    /// Returns its name beside a picture of this name.
    pub(super) fn beside(&self, picture: &[u8]) -> Vec<u8> {
        let stem = stem(picture).filter(|_| self.is_of_stem);
        named(stem.unwrap_or(picture), self.extension)
    }

    /// Returns true if another picture of the folder would share it there.
    pub(super) fn is_shared_in(&self, folder: &Folder, picture: &[u8]) -> Result<bool, FileError> {
        let stem = stem(picture).filter(|_| self.is_of_stem);
        let Some(stem) = stem else {
            return Ok(false);
        };
        let sharing = pictures_of(folder, stem)?;
        Ok(sharing.iter().any(|other| other != picture))
    }
}

/// A predicate for the entries of a folder that move.
pub(super) type Goes<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Returns the sidecars that move with an entry. On a file system that ignores case, one file has many names.
pub(super) fn sidecars(
    folder: &Folder,
    entry: &NamedEntry,
    goes: Goes<'_>,
) -> Result<Vec<Sidecar>, FileError> {
    let NamedEntry { name, looked } = entry;
    let name = &name[..];
    let mut found: Vec<Sidecar> = Vec::new();
    // A sidecar beside a folder may belong to a picture of that name without its extension.
    if picture_of(name).is_some() || looked.stat.kind == NodeKind::Folder {
        return Ok(found);
    }
    let shared = stem(name).filter(|_| is_picture_name(name));
    for (base, is_of_stem) in [(Some(name), false), (shared, true)] {
        let Some(base) = base else {
            continue;
        };
        for extension in EXTENSIONS {
            let sidecar = named(base, extension);
            if sidecar.len() > LONGEST {
                continue;
            }
            let Some(looked) = folder.look(&sidecar)? else {
                continue;
            };
            if looked.stat.kind == NodeKind::File && !knows(&found, looked.identity) {
                found.push(Sidecar {
                    name: sidecar,
                    looked,
                    is_of_stem,
                    extension,
                });
            }
        }
    }
    // The folder is read only if the owner of a shared sidecar matters.
    if found.iter().any(|sidecar| sidecar.is_of_stem) {
        let stem = stem(name).unwrap_or_default();
        let takes = taker(folder, stem, goes)?.is_some_and(|taker| taker == name);
        found.retain(|sidecar| takes || !sidecar.is_of_stem);
    }
    Ok(found)
}

/// Returns a file that would be mistaken for the sidecar of a picture with this name, although another program or
/// another picture left it. `None` if there is none.
pub(super) fn foreign_sidecar(
    folder: &Folder,
    name: &[u8],
    goes: Goes<'_>,
) -> Result<Option<Vec<u8>>, FileError> {
    if !is_picture_name(name) {
        return Ok(None);
    }
    for extension in EXTENSIONS {
        let sidecar = named(name, extension);
        let fits = sidecar.len() <= LONGEST;
        if fits && !goes(&sidecar) && folder.look(&sidecar)?.is_some() {
            return Ok(Some(sidecar));
        }
    }
    Ok(None)
}

/// Returns true if an entry is a sidecar that moves with one of the moving entries.
pub(super) fn goes_along(
    folder: &Folder,
    entry: &NamedEntry,
    goes: Goes<'_>,
) -> Result<bool, FileError> {
    let NamedEntry { name, looked } = entry;
    let base = picture_of(name).filter(|_| looked.stat.kind == NodeKind::File);
    let Some(base) = base else {
        return Ok(false);
    };
    // Sidecars and folders have no sidecars.
    let is_file = |picture: Looked| picture.stat.kind != NodeKind::Folder;
    let has_sidecars = picture_of(base).is_none() && folder.look(base)?.is_some_and(is_file);
    if goes(base) && has_sidecars {
        return Ok(true);
    }
    Ok(taker(folder, base, goes)?.is_some())
}

/// Returns the name of the picture whose sidecar has this name; `None` if it is no sidecar.
pub(super) fn picture_of(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let is_sidecar = name[dot + 1..].eq_ignore_ascii_case(EXTENSIONS[0].as_bytes());
    (is_sidecar && dot > 0).then(|| &name[..dot])
}

/// A set of files by path, which recognizes the sidecars of its members.
#[derive(Default)]
pub(super) struct Among<'a> {
    files: HashSet<&'a [u8]>,
    stems: HashSet<&'a [u8]>,
}

impl<'a> Among<'a> {
    pub(super) fn new(files: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut among = Self::default();
        for file in files {
            among.files.insert(file);
            if let Some(stem) = stem(file)
                && is_picture_name(file)
            {
                among.stems.insert(stem);
            }
        }
        among
    }

    /// Returns true if a file is a sidecar of a member.
    pub(super) fn has_owner_of(&self, file: &[u8]) -> bool {
        picture_of(file).is_some_and(|base| {
            // A sidecar has no sidecar of its own.
            let is_own = picture_of(base).is_none() && self.files.contains(base);
            is_own || self.stems.contains(base)
        })
    }
}

/// Returns the names that are no sidecars of others in the list.
pub(super) fn without_sidecars(names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let among = Among::new(names.iter().map(|name| &name[..]));
    let counts: Vec<bool> = names.iter().map(|name| !among.has_owner_of(name)).collect();
    let counted = names.into_iter().zip(counts);
    counted
        .filter(|(_, counts)| *counts)
        .map(|(name, _)| name)
        .collect()
}

/// Returns the picture with which the shared sidecar of a stem moves; `None` unless all pictures of the stem move.
fn taker<'a>(
    folder: &'a Folder,
    stem: &[u8],
    goes: Goes<'_>,
) -> Result<Option<&'a [u8]>, FileError> {
    let sharing = pictures_of(folder, stem)?;
    // It is the own sidecar of a file that has no extension.
    let has_owner = folder
        .look(stem)?
        .is_some_and(|owner| owner.stat.kind != NodeKind::Folder);
    if has_owner || !sharing.iter().all(|picture| goes(picture)) {
        return Ok(None);
    }
    let first = sharing.iter().min().map(|picture| &picture[..]);
    Ok(first.filter(|first| self::stem(first) == Some(stem)))
}

/// The pictures of a folder by their names without extensions, in lower case: on some file systems these are the
/// same.
pub(super) type Pictures = HashMap<Vec<u8>, Vec<Vec<u8>>>;

fn pictures_of<'a>(folder: &'a Folder, stem: &[u8]) -> Result<&'a [Vec<u8>], FileError> {
    let pictures = match folder.pictures.get() {
        Some(pictures) => pictures,
        None => {
            let read = read(folder).map_err(|error| {
                FileError::access(folder.path.as_bytes(), AccessError::from(error))
            })?;
            folder.pictures.get_or_init(|| read)
        }
    };
    let sharing = pictures.get(&stem.to_ascii_lowercase());
    Ok(sharing.map_or(&[], |sharing| &sharing[..]))
}

fn read(folder: &Folder) -> io::Result<Pictures> {
    let mut pictures = Pictures::new();
    for entry in folder.dir.entries()? {
        let name = entry?.file_name();
        let name = platform::bytes_of(&name);
        if let Some(stem) = stem(name)
            && is_picture_name(name)
        {
            let sharing = pictures.entry(stem.to_ascii_lowercase()).or_default();
            sharing.push(name.to_vec());
        }
    }
    Ok(pictures)
}

fn named(base: &[u8], extension: &str) -> Vec<u8> {
    [base, b".", extension.as_bytes()].concat()
}

fn knows(found: &[Sidecar], identity: Identity) -> bool {
    found.iter().any(|known| known.looked.identity == identity)
}
