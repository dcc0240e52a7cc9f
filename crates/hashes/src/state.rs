//! The states of a recorded file, and the rule that chooses between them (docs/spec/hash-files.md, "States").

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::stat::FileStat;

/// The state of a file or a record; docs/spec/hash-files.md describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema), schema(as = HashState))]
#[serde(rename_all = "snake_case")]
pub enum FileState {
    /// The contents match the record.
    Ok,
    /// Contents and mtime differ: the file was edited.
    Changed,
    /// The contents differ though size, mtime and ctime match the record: the disk lost them.
    Corrupt,
    /// The contents differ, size and mtime match the record, ctime is newer: the time was set back after a change.
    Altered,
    /// The contents match the record, the mtime differs.
    Touched,
    /// The file has no record.
    New,
    /// The contents are at another path.
    Moved,
    /// The file does not exist.
    Missing,
    /// The folder of the files does not exist.
    RootAway,
    /// The file cannot be read.
    Unreadable,
    /// Only the contents differ, and the file was recorded too soon after its last change to distinguish
    /// damage from a change.
    Racy,
    /// The contents differ from a record without times.
    Differs,
    /// A record whose file does not exist.
    Orphan,
    /// A record or its name is malformed.
    Malformed,
    /// A record under the name of another path, or two records of one path.
    Collision,
    /// A record under the name from before encoded names.
    Legacy,
    /// Not a record.
    Foreign,
}

impl FileState {
    /// All states, in the order of the enum.
    pub const ALL: [Self; 17] = [
        Self::Ok,
        Self::Changed,
        Self::Corrupt,
        Self::Altered,
        Self::Touched,
        Self::New,
        Self::Moved,
        Self::Missing,
        Self::RootAway,
        Self::Unreadable,
        Self::Racy,
        Self::Differs,
        Self::Orphan,
        Self::Malformed,
        Self::Collision,
        Self::Legacy,
        Self::Foreign,
    ];

    /// Returns the position in a report: states that need a decision come first, mere information last.
    #[must_use]
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Corrupt => 0,
            Self::Altered => 1,
            Self::Differs => 2,
            Self::Changed => 3,
            Self::Missing => 4,
            Self::Racy => 5,
            Self::Unreadable => 6,
            Self::Collision => 7,
            Self::Malformed => 8,
            Self::Moved => 9,
            Self::RootAway => 10,
            Self::Touched => 11,
            Self::New => 12,
            Self::Orphan => 13,
            Self::Legacy => 14,
            Self::Foreign => 15,
            Self::Ok => 16,
        }
    }

    /// Returns the word for it in JSON and on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Changed => "changed",
            Self::Corrupt => "corrupt",
            Self::Altered => "altered",
            Self::Touched => "touched",
            Self::New => "new",
            Self::Moved => "moved",
            Self::Missing => "missing",
            Self::RootAway => "root_away",
            Self::Unreadable => "unreadable",
            Self::Racy => "racy",
            Self::Differs => "differs",
            Self::Orphan => "orphan",
            Self::Malformed => "malformed",
            Self::Collision => "collision",
            Self::Legacy => "legacy",
            Self::Foreign => "foreign",
        }
    }
}

/// The part of a record with which a file is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Baseline {
    /// The contents.
    pub digest: Digest,
    /// The file's size, times and inode. Other programs' records have none.
    pub stat: Option<FileStat>,
    /// The time at which the contents were last read and matched.
    pub read_at: Option<Timestamp>,
}

/// Compares a file that was read with its record.
#[must_use]
pub fn judge(baseline: &Baseline, digest: Digest, stat: &FileStat) -> FileState {
    let is_same = digest == baseline.digest;
    let Some(before) = &baseline.stat else {
        return if is_same {
            FileState::Ok
        } else {
            FileState::Differs
        };
    };
    let same_mtime = stat.has_mtime_of(before);
    match (is_same, same_mtime && stat.size == before.size) {
        (true, _) if same_mtime => FileState::Ok,
        (true, _) => FileState::Touched,
        (false, false) => FileState::Changed,
        (false, true) if !stat.has_ctime_of(before) => FileState::Altered,
        (false, true) if baseline.read_at.is_none_or(|at| before.is_racy(at)) => FileState::Racy,
        (false, true) => FileState::Corrupt,
    }
}

/// Returns true if a file with this `stat` counts as unchanged without being read.
#[must_use]
pub fn is_unchanged(baseline: &Baseline, stat: &FileStat) -> bool {
    let is_settled = |before: &FileStat| baseline.read_at.is_some_and(|at| !before.is_racy(at));
    baseline
        .stat
        .is_some_and(|before| before == *stat && is_settled(&before))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: i128 = 1_000_000_000;
    const BEFORE: FileStat = FileStat {
        size: 5,
        mtime_ns: 1_000 * SECOND + 77,
        ctime_ns: 1_000 * SECOND + 99,
        inode: 7,
    };

    fn baseline(read_after: i128) -> Baseline {
        Baseline {
            digest: Digest([1; 32]),
            stat: Some(BEFORE),
            read_at: Some(Timestamp::from_nanosecond(BEFORE.mtime_ns + read_after).unwrap()),
        }
    }

    #[track_caller]
    fn check(is_same: bool, change: impl FnOnce(&mut FileStat), expected: FileState) {
        let mut stat = BEFORE;
        change(&mut stat);
        let digest = Digest([if is_same { 1 } else { 2 }; 32]);
        assert_eq!(judge(&baseline(60 * SECOND), digest, &stat), expected);
    }

    #[test]
    fn states_follow_from_contents_and_times() {
        check(true, |_| (), FileState::Ok);
        check(true, |stat| stat.ctime_ns += SECOND, FileState::Ok);
        check(true, |stat| stat.inode = 8, FileState::Ok);
        check(true, |stat| stat.mtime_ns += 5 * SECOND, FileState::Touched);
        check(
            false,
            |stat| stat.mtime_ns += 5 * SECOND,
            FileState::Changed,
        );
        check(false, |stat| stat.size += 1, FileState::Changed);
        check(false, |stat| stat.ctime_ns += 4_000_003, FileState::Altered);
        check(false, |_| (), FileState::Corrupt);
        check(false, |stat| stat.mtime_ns -= 77, FileState::Corrupt);
    }

    #[test]
    fn damage_is_not_reported_if_change_is_possible() {
        let judged = judge(&baseline(SECOND), Digest([2; 32]), &BEFORE);
        assert_eq!(judged, FileState::Racy);
        let altered = FileStat {
            ctime_ns: BEFORE.ctime_ns + 4_000_003,
            ..BEFORE
        };
        assert_eq!(
            judge(&baseline(SECOND), Digest([2; 32]), &altered),
            FileState::Altered
        );
    }

    #[test]
    fn foreign_records_prove_only_contents() {
        let other = Baseline {
            digest: Digest([1; 32]),
            stat: None,
            read_at: None,
        };
        assert_eq!(judge(&other, Digest([1; 32]), &BEFORE), FileState::Ok);
        assert_eq!(judge(&other, Digest([2; 32]), &BEFORE), FileState::Differs);
        assert!(!is_unchanged(&other, &BEFORE));
    }

    #[test]
    fn only_settled_files_with_equal_stat_are_skipped() {
        assert!(is_unchanged(&baseline(2 * SECOND), &BEFORE));
        assert!(!is_unchanged(&baseline(2 * SECOND - 1), &BEFORE));
        for change in [
            |stat: &mut FileStat| stat.size += 1,
            |stat: &mut FileStat| stat.mtime_ns += 1,
            |stat: &mut FileStat| stat.ctime_ns += 1,
            |stat: &mut FileStat| stat.inode += 1,
        ] {
            let mut stat = BEFORE;
            change(&mut stat);
            assert!(!is_unchanged(&baseline(60 * SECOND), &stat));
        }
    }

    #[test]
    fn words_equal_the_json_names() {
        for state in FileState::ALL {
            assert_eq!(serde_json::to_value(state).unwrap(), state.word());
        }
    }
}
