//! Conflicts of other programs: copies that they have set aside, and markers in texts.

use super::disk::OUTSIDE_COPY;

/// The mark in the names of files that Syncthing has set aside.
const SYNC_CONFLICT: &str = ".sync-conflict-";
/// The number of equal characters in a marker of git.
const MARKER: usize = 7;

/// Returns the file of which a file is a conflict copy, by its path.
pub(super) fn original_of(path: &str) -> Option<String> {
    let at = [SYNC_CONFLICT, OUTSIDE_COPY]
        .iter()
        .find_map(|mark| path.rfind(mark))
        .filter(|at| !path[*at..].contains('/'))?;
    let extension = path[at + 1..]
        .rfind('.')
        .map_or("", |dot| &path[at + 1 + dot..]);
    Some(format!("{}{extension}", &path[..at]))
}

/// Returns true for a text with the conflict markers of git.
pub(super) fn has_conflict_markers(text: &str) -> bool {
    let is_marker = |line: &str, sign: char| {
        let rest = line.trim_start_matches(sign);
        line.len() - rest.len() == MARKER && rest.starts_with(' ')
    };
    let has = |sign: char| text.lines().any(|line| is_marker(line, sign));
    has('<') && has('>')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(copy: &str, original: Option<&str>) {
        assert_eq!(original_of(copy).as_deref(), original, "{copy}");
    }

    #[test]
    fn conflict_copies_lead_to_their_originals() {
        let copy = "pages/a b.sync-conflict-20261118-120000-ABCDEFG.md";
        check(copy, Some("pages/a b.md"));
        check("pages.outside-conflict-abcdefghijkl.md", Some("pages.md"));
        check(
            "pages/a.files/x.sync-conflict-20261118-120000-A",
            Some("pages/a.files/x"),
        );
        check("pages/a.sync-conflict-1/b.md", None);
        check("pages/sync-conflict.md", None);
    }

    #[test]
    fn conflict_markers_need_a_beginning_and_an_end() {
        assert!(has_conflict_markers(
            "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> other\n"
        ));
        assert!(!has_conflict_markers("a\n<<<<<<<\n"));
        assert!(!has_conflict_markers("a heading\n=======\n"));
    }
}
