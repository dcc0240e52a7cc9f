//! What the headers and sidecars of a folder's pictures tell, kept in a file for when the folder is opened again.
//!
//! One file a folder, named for its path. It may be lost at any time: they are read again then.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use fumikura_base::durable::{self, Access};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};
use sha1::{Digest, Sha1};

use super::facts::Facts;
use super::known::{Known, Outcome, State};
use crate::decode::{Head, ThumbHash};
use crate::platform;
use crate::sidecar::{Marks, Rating, Tag};
use crate::stat::Mtime;

/// What every file begins with; then come the SHA-1 of the rest, and the rest.
const MAGIC: &[u8; 16] = b"fumikura folder\n";
/// What is read from headers, and how, may be another in the next version of the program; behind it the number of the
/// files' own format.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " 3");
const EXTENSION: &str = "folder";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many files are kept, and how many bytes they may have together. Those that were used longest ago go first.
const MOST: Budget = Budget {
    files: 2_000,
    bytes: 128 << 20,
};

/// The folder of the files.
#[derive(Debug)]
pub(super) struct Manifests(PathBuf);

#[derive(Debug, Serialize, Deserialize)]
struct Manifest<'a> {
    version: &'a str,
    #[serde(borrow)]
    path: &'a [u8],
    #[serde(borrow)]
    pictures: Vec<Row<'a>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Row<'a> {
    name: &'a [u8],
    picture: Option<(StateRow, FactsRow)>,
    #[serde(borrow)]
    sidecar: Option<(StateRow, MarksRow<'a>)>,
    /// The bytes of its ThumbHash.
    #[serde(borrow)]
    hash: Option<(StateRow, &'a [u8])>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StateRow {
    size: u64,
    seconds: i64,
    nanoseconds: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct FactsRow {
    head: Option<(u32, u32, u8)>,
    /// Seconds since 1970 and nanoseconds, as if the camera’s clock told UTC.
    taken: Option<(i64, i32)>,
    embeds: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct MarksRow<'a> {
    /// As `xmp:Rating`; 0 if there is none.
    rating: i8,
    /// The levels of each, from the widest to the narrowest.
    #[serde(borrow)]
    tags: Vec<Cow<'a, str>>,
}

impl From<State> for StateRow {
    fn from(state: State) -> Self {
        Self {
            size: state.size,
            seconds: state.mtime.seconds,
            nanoseconds: state.mtime.nanoseconds,
        }
    }
}

impl From<StateRow> for State {
    fn from(row: StateRow) -> Self {
        Self {
            size: row.size,
            mtime: Mtime {
                seconds: row.seconds,
                nanoseconds: row.nanoseconds,
            },
        }
    }
}

impl From<&Facts> for FactsRow {
    fn from(facts: &Facts) -> Self {
        Self {
            head: facts
                .head
                .map(|head| (head.width, head.height, head.orientation)),
            taken: facts.taken.and_then(|taken| {
                let taken = TimeZone::UTC.to_timestamp(taken).ok()?;
                Some((taken.as_second(), taken.subsec_nanosecond()))
            }),
            embeds: facts.embeds,
        }
    }
}

impl From<FactsRow> for Facts {
    fn from(row: FactsRow) -> Self {
        Self {
            head: row.head.map(|(width, height, orientation)| Head {
                width,
                height,
                orientation,
            }),
            taken: row.taken.and_then(|(seconds, nanoseconds)| {
                let taken = Timestamp::new(seconds, nanoseconds).ok()?;
                Some(TimeZone::UTC.to_datetime(taken))
            }),
            embeds: row.embeds,
        }
    }
}

impl From<&Marks> for MarksRow<'_> {
    fn from(marks: &Marks) -> Self {
        Self {
            rating: marks.rating.map_or(0, Rating::number),
            tags: marks
                .tags
                .iter()
                .map(|tag| tag.to_string().into())
                .collect(),
        }
    }
}

impl From<MarksRow<'_>> for Marks {
    fn from(row: MarksRow<'_>) -> Self {
        Self {
            rating: Rating::of_number(row.rating),
            tags: row.tags.iter().filter_map(|tag| Tag::read(tag)).collect(),
        }
    }
}

impl<'a> Row<'a> {
    fn new(name: &'a [u8], outcome: &'a Outcome) -> Self {
        let row = |of: State| StateRow::from(of);
        Self {
            name,
            picture: match &outcome.facts {
                Known::Is(of, facts) => Some((row(*of), facts.into())),
                Known::NotYet | Known::Failed(_) => None,
            },
            sidecar: match &outcome.marks {
                Known::Is(of, marks) => Some((row(*of), (&**marks).into())),
                Known::NotYet | Known::Failed(_) => None,
            },
            hash: match &outcome.hash {
                Known::Is(of, hash) => Some((row(*of), hash.as_bytes())),
                Known::NotYet | Known::Failed(_) => None,
            },
        }
    }

    fn outcome(self) -> Outcome {
        let picture = self.picture;
        let (sidecar, hash) = (self.sidecar, self.hash);
        Outcome {
            facts: picture.map_or(Known::NotYet, |(of, facts)| {
                Known::Is(of.into(), facts.into())
            }),
            marks: sidecar.map_or(Known::NotYet, |(of, marks)| {
                Known::Is(of.into(), Arc::new(marks.into()))
            }),
            hash: hash.map_or(Known::NotYet, |(of, bytes)| {
                let hash = ThumbHash::from_bytes(bytes);
                hash.map_or(Known::NotYet, |hash| Known::Is(of.into(), hash))
            }),
        }
    }
}

impl Manifests {
    /// The folder is made when there is something to keep.
    pub(super) fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// What is known of the pictures of the folder at an absolute path; nothing, if that was never kept, or can't be
    /// read.
    pub(super) fn load(&self, folder: &[u8]) -> HashMap<Box<[u8]>, Outcome> {
        let path = self.path_of(folder);
        let found = match fs::read(&path) {
            Ok(bytes) => read(&bytes, folder),
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

    /// Keeps what is known, instead of what was.
    pub(super) fn save(&self, folder: &[u8], outcomes: &[(&[u8], Outcome)]) -> io::Result<()> {
        platform::create_private_folder(&self.0)?;
        let manifest = Manifest {
            version: VERSION,
            path: folder,
            pictures: outcomes
                .iter()
                .filter(|(_, outcome)| outcome.is_worth_keeping())
                .map(|(name, outcome)| Row::new(name, outcome))
                .collect(),
        };
        let rest = postcard::to_stdvec(&manifest).map_err(io::Error::other)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(Sha1::digest(&rest));
        bytes.extend(rest);
        durable::write_file(&self.path_of(folder), &bytes, Access::Private)?;
        self.sweep()
    }

    fn path_of(&self, folder: &[u8]) -> PathBuf {
        let name = hex::encode(Sha1::digest(folder));
        self.0.join(name).with_extension(EXTENSION)
    }

    fn sweep(&self) -> io::Result<()> {
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

fn read(bytes: &[u8], folder: &[u8]) -> Option<HashMap<Box<[u8]>, Outcome>> {
    let (sum, rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<20>()?;
    if Sha1::digest(rest)[..] != sum[..] {
        return None;
    }
    let manifest: Manifest<'_> = postcard::from_bytes(rest).ok()?;
    let is_it = manifest.version == VERSION && manifest.path == folder;
    let outcome = |row: Row<'_>| (row.name.into(), row.outcome());
    is_it.then(|| manifest.pictures.into_iter().map(outcome).collect())
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
    use super::*;
    use jiff::civil::date;
    use std::time::UNIX_EPOCH;

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
            facts: Known::Is(State { size, mtime }, facts),
            marks: Known::NotYet,
            hash: match head {
                Some(_) => Known::Is(
                    State { size, mtime },
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
        };
        Outcome {
            marks: Known::Is(State { size, mtime }, Arc::new(marks)),
            facts: Known::NotYet,
            hash: Known::NotYet,
        }
    }

    const HEAD: Head = Head {
        width: 4_000,
        height: 3_000,
        orientation: 6,
    };

    #[test]
    fn what_was_kept_is_there_again() {
        let outer = tempfile::tempdir().unwrap();
        let manifests = Manifests::new(outer.path().join("folders"));
        assert!(manifests.load(b"/a").is_empty());
        let odd: &[u8] = b"\xff\n.jpg";
        let known = [
            (&b"b.jpg"[..], outcome(1, Some(HEAD))),
            (odd, outcome(2, None)),
            (b"c.jpg", marked(3)),
        ];
        let failed = Outcome {
            marks: Known::Failed(None),
            facts: Known::NotYet,
            hash: Known::NotYet,
        };
        let with_failed = [&known[..], &[(b"d.jpg", failed)]].concat();
        manifests.save(b"/a", &with_failed).unwrap();
        manifests.save(b"/b", &[]).unwrap();
        let found = manifests.load(b"/a");
        assert_eq!(found.len(), 3);
        for (name, outcome) in &known {
            assert_eq!(found.get(*name), Some(outcome));
        }
        assert!(manifests.load(b"/b").is_empty());
        manifests.save(b"/a", &known[..1]).unwrap();
        assert_eq!(manifests.load(b"/a").len(), 1);
    }

    #[test]
    fn what_is_damaged_or_foreign_counts_as_nothing() {
        let outer = tempfile::tempdir().unwrap();
        let manifests = Manifests::new(outer.path().to_owned());
        let known = [(&b"b.jpg"[..], outcome(1, Some(HEAD)))];
        manifests.save(b"/a", &known).unwrap();
        let path = manifests.path_of(b"/a");
        let whole = fs::read(&path).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for bytes in [&whole[..whole.len() - 1], &flipped, b"", MAGIC, b"notes"] {
            fs::write(&path, bytes).unwrap();
            assert!(manifests.load(b"/a").is_empty(), "{bytes:?}");
        }
        // As if two paths had one SHA-1.
        fs::write(manifests.path_of(b"/b"), &whole).unwrap();
        assert!(manifests.load(b"/b").is_empty());
        fs::write(&path, &whole).unwrap();
        assert_eq!(manifests.load(b"/a").len(), 1);
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
