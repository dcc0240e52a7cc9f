//! Valid and unique paths for notes.

use std::collections::{HashMap, HashSet};

use fumikura_base::characters::unshowable;
use jiff::civil::Date;

use crate::path::PagePath;

/// The longest name that is kept if the path is too long, in bytes.
const MAX_NAME_BYTES: usize = 160;
/// The number of folders that are kept if the path is too deep or still too long: the outermost ones.
const MAX_FOLDERS: usize = 4;
/// A name without a visible character.
const UNNAMED: &str = "untitled";

/// Returns the path that a note with this place would have below a page if nothing was there.
#[must_use]
pub fn place_path(into: &PagePath, place: &[String]) -> PagePath {
    path_for(into, place).0
}

/// Returns the path for a place below a page, and whether a name had to be changed.
pub(super) fn path_for(into: &PagePath, place: &[String]) -> (PagePath, bool) {
    let names: Vec<String> = place.iter().map(|name| valid_name(name)).collect();
    let changed = names.iter().ne(place.iter().map(|name| name.trim()));
    if let Some(path) = below(into, &names) {
        return (path, changed);
    }
    let mut short: Vec<String> = names.iter().map(|name| shortened(name)).collect();
    if below(into, &short).is_none() && short.len() > MAX_FOLDERS {
        let last = short.pop().unwrap_or_default();
        short.truncate(MAX_FOLDERS);
        short.push(last);
    }
    let last = short.last().map_or(UNNAMED, String::as_str).to_owned();
    let path = below(into, &short)
        .or_else(|| below(into, std::slice::from_ref(&last)))
        .or_else(|| below(&PagePath::root(), &[last]));
    (path.unwrap_or_else(PagePath::root), true)
}

fn below(into: &PagePath, names: &[String]) -> Option<PagePath> {
    let mut path = into.as_str().trim_end_matches('/').to_owned();
    for name in names {
        path.push('/');
        path.push_str(name);
    }
    PagePath::for_new_place(if path.is_empty() { "/" } else { &path }).ok()
}

/// Returns a name without characters that no path may contain, and that would lead elsewhere.
fn valid_name(name: &str) -> String {
    let bad: HashSet<usize> = unshowable(name).map(|(at, _)| at).collect();
    let kept = name.char_indices().filter(|(at, _)| !bad.contains(at));
    let kept = kept.map(|(_, c)| match c {
        '/' => '-',
        c if c.is_control() => ' ',
        c => c,
    });
    let kept: String = kept.collect();
    match kept.trim() {
        "" => UNNAMED.to_owned(),
        "." | ".." => "_".to_owned(),
        // Such an end names a page in the trash.
        name if name.ends_with("@trash") => name.replace("@trash", "@ trash"),
        name => name.to_owned(),
    }
}

fn shortened(name: &str) -> String {
    let is_whole = |at: &usize| name.is_char_boundary(*at);
    let end = (0..=name.len().min(MAX_NAME_BYTES)).rev().find(is_whole);
    name[..end.unwrap_or_default()].trim_end().to_owned()
}

/// Paths that are given away, each once.
#[derive(Default)]
pub(super) struct FreePaths {
    given: HashSet<PagePath>,
    /// The next number to try for a path.
    numbers: HashMap<PagePath, u32>,
}

impl FreePaths {
    /// Returns the path or, if it is taken, one like it with a number.
    pub(super) fn give<E>(
        &mut self,
        wanted: &PagePath,
        mut is_taken: impl FnMut(&PagePath) -> Result<bool, E>,
    ) -> Result<PagePath, E> {
        if !wanted.is_root() && !self.given.contains(wanted) && !is_taken(wanted)? {
            self.given.insert(wanted.clone());
            return Ok(wanted.clone());
        }
        let mut number = *self.numbers.get(wanted).unwrap_or(&2);
        loop {
            let path = numbered(wanted, number);
            number += 1;
            if !self.given.contains(&path) && !is_taken(&path)? {
                self.numbers.insert(wanted.clone(), number);
                self.given.insert(path.clone());
                return Ok(path);
            }
        }
    }
}

fn numbered(path: &PagePath, number: u32) -> PagePath {
    let mut stem = match path.as_str() {
        "/" => "/page",
        stem => stem,
    };
    loop {
        match PagePath::new(&format!("{stem} {number}")) {
            Ok(path) => return path,
            Err(_) => {
                let shorter = stem.char_indices().next_back().map_or(0, |(at, _)| at);
                stem = &stem[..shorter];
            }
        }
    }
}

/// Returns the path of a day's note by the pattern of the settings, or `None` if the pattern has a part of a date that
/// only the page's script knows.
pub(super) fn daily_path(pattern: &str, day: Date) -> Option<PagePath> {
    let mut path = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once("{{date:") {
        let (format, after) = after.split_once("}}")?;
        path.push_str(before);
        path.push_str(&formatted(format, day)?);
        rest = after;
    }
    path.push_str(rest);
    PagePath::new(&path).ok()
}

fn formatted(format: &str, day: Date) -> Option<String> {
    let mut out = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if let Some(literal) = rest.strip_prefix('[') {
            let (literal, after) = literal.split_once(']')?;
            out.push_str(literal);
            rest = after;
            continue;
        }
        let length = rest.find(|c| c != first).unwrap_or(rest.len());
        match &rest[..length] {
            "YYYY" => out.push_str(&format!("{:04}", day.year())),
            "YY" => out.push_str(&format!("{:02}", day.year() % 100)),
            "MM" => out.push_str(&format!("{:02}", day.month())),
            "M" => out.push_str(&day.month().to_string()),
            "DD" => out.push_str(&format!("{:02}", day.day())),
            "D" => out.push_str(&day.day().to_string()),
            other if first.is_ascii_alphabetic() => {
                let _names_of_days_and_months = other;
                return None;
            }
            literal => out.push_str(literal),
        }
        rest = &rest[length..];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(place: &[&str], expected: &str, changed: bool) {
        let place: Vec<String> = place.iter().map(|name| (*name).to_owned()).collect();
        let (path, was_changed) = path_for(&PagePath::new("/in").unwrap(), &place);
        assert_eq!((path.as_str(), was_changed), (expected, changed));
    }

    #[test]
    fn names_become_valid() {
        check(&["a", "京都"], "/in/a/京都", false);
        check(&[], "/in", false);
        check(&["1/2", ".."], "/in/1-2/_", true);
        check(&["a\u{202e}b\tc", " "], "/in/abc/untitled", true);
        check(&["a@trash"], "/in/a@ trash", true);
    }

    #[test]
    fn long_and_deep_places_are_shortened() {
        let long = "長".repeat(300);
        let (path, _) = path_for(&PagePath::root(), &[long.clone(), long.clone()]);
        assert_eq!(path.as_str().len(), 2 * (1 + 159));
        let deep: Vec<String> = (0..100).map(|level| level.to_string()).collect();
        let (path, changed) = path_for(&PagePath::root(), &deep);
        assert_eq!((path.as_str(), changed), ("/0/1/2/3/99", true));
    }

    #[test]
    fn taken_paths_get_numbers() {
        let mut paths = FreePaths::default();
        let wanted = PagePath::new("/a").unwrap();
        let mut give = || {
            let taken = |path: &PagePath| Ok::<_, ()>(path.as_str() == "/a 3");
            paths.give(&wanted, taken).unwrap().to_string()
        };
        assert_eq!([give(), give(), give()], ["/a", "/a 2", "/a 4"]);
    }

    #[test]
    fn daily_paths_follow_the_pattern() {
        let day = jiff::civil::date(2026, 3, 5);
        let path = |pattern: &str| daily_path(pattern, day).map(|path| path.to_string());
        assert_eq!(
            path("/daily/{{date:YYYY-MM-DD}}").unwrap(),
            "/daily/2026-03-05"
        );
        assert_eq!(
            path("/{{date:YYYY}}/{{date:M月D日 [note]}}").unwrap(),
            "/2026/3月5日 note"
        );
        assert_eq!(path("/{{date:YYYY-MM-DD dddd}}"), None);
    }
}
