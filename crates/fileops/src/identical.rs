//! Counts the files whose contents another file has too.

use std::fs::File;
use std::io::{self, Read};

use fumikura_fs::{NodeKind, Source, Stat};

/// Two places, each with the state of its entry.
pub(super) type FilePair = [(Source, Stat); 2];

/// The number of bytes that are compared at most, because the user waits: about a second from a disk.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
const CHUNK: u64 = 64 * 1024;

/// Comparisons of pairs of files, of at most [`MAX_BYTES`] in total.
#[derive(Default)]
pub(super) struct Comparison {
    /// The number of bytes that were compared.
    compared: u64,
}

impl Comparison {
    /// Returns true if both are files with identical contents; `None` if they are too large to be compared now, or if
    /// one of them can't be read.
    pub(super) fn are_identical(&mut self, pair: &FilePair) -> Option<bool> {
        let [(a, of_a), (b, of_b)] = pair;
        let are_files = of_a.kind == NodeKind::File && of_b.kind == NodeKind::File;
        if !are_files || of_a.size != of_b.size {
            return Some(false);
        }
        let total = self.compared.saturating_add(of_a.size);
        if total > MAX_BYTES {
            return None;
        }
        self.compared = total;
        have_equal_contents(open(a)?, open(b)?).ok()
    }
}

/// Counts the pairs of files with identical contents. Returns `None` if they are too large to be compared now, or if
/// one of them can't be read.
pub(super) fn count(pairs: &[FilePair]) -> Option<usize> {
    let candidates = pairs.iter().filter(|[(_, a), (_, b)]| {
        let are_files = a.kind == NodeKind::File && b.kind == NodeKind::File;
        are_files && a.size == b.size
    });
    let candidates: Vec<&FilePair> = candidates.collect();
    let total: u64 = candidates.iter().map(|[(_, stat), _]| stat.size).sum();
    if total > MAX_BYTES {
        return None;
    }
    let mut identical = 0;
    for [(a, _), (b, _)] in candidates {
        let (a, b) = (open(a)?, open(b)?);
        identical += usize::from(have_equal_contents(a, b).ok()?);
    }
    Some(identical)
}

fn open(source: &Source) -> Option<File> {
    let top = source.open_root().ok()?;
    top.open_file(source.path()).ok().map(|(file, _)| file)
}

fn have_equal_contents(mut a: File, mut b: File) -> io::Result<bool> {
    let (mut piece_of_a, mut piece_of_b) = (Vec::new(), Vec::new());
    loop {
        piece_of_a.clear();
        piece_of_b.clear();
        a.by_ref().take(CHUNK).read_to_end(&mut piece_of_a)?;
        b.by_ref().take(CHUNK).read_to_end(&mut piece_of_b)?;
        if piece_of_a != piece_of_b {
            return Ok(false);
        }
        if piece_of_a.is_empty() {
            return Ok(true);
        }
    }
}
