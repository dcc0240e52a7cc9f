//! The files that move with an entry: the other files of its picture, and the sidecars of all.

use std::collections::HashMap;
use std::io;

use fumikura_fs::path::extension;
use fumikura_fs::{AccessError, NodeKind, Source, platform};
use fumikura_image::{CompanionKind, join_files};
use fumikura_xmp::stem;

use super::error::FileError;
use super::folder::{EntryStatus, Folder, NamedEntry, OpenFolders, split_source};
use super::sidecars::{self, IsMoving, Sidecar, sidecars_of};

/// The treatment of the other files of a picture: the raw file of a JPEG, and the parts of a Live Photo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PictureFiles {
    /// Each file is an item of its own.
    #[default]
    Apart,
    /// The other files go with the file that is shown.
    Together,
}

/// The other files of the pictures of a folder, by name.
#[derive(Default)]
pub(super) struct JoinedNames {
    /// The shown file of each companion.
    shown: HashMap<Vec<u8>, Vec<u8>>,
    companions: HashMap<Vec<u8>, Vec<(CompanionKind, Vec<u8>)>>,
}

/// A lookup of the other files of pictures, which reads each folder once.
#[derive(Default)]
pub struct CompanionLookup {
    opened: OpenFolders,
}

impl CompanionLookup {
    /// Returns the other files of a picture that this file shows. There are none for a file that is not shown itself.
    ///
    /// # Errors
    /// [`FileError`] if the folder can't be read.
    pub fn companions_of(
        &mut self,
        shown: &Source,
    ) -> Result<Vec<(CompanionKind, Source)>, FileError> {
        let (folder, name) = split_source(shown)?;
        let folder = self.opened.folder(&folder)?;
        let companions = joined_names(&folder)?.companions.get(name);
        let companions = companions.into_iter().flatten();
        Ok(companions
            .map(|(kind, name)| (*kind, folder.source_of(name)))
            .collect())
    }
}

/// A file that moves with another.
pub(super) struct Companion {
    pub(super) name: Vec<u8>,
    pub(super) status: EntryStatus,
    /// The file of the same picture that this is, or that this is a sidecar of; `None` for a sidecar of the shown file.
    file: Option<Vec<u8>>,
    sidecar: Option<Sidecar>,
}

impl Companion {
    /// Returns its name beside a shown file of this name.
    pub(super) fn name_for(&self, shown: &[u8]) -> Vec<u8> {
        let file = self.file_for(shown);
        match &self.sidecar {
            Some(sidecar) => sidecar.name_for(&file),
            None => file,
        }
    }

    /// Returns true if another picture of the folder, not named in `own`, would share it there.
    pub(super) fn is_shared_in(
        &self,
        folder: &Folder,
        shown: &[u8],
        own: &[Vec<u8>],
    ) -> Result<bool, FileError> {
        match &self.sidecar {
            Some(sidecar) => sidecar.is_shared_in(folder, &self.file_for(shown), own),
            None => Ok(false),
        }
    }

    /// Returns the name of its file of the picture, if the shown file has this name.
    fn file_for(&self, shown: &[u8]) -> Vec<u8> {
        match &self.file {
            Some(file) => [stem(shown).unwrap_or(shown), b".", extension(file)].concat(),
            None => shown.to_vec(),
        }
    }
}

impl PictureFiles {
    /// Returns all files that move with an entry.
    pub(super) fn companions_of(
        self,
        folder: &Folder,
        entry: &NamedEntry,
        is_requested: IsMoving<'_>,
    ) -> Result<Vec<Companion>, FileError> {
        let joined = match self {
            Self::Together => Some(joined_names(folder)?),
            Self::Apart => None,
        };
        let is_moving = |name: &[u8]| {
            let shown = joined.and_then(|joined| joined.shown.get(name));
            is_requested(name) || shown.is_some_and(|shown| is_requested(shown))
        };
        let mut found = Vec::new();
        let mut add_sidecars = |entry: &NamedEntry, file: Option<&Vec<u8>>| {
            for sidecar in sidecars_of(folder, entry, &is_moving)? {
                found.push(Companion {
                    name: sidecar.name.clone(),
                    status: sidecar.status,
                    file: file.cloned(),
                    sidecar: Some(sidecar),
                });
            }
            Ok::<_, FileError>(())
        };
        add_sidecars(entry, None)?;
        let files = joined.and_then(|joined| joined.companions.get(&entry.name));
        let mut others = Vec::new();
        for (_, file) in files.into_iter().flatten() {
            // It may have vanished since the names were read.
            let Some(status) = folder.stat(file)? else {
                continue;
            };
            add_sidecars(&NamedEntry::new(file, status), Some(file))?;
            others.push(Companion {
                name: file.clone(),
                status,
                file: Some(file.clone()),
                sidecar: None,
            });
        }
        found.extend(others);
        Ok(found)
    }

    /// Returns true if an entry moves with another one that is requested.
    pub(super) fn is_companion(
        self,
        folder: &Folder,
        entry: &NamedEntry,
        is_requested: IsMoving<'_>,
    ) -> Result<bool, FileError> {
        let joined = match self {
            Self::Together => Some(joined_names(folder)?),
            Self::Apart => None,
        };
        let shown = |name: &[u8]| joined.and_then(|joined| joined.shown.get(name));
        if shown(&entry.name).is_some_and(|shown| is_requested(shown)) {
            return Ok(true);
        }
        let is_moving = |name: &[u8]| {
            is_requested(name) || shown(name).is_some_and(|shown| is_requested(shown))
        };
        sidecars::is_companion(folder, entry, &is_moving)
    }
}

fn joined_names(folder: &Folder) -> Result<&JoinedNames, FileError> {
    if let Some(joined) = folder.joined.get() {
        return Ok(joined);
    }
    let read = read(folder)
        .map_err(|error| FileError::access(folder.path.as_bytes(), AccessError::from(error)))?;
    Ok(folder.joined.get_or_init(|| read))
}

fn read(folder: &Folder) -> io::Result<JoinedNames> {
    let mut names = Vec::new();
    for entry in folder.dir.entries()? {
        let entry = entry?;
        if entry.file_type().map(NodeKind::from)? == NodeKind::Folder {
            continue;
        }
        names.push(platform::bytes_of(&entry.file_name()).to_vec());
    }
    let mut joined = JoinedNames::default();
    for files in join_files(names.iter().map(|name| &name[..]).enumerate()) {
        let shown = &names[files.shown];
        let companions = files.companions.iter();
        let companions = companions.map(|&(kind, at)| (kind, names[at].clone()));
        let companions: Vec<_> = companions.collect();
        for (_, companion) in &companions {
            joined.shown.insert(companion.clone(), shown.clone());
        }
        joined.companions.insert(shown.clone(), companions);
    }
    Ok(joined)
}
