//! The pictures among which duplicates and similar ones are searched.

use std::collections::HashSet;

use fumikura_fs::{ContentStat, Mtime, NodeKind, RelPath, Source};
use fumikura_image::{CompanionKind, PictureHash};
use fumikura_library::{Entry, Library};
use jiff::civil::DateTime;

use super::{DuplicatesProgress, SearchCancelled};

/// A picture, as it was listed.
pub(super) struct Candidate {
    /// The shown file.
    pub(super) source: Source,
    pub(super) stat: ContentStat,
    pub(super) companions: Vec<(CompanionKind, Source)>,
    /// The hash of its looks, if a thumbnail was made before.
    pub(super) hash: Option<PictureHash>,
    /// The time of capture, as far as it has been read.
    pub(super) taken: Option<DateTime>,
    /// The number of pixels, as far as the header has been read.
    pub(super) pixels: Option<u64>,
    pub(super) is_video: bool,
}

/// All pictures of some folders.
#[derive(Default)]
pub(super) struct Candidates {
    pub(super) pictures: Vec<Candidate>,
    /// The number of folders that can't be read, or are too many.
    pub(super) left_out: usize,
}

impl Candidates {
    /// Lists the pictures in folders and below them, each path once: a root may be below another one.
    pub(super) fn of(
        library: &Library,
        folders: &[Source],
        progress: DuplicatesProgress<'_>,
    ) -> Result<Self, SearchCancelled> {
        let mut all = Self::default();
        let mut paths = HashSet::new();
        let is_single = folders.len() == 1;
        for folder in folders {
            let mut continues = true;
            let listed = library.each_joined_picture(
                folder.root_ref(),
                folder.path(),
                &mut |entries: Vec<Entry>| {
                    let found = entries
                        .into_iter()
                        .filter_map(|entry| candidate(folder, entry));
                    let new = found.filter(|one| is_single || paths.insert(one.source.absolute()));
                    all.pictures.extend(new);
                    continues = progress(0, 0);
                    continues
                },
            );
            if !continues {
                return Err(SearchCancelled);
            }
            match listed {
                Ok(left_out) => all.left_out += left_out,
                Err(error) => {
                    tracing::debug!(%error, "a folder is not searched for duplicates");
                    all.left_out += 1;
                }
            }
        }
        Ok(all)
    }
}

fn candidate(folder: &Source, entry: Entry) -> Option<Candidate> {
    let within = folder.path().resolve(entry.folder.as_bytes())?;
    let source = |within: &RelPath, name: &[u8]| {
        Source::new(std::sync::Arc::clone(folder.root_ref()), within.join(name))
    };
    let companions = entry.companions.iter().map(|companion| {
        let file = source(&within, &companion.entry.name);
        (companion.kind, file)
    });
    Some(Candidate {
        source: source(&within, &entry.name),
        stat: content(entry.size, entry.mtime),
        companions: companions.collect(),
        taken: entry.taken(),
        pixels: entry
            .head
            .map(|head| u64::from(head.width) * u64::from(head.height)),
        is_video: entry.is_video,
        hash: entry.hash,
    })
}

fn content(size: u64, mtime: Mtime) -> ContentStat {
    ContentStat {
        kind: NodeKind::File,
        size,
        mtime,
    }
}
