//! Duplicates: pictures with the same contents, and pictures that look alike, in groups, and the one of a group to keep.

mod candidates;
mod contents;
mod hash_index;
mod looks;
mod placeholder;
mod proposal;
mod sharpness;
mod similar;

use std::fs::File;
use std::io;
use std::sync::Arc;

use fumikura_fileops::CompanionLookup;
use fumikura_fs::{ContentStat, RelPath, Source, SourceFile};
use fumikura_image::CompanionKind;
use fumikura_library::Likeness;

use crate::pictures::Pictures;
use candidates::Candidates;
pub use looks::Look;
pub use proposal::{MemberFacts, Proposal, propose};

/// The SHA-256 of a file's contents.
pub type ContentHash = [u8; 32];

/// A source of the hashes of files.
pub trait ContentHasher {
    /// Returns the hash of an open file, from a record if that is fresh.
    ///
    /// # Errors
    /// If the file can't be read, changes meanwhile, or `continues` returned false.
    fn hash(
        &self,
        file: &File,
        source_file: &SourceFile,
        continues: &dyn Fn() -> bool,
    ) -> io::Result<ContentHash>;
}

/// Receives the completed and the total amount of work. Returns false to cancel.
pub type DuplicatesProgress<'a> = &'a dyn Fn(u64, u64) -> bool;

/// A search for duplicates was cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchCancelled;

/// The outcome of a search for duplicates.
#[derive(Debug, Default)]
pub struct Duplicates {
    /// The groups, those that take up the most space first. No picture is in two of them.
    pub groups: Vec<Vec<DuplicatePicture>>,
    /// The number of pictures that were compared. Files of one picture count as one.
    pub pictures: usize,
    /// The number of pictures that could not be read.
    pub unreadable: usize,
    /// The number of folders that can't be read, or are too many.
    pub left_out: usize,
}

/// A picture of a group, in the state in which it was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicatePicture {
    /// The shown file.
    pub file: ComparedFile,
    /// The other files of the picture.
    pub companions: Vec<(CompanionKind, ComparedFile)>,
    /// Its look, if that was compared.
    pub look: Option<Look>,
}

/// A file in the state in which it was compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedFile {
    pub source: Source,
    pub stat: ContentStat,
    /// The hash of its contents; `None` if it was not read.
    pub hash: Option<ContentHash>,
}

impl ComparedFile {
    /// Returns true if the file has the size and the time of change with which it was compared.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        let now = self.source.stat();
        now.is_ok_and(|stat| stat.content() == self.stat)
    }
}

impl DuplicatePicture {
    /// Returns true if no file of the picture has changed since it was compared, and none was added.
    #[must_use]
    pub fn is_unchanged(&self, lookup: &mut CompanionLookup) -> bool {
        let Ok(now) = lookup.companions_of(&self.file.source) else {
            return false;
        };
        let mut files = self.companions.iter().map(|(_, file)| file);
        let is_known = |source: &Source| files.clone().any(|file| file.source == *source);
        self.file.is_unchanged()
            && now.iter().all(|(_, source)| is_known(source))
            && files.all(ComparedFile::is_unchanged)
    }

    /// Returns the size of all files, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let companions = self.companions.iter().map(|(_, file)| file.stat.size);
        self.file.stat.size + companions.sum::<u64>()
    }
}

impl Pictures {
    /// Finds pictures with the same contents in these folders and below them. Only files of equal size are read. Two
    /// names of one file are no duplicates, and neither are the files of one picture.
    ///
    /// # Errors
    /// [`SearchCancelled`] if `progress` returned false.
    pub fn find_duplicates(
        &self,
        folders: &[Source],
        hasher: &dyn ContentHasher,
        progress: DuplicatesProgress<'_>,
    ) -> Result<Duplicates, SearchCancelled> {
        let found = Candidates::of(&self.library, folders, progress)?;
        let mut duplicates = Duplicates {
            groups: Vec::new(),
            pictures: found.pictures.len(),
            unreadable: 0,
            left_out: found.left_out,
        };
        let compared = contents::compare(&found.pictures, hasher, progress)?;
        duplicates.unreadable = compared.unreadable;
        duplicates.groups = compared.groups;
        sort_groups(&mut duplicates.groups);
        Ok(duplicates)
    }

    /// Finds pictures that look alike in these folders and below them, by the hashes that are made with their thumbnails;
    /// missing thumbnails are made. Videos and pictures of one colour are not compared.
    ///
    /// # Errors
    /// [`SearchCancelled`] if `progress` returned false.
    pub fn find_similar(
        &self,
        folders: &[Source],
        likeness: Likeness,
        progress: DuplicatesProgress<'_>,
    ) -> Result<Duplicates, SearchCancelled> {
        let mut found = Candidates::of(&self.library, folders, progress)?;
        let unreadable = self.hash_looks(&mut found.pictures, progress)?;
        let mut groups = similar::groups(&found.pictures, likeness, progress)?;
        self.measure_sharpness(&mut groups, found.pictures.len() as u64, progress)?;
        let mut duplicates = Duplicates {
            groups,
            pictures: found.pictures.len(),
            unreadable,
            left_out: found.left_out,
        };
        sort_groups(&mut duplicates.groups);
        Ok(duplicates)
    }

    /// Returns the folders of all roots that can be read.
    #[must_use]
    pub fn readable_roots(&self) -> Vec<Source> {
        let roots = self.roots().list().into_iter();
        roots
            .filter(|status| status.available)
            .map(|status| Source::new(Arc::clone(&status.root), RelPath::default()))
            .collect()
    }
}

/// Sorts the pictures of each group by their paths, and the groups by the space that all but one picture of each take up.
fn sort_groups(groups: &mut [Vec<DuplicatePicture>]) {
    for group in groups.iter_mut() {
        group.sort_by_cached_key(|picture| picture.file.source.absolute());
    }
    groups.sort_by_cached_key(|group| {
        let sizes = group.iter().map(DuplicatePicture::bytes);
        let surplus = sizes.clone().sum::<u64>() - sizes.max().unwrap_or(0);
        let first = group.first().map(|picture| picture.file.source.absolute());
        (std::cmp::Reverse(surplus), first)
    });
}
