//! Assigns the sidecars of a folder to its pictures.

use std::collections::HashMap;

use fumikura_fs::path::extension;
use fumikura_xmp::{extension_rank, stem};

use super::entry::EntryKind;
use super::scan::{ScannedEntry, Sidecar};

/// Assigns each picture the sidecar that [`fumikura_xmp`] would find: `a.jpg.xmp`, or else `a.xmp`. A sidecar
/// with a picture is part of that picture, not a separate entry.
pub(super) fn pair(mut all: Vec<ScannedEntry>) -> Vec<ScannedEntry> {
    let sidecars = sidecars(&all);
    if sidecars.is_empty() {
        return all;
    }
    let of = |one: &ScannedEntry| {
        let name = one.name.as_bytes();
        let found = sidecars.get(name).or_else(|| sidecars.get(stem(name)?));
        found
            .filter(|_| one.kind == EntryKind::Picture)
            .map(|found| found.at)
    };
    let pairs: Vec<(usize, usize)> = all
        .iter()
        .enumerate()
        .filter_map(|(at, one)| Some((at, of(one)?)))
        .collect();
    let mut is_part = vec![false; all.len()];
    for (picture, sidecar_index) in pairs {
        let sidecar = Sidecar {
            name: all[sidecar_index].name.as_bytes().into(),
            stat: all[sidecar_index].stat,
        };
        all[picture].sidecar = Some(sidecar);
        is_part[sidecar_index] = true;
    }
    let mut is_part = is_part.into_iter();
    all.retain(|_| is_part.next() == Some(false));
    all
}

/// The position of a sidecar, and its rank among those that differ only in case: the lowest rank wins.
struct PairCandidate {
    rank: usize,
    at: usize,
}

/// Returns all files that are named like sidecars, by their names without the extension.
fn sidecars(all: &[ScannedEntry]) -> HashMap<Vec<u8>, PairCandidate> {
    let mut sidecars: HashMap<Vec<u8>, PairCandidate> = HashMap::new();
    for (at, one) in all.iter().enumerate() {
        let name = one.name.as_bytes();
        let (Some(rank), Some(stem)) = (extension_rank(extension(name)), stem(name)) else {
            continue;
        };
        let is_better = |before: &PairCandidate| rank < before.rank;
        if one.kind == EntryKind::Other && sidecars.get(stem).is_none_or(is_better) {
            sidecars.insert(stem.to_vec(), PairCandidate { rank, at });
        }
    }
    sidecars
}

#[cfg(test)]
mod tests {
    use super::super::natural::NaturalName;
    use super::*;

    #[track_caller]
    fn check(names: &[&str], expected: &[(&str, Option<&str>)]) {
        let scanned = names.iter().map(|name| ScannedEntry {
            name: NaturalName::new(name.as_bytes()),
            kind: EntryKind::of_file(name.as_bytes()),
            stat: None,
            sidecar: None,
        });
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let found: Vec<_> = pair(scanned.collect())
            .into_iter()
            .map(|one| {
                let sidecar = one.sidecar.map(|sidecar| text(&sidecar.name));
                (text(one.name.as_bytes()), sidecar)
            })
            .collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|(name, sidecar)| ((*name).to_owned(), sidecar.map(str::to_owned)))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn sidecars_are_paired_with_their_pictures() {
        check(&["a.jpg", "a.txt"], &[("a.jpg", None), ("a.txt", None)]);
        check(&["a.jpg", "a.jpg.xmp"], &[("a.jpg", Some("a.jpg.xmp"))]);
        check(&["a.nef", "a.xmp"], &[("a.nef", Some("a.xmp"))]);
        // The sidecar with the whole name is read; the other belongs to no picture.
        check(
            &["a.nef", "a.nef.xmp", "a.xmp"],
            &[("a.nef", Some("a.nef.xmp")), ("a.xmp", None)],
        );
        check(
            &["a.jpg", "a.nef", "a.xmp"],
            &[("a.jpg", Some("a.xmp")), ("a.nef", Some("a.xmp"))],
        );
        check(
            &["a.jpg", "a.jpg.XMP", "a.jpg.xmp"],
            &[("a.jpg", Some("a.jpg.xmp")), ("a.jpg.XMP", None)],
        );
        // Sidecars of other files, and of none.
        check(
            &["a.txt", "a.txt.xmp", "b.xmp"],
            &[("a.txt", None), ("a.txt.xmp", None), ("b.xmp", None)],
        );
    }
}
