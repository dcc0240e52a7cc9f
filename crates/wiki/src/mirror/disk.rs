//! The files of a mirror's folder: a file is replaced or removed only if its contents are what the mirror wrote.
//!
//! A file is never written in place, and never unlinked at once: it is exchanged with the new one, and only then read. If
//! another program had changed it, the two are exchanged back. Otherwise it stays in the folder of the mark for a while,
//! because an editor may still write to it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path};

use fumikura_base::dir_handle::{DirHandle, TemporaryFile, is_link, temporary_name};

use super::place::WORK;
use crate::archive::HexDigest;
use crate::assets::digest;
use crate::model::page::MAX_SOURCE_BYTES;
use crate::store::FileStat;

/// The prefix of new files that are being written. They never have contents of others.
pub(super) const WRITING: &str = "writing-";
/// The prefix of files that may be displaced ones.
pub(super) const ASIDE: &str = "aside-";
/// The mark in the names of files that were changed while they were being replaced.
pub(super) const OUTSIDE_COPY: &str = ".outside-conflict-";
/// The number of attempts to place a file while another program creates and removes one there.
const ATTEMPTS: usize = 5;

/// The contents of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Contents(HexDigest, FileStat),
    /// No regular file, or one that can't be read.
    Other,
}

/// The outcome of placing a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placed {
    /// There was nothing.
    Fresh,
    /// A file of the mirror was displaced, and has the name of the new file in the folder of the mark.
    Displaced,
    /// The place holds something that is not the mirror's, which stays. The new file is gone.
    Refused,
}

pub(super) struct MirrorDisk {
    pub(super) root: DirHandle,
    /// The folder of the mark.
    pub(super) work: DirHandle,
}

impl MirrorDisk {
    pub(super) fn new(root: DirHandle) -> io::Result<Self> {
        let work = root.folder(Path::new(WORK))?;
        Ok(Self { root, work })
    }

    /// Returns what is at a place. While the status is that of `known`, the file is not read.
    pub(super) fn find(
        &self,
        entry: &str,
        known: Option<(HexDigest, FileStat)>,
    ) -> io::Result<Found> {
        let mut file = match self.root.file(Path::new(entry)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
            Err(error) if is_unusable(&error) => return Ok(Found::Other),
            Err(error) => return Err(error),
        };
        let stat = FileStat::of(&file)?;
        if let Some((sha256, _)) = known.filter(|(_, known)| *known == stat) {
            return Ok(Found::Contents(sha256, stat));
        }
        Ok(Found::Contents(HexDigest(digest(&mut file)?.1), stat))
    }

    /// Opens a new file in the folder of the mark.
    pub(super) fn begin(&self) -> io::Result<TemporaryFile<'_>> {
        self.work.temporary_file(WRITING, 0o600)
    }

    /// Gives the new file `aside` its place, or refuses if what is there is not the mirror's.
    pub(super) fn place(
        &self,
        aside: &OsStr,
        entry: &str,
        is_ours: &dyn Fn(HexDigest) -> bool,
    ) -> io::Result<Placed> {
        let placed = self.try_place(aside, entry, is_ours);
        match &placed {
            Ok(Placed::Fresh | Placed::Displaced) => {}
            // The new file, or one of the mirror's that took its name.
            Ok(Placed::Refused) => self.remove_ours(aside, is_ours)?,
            Err(_) => {}
        }
        placed
    }

    fn try_place(
        &self,
        aside: &OsStr,
        entry: &str,
        is_ours: &dyn Fn(HexDigest) -> bool,
    ) -> io::Result<Placed> {
        let (folder, name) = match self.folder_of(entry) {
            Ok(found) => found,
            Err(error) if is_obstacle(&error) => return Ok(Placed::Refused),
            Err(error) => return Err(error),
        };
        for _ in 0..ATTEMPTS {
            if self.work.rename_unless_taken(aside, &folder, &name)? {
                return Ok(Placed::Fresh);
            }
            match contents(&folder, &name)? {
                Found::Nothing => continue,
                Found::Contents(found, _) if is_ours(found) => {}
                Found::Contents(..) | Found::Other => return Ok(Placed::Refused),
            }
            match self.work.exchange(aside, &folder, &name) {
                Ok(true) => {
                    if self.has_ours(aside, is_ours)? {
                        return Ok(Placed::Displaced);
                    }
                    // Changed just now. The entry has the new file for a moment.
                    return match self.work.exchange(aside, &folder, &name) {
                        Ok(_) => Ok(Placed::Refused),
                        // Then it is brought back from the folder of the mark.
                        Err(error) if error.kind() == io::ErrorKind::NotFound => {
                            Ok(Placed::Displaced)
                        }
                        Err(error) => Err(error),
                    };
                }
                Ok(false) => return self.place_in_steps(aside, &folder, &name, is_ours),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Placed::Refused)
    }

    /// Replaces a file where the file system can't exchange two: there is a moment without either.
    fn place_in_steps(
        &self,
        aside: &OsStr,
        folder: &DirHandle,
        name: &OsStr,
        is_ours: &dyn Fn(HexDigest) -> bool,
    ) -> io::Result<Placed> {
        let old = temporary_name(ASIDE);
        if !folder.rename_unless_taken(name, &self.work, &old)? {
            return Ok(Placed::Refused);
        }
        let is_placed =
            self.has_ours(&old, is_ours)? && self.work.rename_unless_taken(aside, folder, name)?;
        if !is_placed {
            // If the place is taken by now, it stays in the folder of the mark, where it is reported.
            self.work.rename_unless_taken(&old, folder, name)?;
            return Ok(Placed::Refused);
        }
        // The new file's name is recorded as that of the displaced one.
        match self.work.rename_unless_taken(&old, &self.work, aside)? {
            true => Ok(Placed::Displaced),
            false => Ok(Placed::Fresh),
        }
    }

    /// Moves a file of the mirror to the name `aside` in the folder of the mark. Returns false if what is there is not
    /// the mirror's, and stays.
    pub(super) fn displace(
        &self,
        entry: &str,
        aside: &OsStr,
        is_ours: &dyn Fn(HexDigest) -> bool,
    ) -> io::Result<bool> {
        let path = Path::new(entry);
        let folder = match self.root.folder(path.parent().unwrap_or(Path::new(""))) {
            Ok(folder) => folder,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) if is_obstacle(&error) => return Ok(false),
            Err(error) => return Err(error),
        };
        let name = path.file_name().unwrap_or_default();
        match folder.rename_unless_taken(name, &self.work, aside) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            Err(error) => return Err(error),
        }
        if self.has_ours(aside, is_ours)? {
            self.remove_empty_folders(entry);
            return Ok(true);
        }
        // If the place is taken by now, it is brought back from the folder of the mark.
        Ok(!self.work.rename_unless_taken(aside, &folder, name)?)
    }

    /// Brings a file back that was set aside and is not the mirror's: to its place, or beside it. Returns its path.
    pub(super) fn bring_back(&self, aside: &OsStr, entry: &str) -> io::Result<String> {
        let (folder, name) = self.folder_of(entry)?;
        if self.work.rename_unless_taken(aside, &folder, &name)? {
            folder.sync()?;
            return Ok(entry.to_owned());
        }
        let (stem, extension) = match entry.rsplit_once('.') {
            Some((stem, extension)) if !extension.contains('/') => (stem, format!(".{extension}")),
            Some(_) | None => (entry, String::new()),
        };
        loop {
            let random = temporary_name("").to_string_lossy().into_owned();
            let random = random.split('.').next().unwrap_or_default();
            let copy = format!("{stem}{OUTSIDE_COPY}{random}{extension}");
            let (folder, name) = self.folder_of(&copy)?;
            if self.work.rename_unless_taken(aside, &folder, &name)? {
                folder.sync()?;
                return Ok(copy);
            }
        }
    }

    /// Reads a text. Returns `None` if it is too long, not UTF-8, or no regular file.
    pub(super) fn read_text(&self, entry: &str) -> io::Result<Option<(String, HexDigest)>> {
        let file = match self.root.file(Path::new(entry)) {
            Ok(file) => file,
            Err(error) if is_unusable(&error) => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut text = Vec::new();
        file.take(MAX_SOURCE_BYTES as u64 + 1)
            .read_to_end(&mut text)?;
        if text.len() > MAX_SOURCE_BYTES {
            return Ok(None);
        }
        let sha256 = HexDigest(digest(&mut text.as_slice())?.1);
        Ok(String::from_utf8(text).ok().map(|text| (text, sha256)))
    }

    /// Makes the names in the folders of files durable.
    pub(super) fn sync(&self, entries: impl IntoIterator<Item = String>) -> io::Result<()> {
        let folders: std::collections::BTreeSet<String> = entries
            .into_iter()
            .map(|entry| entry.rsplit_once('/').map_or("", |(path, _)| path).into())
            .collect();
        for folder in folders {
            match self.root.folder(Path::new(&folder)) {
                Ok(folder) => folder.sync()?,
                // It was empty and has been removed, or another program has replaced it.
                Err(error) if error.kind() == io::ErrorKind::NotFound || is_unusable(&error) => {}
                Err(error) => return Err(error),
            }
        }
        self.work.sync()
    }

    /// Removes a file of the folder of the mark if its contents are the mirror's.
    fn remove_ours(&self, aside: &OsStr, is_ours: &dyn Fn(HexDigest) -> bool) -> io::Result<()> {
        if self.has_ours(aside, is_ours)? {
            self.work.remove_file(aside)?;
        }
        Ok(())
    }

    fn has_ours(&self, aside: &OsStr, is_ours: &dyn Fn(HexDigest) -> bool) -> io::Result<bool> {
        Ok(match contents(&self.work, aside)? {
            Found::Contents(found, _) => is_ours(found),
            Found::Nothing | Found::Other => false,
        })
    }

    /// Returns the folder of a file, which is created, and the file's name.
    fn folder_of(&self, entry: &str) -> io::Result<(DirHandle, OsString)> {
        let mut folder = self.root.folder(Path::new(""))?;
        let path = Path::new(entry);
        for part in path.parent().unwrap_or(Path::new("")).components() {
            if let Component::Normal(part) = part {
                folder = folder.create_folder(part, 0o700)?;
            }
        }
        Ok((folder, path.file_name().unwrap_or_default().to_owned()))
    }

    /// Removes the folders of a file that have become empty.
    fn remove_empty_folders(&self, entry: &str) {
        let mut path = Path::new(entry);
        while let Some(folder) = path.parent()
            && let (Some(above), Some(name)) = (folder.parent(), folder.file_name())
        {
            let removed = self
                .root
                .folder(above)
                .and_then(|above| above.remove_folder(name));
            if removed.is_err() {
                // It has other files.
                return;
            }
            path = folder;
        }
    }
}

/// Returns the contents of a file.
pub(super) fn contents(folder: &DirHandle, name: &OsStr) -> io::Result<Found> {
    match folder.file(Path::new(name)) {
        Ok(mut file) => read(&mut file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Found::Nothing),
        Err(error) if is_unusable(&error) => Ok(Found::Other),
        Err(error) => Err(error),
    }
}

fn read(file: &mut File) -> io::Result<Found> {
    let stat = FileStat::of(file)?;
    Ok(Found::Contents(HexDigest(digest(file)?.1), stat))
}

/// Returns true for the error of opening what is no regular file below real folders, or may not be read.
fn is_unusable(error: &io::Error) -> bool {
    let is_no_file = error.raw_os_error().is_none() && error.kind() == io::ErrorKind::InvalidInput;
    is_obstacle(error) || is_no_file || error.kind() == io::ErrorKind::PermissionDenied
}

/// Returns true for the error of a path through a link or a file.
fn is_obstacle(error: &io::Error) -> bool {
    is_link(error) || error.kind() == io::ErrorKind::NotADirectory
}
