//! Checks that every path that the code map names exists.

use std::collections::BTreeSet;

use super::File;
use crate::paths;

const MAPS: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"];

pub(super) fn faults(files: &[File]) -> Vec<String> {
    let tops: BTreeSet<&str> = files
        .iter()
        .filter_map(|file| file.path.split_once('/').map(|(top, _)| top))
        .collect();
    files
        .iter()
        .filter(|file| MAPS.contains(&file.path.as_str()))
        .flat_map(|file| named_paths(&file.text, &tops).map(move |path| (file, path)))
        .filter(|(_, path)| !paths::root().join(path).exists())
        .map(|(file, path)| format!("{}: `{path}` does not exist", file.path))
        .collect()
}

/// Returns the words of a document that begin with one of the repository's own folders.
fn named_paths<'a>(text: &'a str, tops: &'a BTreeSet<&str>) -> impl Iterator<Item = &'a str> {
    text.split(|letter: char| letter.is_whitespace() || "`()[]<>,;\"'|".contains(letter))
        .map(|word| word.trim_end_matches(['.', ':', '/']))
        .filter(|word| {
            word.split_once('/')
                .is_some_and(|(top, _)| tops.contains(top))
        })
        // A pattern names many files, or none.
        .filter(|word| !word.contains(['*', '{', '…', '#', '$']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_with_a_folder_of_the_repository() {
        let tops = BTreeSet::from(["crates", "ui"]);
        let text = "See `crates/wiki/src/store/`, (ui/src/main.ts). Not text/markdown, nor crates/{a,b}, nor and/or.";
        assert_eq!(
            named_paths(text, &tops).collect::<Vec<_>>(),
            ["crates/wiki/src/store", "ui/src/main.ts"]
        );
    }
}
