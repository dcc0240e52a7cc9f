//! Searches for files by their ids.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::path::{self, RelPath};
use crate::platform;
use crate::{AccessError, Fingerprint, NodeKind, Root, RootDir, RootId, Roots, Stat, ThumbId};

#[derive(Debug, Default)]
pub struct RootContents {
    /// The current ids of its files.
    pub ids: HashSet<[u8; 20]>,
    /// The absolute paths of its folders that contain nothing. Each may be the mount point of a disk that is not
    /// mounted.
    pub empty_folders: Vec<Vec<u8>>,
}

impl Roots {
    /// Returns the current ids of all files beneath a root. Links to folders are not followed. Returns `None`
    /// if `continues` returns false.
    ///
    /// # Errors
    /// [`AccessError`] if the root is unavailable, or a part of it can't be read: then nothing is known of the rest.
    pub fn contents(
        &self,
        root: RootId,
        continues: &dyn Fn() -> bool,
    ) -> Result<Option<RootContents>, AccessError> {
        let mut ids = HashSet::new();
        let empty_folders = self.visit_files(root, &mut |id, _| {
            ids.insert(id.to_bytes());
            continues()
        })?;
        Ok(empty_folders.map(|empty_folders| RootContents { ids, empty_folders }))
    }

    /// Returns the files beneath a root that currently have one of these ids. Links to folders are not followed.
    ///
    /// # Errors
    /// [`AccessError`] if the root is unavailable, or a part of it can't be read.
    pub fn find_files(
        &self,
        root: RootId,
        ids: &HashSet<ThumbId>,
    ) -> Result<HashMap<ThumbId, RelPath>, AccessError> {
        let mut found = HashMap::new();
        self.visit_files(root, &mut |id, path| {
            if ids.contains(&id) {
                found.insert(id, path.clone());
            }
            found.len() < ids.len()
        })?;
        Ok(found)
    }

    /// Calls `visitor` with every file beneath a root, until it returns false. Returns the empty folders if all were
    /// passed.
    fn visit_files(
        &self,
        root: RootId,
        visitor: &mut FileVisitor<'_>,
    ) -> Result<Option<Vec<Vec<u8>>>, AccessError> {
        let root = self.get(root).ok_or(AccessError::RootNotFound(root))?;
        let mut walk = Walk {
            dir: root.open()?,
            root,
            visitor,
            empty_folders: Vec::new(),
        };
        let mut folders = vec![RelPath::default()];
        while let Some(folder) = folders.pop() {
            if !walk.visit_folder(&folder, &mut folders)? {
                return Ok(None);
            }
        }
        Ok(Some(walk.empty_folders))
    }
}

type FileVisitor<'a> = dyn FnMut(ThumbId, &RelPath) -> bool + 'a;

struct Walk<'a, 'e> {
    root: Arc<Root>,
    dir: RootDir,
    visitor: &'a mut FileVisitor<'e>,
    empty_folders: Vec<Vec<u8>>,
}

impl Walk<'_, '_> {
    /// Passes on the files of a folder, and adds its folders. Returns false if no more are wanted.
    fn visit_folder(
        &mut self,
        folder: &RelPath,
        folders: &mut Vec<RelPath>,
    ) -> Result<bool, AccessError> {
        let dir = match self.dir.open_folder(folder) {
            Ok(dir) => dir,
            // The folder was deleted since it was listed.
            Err(AccessError::NotFound) if !folder.is_empty() => return Ok(true),
            Err(error) => return Err(error),
        };
        let mut is_empty = true;
        for entry in dir.entries()? {
            is_empty = false;
            let name = entry?.file_name();
            let name = platform::bytes_of(&name);
            let path = folder.join(name);
            let Some((stat, _)) = platform::stat_with_identity(&dir, name)? else {
                continue;
            };
            let continues = match stat.kind {
                NodeKind::Folder => {
                    folders.push(path);
                    true
                }
                NodeKind::File => self.visit_file(&path, stat),
                // A link, perhaps to a file. One that leads nowhere has no thumbnail.
                NodeKind::Unknown => {
                    let stat = self.dir.stat_file(&path);
                    stat.map_or(true, |stat| self.visit_file(&path, stat))
                }
                NodeKind::Fifo | NodeKind::Socket | NodeKind::Device => true,
            };
            if !continues {
                return Ok(false);
            }
        }
        if is_empty {
            self.empty_folders
                .push(path::join(self.root.path_bytes(), folder));
        }
        Ok(true)
    }

    fn visit_file(&mut self, path: &RelPath, stat: Stat) -> bool {
        let absolute = path::join(self.root.path_bytes(), path);
        let id = Fingerprint::new(absolute, stat).id();
        (self.visitor)(id, path)
    }
}
