//! What the headers and sidecars of a folder's pictures tell, kept in a file for when the folder is opened again.
//!
//! One file a folder, named for its path. It may be lost at any time: they are read again then.

mod rows;

use std::cmp::Ordering;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha1::{Digest, Sha1};

use self::rows::Row;
use super::known::Outcome;
use super::natural::NaturalName;
use crate::platform;

/// What every file begins with; then come the SHA-1 of the rest, and the rest.
const MAGIC: &[u8; 16] = b"fumikura folder\n";
/// How long that sum is.
const SUM: usize = 20;
/// Where the rest begins.
const HEAD: usize = MAGIC.len() + SUM;
/// What is read from headers, and how, may be another in the next version of the program; behind it the number of the
/// files' own format.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 6");
const EXTENSION: &str = "folder";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many files are kept, and how many bytes they may have together. Those that were used longest ago go first.
const MOST: Budget = Budget {
    files: 20_000,
    bytes: 128 << 20,
};

/// The folder of the files.
#[derive(Debug)]
pub(super) struct Manifests(PathBuf);

/// What was kept of one folder's pictures. It is told in the order of their names and read only then: all rows at once
/// would be several times as large as the file.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    bytes: Vec<u8>,
    /// Where the next row begins.
    at: usize,
}

impl Manifests {
    /// The folder is made when there is something to keep.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// What is known of the pictures of the folder at an absolute path; nothing, if that was never kept, or can't be
    /// read.
    pub(super) fn load(&self, folder: &[u8]) -> Manifest {
        let path = self.path_of(folder);
        let found = match fs::read(&path) {
            Ok(bytes) => Manifest::open(bytes, folder),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!("{} can't be read: {error}", path.display());
                None
            }
        };
        if found.is_some() {
            // So that it is known what was used last. It is of no weight if it can't be.
            let _unused = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        }
        found.unwrap_or_default()
    }

    /// Keeps what is known, instead of what was; of pictures in the order of their names.
    pub(super) fn save<'a>(
        &self,
        folder: &[u8],
        outcomes: impl IntoIterator<Item = (&'a [u8], Outcome)>,
    ) -> io::Result<()> {
        platform::create_private_folder(&self.0)?;
        let bytes = written(folder, outcomes).map_err(io::Error::other)?;
        // It is not waited for until it is on the disk: what a crash cuts short is known by its sum, and there may be
        // thousands.
        let mut file = tempfile::Builder::new()
            .prefix(".")
            .suffix(".tmp")
            .tempfile_in(&self.0)?;
        file.write_all(&bytes)?;
        file.persist(self.path_of(folder))?;
        Ok(())
    }

    pub(super) fn path_of(&self, folder: &[u8]) -> PathBuf {
        let name = hex::encode(Sha1::digest(folder));
        self.0.join(name).with_extension(EXTENSION)
    }

    /// Lets those go that were used longest ago, if there are too many.
    pub(super) fn sweep(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let path = entry?.path();
            // Another process may have deleted it meanwhile.
            let metadata = fs::symlink_metadata(&path);
            let Ok((bytes, used)) = metadata.and_then(|found| Ok((found.len(), found.modified()?)))
            else {
                continue;
            };
            if is_ours(&path) {
                files.push(Kept { path, bytes, used });
            } else if is_unfinished(&path) && used.elapsed().is_ok_and(|age| age > DAY) {
                fs::remove_file(&path)?;
            }
        }
        for path in too_many(files, MOST) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

fn written<'a>(
    folder: &[u8],
    outcomes: impl IntoIterator<Item = (&'a [u8], Outcome)>,
) -> postcard::Result<Vec<u8>> {
    let mut bytes = [&MAGIC[..], &[0; SUM]].concat();
    bytes = postcard::to_extend(&(VERSION, folder), bytes)?;
    for (name, outcome) in outcomes {
        if outcome.is_worth_keeping() {
            bytes = postcard::to_extend(&Row::new(name, &outcome), bytes)?;
        }
    }
    let (head, rest) = bytes.split_at_mut(HEAD);
    head[MAGIC.len()..].copy_from_slice(&Sha1::digest(rest));
    Ok(bytes)
}

impl Manifest {
    /// `None` if it is damaged, or not of this folder.
    fn open(bytes: Vec<u8>, folder: &[u8]) -> Option<Self> {
        let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<SUM>()?;
        if Sha1::digest(rest)[..] != sum[..] {
            return None;
        }
        let ((version, path), rows): ((&str, &[u8]), _) = postcard::take_from_bytes(rest).ok()?;
        let is_it = version == VERSION && path == folder;
        let at = bytes.len() - rows.len();
        is_it.then_some(Self { bytes, at })
    }

    /// What was known of the picture of this name. What comes before it in the order of names is not told any more.
    pub(super) fn take(&mut self, name: &NaturalName) -> Option<Outcome> {
        loop {
            let (row, end) = self.next()?;
            match name.order_of(row.name) {
                Ordering::Less => self.at = end,
                Ordering::Equal => {
                    let outcome = row.outcome();
                    self.at = end;
                    return Some(outcome);
                }
                Ordering::Greater => return None,
            }
        }
    }

    /// The next row, and where the one behind it begins.
    fn next(&self) -> Option<(Row<'_>, usize)> {
        // What its sum vouches for is as it was written.
        let (row, rest) = postcard::take_from_bytes(&self.bytes[self.at..]).ok()?;
        Some((row, self.bytes.len() - rest.len()))
    }
}

fn is_ours(path: &Path) -> bool {
    let digits = |stem: &str| {
        stem.len() == 40
            && stem
                .bytes()
                .all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
    };
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    path.extension().is_some_and(|found| found == EXTENSION) && stem.is_some_and(digits)
}

/// What a crash has left of a file that was being written.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(b".") && name.ends_with(b".tmp")
}

/// A file that is kept.
#[derive(Debug, Clone)]
struct Kept {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

#[derive(Debug, Clone, Copy)]
struct Budget {
    files: usize,
    bytes: u64,
}

/// Those that go, so that the rest stays within the budget.
fn too_many(mut files: Vec<Kept>, budget: Budget) -> Vec<PathBuf> {
    files.sort_by_key(|file| std::cmp::Reverse(file.used));
    let mut bytes = 0;
    let going = files.into_iter().enumerate().filter(|(at, file)| {
        bytes += file.bytes;
        // The latest stays, however large it is.
        *at > 0 && (*at >= budget.files || bytes > budget.bytes)
    });
    going.map(|(_, file)| file.path).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::UNIX_EPOCH;

    use jiff::civil::date;

    use super::super::facts::Facts;
    use super::super::known::{Known, State};
    use super::*;
    use crate::decode::{Head, ThumbHash};
    use crate::sidecar::{Marks, Rating, Tag};
    use crate::stat::{Ctime, Mtime};

    const CTIME: Ctime = Ctime {
        seconds: 1_700_000_000,
        nanoseconds: 1,
    };

    fn outcome(size: u64, head: Option<Head>) -> Outcome {
        let mtime = Mtime {
            seconds: -1,
            nanoseconds: 999_999_999,
        };
        let facts = Facts {
            head,
            taken: head.map(|_| date(2024, 5, 6).at(7, 8, 9, 250_000_000)),
            embeds: head.is_some(),
        };
        Outcome {
            facts: Known::Is(
                State {
                    size,
                    mtime,
                    ctime: CTIME,
                },
                facts,
            ),
            marks: Known::NotYet,
            hash: match head {
                Some(_) => Known::Is(
                    State {
                        size,
                        mtime,
                        ctime: CTIME,
                    },
                    ThumbHash::from_bytes(&[7; 24]).unwrap(),
                ),
                None => Known::NotYet,
            },
        }
    }

    fn marked(size: u64) -> Outcome {
        let mtime = Mtime {
            seconds: 1,
            nanoseconds: 0,
        };
        let marks = Marks {
            rating: Some(Rating::Rejected),
            tags: ["Places/京都", "a"]
                .map(|tag| Tag::parse(tag).unwrap())
                .into(),
            caption: Some("金閣寺".to_owned()),
        };
        Outcome {
            marks: Known::Is(
                State {
                    size,
                    mtime,
                    ctime: CTIME,
                },
                Arc::new(marks),
            ),
            facts: Known::NotYet,
            hash: Known::NotYet,
        }
    }

    const SIZE: Head = Head {
        width: 4_000,
        height: 3_000,
        orientation: 6,
    };

    fn take(manifest: &mut Manifest, name: &[u8]) -> Option<Outcome> {
        manifest.take(&NaturalName::new(name))
    }

    /// All of these that are known.
    fn told(mut manifest: Manifest, names: &[&[u8]]) -> Vec<Option<u64>> {
        let size = |outcome: Outcome| outcome.facts.of().map(|of| of.size);
        let of = |&name: &&[u8]| take(&mut manifest, name).and_then(size);
        names.iter().map(of).collect()
    }

    const ODD: &[u8] = b"\xff\n.jpg";

    #[test]
    fn what_was_kept_is_there_again() {
        let outer = tempfile::tempdir().unwrap();
        let manifests = Manifests::new(outer.path().join("folders"));
        assert_eq!(told(manifests.load(b"/a"), &[b"b.jpg"]), [None]);
        let known = [
            (&b"b.jpg"[..], outcome(1, Some(SIZE))),
            (b"c.jpg", marked(3)),
            (ODD, outcome(2, None)),
        ];
        let failed = Outcome {
            marks: Known::Failed(None),
            facts: Known::NotYet,
            hash: Known::NotYet,
        };
        let mut with_failed = known.to_vec();
        with_failed.insert(2, (b"d.jpg", failed));
        manifests.save(b"/a", with_failed).unwrap();
        manifests.save(b"/b", []).unwrap();
        let mut found = manifests.load(b"/a");
        for (name, outcome) in &known {
            assert_eq!(take(&mut found, name).as_ref(), Some(outcome));
        }
        assert_eq!(found.at, found.bytes.len());
        assert_eq!(take(&mut manifests.load(b"/a"), b"d.jpg"), None);
        assert_eq!(told(manifests.load(b"/b"), &[b"b.jpg"]), [None]);
        manifests.save(b"/a", known[..1].to_vec()).unwrap();
        assert_eq!(
            told(manifests.load(b"/a"), &[b"b.jpg", ODD]),
            [Some(1), None]
        );
    }

    #[test]
    fn it_is_told_of_a_folder_that_is_another_by_now() {
        let outer = tempfile::tempdir().unwrap();
        let manifests = Manifests::new(outer.path().to_owned());
        let names: [&[u8]; 5] = [
            b"img2.jpg",
            b"img10.jpg",
            b"img11.jpg",
            "猫.jpg".as_bytes(),
            ODD,
        ];
        let known = names.into_iter().zip(1..);
        let known = known.map(|(name, size)| (name, outcome(size, Some(SIZE))));
        manifests.save(b"/a", known).unwrap();
        let told = |names: &[&[u8]]| told(manifests.load(b"/a"), names);
        assert_eq!(told(&names), [1, 2, 3, 4, 5].map(Some));
        // Some have come, some have gone.
        let now: [&[u8]; 5] = [b"img1.jpg", b"img3.jpg", b"img10.jpg", b"img12.jpg", ODD];
        assert_eq!(told(&now), [None, None, Some(2), None, Some(5)]);
        assert_eq!(told(&[ODD, "犬.jpg".as_bytes()]), [Some(5), None]);
    }

    #[test]
    fn what_is_damaged_or_foreign_counts_as_nothing() {
        let outer = tempfile::tempdir().unwrap();
        let manifests = Manifests::new(outer.path().to_owned());
        let known = [(&b"b.jpg"[..], outcome(1, Some(SIZE)))];
        let told = |folder: &[u8]| told(manifests.load(folder), &[b"b.jpg"]);
        manifests.save(b"/a", known).unwrap();
        let path = manifests.path_of(b"/a");
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for bytes in [&whole[..whole.len() - 1], &flipped, b"", MAGIC, b"notes"] {
            fs::write(&path, bytes).unwrap();
            assert_eq!(told(b"/a"), [None], "{bytes:?}");
        }
        // As if two paths had one SHA-1.
        fs::write(manifests.path_of(b"/b"), &whole).unwrap();
        assert_eq!(told(b"/b"), [None]);
        fs::write(&path, &whole).unwrap();
        assert_eq!(told(b"/a"), [Some(1)]);
    }

    #[test]
    fn those_that_were_used_longest_ago_go_first() {
        let file = |name: &str, bytes, second| Kept {
            path: name.into(),
            bytes,
            used: UNIX_EPOCH + Duration::from_secs(second),
        };
        let files = || {
            vec![
                file("old", 10, 1),
                file("new", 10, 3),
                file("middle", 10, 2),
            ]
        };
        let gone = |most, bytes| too_many(files(), Budget { files: most, bytes });
        assert!(gone(3, 30).is_empty());
        assert_eq!(gone(2, 30), [PathBuf::from("old")]);
        assert_eq!(gone(3, 29), [PathBuf::from("old")]);
        assert_eq!(gone(0, 0), ["middle", "old"].map(PathBuf::from));
    }

    #[test]
    fn only_our_own_files_go() {
        let id = "0123456789abcdef0123456789abcdef01234567";
        assert!(is_ours(Path::new(&format!("/x/{id}.folder"))));
        for name in [
            format!("{id}.txt"),
            format!("{}.folder", &id[1..]),
            id.to_uppercase(),
            "notes.folder".into(),
        ] {
            assert!(!is_ours(Path::new(&name)), "{name}");
        }
    }
}
