//! Tags of all pictures: their numbers, and renaming and removing them in the sidecars of all.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use fumikura_fileops::{
    CompanionLookup, Conflict, FileError, FilesOutcome, FilesProgress, OperationId, SearchChange,
    TagsChanged,
};
use fumikura_fs::{AccessError, RelPath, Root, RootId, Source, path};
use fumikura_library::TaggedPictures;
use fumikura_xmp::{MarksChange, MarksOutcome, SidecarError, Tag, TagRename, TagsChange};

use crate::pictures::{MarkError, PictureChange, Pictures, sidecar_owners};

/// The tags of the pictures of all roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllTags {
    /// The tags with the numbers of their pictures, the most frequent first.
    pub tags: Vec<(Tag, usize)>,
    /// The number of pictures whose header or sidecar is still to be read.
    pub unread: usize,
    /// The number of roots that can't be read.
    pub unavailable: usize,
}

/// A renaming of tags in all roots, or in a folder and below it.
#[derive(Debug, Clone)]
pub struct TagsRequest {
    /// The folder; `None` for all roots.
    pub folder: Option<Source>,
    pub rename: TagRename,
    /// True if a picture of several files is one.
    pub joins_files: bool,
    /// The saved searches that change as well. The caller changes them.
    pub searches: Vec<SearchChange>,
}

/// The pictures that a renaming changes.
#[derive(Debug, Default)]
pub struct TagTargets {
    pub tagged: Vec<Source>,
    /// Pictures whose tags were not read yet.
    pub unread: Vec<Source>,
    /// The number of roots that can't be read.
    pub unavailable: usize,
}

/// The outcome of a renaming.
#[derive(Debug, Default)]
pub struct TagsOutcome {
    /// The id by which it is undone; `None` if nothing was changed.
    pub operation: Option<OperationId>,
    /// The number of changed pictures.
    pub changed: usize,
    /// The number of pictures that were skipped because the work was cancelled first.
    pub skipped: usize,
    /// The pictures that failed. They keep their tags.
    pub failed: Vec<(Source, MarkError)>,
    /// The folders with changed sidecars.
    pub folders: BTreeSet<(RootId, RelPath)>,
}

/// The files of a picture whose sidecars change, with their tags.
type Planned = Vec<(Source, TagsChanged)>;

impl Pictures {
    /// Counts the tags of the pictures of all roots, as far as they have been read, and has the others read for a while.
    /// With `joins_files`, a picture of several files counts once.
    #[must_use]
    pub fn all_tags(&self, joins_files: bool) -> AllTags {
        let (mut counts, mut unread, mut unavailable) = (HashMap::new(), 0, 0);
        for status in self.roots().list() {
            let except = self.inner_folders(&status.root);
            match self.library.root_tags(&status.root, &except, joins_files) {
                Ok(found) => {
                    unread += found.unread;
                    for (tag, count) in found.tags {
                        *counts.entry(tag).or_default() += count;
                    }
                }
                Err(error) => {
                    tracing::debug!(%error, "the tags of a root can't be read");
                    unavailable += 1;
                }
            }
        }
        let mut tags: Vec<(Tag, usize)> = counts.into_iter().collect();
        tags.sort_unstable_by(|(a, of_a), (b, of_b)| of_b.cmp(of_a).then_with(|| a.cmp(b)));
        AllTags {
            tags,
            unread,
            unavailable,
        }
    }

    /// Finds the pictures that a renaming changes.
    ///
    /// # Errors
    /// [`AccessError`] if the requested folder can't be read.
    pub fn tag_targets(&self, request: &TagsRequest) -> Result<TagTargets, AccessError> {
        let mut targets = TagTargets::default();
        let has_tag = |tag: &Tag| request.rename.changes(tag);
        let find = |root: &Arc<Root>, within: &RelPath, except: &[RelPath]| {
            let joins_files = request.joins_files;
            self.library
                .tagged(root, within, except, joins_files, has_tag)
        };
        let mut add = |root: &Arc<Root>, found: TaggedPictures| {
            let source = |path| Source::new(Arc::clone(root), path);
            targets.tagged.extend(found.tagged.into_iter().map(source));
            targets.unread.extend(found.unread.into_iter().map(source));
        };
        if let Some(folder) = &request.folder {
            let root = folder.root_ref();
            add(root, find(root, folder.path(), &[])?);
            return Ok(targets);
        }
        let mut unavailable = 0;
        for status in self.roots().list() {
            let except = self.inner_folders(&status.root);
            match find(&status.root, &RelPath::default(), &except) {
                Ok(found) => add(&status.root, found),
                Err(error) => {
                    tracing::debug!(%error, "the tags of a root can't be read");
                    unavailable += 1;
                }
            }
        }
        targets.unavailable = unavailable;
        Ok(targets)
    }

    /// Renames or removes tags in the sidecars of all pictures, with a record by which it can be undone. A picture that
    /// fails keeps its tags, and the others go on.
    ///
    /// # Errors
    /// [`FileError`] if the folder can't be read, or the record can't be written.
    pub fn rename_tags(
        &self,
        request: &TagsRequest,
        progress: FilesProgress<'_>,
    ) -> Result<TagsOutcome, FileError> {
        let targets = self.tag_targets(request);
        let targets = targets.map_err(|error| FileError::Access {
            name: request
                .folder
                .as_ref()
                .map_or_else(Vec::new, Source::absolute),
            error,
        })?;
        let pictures = targets.tagged.into_iter().chain(targets.unread);
        let mut outcome = TagsOutcome::default();
        let mut lookup = CompanionLookup::default();
        let mut planned: Vec<(Source, Planned)> = Vec::new();
        for picture in pictures {
            if !progress(0, planned.len() as u64 + 1) {
                return Ok(outcome);
            }
            match self.plan_tags(&picture, request, &mut lookup) {
                Ok(files) if files.is_empty() => {}
                Ok(files) => planned.push((picture, files)),
                Err(error) => outcome.failed.push((picture, error)),
            }
        }
        if planned.is_empty() {
            return Ok(outcome);
        }
        let all = planned.iter().flat_map(|(_, files)| files);
        let all: Vec<TagsChanged> = all.map(|(_, change)| change.clone()).collect();
        let operation = self.files().begin_tags(&all, request.searches.clone())?;
        let change = PictureChange {
            marks: MarksChange {
                tags: TagsChange::Rename(request.rename.clone()),
                ..MarksChange::default()
            },
            ..PictureChange::default()
        };
        let (mut made, total) = (Vec::new(), planned.len());
        for (at, (picture, files)) in planned.into_iter().enumerate() {
            if !progress(at as u64, total as u64) {
                outcome.skipped = total - at;
                break;
            }
            let before = made.len();
            match self.change_tags(files, &change, &mut made) {
                Ok(()) => {}
                Err(error) => outcome.failed.push((picture.clone(), error.into())),
            }
            if made.len() > before {
                outcome.changed += 1;
                outcome.touch(&picture);
            }
        }
        outcome.operation = operation.finish(&made)?;
        Ok(outcome)
    }

    /// Returns the sidecars of a picture that a renaming changes, by their files.
    fn plan_tags(
        &self,
        picture: &Source,
        request: &TagsRequest,
        lookup: &mut CompanionLookup,
    ) -> Result<Planned, MarkError> {
        let owners = match request.joins_files {
            true => sidecar_owners(picture, lookup)?,
            false => vec![picture.clone()],
        };
        let mut planned = Planned::new();
        for owner in owners {
            let before = self.marks(&owner)?.shown().tags;
            let after = request.rename.apply(&before)?;
            if after != before {
                let change = TagsChanged {
                    file: owner.absolute(),
                    before: texts(&before),
                    after: texts(&after),
                    is_further: !planned.is_empty(),
                };
                planned.push((owner, change));
            }
        }
        Ok(planned)
    }

    /// Changes the sidecars of a picture. Adds what was changed, also of a picture that failed later.
    fn change_tags(
        &self,
        files: Planned,
        change: &PictureChange,
        made: &mut Vec<TagsChanged>,
    ) -> Result<(), SidecarError> {
        let first = made.len();
        for (file, _) in files {
            let outcome = self.change(&file, change)?;
            let is_further = made.len() > first;
            made.extend(tags_changed(&file, &outcome, is_further));
        }
        Ok(())
    }

    /// Undoes an operation on files, or a renaming of tags, as [`Files::undo`](fumikura_fileops::Files::undo) does. The
    /// caller changes back the saved searches of the outcome.
    ///
    /// # Errors
    /// [`FileError`]; nothing was changed then.
    pub fn undo(
        &self,
        id: OperationId,
        partly: bool,
        progress: FilesProgress<'_>,
    ) -> Result<FilesOutcome, FileError> {
        let Some(mut undo) = self.files().begin_tags_undo(id)? else {
            return self.files().undo(id, partly, progress);
        };
        let changes = std::mem::take(&mut undo.changes);
        let total = changes.iter().filter(|change| !change.is_further).count();
        let (mut planned, mut left, mut conflicts) = (Vec::new(), Vec::new(), Vec::new());
        for change in changes {
            match self.tagged_file(&change) {
                Ok(file) => planned.push((file, change)),
                Err(why) => {
                    conflicts.push((name_of(&change.file), why));
                    left.push(change);
                }
            }
        }
        if !(conflicts.is_empty() || partly && !planned.is_empty()) {
            return Err(FileError::UndoConflicts { conflicts, total });
        }
        let mut outcome = FilesOutcome::default();
        for (name, why) in conflicts {
            let conflicts = vec![(name.clone(), why)];
            let error = FileError::UndoConflicts {
                conflicts,
                total: 1,
            };
            outcome.failed.push((name, error));
        }
        let (mut undone, count) = (Vec::new(), planned.len() as u64);
        let mut is_cancelled = false;
        for (at, (file, change)) in (0..).zip(planned) {
            is_cancelled = is_cancelled || !progress(at, count);
            if is_cancelled {
                outcome.skipped += usize::from(!change.is_further);
                left.push(change);
                continue;
            }
            match self.change(&file, &restoring(&change)) {
                Ok(marked) => {
                    outcome.completed += usize::from(!change.is_further);
                    undone.extend(tags_changed(&file, &marked, change.is_further));
                    touch(&mut outcome.folders, &file);
                }
                Err(error) => {
                    let name = name_of(&change.file);
                    let error = FileError::Sidecar {
                        name: name.clone(),
                        error,
                    };
                    outcome.failed.push((name, error));
                    left.push(change);
                }
            }
        }
        if !undone.is_empty() {
            outcome.searches = undo.searches.clone();
        }
        (outcome.id, outcome.redo) = undo.finish(&undone, &left)?;
        Ok(outcome)
    }

    /// Finds the picture of a recorded change.
    fn tagged_file(&self, change: &TagsChanged) -> Result<Source, Conflict> {
        let source = self.roots().source_at(&change.file);
        let source = source.map_err(|_outside| Conflict::FolderClosed)?;
        match source.stat() {
            Ok(_) => Ok(source),
            Err(AccessError::NotFound) => Err(Conflict::Gone),
            Err(error) => {
                let name = name_of(&change.file);
                let why = Box::new(FileError::Access { name, error });
                Err(Conflict::Unreadable(why))
            }
        }
    }

    /// Returns the paths of the roots within a root, relative to it. Their pictures belong to them.
    #[must_use]
    pub fn inner_folders(&self, root: &Root) -> Vec<RelPath> {
        let others = self.roots().list().into_iter();
        let others = others.filter(|one| one.root.id() != root.id());
        let inner =
            others.filter_map(|one| path::strip_base(root.path_bytes(), one.root.path_bytes()));
        inner.filter(|path| !path.is_empty()).collect()
    }
}

impl TagsOutcome {
    fn touch(&mut self, picture: &Source) {
        touch(&mut self.folders, picture);
    }
}

fn touch(folders: &mut BTreeSet<(RootId, RelPath)>, picture: &Source) {
    let folder = picture.path().split_last();
    let folder = folder.map_or_else(RelPath::default, |(folder, _)| folder);
    folders.insert((picture.root(), folder));
}

fn restoring(change: &TagsChanged) -> PictureChange {
    let tags = |texts: &[String]| texts.iter().filter_map(|text| Tag::read(text)).collect();
    let tags = TagsChange::Restore {
        before: tags(&change.before),
        after: tags(&change.after),
    };
    PictureChange {
        marks: MarksChange {
            tags,
            discards_empty: true,
            ..MarksChange::default()
        },
        ..PictureChange::default()
    }
}

/// Returns the change of a file's tags; `None` if they are as before.
fn tags_changed(file: &Source, outcome: &MarksOutcome, is_further: bool) -> Option<TagsChanged> {
    let (before, after) = (&outcome.before.tags, &outcome.after.tags);
    (before != after).then(|| TagsChanged {
        file: file.absolute(),
        before: texts(before),
        after: texts(after),
        is_further,
    })
}

fn texts(tags: &[Tag]) -> Vec<String> {
    tags.iter().map(Tag::to_string).collect()
}

fn name_of(path: &[u8]) -> Vec<u8> {
    let name = path.rsplit(|&byte| byte == b'/').next();
    name.unwrap_or_default().to_vec()
}
