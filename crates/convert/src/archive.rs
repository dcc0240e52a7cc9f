//! The files of a zip or tar archive. Nothing is unpacked before it is read, and the declared sizes are bounds that are
//! checked while reading.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use flate2::read::DeflateDecoder;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use zip::result::ZipError;
use zip::{CompressionMethod, ExtraField, ZipArchive};

use crate::ReadError;
use crate::source::{SkipReason, Skipped, Watch};
use crate::tree::{Dates, MAX_ENTRIES};

/// The number of bytes that any archive may unpack to, and the factor by which it may exceed its own size in addition:
/// the same bounds as of the wiki's own archives.
const BASE: u64 = 16 << 20;
const FACTOR: u64 = 100;
/// The maximum number of bytes that are read to find the entries of a zip archive.
const MAX_DIRECTORY: u64 = 256 << 20;
/// The longest path of an entry in bytes; zip allows 65,535 and tar any number.
const MAX_PATH: usize = 4096;

/// A file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Packed {
    /// The index of the archive: an archive can consist of archives.
    file: usize,
    start: u64,
    packed_size: u64,
    pub(crate) size: u64,
    is_deflated: bool,
    crc32: Option<u32>,
    pub(crate) dates: Dates,
}

/// The files of an archive.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    pub(crate) files: Vec<Arc<File>>,
    /// Paths, unique, with `/`.
    pub(crate) entries: Vec<(String, Packed)>,
    pub(crate) skipped: Vec<Skipped>,
    /// The folder that contained everything, and was left out of the paths.
    pub(crate) top: Option<String>,
}

/// Lists an archive; `None` if the file is none.
pub(crate) fn list(file: File, watch: &mut Watch<'_>) -> Result<Option<Listed>, ReadError> {
    let mut head = [0; 512];
    let mut length = 0;
    while length < head.len() {
        match file.read_at(&mut head[length..], length as u64) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) => return Err(ReadError::Source(error)),
        }
    }
    let mut lister = Lister {
        listed: Listed::default(),
        paths: HashSet::new(),
        watch,
    };
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        lister.zip(file)?;
        lister.nested_zips()?;
    } else if &head[257..262] == b"ustar" {
        lister.tar(file)?;
    } else {
        return Ok(None);
    }
    let mut listed = lister.listed;
    leave_out_top(&mut listed);
    Ok(Some(listed))
}

/// Opens a file of an archive.
pub(crate) fn reader(files: &[Arc<File>], packed: &Packed) -> Box<dyn Read + Send> {
    let section = Section {
        file: Arc::clone(&files[packed.file]),
        at: packed.start,
        end: packed.start.saturating_add(packed.packed_size),
    };
    let inner: Box<dyn Read + Send> = if packed.is_deflated {
        Box::new(DeflateDecoder::new(section))
    } else {
        Box::new(section)
    };
    Box::new(Checked {
        inner,
        left: packed.size,
        hasher: crc32fast::Hasher::new(),
        crc32: packed.crc32,
    })
}

struct Lister<'w, 'f> {
    listed: Listed,
    paths: HashSet<String>,
    watch: &'w mut Watch<'f>,
}

/// The entry of a directory of an archive, before its path is checked.
struct Candidate {
    name: Vec<u8>,
    packed: Result<Packed, SkipReason>,
}

impl Lister<'_, '_> {
    fn zip(&mut self, file: File) -> Result<(), ReadError> {
        let length = file.metadata().map_err(ReadError::Source)?.len();
        let file = Arc::new(file);
        let left = Arc::new(AtomicU64::new(MAX_DIRECTORY));
        let section = Rationed {
            section: Section {
                file: Arc::clone(&file),
                at: 0,
                end: length,
            },
            left: Arc::clone(&left),
        };
        let mut zip = ZipArchive::new(BufReader::new(section)).map_err(damaged)?;
        left.store(u64::MAX, Ordering::Relaxed);
        if zip.len() > MAX_ENTRIES {
            return Err(ReadError::TooManyFiles(MAX_ENTRIES as u64));
        }
        // Otherwise one piece of the archive could be unpacked any number of times.
        if zip.has_duplicate_names() || zip.has_overlapping_files().map_err(damaged)? {
            return Err(ReadError::Damaged(
                "its entries lie on top of each other".to_owned(),
            ));
        }
        let index = self.listed.files.len();
        self.listed.files.push(file);
        let limit = BASE.saturating_add(length.saturating_mul(FACTOR));
        let (mut total, mut encrypted) = (0_u64, 0);
        let mut candidates = Vec::new();
        for number in 0..zip.len() {
            let entry = zip.by_index_raw(number).map_err(damaged)?;
            let name = entry.name_raw().to_owned();
            if entry.is_dir() || name.ends_with(b"\\") {
                continue;
            }
            total = total.saturating_add(entry.size());
            encrypted += u64::from(entry.encrypted());
            let packed = Packed {
                file: index,
                start: entry.data_start().unwrap_or(u64::MAX),
                packed_size: entry.compressed_size(),
                size: entry.size(),
                is_deflated: entry.compression() == CompressionMethod::Deflated,
                crc32: Some(entry.crc32()),
                dates: zip_dates(&entry),
            };
            let is_inside = packed
                .start
                .checked_add(packed.packed_size)
                .is_some_and(|end| end <= length);
            let is_known = packed.is_deflated || entry.compression() == CompressionMethod::Stored;
            let packed = if entry.is_symlink() {
                Err(SkipReason::Link)
            } else if entry.encrypted() {
                Err(SkipReason::Encrypted)
            } else if !is_inside || !is_known {
                Err(SkipReason::Unreadable)
            } else {
                Ok(packed)
            };
            candidates.push(Candidate { name, packed });
        }
        if encrypted > 0 && encrypted == candidates.len() as u64 {
            return Err(ReadError::Password);
        }
        if total > limit {
            return Err(ReadError::TooMuch(limit));
        }
        self.add(candidates)
    }

    /// Lists the archives of an archive that consists of nothing else, as large exports of Notion do.
    fn nested_zips(&mut self) -> Result<(), ReadError> {
        let is_zip = |path: &String| path.to_ascii_lowercase().ends_with(".zip");
        if self.listed.entries.is_empty()
            || !self.listed.entries.iter().all(|(path, _)| is_zip(path))
        {
            return Ok(());
        }
        let parts = std::mem::take(&mut self.listed.entries);
        self.paths.clear();
        for (_, packed) in parts {
            let mut reader = reader(&self.listed.files, &packed);
            let mut unpacked = tempfile::tempfile().map_err(ReadError::Spool)?;
            io::copy(&mut reader, &mut unpacked)
                .map_err(|error| ReadError::Damaged(error.to_string()))?;
            self.zip(unpacked)?;
        }
        Ok(())
    }

    fn tar(&mut self, file: File) -> Result<(), ReadError> {
        let length = file.metadata().map_err(ReadError::Source)?.len();
        let file = Arc::new(file);
        let section = Rationed {
            section: Section {
                file: Arc::clone(&file),
                at: 0,
                end: length,
            },
            left: Arc::new(AtomicU64::new(u64::MAX)),
        };
        let index = self.listed.files.len();
        self.listed.files.push(file);
        let mut archive = tar::Archive::new(section);
        let mut candidates = Vec::new();
        let damaged = |error: io::Error| ReadError::Damaged(error.to_string());
        for entry in archive.entries_with_seek().map_err(damaged)? {
            let entry = entry.map_err(damaged)?;
            if candidates.len() >= MAX_ENTRIES {
                return Err(ReadError::TooManyFiles(MAX_ENTRIES as u64));
            }
            let kind = entry.header().entry_type();
            if kind.is_dir() {
                continue;
            }
            let packed = Packed {
                file: index,
                start: entry.raw_file_position(),
                packed_size: entry.size(),
                size: entry.size(),
                is_deflated: false,
                crc32: None,
                dates: Dates {
                    created: None,
                    changed: entry.header().mtime().ok().and_then(seconds),
                },
            };
            let is_inside = packed
                .start
                .checked_add(packed.size)
                .is_some_and(|end| end <= length);
            let packed = if kind.is_symlink() || kind.is_hard_link() {
                Err(SkipReason::Link)
            } else if !kind.is_file() {
                Err(SkipReason::Special)
            } else if !is_inside {
                return Err(ReadError::Damaged("it is cut off".to_owned()));
            } else {
                Ok(packed)
            };
            candidates.push(Candidate {
                name: entry.path_bytes().into_owned(),
                packed,
            });
        }
        self.add(candidates)
    }

    /// Decodes the names, and sorts out what doesn't belong into a folder.
    fn add(&mut self, candidates: Vec<Candidate>) -> Result<(), ReadError> {
        // Names that aren't UTF-8 are of one encoding, which is the surer the more of them are seen.
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        for candidate in &candidates {
            if std::str::from_utf8(&candidate.name).is_err() {
                detector.feed(&candidate.name, false);
                detector.feed(b"\n", false);
            }
        }
        detector.feed(b"", true);
        let encoding = detector.guess(None, Utf8Detection::Deny);
        let names: Vec<String> = candidates
            .iter()
            .map(|candidate| match std::str::from_utf8(&candidate.name) {
                Ok(name) => name.to_owned(),
                Err(_) => encoding
                    .decode_without_bom_handling(&candidate.name)
                    .0
                    .into_owned(),
            })
            .collect();
        let has_slash = names.iter().any(|name| name.contains('/'));
        for (Candidate { packed, .. }, name) in candidates.into_iter().zip(names) {
            if (self.watch)(self.paths.len() as u64, 0).is_break() {
                return Err(ReadError::Cancelled);
            }
            // Some programs of Windows write their own separator.
            let name = if has_slash {
                name
            } else {
                name.replace('\\', "/")
            };
            let (path, is_outside) = path_of(&name);
            let path = self.unique(path);
            if self.paths.len() > MAX_ENTRIES {
                return Err(ReadError::TooManyFiles(MAX_ENTRIES as u64));
            }
            let is_metadata = path.starts_with("__MACOSX/") || path.contains("/__MACOSX/");
            let packed = match packed {
                _ if is_outside => Err(SkipReason::Outside),
                _ if is_metadata => Err(SkipReason::Hidden),
                packed => packed,
            };
            match packed {
                Ok(packed) => self.listed.entries.push((path, packed)),
                Err(reason) => self.listed.skipped.push(Skipped {
                    origin: path,
                    reason,
                }),
            }
        }
        Ok(())
    }

    fn unique(&mut self, mut path: String) -> String {
        while !self.paths.insert(path.clone()) {
            path.push('_');
        }
        path
    }
}

/// Returns a relative path, and true if the name is not one within the archive.
fn path_of(name: &str) -> (String, bool) {
    let has_drive = name.as_bytes().get(1) == Some(&b':')
        && name.starts_with(|char: char| char.is_ascii_alphabetic());
    let mut is_outside =
        name.starts_with('/') || has_drive || name.len() > MAX_PATH || name.contains('\0');
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                is_outside = true;
                parts.push(part);
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return (name.chars().take(200).collect(), true);
    }
    let mut path = parts.join("/");
    if path.len() > MAX_PATH {
        path = path.chars().take(200).collect();
    }
    (path, is_outside)
}

/// Leaves out the folder that contains all files.
fn leave_out_top(listed: &mut Listed) {
    let top_of = |path: &str| path.split_once('/').map(|(top, _)| top.to_owned());
    let Some(top) = listed.entries.first().and_then(|(path, _)| top_of(path)) else {
        return;
    };
    let prefix = format!("{top}/");
    // The folder of settings of a vault is not the vault.
    if top.starts_with('.')
        || !listed
            .entries
            .iter()
            .all(|(path, _)| path.starts_with(&prefix))
    {
        return;
    }
    for (path, _) in &mut listed.entries {
        path.drain(..prefix.len());
    }
    listed.top = Some(top);
}

fn zip_dates<R: Read>(entry: &zip::read::ZipFile<'_, R>) -> Dates {
    let mut dates = Dates::default();
    if let Some(date) = entry.last_modified() {
        let civil = DateTime::new(
            i16::try_from(date.year()).unwrap_or_default(),
            i8::try_from(date.month()).unwrap_or_default(),
            i8::try_from(date.day()).unwrap_or_default(),
            i8::try_from(date.hour()).unwrap_or_default(),
            i8::try_from(date.minute()).unwrap_or_default(),
            i8::try_from(date.second()).unwrap_or_default(),
            0,
        );
        // The time is local where the archive was made, which is most often here. 1980 stands for an unknown date.
        let civil = civil.ok().filter(|civil| civil.year() > 1980);
        let zoned = civil.and_then(|civil| civil.to_zoned(TimeZone::system()).ok());
        dates.changed = zoned.map(|zoned| zoned.timestamp());
    }
    for field in entry.extra_data_fields() {
        if let ExtraField::ExtendedTimestamp(times) = field {
            let time = |time: Option<u32>| time.and_then(|time| seconds(u64::from(time)));
            dates.changed = time(times.mod_time()).or(dates.changed);
            dates.created = time(times.cr_time()).or(dates.created);
        }
    }
    dates
}

fn seconds(seconds: u64) -> Option<Timestamp> {
    let seconds = i64::try_from(seconds).ok().filter(|seconds| *seconds > 0)?;
    Timestamp::from_second(seconds).ok()
}

fn damaged(error: ZipError) -> ReadError {
    let error = io::Error::from(error);
    if error.raw_os_error().is_some() {
        return ReadError::Source(error);
    }
    ReadError::Damaged(error.to_string())
}

/// A part of a file, which is read without a position of the file.
#[derive(Clone)]
struct Section {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Read for Section {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let length = out.len().min(left);
        let read = self.file.read_at(&mut out[..length], self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// A section of which only a limited number of bytes may be read.
struct Rationed {
    section: Section,
    left: Arc<AtomicU64>,
}

impl Read for Rationed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.section.read(out)?;
        let left = self.left.load(Ordering::Relaxed);
        if left != u64::MAX {
            let less = left.checked_sub(read as u64);
            let less = less.ok_or_else(|| io::Error::other("its directory is too long"))?;
            self.left.store(less, Ordering::Relaxed);
        }
        Ok(read)
    }
}

impl Seek for Rationed {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.section.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.section.at.checked_add_signed(offset),
        };
        let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
        self.section.at = target.ok_or_else(invalid)?;
        Ok(self.section.at)
    }
}

/// Checks that as many bytes are read as declared, with the declared checksum.
struct Checked {
    inner: Box<dyn Read + Send>,
    left: u64,
    hasher: crc32fast::Hasher,
    crc32: Option<u32>,
}

impl Read for Checked {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        let damaged = |reason: &str| io::Error::new(io::ErrorKind::InvalidData, reason.to_owned());
        let read = self.inner.read(out)?;
        let left = self.left.checked_sub(read as u64);
        self.left = left.ok_or_else(|| damaged("it is longer than declared"))?;
        self.hasher.update(&out[..read]);
        if read == 0 {
            if self.left > 0 {
                return Err(damaged("it is cut off"));
            }
            if self
                .crc32
                .take()
                .is_some_and(|crc32| crc32 != self.hasher.clone().finalize())
            {
                return Err(damaged("its checksum does not match"));
            }
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::ops::ControlFlow;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn file_of(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, bytes) in entries {
            let method = if bytes.len() > 100 {
                CompressionMethod::Deflated
            } else {
                CompressionMethod::Stored
            };
            let options = SimpleFileOptions::default().compression_method(method);
            zip.start_file(*name, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn listed(bytes: &[u8]) -> Result<Option<Listed>, ReadError> {
        list(file_of(bytes), &mut |_, _| ControlFlow::Continue(()))
    }

    fn paths(listed: &Listed) -> Vec<&str> {
        listed
            .entries
            .iter()
            .map(|(path, _)| path.as_str())
            .collect()
    }

    fn text(listed: &Listed, index: usize) -> io::Result<String> {
        io::read_to_string(reader(&listed.files, &listed.entries[index].1))
    }

    /// Replaces a name in an archive by bytes of the same length.
    fn renamed(mut archive: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
        assert_eq!(from.len(), to.len());
        let mut at = 0;
        while let Some(found) = archive[at..]
            .windows(from.len())
            .position(|part| part == from)
        {
            archive[at + found..][..to.len()].copy_from_slice(to);
            at += found + to.len();
        }
        archive
    }

    #[test]
    fn files_are_listed_below_their_top_folder() {
        let archive = zip_of(&[
            ("Vault/a.md", b"text"),
            ("Vault/b/c.md", b"x"),
            ("__MACOSX/Vault/._a.md", b"-"),
        ]);
        let listed = listed(&archive).unwrap().unwrap();
        assert_eq!(paths(&listed), ["a.md", "b/c.md"]);
        assert_eq!(listed.top.as_deref(), Some("Vault"));
        assert_eq!(text(&listed, 0).unwrap(), "text");
        assert_eq!(listed.skipped[0].reason, SkipReason::Hidden);
    }

    #[test]
    fn names_of_windows_are_decoded() {
        let name = encoding_rs::SHIFT_JIS.encode("日本語のメモ.md").0;
        let placeholder = "a".repeat(name.len());
        let archive = renamed(
            zip_of(&[(&placeholder, b"x"), ("b.md", b"y")]),
            placeholder.as_bytes(),
            &name,
        );
        assert_eq!(
            paths(&listed(&archive).unwrap().unwrap()),
            ["日本語のメモ.md", "b.md"]
        );
        let archive = zip_of(&[("a\\b.md", b"x"), ("c.md", b"")]);
        assert_eq!(
            paths(&listed(&archive).unwrap().unwrap()),
            ["a/b.md", "c.md"]
        );
    }

    #[test]
    fn paths_that_lead_outside_are_skipped() {
        let archive = zip_of(&[
            ("a.md", b"x"),
            ("../b.md", b"y"),
            ("/etc/c.md", b"z"),
            ("C:/d.md", b"w"),
        ]);
        let listed = listed(&archive).unwrap().unwrap();
        assert_eq!(paths(&listed), ["a.md"]);
        let skipped: Vec<_> = listed
            .skipped
            .iter()
            .map(|skipped| (&*skipped.origin, skipped.reason))
            .collect();
        let outside = SkipReason::Outside;
        assert_eq!(
            skipped,
            [
                ("../b.md", outside),
                ("etc/c.md", outside),
                ("C:/d.md", outside)
            ]
        );
    }

    #[test]
    fn symbolic_links_are_skipped() {
        let mut zip = ZipWriter::new(io::Cursor::new(Vec::new()));
        zip.add_symlink("link.md", "/etc/passwd", SimpleFileOptions::default())
            .unwrap();
        let listed = listed(&zip.finish().unwrap().into_inner())
            .unwrap()
            .unwrap();
        assert_eq!(listed.skipped[0].reason, SkipReason::Link);
        assert!(listed.entries.is_empty());
    }

    #[test]
    fn archives_in_an_archive_are_one() {
        let first = zip_of(&[("Export/a.md", b"1")]);
        let second = zip_of(&[("Export/b.md", b"2")]);
        let archive = zip_of(&[("x-Part-1.zip", &first), ("x-Part-2.zip", &second)]);
        let listed = listed(&archive).unwrap().unwrap();
        assert_eq!(paths(&listed), ["a.md", "b.md"]);
        assert_eq!(text(&listed, 1).unwrap(), "2");
    }

    #[test]
    fn damaged_archives_are_refused() {
        let archive = zip_of(&[("a.md", b"some text"), ("b.md", b"more")]);
        let cut_off = listed(&archive[..archive.len() - 30]);
        assert!(matches!(cut_off, Err(ReadError::Damaged(_))));
        let listed = listed(&renamed(archive, b"some text", b"SOME text"))
            .unwrap()
            .unwrap();
        assert_eq!(
            text(&listed, 0).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
        assert_eq!(text(&listed, 1).unwrap(), "more");
    }

    #[test]
    fn bombs_are_refused() {
        let archive = zip_of(&[("bomb.md", &vec![0; 64 << 20])]);
        assert!(matches!(listed(&archive), Err(ReadError::TooMuch(_))));
    }

    #[test]
    fn understated_size_is_noticed() {
        let archive = zip_of(&[("a.md", &[b'x'; 5000])]);
        let archive = renamed(archive, &5000_u32.to_le_bytes(), &10_u32.to_le_bytes());
        let listed = listed(&archive).unwrap().unwrap();
        assert_eq!(
            text(&listed, 0).unwrap_err().kind(),
            io::ErrorKind::InvalidData
        );
    }

    #[test]
    fn encrypted_archive_needs_a_password() {
        let mut archive = zip_of(&[("a.md", b"x")]);
        // The flag of the local header, and that of the directory.
        archive[6] |= 1;
        let directory = archive
            .windows(4)
            .position(|part| part == b"PK\x01\x02")
            .unwrap();
        archive[directory + 8] |= 1;
        assert!(matches!(listed(&archive), Err(ReadError::Password)));
    }

    #[test]
    fn tar_archives_are_listed() {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, bytes) in [("a.md", &b"text"[..]), ("resources/b.png", b"png")] {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mtime(1_700_000_000);
            header.set_cksum();
            tar.append_data(&mut header, name, bytes).unwrap();
        }
        let archive = tar.into_inner().unwrap();
        let found = listed(&archive).unwrap().unwrap();
        assert_eq!(paths(&found), ["a.md", "resources/b.png"]);
        assert_eq!(text(&found, 1).unwrap(), "png");
        let changed = found.entries[0].1.dates.changed.unwrap();
        assert_eq!(changed.as_second(), 1_700_000_000);
        assert!(matches!(
            listed(&archive[..1030]),
            Err(ReadError::Damaged(_))
        ));
    }

    #[test]
    fn other_files_are_no_archives() {
        assert!(listed(b"# A note").unwrap().is_none());
        assert!(listed(b"").unwrap().is_none());
    }
}
