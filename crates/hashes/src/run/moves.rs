//! Moved files: pairs missing files with new ones, and groups whole folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::report::Finding;
use crate::digest::Digest;
use crate::folder::Index;
use crate::path::FilePath;
use crate::state::FileState;

/// Pairs each missing file with a new one of the same contents. If there are several, the one whose path has
/// the most similar end is chosen.
pub(super) fn pair(
    missing: &BTreeMap<FilePath, Digest>,
    new: &BTreeMap<FilePath, Digest>,
) -> BTreeMap<FilePath, FilePath> {
    let mut free: HashMap<Digest, BTreeSet<&FilePath>> = HashMap::new();
    for (path, digest) in new {
        free.entry(*digest).or_default().insert(path);
    }
    let mut pairs = BTreeMap::new();
    for (path, digest) in missing {
        let Some(candidates) = free.get_mut(digest) else {
            continue;
        };
        let best = candidates
            .iter()
            .max_by_key(|candidate| common_end(path, candidate))
            .copied();
        if let Some(best) = best {
            candidates.remove(best);
            pairs.insert(path.clone(), best.clone());
        }
    }
    pairs
}

/// Returns the number of components that two paths have in common at the end.
fn common_end(a: &FilePath, b: &FilePath) -> usize {
    let components = |path: &FilePath| -> Vec<Vec<u8>> {
        path.as_bytes()
            .rsplit(|byte| *byte == b'/')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (a, b) = (components(a), components(b));
    a.iter().zip(&b).take_while(|(a, b)| a == b).count()
}

/// Returns one finding for each folder of which all recorded files moved to the same places elsewhere, and
/// one for each other file.
pub(super) fn findings(pairs: &BTreeMap<FilePath, FilePath>, index: &Index) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut covered: Option<FilePath> = None;
    for (from, to) in pairs {
        if covered
            .as_ref()
            .is_some_and(|folder| from.is_within(folder))
        {
            continue;
        }
        let mut finding = Finding::new(from.clone(), FileState::Moved);
        finding.to = Some(to.clone());
        if let Some((old, new, files)) = moved_folder(from, to, pairs, index) {
            covered = Some(old.clone());
            finding = Finding {
                path: old,
                to: Some(new),
                files: Some(files),
                ..finding
            };
        } else if let Some(row) = index.rows.get(from) {
            finding = finding.expecting(row.digest);
            finding.actual = Some(row.digest.into());
            finding.size = row.stat.map(|stat| stat.size);
            finding.mtime = row.stat.and_then(|stat| stat.mtime());
        }
        findings.push(finding);
    }
    findings
}

/// Returns the largest folder around a moved file that moved as a whole, with more than one file.
fn moved_folder(
    from: &FilePath,
    to: &FilePath,
    pairs: &BTreeMap<FilePath, FilePath>,
    index: &Index,
) -> Option<(FilePath, FilePath, u64)> {
    let mut largest = None;
    let (mut old, mut new) = (from.clone(), to.clone());
    while old.file_name() == new.file_name() {
        let (Some(above_old), Some(above_new)) = (old.parent(), new.parent()) else {
            break;
        };
        (old, new) = (above_old, above_new);
        if old == new {
            break;
        }
        let Some(files) = files_moved(&old, &new, pairs, index) else {
            break;
        };
        if files > 1 {
            largest = Some((old.clone(), new.clone(), files));
        }
    }
    // The name of a renamed folder differs, and everything within it agrees.
    largest
}

/// Returns the number of recorded files in the folder, if each moved to the same place in the other folder.
fn files_moved(
    old: &FilePath,
    new: &FilePath,
    pairs: &BTreeMap<FilePath, FilePath>,
    index: &Index,
) -> Option<u64> {
    let mut files = 0;
    for (path, _) in index.within(old) {
        let below = &path.as_bytes()[old.as_bytes().len()..];
        let expected = [new.as_bytes(), below].concat();
        if pairs.get(path)?.as_bytes() != expected {
            return None;
        }
        files += 1;
    }
    Some(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{RecordKind, RecordRow};

    fn path(text: &str) -> FilePath {
        FilePath::new(text).unwrap()
    }

    fn index(paths: &[&str]) -> Index {
        let row = RecordRow {
            name: Vec::new(),
            kind: RecordKind::Encoded,
            digest: Digest([0; 32]),
            stat: None,
            recorded_at: None,
            verified_at: None,
            state: None,
            is_lossy: false,
            is_newer: false,
            has_analysis: false,
            file: None,
        };
        Index {
            rows: paths.iter().map(|text| (path(text), row.clone())).collect(),
            problems: Vec::new(),
        }
    }

    #[track_caller]
    fn check(recorded: &[&str], moves: &[(&str, &str)], expected: &[(&str, &str, Option<u64>)]) {
        let pairs = moves
            .iter()
            .map(|(from, to)| (path(from), path(to)))
            .collect();
        let findings = findings(&pairs, &index(recorded));
        let actual: Vec<_> = findings
            .iter()
            .map(|finding| {
                (
                    finding.path.to_text(),
                    finding.to.as_ref().unwrap().to_text(),
                    finding.files,
                )
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(from, to, files)| ((*from).into(), (*to).into(), *files))
            .collect();
        assert_eq!(actual, expected);
    }

    #[test]
    fn wholly_moved_folder_is_one_finding() {
        check(
            &["/a/x", "/a/b/y", "/c"],
            &[("/a/x", "/n/x"), ("/a/b/y", "/n/b/y")],
            &[("/a", "/n", Some(2))],
        );
        check(
            &["/p/a/x", "/p/a/y"],
            &[("/p/a/x", "/q/a/x"), ("/p/a/y", "/q/a/y")],
            &[("/p", "/q", Some(2))],
        );
        check(
            &["/p/a/x", "/p/a/y", "/p/z"],
            &[("/p/a/x", "/q/a/x"), ("/p/a/y", "/q/a/y")],
            &[("/p/a", "/q/a", Some(2))],
        );
    }

    #[test]
    fn files_moved_individually_are_separate_findings() {
        check(
            &["/a/x", "/a/y"],
            &[("/a/x", "/n/x")],
            &[("/a/x", "/n/x", None)],
        );
        check(
            &["/a/x", "/a/y"],
            &[("/a/x", "/n/x"), ("/a/y", "/m/y")],
            &[("/a/x", "/n/x", None), ("/a/y", "/m/y", None)],
        );
        check(&["/a/x"], &[("/a/x", "/a/z")], &[("/a/x", "/a/z", None)]);
    }

    #[test]
    fn equal_contents_are_paired_by_path_suffix() {
        let of = |paths: &[&str]| {
            paths
                .iter()
                .map(|text| (path(text), Digest([7; 32])))
                .collect()
        };
        let pairs = pair(
            &of(&["/a/1.jpg", "/a/2.jpg"]),
            &of(&["/b/2.jpg", "/b/1.jpg", "/b/3.jpg"]),
        );
        let expected = [("/a/1.jpg", "/b/1.jpg"), ("/a/2.jpg", "/b/2.jpg")];
        assert_eq!(
            pairs,
            expected.map(|(from, to)| (path(from), path(to))).into()
        );
    }
}
