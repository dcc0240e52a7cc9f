//! A file that is written aside, and takes its place when it is whole and on the disk.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use cap_std::fs::{Dir, Metadata};

use crate::platform;
use crate::stat::Stat;

/// More than crashes can have left behind.
const NAMES: usize = 1000;

/// A file under a name of its own in a folder. Dropped, it is gone.
pub(super) struct Aside<'a> {
    folder: &'a Dir,
    /// Opened before anything is done that it is needed for.
    to_sync: File,
    name: String,
    file: File,
    in_place: bool,
}

impl<'a> Aside<'a> {
    /// Writes a file with these bytes that is on the disk when this returns; `mode` as `chmod` has it, or what is usual.
    pub(super) fn write(folder: &'a Dir, bytes: &[u8], mode: Option<u32>) -> io::Result<Self> {
        let to_sync = platform::folder_to_sync(folder)?;
        let (file, name) = create(folder)?;
        let mut aside = Self {
            folder,
            to_sync,
            name,
            file,
            in_place: false,
        };
        aside.file.write_all(bytes)?;
        if let Some(mode) = mode {
            platform::set_mode(&aside.file, mode)?;
        }
        aside.file.sync_all()?;
        Ok(aside)
    }

    /// Takes the place of the file that is called so. Its state there.
    pub(super) fn replace(mut self, name: &[u8]) -> io::Result<Stat> {
        let to = platform::path_of(name);
        self.folder.rename(&self.name, self.folder, to)?;
        self.in_place = true;
        self.settled()
    }

    /// Takes a place that is free. Its state there; none if it was not.
    pub(super) fn take(mut self, name: &[u8]) -> io::Result<Option<Stat>> {
        let (from, to) = (Path::new(&self.name), platform::path_of(name));
        self.in_place = platform::rename_unless_taken(self.folder, from, to)?;
        self.in_place.then(|| self.settled()).transpose()
    }

    /// The name is made durable, which changes the file's status.
    fn settled(&self) -> io::Result<Stat> {
        platform::sync_folder(&self.to_sync)?;
        Ok(Stat::from(&Metadata::from_file(&self.file)?))
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        if self.in_place {
            return;
        }
        if let Err(error) = self.folder.remove_file(&self.name) {
            tracing::warn!(name = self.name, %error, "an unfinished sidecar stays behind");
        }
    }
}

/// Hidden, as listings have it, and not of the form of anybody's sidecar.
fn create(folder: &Dir) -> io::Result<(File, String)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut attempts = 0;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".fumikura-{}-{number}.tmp", std::process::id());
        attempts += 1;
        match folder.open_with(&name, &platform::write_new()) {
            Ok(file) => return Ok((file.into_std(), name)),
            // Of a process on another machine, or of one that had our number and was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts < NAMES => {}
            Err(error) => return Err(error),
        }
    }
}
