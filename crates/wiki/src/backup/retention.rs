//! The backups of the schedule that are kept: by day, week and month.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use jiff::tz::TimeZone;
use serde::Serialize;

use super::record::{BackupCause, ListedBackup};

const DAILY: usize = 7;
const WEEKLY: usize = 4;
const MONTHLY: usize = 12;

/// A rule by which a backup is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum KeepRule {
    /// A user asked for it.
    Requested,
    /// The newest backup that was proved.
    NewestProved,
    /// The newest one with faults, if no proved backup is newer.
    NewestFaulty,
    /// The last of one of 7 days.
    Daily,
    /// The last of one of 4 weeks.
    Weekly,
    /// The last of one of 12 months.
    Monthly,
}

/// Returns the rules that keep each backup, in the order of the list, which is the newest first. A backup without a
/// rule is superfluous. Days are those of the time zone.
#[must_use]
pub fn kept_by(backups: &[ListedBackup], zone: &TimeZone) -> Vec<Vec<KeepRule>> {
    let mut rules = vec![Vec::new(); backups.len()];
    let is_proved = |index: &usize| backups[*index].record.proved_at.is_some();
    let newest_proved = (0..backups.len()).find(is_proved);
    for (index, backup) in backups.iter().enumerate() {
        if backup.record.cause == BackupCause::Request {
            rules[index].push(KeepRule::Requested);
        }
        if newest_proved == Some(index) {
            rules[index].push(KeepRule::NewestProved);
        }
    }
    if let Some(faulty) = (0..backups.len()).find(|index| !is_proved(index))
        && newest_proved.is_none_or(|proved| faulty < proved)
    {
        rules[faulty].push(KeepRule::NewestFaulty);
    }
    let date = |index: usize| backups[index].record.taken_at.to_zoned(zone.clone()).date();
    let proved: Vec<usize> = (0..backups.len()).filter(is_proved).collect();
    let day = |index| date(index).to_string();
    let week = |index| {
        let week = date(index).iso_week_date();
        format!("{:05}-{:02}", week.year(), week.week())
    };
    let month = |index| date(index).strftime("%Y-%m").to_string();
    let kept = [
        (KeepRule::Daily, last_of_periods(&proved, DAILY, &day)),
        (KeepRule::Weekly, last_of_periods(&proved, WEEKLY, &week)),
        (KeepRule::Monthly, last_of_periods(&proved, MONTHLY, &month)),
    ];
    for (rule, kept) in kept {
        for index in kept {
            rules[index].push(rule);
        }
    }
    rules
}

/// Returns the newest backup of each of the newest periods that have one.
fn last_of_periods(
    newest_first: &[usize],
    count: usize,
    period: &dyn Fn(usize) -> String,
) -> Vec<usize> {
    let mut last = BTreeMap::new();
    for index in newest_first {
        if let Entry::Vacant(vacant) = last.entry(period(*index)) {
            vacant.insert(*index);
        }
    }
    last.into_values().rev().take(count).collect()
}

#[cfg(test)]
mod tests {
    use jiff::{Span, Timestamp};

    use super::*;
    use crate::backup::record::BackupRecord;

    fn backup(taken_at: Timestamp, proved: bool) -> ListedBackup {
        ListedBackup {
            name: taken_at.to_string(),
            record: BackupRecord {
                version: BackupRecord::VERSION,
                taken_at,
                cause: BackupCause::Schedule,
                pages: 1,
                revisions: 1,
                assets: 0,
                bytes: 1,
                rows_sha256: String::new(),
                proved_at: proved.then_some(taken_at),
                read_in_full_at: proved.then_some(taken_at),
                faults: Vec::new(),
                decreases: Vec::new(),
                folder_records: None,
            },
        }
    }

    /// Makes one backup a day and removes what no rule keeps, for `days` days, and returns the rest.
    fn kept_after(days: i64) -> Vec<ListedBackup> {
        let start: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let mut kept: Vec<ListedBackup> = Vec::new();
        for day in 0..days {
            let at = start.checked_add(Span::new().hours(24 * day)).unwrap();
            kept.insert(0, backup(at, true));
            let rules = kept_by(&kept, &TimeZone::UTC);
            let mut rules = rules.iter();
            kept.retain(|_| !rules.next().unwrap().is_empty());
        }
        kept
    }

    #[test]
    fn days_weeks_and_months_are_kept() {
        assert_eq!(kept_after(5).len(), 5);
        let kept = kept_after(800);
        let rules = kept_by(&kept, &TimeZone::UTC);
        let of = |rule| rules.iter().filter(|rules| rules.contains(&rule)).count();
        assert_eq!((of(KeepRule::Daily), of(KeepRule::Weekly)), (7, 4));
        assert_eq!(of(KeepRule::Monthly), 12);
        assert!(kept.len() <= 7 + 4 + 12, "{}", kept.len());
    }

    #[test]
    fn faulty_backup_never_replaces_a_proved_one() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let backups = [
            backup(at("2026-03-02T13:00:00Z"), false),
            backup(at("2026-03-02T12:00:00Z"), true),
            backup(at("2026-03-01T12:00:00Z"), false),
        ];
        let rules = kept_by(&backups, &TimeZone::UTC);
        assert_eq!(rules[0], [KeepRule::NewestFaulty]);
        assert!(rules[1].starts_with(&[KeepRule::NewestProved, KeepRule::Daily]));
        assert_eq!(rules[2], []);
    }

    #[test]
    fn requested_backup_is_always_kept() {
        let mut requested = backup("2020-01-01T00:00:00Z".parse().unwrap(), false);
        requested.record.cause = BackupCause::Request;
        let newer = backup("2026-03-02T12:00:00Z".parse().unwrap(), true);
        let rules = kept_by(&[newer, requested], &TimeZone::UTC);
        assert_eq!(rules[1], [KeepRule::Requested]);
    }
}
