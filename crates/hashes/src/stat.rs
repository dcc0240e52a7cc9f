//! The part of a file's status that a record keeps, and the comparison of two.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use jiff::Timestamp;
use rustix::fs::Stat;

const SECOND: i128 = 1_000_000_000;
/// A file that was read within this time of its last change may have been changed again with the same time.
const RACY: Duration = Duration::from_secs(2);

/// The size, times (nanoseconds since 1970) and inode of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct FileStat {
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the contents. Any program can set it.
    pub mtime_ns: i128,
    /// The time of the last change of any kind. Only the system sets it.
    pub ctime_ns: i128,
    /// The inode's number.
    pub inode: u64,
}

impl From<&Metadata> for FileStat {
    fn from(metadata: &Metadata) -> Self {
        let ns = |seconds: i64, ns: i64| i128::from(seconds) * SECOND + i128::from(ns);
        Self {
            size: metadata.size(),
            mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }
}

impl From<&Stat> for FileStat {
    fn from(stat: &Stat) -> Self {
        let ns = |seconds, ns| i128::from(seconds) * SECOND + i128::from(ns);
        Self {
            size: u64::try_from(stat.st_size).unwrap_or(0),
            mtime_ns: ns(stat.st_mtime, stat.st_mtime_nsec),
            ctime_ns: ns(stat.st_ctime, stat.st_ctime_nsec),
            inode: stat.st_ino,
        }
    }
}

impl FileStat {
    /// Returns the time of the last change, if a calendar can express it.
    #[must_use]
    pub fn mtime(&self) -> Option<Timestamp> {
        Timestamp::from_nanosecond(self.mtime_ns).ok()
    }

    /// Returns true if a file read at `read_at` could have been changed afterwards without a later mtime.
    #[must_use]
    pub fn is_racy(&self, read_at: Timestamp) -> bool {
        let after = read_at.as_nanosecond() - self.mtime_ns;
        after < RACY.as_nanos() as i128
    }

    /// Returns true if the file's own mtime is the recorded one.
    #[must_use]
    pub fn has_mtime_of(&self, recorded: &FileStat) -> bool {
        is_same_time(self.mtime_ns, recorded.mtime_ns)
    }

    /// Returns true if the file's own ctime is the recorded one.
    #[must_use]
    pub fn has_ctime_of(&self, recorded: &FileStat) -> bool {
        is_same_time(self.ctime_ns, recorded.ctime_ns)
    }
}

/// Compares two times at the coarser of their granularities.
fn is_same_time(a: i128, b: i128) -> bool {
    a.abs_diff(b) < granularity(a).max(granularity(b)).unsigned_abs()
}

/// Returns the coarsest unit that a file system with such a time may have: FAT stores even seconds only,
/// others whole seconds, milliseconds, or NTFS's 100 nanoseconds.
fn granularity(time: i128) -> i128 {
    let units = [2 * SECOND, SECOND, 1_000_000, 100];
    units.into_iter().find(|unit| time % unit == 0).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: i128, b: i128, expected: bool) {
        assert_eq!(
            (is_same_time(a, b), is_same_time(b, a)),
            (expected, expected)
        );
    }

    #[test]
    fn times_are_compared_at_the_coarser_granularity() {
        let exact = 1_700_000_001 * SECOND + 123_456_789;
        check(exact, exact, true);
        check(exact, exact + 1, false);
        check(exact, exact - exact % 100, true);
        check(exact, exact - exact % SECOND, true);
        check(exact, 1_700_000_000 * SECOND, true);
        check(exact, 1_700_000_004 * SECOND, false);
        // Both are whole seconds, and at least one is odd: a second is a difference unless FAT wrote the other.
        check(1_700_000_001 * SECOND, 1_700_000_003 * SECOND, false);
        check(-1, 0, true);
        check(-3 * SECOND, 0, false);
    }

    #[test]
    fn read_soon_after_a_change_is_racy() {
        let stat = FileStat {
            size: 0,
            mtime_ns: 10 * SECOND,
            ctime_ns: 0,
            inode: 1,
        };
        let at = |ns: i128| Timestamp::from_nanosecond(ns).unwrap();
        assert!(stat.is_racy(at(10 * SECOND)));
        assert!(stat.is_racy(at(12 * SECOND - 1)));
        assert!(!stat.is_racy(at(12 * SECOND)));
        assert!(stat.is_racy(at(0)), "a time in the future proves nothing");
    }
}
