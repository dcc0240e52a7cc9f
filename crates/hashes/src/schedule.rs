//! Rolling verification: every recorded file, and every file whose hash another store keeps, is read again
//! within a number of days, part by part.

use std::collections::BTreeMap;
use std::io;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::folder::{HashFolder, Index, Verification};
use crate::path::FilePath;
use crate::run::{Report, RunError, RunObserver, Scope, StoredFile, StoredFiles, VerifyOptions};
use crate::state::FileState;

const FILE: &str = "schedule.json";
const GIB: u64 = 1 << 30;
/// The largest number of files of a part, which limits the memory for their paths.
const FILES: usize = 2000;

/// The settings of rolling verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// True if it runs. It is off until the user turns it on.
    pub enabled: bool,
    /// The number of days within which each file is read.
    pub days: u32,
    /// The largest number of GiB that are read in a day.
    pub gib_a_day: u32,
}

/// The number of bytes that were read today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct DayUsage {
    day: Option<Date>,
    bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct ScheduleFile {
    #[serde(flatten)]
    schedule: Schedule,
    #[serde(default)]
    spent: DayUsage,
}

/// The bounds of a part, and the time at which it is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartBounds {
    /// The largest number of bytes to read.
    pub bytes: u64,
    /// The day to whose share they count.
    pub today: Date,
    /// The time.
    pub now: Timestamp,
}

/// The data about the files that may be verified next.
pub struct Candidates<'a> {
    /// The records.
    pub index: &'a Index,
    /// Returns true if a recorded file's disk is absent.
    pub is_absent: &'a dyn Fn(&FilePath) -> bool,
    /// The files of another store.
    pub stored: &'a [StoredFile],
    /// Their last verifications, by id.
    pub verifications: &'a BTreeMap<String, Verification>,
}

/// A file to be verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DueFile<'a> {
    Recorded(&'a FilePath),
    /// A file of another store.
    Stored(&'a StoredFile),
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            enabled: false,
            days: 30,
            gib_a_day: 50,
        }
    }
}

impl Schedule {
    /// The days that can be set.
    pub const DAYS: std::ops::RangeInclusive<u32> = 1..=3650;
    /// The GiB a day that can be set.
    pub const GIB_A_DAY: std::ops::RangeInclusive<u32> = 1..=100_000;

    /// Returns the files to read next, within a number of bytes: those verified longest ago first.
    ///
    /// A file is due when half of the period has passed, which leaves a slow disk the other half. Recorded
    /// files that differ from their records wait for a user's decision, and absent ones for their disk. Files
    /// of another store need no decision: damaged ones are due as often as the others.
    #[must_use]
    pub fn next<'a>(&self, from: &Candidates<'a>, now: Timestamp, bytes: u64) -> Vec<DueFile<'a>> {
        let half = SignedDuration::from_hours(i64::from(self.days) * 12);
        let is_due = |at: Option<Timestamp>| at.is_none_or(|at| now.duration_since(at) >= half);
        let mut due: Vec<_> = recorded(from.index)
            .chain(stored(from))
            .filter(|(at, _, _)| is_due(*at))
            .collect();
        due.sort_by_key(|(at, _, _)| *at);
        let is_here = |file: &DueFile<'_>| match file {
            DueFile::Recorded(path) => !(from.is_absent)(path),
            DueFile::Stored(_) => true,
        };
        let here = due.into_iter().filter(|(_, _, file)| is_here(file));
        let mut left = bytes;
        let mut next = Vec::new();
        for (_, size, file) in here.take(FILES) {
            // A file that is larger than a day's share is read by itself.
            if size > left && !next.is_empty() {
                break;
            }
            left = left.saturating_sub(size);
            next.push(file);
        }
        next
    }
}

/// Returns recorded files with the times of their verification and their sizes.
fn recorded(index: &Index) -> impl Iterator<Item = (Option<Timestamp>, u64, DueFile<'_>)> {
    let is_sound =
        |state: Option<FileState>| matches!(state, None | Some(FileState::Ok | FileState::Touched));
    let rows = index
        .rows
        .iter()
        .filter(move |(_, row)| is_sound(row.state));
    rows.map(|(path, row)| {
        let size = row.stat.map_or(0, |stat| stat.size);
        (row.verified_at, size, DueFile::Recorded(path))
    })
}

/// Returns files of another store with the times at which they were read and their sizes.
fn stored<'a>(
    from: &Candidates<'a>,
) -> impl Iterator<Item = (Option<Timestamp>, u64, DueFile<'a>)> + use<'a> {
    let verifications = from.verifications;
    from.stored.iter().map(move |file| {
        let read_at = verifications.get(&file.id).map(|last| last.read_at);
        (read_at, file.size, DueFile::Stored(file))
    })
}

impl HashFolder {
    /// Returns the settings of rolling verification here.
    ///
    /// # Errors
    /// Errors of the file system, and [`io::ErrorKind::InvalidData`] if the file is damaged.
    pub fn schedule(&self) -> io::Result<Schedule> {
        Ok(self.stored_schedule()?.schedule)
    }

    /// Changes the settings of rolling verification here.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn set_schedule(&self, schedule: Schedule) -> io::Result<()> {
        let _lock = self.lock()?;
        let spent = self.stored_schedule()?.spent;
        self.store_schedule(&ScheduleFile { schedule, spent })
    }

    /// Verifies the next part, within the rest of the day's share. Returns `None` if nothing is due.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn verify_next(
        &self,
        part: PartBounds,
        stored: &StoredFiles<'_>,
        observer: &dyn RunObserver,
    ) -> Result<Option<Report>, RunError> {
        let settings = self.stored_schedule()?;
        let schedule = settings.schedule;
        let spent = if settings.spent.day == Some(part.today) {
            settings.spent.bytes
        } else {
            0
        };
        let left = (u64::from(schedule.gib_a_day) * GIB).saturating_sub(spent);
        if !schedule.enabled || left == 0 {
            return Ok(None);
        }
        let index = self.index()?;
        let from = Candidates {
            index: &index,
            is_absent: &self.absence_check()?,
            stored: stored.files,
            verifications: &self.verifications(),
        };
        let due = schedule.next(&from, part.now, part.bytes.min(left));
        if due.is_empty() {
            return Ok(None);
        }
        let report = self.verify_due(&due, stored, part.now, observer)?;
        let spent = DayUsage {
            day: Some(part.today),
            bytes: spent + report.bytes_read,
        };
        let _lock = self.lock()?;
        let schedule = self.stored_schedule()?.schedule;
        self.store_schedule(&ScheduleFile { schedule, spent })?;
        Ok(Some(report))
    }

    fn verify_due(
        &self,
        due: &[DueFile<'_>],
        stored: &StoredFiles<'_>,
        now: Timestamp,
        observer: &dyn RunObserver,
    ) -> Result<Report, RunError> {
        let (mut paths, mut files) = (Vec::new(), Vec::new());
        for file in due {
            match file {
                DueFile::Recorded(path) => paths.push((*path).clone()),
                DueFile::Stored(file) => files.push(*file),
            }
        }
        let options = VerifyOptions {
            is_part: true,
            ..VerifyOptions::default()
        };
        let mut report = match paths.is_empty() {
            true => Report::default(),
            false => self.verify(&Scope::Paths(paths), &options, now, observer)?,
        };
        self.verify_stored(files, stored, &mut report, now, observer)?;
        Ok(report)
    }

    fn stored_schedule(&self) -> io::Result<ScheduleFile> {
        match own_file::read(&self.own(FILE), own_file::VALUE) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(ScheduleFile {
                schedule: Schedule::default(),
                spent: DayUsage::default(),
            }),
            Err(error) => Err(error),
        }
    }

    fn store_schedule(&self, stored: &ScheduleFile) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(stored)?;
        durable::write_file(&self.own(FILE), &bytes, Access::Private)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::folder::{RecordKind, RecordRow};
    use crate::stat::FileStat;

    const DAY: i64 = 86_400;

    fn row(size: u64, verified: Option<i64>) -> RecordRow {
        RecordRow {
            name: Vec::new(),
            kind: RecordKind::Encoded,
            digest: Digest([0; 32]),
            stat: Some(FileStat {
                size,
                mtime_ns: 0,
                ctime_ns: 0,
                inode: 1,
            }),
            recorded_at: None,
            verified_at: verified.map(|second| Timestamp::from_second(second).unwrap()),
            state: None,
            is_lossy: false,
            is_newer: false,
            has_analysis: false,
            file: None,
        }
    }

    #[test]
    fn longest_unverified_files_come_first() {
        let rows = [
            ("/new", row(1, Some(100 * DAY))),
            ("/old", row(1, Some(10 * DAY))),
            ("/never", row(5, None)),
            ("/older", row(9, Some(DAY))),
            ("/away", row(1, None)),
        ];
        let index = Index {
            rows: rows
                .map(|(path, row)| (FilePath::new(path).unwrap(), row))
                .into(),
            problems: Vec::new(),
        };
        let schedule = Schedule {
            enabled: true,
            days: 30,
            gib_a_day: 1,
        };
        let files = [("wiki-new", 2), ("wiki-old", 3)].map(|(id, size)| StoredFile {
            id: id.to_owned(),
            path: FilePath::new("/w").unwrap(),
            size,
            digest: Digest([0; 32]),
        });
        let read = Verification {
            state: FileState::Differs,
            read_at: Timestamp::from_second(5 * DAY).unwrap(),
            verified_at: None,
        };
        let from = Candidates {
            index: &index,
            is_absent: &|path| path.to_text() == "/away",
            stored: &files,
            verifications: &[("wiki-old".to_owned(), read)].into(),
        };
        let next = |day: i64, bytes| -> Vec<String> {
            let now = Timestamp::from_second(day * DAY).unwrap();
            let due = schedule.next(&from, now, bytes);
            let names = due.into_iter().map(|file| match file {
                DueFile::Recorded(path) => path.to_text().into_owned(),
                DueFile::Stored(file) => file.id.clone(),
            });
            names.collect()
        };
        let all = ["/never", "wiki-new", "/older", "wiki-old", "/old"];
        assert_eq!(next(101, 100), all);
        assert_eq!(next(101, 7), all[..2]);
        assert_eq!(next(101, 1), all[..1]);
        assert_eq!(next(115, 100), [&all[..], &["/new"]].concat());
        assert_eq!(next(114, 100), all);
    }
}
