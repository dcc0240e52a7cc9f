//! A cache with very many thumbnails, as years of use leave it.

use std::fs::{self, File, FileTimes};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Result, anyhow};
use fumikura_base::entropy::{Entropy, SeededEntropy};

/// The minimum size of a thumbnail, in bytes; the maximum is twice as much. Thumbnails are small because only
/// their number matters.
const BYTES: u16 = 256;
/// The period in which the thumbnails were last used, in seconds.
const PERIOD: u32 = 60 * 24 * 60 * 60;

/// Writes `files` thumbnails into the folder of a cache, from two threads. Returns their total size in bytes.
///
/// # Errors
/// Fails if they can't be written.
pub fn fill(thumbs: &Path, files: u32) -> Result<u64> {
    thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || fill_half(thumbs, files, half)));
        let mut bytes = 0;
        for half in halves {
            bytes += half.join().map_err(|_| anyhow!("a thread panicked"))??;
        }
        Ok(bytes)
    })
}

fn fill_half(thumbs: &Path, files: u32, half: u32) -> io::Result<u64> {
    let entropy = SeededEntropy::new(u64::from(half));
    let now = SystemTime::now();
    let contents = [0; 2 * BYTES as usize];
    let mut bytes = 0;
    for _ in (half..files).step_by(2) {
        let mut drawn = [0; 26];
        entropy.fill(&mut drawn);
        let [id @ .., a, b, c, d, e, f] = drawn;
        let length = BYTES + u16::from_be_bytes([a, b]) % BYTES;
        let used = now - Duration::from_secs((u32::from_be_bytes([c, d, e, f]) % PERIOD).into());
        let mut file = create_with_folder(&path(thumbs, &id))?;
        file.write_all(&contents[..usize::from(length)])?;
        file.set_times(FileTimes::new().set_accessed(used).set_modified(used))?;
        bytes += u64::from(length);
    }
    Ok(bytes)
}

/// Returns the path of the thumbnail of the picture with this id.
fn path(thumbs: &Path, id: &[u8]) -> PathBuf {
    let hex: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{hex}-85x85-crop.jpg");
    thumbs.join(&hex[..2]).join(&hex[2..4]).join(name)
}

/// Creates a file, and its folder if that does not exist.
fn create_with_folder(path: &Path) -> io::Result<File> {
    match File::create_new(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create_new(path)
        }
        outcome => outcome,
    }
}

/// Returns a limit for a cache of `bytes` bytes: nothing is evicted by itself, but a request to make room
/// evicts a tenth.
#[must_use]
pub fn limit_for(bytes: u64) -> u64 {
    // Eviction reduces the cache to three quarters of the limit, which is nine tenths of its present size.
    bytes * 12 / 10
}
