//! Values of properties as Notion writes them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use crate::document::{FrontMatter, is_number};
use crate::tree::Dates;

/// Adds a property with a value as it is displayed. The value determines its kind, because exports don't name it.
pub(super) fn add(front_matter: &mut FrontMatter, dates: &mut Dates, name: &str, value: &str) {
    let value = value.trim();
    if value.is_empty() {
        return;
    }
    let time = date_time(value);
    match name.to_ascii_lowercase().as_str() {
        "tags" | "tag" | "keywords" => {
            return front_matter.list("tags", value.split(',').map(str::to_owned));
        }
        "created" | "created time" | "created at" | "date created" | "作成日時" => {
            dates.created = dates.created.or_else(|| time.and_then(timestamp));
        }
        "updated" | "last edited" | "last edited time" | "updated at" | "最終更新日時" => {
            dates.changed = dates.changed.or_else(|| time.and_then(timestamp));
        }
        _ => {}
    }
    if let Some(date) = date(value) {
        return front_matter.plain(name, date);
    }
    if let Some(time) = time {
        return front_matter.text(name, &time.strftime("%Y-%m-%d %H:%M").to_string());
    }
    if is_number(value) {
        return front_matter.plain(name, value);
    }
    match value {
        "Yes" => front_matter.plain(name, true),
        "No" => front_matter.plain(name, false),
        value => front_matter.text(name, value),
    }
}

/// Reads a day.
pub(super) fn date(value: &str) -> Option<Date> {
    let value = value.trim_start_matches('@');
    let formats = [
        "%B %d, %Y",
        "%Y/%m/%d",
        "%Y-%m-%d",
        "%b %d, %Y",
        "%Y年%m月%d日",
    ];
    formats
        .iter()
        .find_map(|format| Date::strptime(format, value).ok())
}

/// Reads a day with a time.
pub(super) fn date_time(value: &str) -> Option<DateTime> {
    let value = value.trim_start_matches('@');
    // An offset of the zone may follow.
    let value = value.split(" (").next().unwrap_or(value);
    let formats = [
        "%B %d, %Y %I:%M %p",
        "%B %d, %Y %H:%M",
        "%Y/%m/%d %H:%M",
        "%Y-%m-%d %H:%M",
        "%Y-%m-%dT%H:%M:%S",
        "%b %d, %Y %I:%M %p",
        "%Y年%m月%d日 %H:%M",
    ];
    let time = formats
        .iter()
        .find_map(|format| DateTime::strptime(format, value).ok());
    time.or_else(|| date(value).map(|date| date.at(0, 0, 0, 0)))
}

/// The time is local where the export was made, which is most often here.
fn timestamp(time: DateTime) -> Option<Timestamp> {
    time.to_zoned(TimeZone::system())
        .ok()
        .map(|zoned| zoned.timestamp())
}
