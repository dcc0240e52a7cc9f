//! Validation of a manifest: every path, name and id is checked before anything is unpacked.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{EntryFault, InvalidArchive};
use super::manifest::{AssetEntry, Manifest, PageEntry};
use crate::file_name::FileName;
use crate::id::{AssetId, PageId};
use crate::path::PagePath;

#[derive(Debug)]
pub(super) struct ArchivePage {
    pub(super) id: PageId,
    pub(super) path: PagePath,
    pub(super) entry: String,
    pub(super) files: Vec<ArchiveFile>,
}

impl ArchivePage {
    /// Returns the total size of its files in bytes, as the manifest declares it.
    pub(super) fn files_size(&self) -> u64 {
        let sizes = self.files.iter().map(|file| file.size);
        sizes.fold(0, u64::saturating_add)
    }
}

/// A file of a page of an archive.
#[derive(Debug)]
pub(super) struct ArchiveFile {
    pub(super) id: AssetId,
    pub(super) name: FileName,
    pub(super) entry: String,
    /// The size in bytes.
    pub(super) size: u64,
    pub(super) sha256: [u8; 32],
}

/// Returns the pages with their files, sorted by path.
pub(super) fn contents(manifest: Manifest) -> Result<Vec<ArchivePage>, InvalidArchive> {
    let mut check = ManifestCheck::default();
    let (mut paths, mut pages) = (BTreeSet::new(), BTreeMap::new());
    for PageEntry { id, path, file, .. } in manifest.pages {
        check.entry(&file)?;
        let path =
            PagePath::for_new_place(&path).map_err(|reason| EntryFault::Path(reason).of(&file))?;
        if !paths.insert(path.clone()) {
            return Err(EntryFault::PathTwice(path).of(&file));
        }
        let page = ArchivePage {
            id,
            path,
            entry: file,
            files: Vec::new(),
        };
        if let Some(other) = pages.insert(id, page) {
            return Err(EntryFault::IdTwice.of(&other.entry));
        }
    }
    for asset in manifest.assets {
        let page = asset.page;
        let file = check.file(asset)?;
        let Some(page) = pages.get_mut(&page) else {
            return Err(EntryFault::NoPage.of(&file.entry));
        };
        page.files.push(file);
    }
    let mut pages: Vec<ArchivePage> = pages.into_values().collect();
    pages.sort_by(|a, b| a.path.cmp(&b.path));
    for page in &mut pages {
        page.files.sort_by(|a, b| a.name.cmp(&b.name));
        let twice = page.files.windows(2).find(|two| two[0].name == two[1].name);
        if let Some([_, file]) = twice {
            let fault = EntryFault::FileNameTwice(file.name.clone());
            return Err(fault.of(&file.entry));
        }
    }
    Ok(pages)
}

/// The entries and assets that were seen already.
#[derive(Default)]
struct ManifestCheck {
    entries: BTreeSet<String>,
    assets: BTreeSet<AssetId>,
}

impl ManifestCheck {
    fn entry(&mut self, entry: &str) -> Result<(), InvalidArchive> {
        if !is_entry(entry) {
            return Err(EntryFault::Name.of(entry));
        }
        if !self.entries.insert(entry.to_owned()) {
            return Err(EntryFault::EntryTwice.of(entry));
        }
        Ok(())
    }

    fn file(&mut self, asset: AssetEntry) -> Result<ArchiveFile, InvalidArchive> {
        let AssetEntry {
            id,
            file_name,
            file,
            size,
            sha256,
            page: _,
            // The media type is determined from the contents.
            mime: _,
        } = asset;
        self.entry(&file)?;
        if !self.assets.insert(id) {
            return Err(EntryFault::IdTwice.of(&file));
        }
        let name = FileName::new(&file_name);
        let name = name.map_err(|reason| EntryFault::FileName(reason).of(&file))?;
        let mut hash = [0; 32];
        hex::decode_to_slice(&sha256, &mut hash).map_err(|_no_hash| EntryFault::Hash.of(&file))?;
        Ok(ArchiveFile {
            id,
            name,
            entry: file,
            size,
            sha256: hash,
        })
    }
}

/// True for a valid entry name. Nothing is written under the names of entries, but a name that leads outside of
/// the archive cannot come from this program.
fn is_entry(name: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..");
    name.split('/').all(is_part) && !name.contains(['\\', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: bool) {
        assert_eq!(is_entry(name), expected, "{name:?}");
    }

    #[test]
    fn entry_names_stay_inside_the_archive() {
        check("pages/a b.files/図.png", true);
        check("pages/...md", true);
        check("", false);
        check("/etc/passwd", false);
        check("pages/../../x", false);
        check("pages/./x", false);
        check("pages//x", false);
        check("pages/", false);
        check("..\\x", false);
        check("pages/a\0.md", false);
    }
}
