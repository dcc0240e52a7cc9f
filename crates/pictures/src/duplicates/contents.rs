//! Pictures with the same contents: files of one size are sampled, and those with the same sample are hashed.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt};

use fumikura_fs::{Source, SourceFile};

use super::candidates::Candidate;
use super::{ComparedFile, ContentHasher, DuplicatePicture, DuplicatesProgress, SearchCancelled};

/// The length of each part of a sample, in bytes.
const PART: usize = 4096;

/// The identity of a file: its device and inode. Two names of one file have the same.
type Identity = (u64, u64);

/// Pictures whose contents were compared.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) groups: Vec<Vec<DuplicatePicture>>,
    /// The number of pictures that could not be read.
    pub(super) unreadable: usize,
}

/// Groups the candidates by their contents.
pub(super) fn compare(
    candidates: &[Candidate],
    hasher: &dyn ContentHasher,
    progress: DuplicatesProgress<'_>,
) -> Result<Compared, SearchCancelled> {
    let mut compared = Compared::default();
    let sized = candidates.iter().filter(|one| one.stat.size > 0);
    let by_size = alike(sized.map(|one| (one.stat.size, one)));
    let total = by_size.iter().map(|(_, group)| group.len() as u64).sum();
    let mut done = 0;
    for (size, group) in by_size {
        let count = group.len() as u64;
        let (mut sampled, mut names) = (Vec::with_capacity(group.len()), HashSet::new());
        for candidate in group {
            if !progress(done, total) {
                return Err(SearchCancelled);
            }
            match sample(&candidate.source, size) {
                Ok(Some((identity, sample))) => {
                    if names.insert(identity) {
                        sampled.push((sample, candidate));
                    }
                }
                // It has changed since it was listed.
                Ok(None) => {}
                Err(error) => compared.note(&candidate.source, &error),
            }
        }
        for (_, group) in alike(sampled) {
            compared.add(group, hasher, &|| progress(done, total))?;
        }
        done += count;
    }
    progress(done, total);
    Ok(compared)
}

impl Compared {
    fn note(&mut self, source: &Source, error: &io::Error) {
        tracing::debug!(%error, path = ?source.path(), "a picture is not compared");
        self.unreadable += 1;
    }

    /// Adds the groups among files with the same sample.
    fn add(
        &mut self,
        candidates: Vec<&Candidate>,
        hasher: &dyn ContentHasher,
        continues: &dyn Fn() -> bool,
    ) -> Result<(), SearchCancelled> {
        let mut read = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let outcome = picture(candidate, hasher, continues);
            if !continues() {
                return Err(SearchCancelled);
            }
            match outcome {
                Ok(picture) => read.push((picture.file.hash, picture)),
                Err(error) => self.note(&candidate.source, &error),
            }
        }
        self.groups
            .extend(alike(read).into_iter().map(|(_, group)| group));
        Ok(())
    }
}

/// Returns the items with an equal key, where there are several.
fn alike<K: Ord, T>(items: impl IntoIterator<Item = (K, T)>) -> Vec<(K, Vec<T>)> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for (key, item) in items {
        groups.entry(key).or_default().push(item);
    }
    groups
        .into_iter()
        .filter(|(_, group)| group.len() > 1)
        .collect()
}

/// Returns the identity of a file of this size, and a hash of parts of it; `None` if it has another size now.
fn sample(source: &Source, size: u64) -> io::Result<Option<(Identity, u64)>> {
    let (file, found) = open(source)?;
    if found.stat().size != size {
        return Ok(None);
    }
    let metadata = file.metadata()?;
    let mut hash = DefaultHasher::new();
    let mut part = [0; PART];
    let last = size.saturating_sub(PART as u64);
    for start in [0, size / 2, last] {
        let length = usize::try_from(size - start).map_or(PART, |rest| rest.min(PART));
        file.read_exact_at(&mut part[..length], start)?;
        hash.write(&part[..length]);
    }
    Ok(Some(((metadata.dev(), metadata.ino()), hash.finish())))
}

/// Hashes all files of a picture.
fn picture(
    candidate: &Candidate,
    hasher: &dyn ContentHasher,
    continues: &dyn Fn() -> bool,
) -> io::Result<DuplicatePicture> {
    let compared = |source: &Source| {
        let (file, found) = open(source)?;
        io::Result::Ok(ComparedFile {
            source: source.clone(),
            stat: found.stat().content(),
            hash: Some(hasher.hash(&file, &found, continues)?),
        })
    };
    let file = compared(&candidate.source)?;
    let companions = candidate.companions.iter();
    let companions = companions.map(|(kind, source)| io::Result::Ok((*kind, compared(source)?)));
    Ok(DuplicatePicture {
        file,
        companions: companions.collect::<Result<_, _>>()?,
        look: None,
    })
}

fn open(source: &Source) -> io::Result<(File, SourceFile)> {
    source.open().map_err(io::Error::other)
}
