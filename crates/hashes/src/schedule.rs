//! Rolling verification: every recorded file is read again within so many days, a part at a time.

use std::fs;
use std::io;

use fumikura_base::durable::{self, Access};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::folder::{HashFolder, Index};
use crate::path::FilePath;
use crate::run::{Report, RunError, Scope, VerifyOptions, Watch};
use crate::state::State;

const FILE: &str = "schedule.json";
const GIB: u64 = 1 << 30;
/// Files of one part at most, so that the paths of it stay few.
const FILES: usize = 2000;

/// The settings of rolling verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// True if it runs; off until the person turns it on.
    pub enabled: bool,
    /// Each file is read within so many days.
    pub days: u32,
    /// The most GiB that are read in a day.
    pub gib_a_day: u32,
}

/// The bytes that were read today.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Spent {
    day: Option<Date>,
    bytes: u64,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    #[serde(flatten)]
    schedule: Schedule,
    #[serde(default)]
    spent: Spent,
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
    /// The days and GiB that can be set.
    pub const DAYS: std::ops::RangeInclusive<u32> = 1..=3650;
    /// As [`Schedule::DAYS`].
    pub const GIB_A_DAY: std::ops::RangeInclusive<u32> = 1..=100_000;

    /// The recorded files to read next, within a number of bytes: those verified longest ago first. A file is due when
    /// half of the period has passed, so that a slow disk has the other half. Files that were found to be other than
    /// recorded wait for the person, and those that are away for their disk.
    #[must_use]
    pub fn next(
        &self,
        index: &Index,
        now: Timestamp,
        bytes: u64,
        is_away: &dyn Fn(&FilePath) -> bool,
    ) -> Vec<FilePath> {
        let half = SignedDuration::from_hours(i64::from(self.days) * 12);
        let is_due = |at: Option<Timestamp>| at.is_none_or(|at| now.duration_since(at) >= half);
        let is_sound =
            |state: Option<State>| matches!(state, None | Some(State::Ok | State::Touched));
        let rows = index.rows.iter();
        let mut due: Vec<_> = rows
            .filter(|(_, row)| is_due(row.verified_at) && is_sound(row.state))
            .collect();
        due.sort_by_key(|(_, row)| row.verified_at);
        let mut left = bytes;
        let mut next = Vec::new();
        for (path, row) in due
            .into_iter()
            .filter(|(path, _)| !is_away(path))
            .take(FILES)
        {
            let size = row.stat.map_or(0, |stat| stat.size);
            // One that is larger than a day's share is read by itself.
            if size > left && !next.is_empty() {
                break;
            }
            left = left.saturating_sub(size);
            next.push(path.clone());
        }
        next
    }
}

impl HashFolder {
    /// The settings of rolling verification here.
    ///
    /// # Errors
    /// Those of the file system, and [`io::ErrorKind::InvalidData`] if the file is damaged.
    pub fn schedule(&self) -> io::Result<Schedule> {
        Ok(self.stored_schedule()?.schedule)
    }

    /// Changes the settings of rolling verification here.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn set_schedule(&self, schedule: Schedule) -> io::Result<()> {
        let _lock = self.lock()?;
        let spent = self.stored_schedule()?.spent;
        self.store_schedule(&Stored { schedule, spent })
    }

    /// Verifies the next part: at most so many bytes, within what the day has left. None if nothing is due.
    ///
    /// # Errors
    /// [`RunError`].
    pub fn verify_next(
        &self,
        bytes: u64,
        today: Date,
        now: Timestamp,
        watch: &dyn Watch,
    ) -> Result<Option<Report>, RunError> {
        let stored = self.stored_schedule()?;
        let schedule = stored.schedule;
        let spent = if stored.spent.day == Some(today) {
            stored.spent.bytes
        } else {
            0
        };
        let left = (u64::from(schedule.gib_a_day) * GIB).saturating_sub(spent);
        if !schedule.enabled || left == 0 {
            return Ok(None);
        }
        let away = self.away()?;
        let paths = schedule.next(&self.index()?, now, bytes.min(left), &away);
        if paths.is_empty() {
            return Ok(None);
        }
        let options = VerifyOptions {
            full: true,
            ..VerifyOptions::default()
        };
        let report = self.verify(&Scope::Paths(paths), &options, now, watch)?;
        let spent = Spent {
            day: Some(today),
            bytes: spent + report.bytes_read,
        };
        let _lock = self.lock()?;
        let schedule = self.stored_schedule()?.schedule;
        self.store_schedule(&Stored { schedule, spent })?;
        Ok(Some(report))
    }

    fn stored_schedule(&self) -> io::Result<Stored> {
        match fs::read(self.own(FILE)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Stored {
                schedule: Schedule::default(),
                spent: Spent::default(),
            }),
            Err(error) => Err(error),
        }
    }

    fn store_schedule(&self, stored: &Stored) -> io::Result<()> {
        let bytes = serde_json::to_vec_pretty(stored)?;
        durable::write_file(&self.own(FILE), &bytes, Access::Private)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::Digest;
    use crate::folder::{RecordKind, Row};
    use crate::stat::FileStat;

    const DAY: i64 = 86_400;

    fn row(size: u64, verified: Option<i64>) -> Row {
        Row {
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
        let next = |day: i64, bytes| -> Vec<String> {
            let paths = schedule.next(
                &index,
                Timestamp::from_second(day * DAY).unwrap(),
                bytes,
                &|path| path.to_text() == "/away",
            );
            paths
                .iter()
                .map(|path| path.to_text().into_owned())
                .collect()
        };
        assert_eq!(next(101, 100), ["/never", "/older", "/old"]);
        assert_eq!(next(101, 14), ["/never", "/older"]);
        assert_eq!(next(101, 1), ["/never"]);
        assert_eq!(next(115, 100), ["/never", "/older", "/old", "/new"]);
        assert_eq!(next(114, 100), ["/never", "/older", "/old"]);
    }
}
