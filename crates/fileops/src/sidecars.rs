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
use super::folder::{EntryStatus, Folder, NamedEntry};
use super::name::MAX_LENGTH;

/// A sidecar that moves with a picture.
pub(super) struct Sidecar {
    pub(super) name: Vec<u8>,
    pub(super) status: EntryStatus,
    /// True if it is named after the picture's name without its extension.
    is_of_stem: bool,
    extension: &'static str,
}

impl Sidecar {
    /// Returns its name beside a picture of this name.
    pub(super) fn name_for(&self, picture: &[u8]) -> Vec<u8> {
        let stem = stem(picture).filter(|_| self.is_of_stem);
        sidecar_name(stem.unwrap_or(picture), self.extension)
    }

    /// Returns true if another picture of the folder, not named in `own`, would share it there.
    pub(super) fn is_shared_in(
        &self,
        folder: &Folder,
        picture: &[u8],
        own: &[Vec<u8>],
    ) -> Result<bool, FileError> {
        let stem = stem(picture).filter(|_| self.is_of_stem);
        let Some(stem) = stem else {
            return Ok(false);
        };
        let sharing = pictures_of(folder, stem)?;
        Ok(sharing
            .iter()
            .any(|other| other != picture && !own.contains(other)))
    }
}

/// A predicate for the entries of a folder that move.
pub(super) type IsMoving<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Returns the sidecars that move with an entry. On a file system that ignores case, one file has many names.
pub(super) fn sidecars_of(
    folder: &Folder,
    entry: &NamedEntry,
    is_moving: IsMoving<'_>,
) -> Result<Vec<Sidecar>, FileError> {
    let NamedEntry { name, status } = entry;
    let name = &name[..];
    let mut found: Vec<Sidecar> = Vec::new();
    // A sidecar beside a folder may belong to a picture of that name without its extension.
    if picture_of(name).is_some() || status.stat.kind == NodeKind::Folder {
        return Ok(found);
    }
    let shared = stem(name).filter(|_| is_picture_name(name));
    for (base, is_of_stem) in [(Some(name), false), (shared, true)] {
        let Some(base) = base else {
            continue;
        };
        for extension in EXTENSIONS {
            let sidecar = sidecar_name(base, extension);
            if sidecar.len() > MAX_LENGTH {
                continue;
            }
            let Some(status) = folder.stat(&sidecar)? else {
                continue;
            };
            if status.stat.kind == NodeKind::File && !contains_identity(&found, status.identity) {
                found.push(Sidecar {
                    name: sidecar,
                    status,
                    is_of_stem,
                    extension,
                });
            }
        }
    }
    // The folder is read only if the owner of a shared sidecar matters.
    if found.iter().any(|sidecar| sidecar.is_of_stem) {
        let stem = stem(name).unwrap_or_default();
        let takes =
            shared_sidecar_owner(folder, stem, is_moving)?.is_some_and(|owner| owner == name);
        found.retain(|sidecar| takes || !sidecar.is_of_stem);
    }
    Ok(found)
}

/// Returns a file that would be mistaken for the sidecar of a picture with this name, although another program or
/// another picture left it. `None` if there is none.
pub(super) fn foreign_sidecar(
    folder: &Folder,
    name: &[u8],
    is_moving: IsMoving<'_>,
) -> Result<Option<Vec<u8>>, FileError> {
    if !is_picture_name(name) {
        return Ok(None);
    }
    for extension in EXTENSIONS {
        let sidecar = sidecar_name(name, extension);
        let fits = sidecar.len() <= MAX_LENGTH;
        if fits && !is_moving(&sidecar) && folder.stat(&sidecar)?.is_some() {
            return Ok(Some(sidecar));
        }
    }
    Ok(None)
}

/// Returns true if an entry is a sidecar that moves with one of the moving entries.
pub(super) fn is_companion(
    folder: &Folder,
    entry: &NamedEntry,
    is_moving: IsMoving<'_>,
) -> Result<bool, FileError> {
    let NamedEntry { name, status } = entry;
    let base = picture_of(name).filter(|_| status.stat.kind == NodeKind::File);
    let Some(base) = base else {
        return Ok(false);
    };
    // Sidecars and folders have no sidecars.
    let is_file = |picture: EntryStatus| picture.stat.kind != NodeKind::Folder;
    let has_sidecars = picture_of(base).is_none() && folder.stat(base)?.is_some_and(is_file);
    if is_moving(base) && has_sidecars {
        return Ok(true);
    }
    Ok(shared_sidecar_owner(folder, base, is_moving)?.is_some())
}

/// Returns the name of the picture whose sidecar has this name; `None` if it is not a sidecar.
pub(super) fn picture_of(name: &[u8]) -> Option<&[u8]> {
    let dot = name.iter().rposition(|&byte| byte == b'.')?;
    let is_sidecar = name[dot + 1..].eq_ignore_ascii_case(EXTENSIONS[0].as_bytes());
    (is_sidecar && dot > 0).then(|| &name[..dot])
}

/// A set of files by path, which recognizes the sidecars of its members.
#[derive(Default)]
pub(super) struct SidecarOwners<'a> {
    files: HashSet<&'a [u8]>,
    stems: HashSet<&'a [u8]>,
}

impl<'a> SidecarOwners<'a> {
    pub(super) fn new(files: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut owners = Self::default();
        for file in files {
            owners.files.insert(file);
            if let Some(stem) = stem(file)
                && is_picture_name(file)
            {
                owners.stems.insert(stem);
            }
        }
        owners
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

/// Returns the names that are not sidecars of others in the list.
pub(super) fn without_sidecars(names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let owners = SidecarOwners::new(names.iter().map(|name| &name[..]));
    let counts: Vec<bool> = names
        .iter()
        .map(|name| !owners.has_owner_of(name))
        .collect();
    let counted = names.into_iter().zip(counts);
    counted
        .filter(|(_, counts)| *counts)
        .map(|(name, _)| name)
        .collect()
}

/// Returns the picture with which the shared sidecar of a stem moves; `None` unless all pictures of the stem move.
fn shared_sidecar_owner<'a>(
    folder: &'a Folder,
    stem: &[u8],
    is_moving: IsMoving<'_>,
) -> Result<Option<&'a [u8]>, FileError> {
    let sharing = pictures_of(folder, stem)?;
    // It is the own sidecar of a file that has no extension.
    let has_owner = folder
        .stat(stem)?
        .is_some_and(|owner| owner.stat.kind != NodeKind::Folder);
    if has_owner || !sharing.iter().all(|picture| is_moving(picture)) {
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

fn sidecar_name(base: &[u8], extension: &str) -> Vec<u8> {
    [base, b".", extension.as_bytes()].concat()
}

fn contains_identity(found: &[Sidecar], identity: Identity) -> bool {
    found.iter().any(|other| other.status.identity == identity)
}
