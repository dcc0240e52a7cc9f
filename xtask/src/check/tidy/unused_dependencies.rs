//! Every dependency is named in the code of its crate.

use std::path::Path;

use super::File;
use crate::check::metadata::{Metadata, Package};

pub(super) fn faults(files: &[File], metadata: &Metadata, root: &Path) -> Vec<String> {
    let of_package = |package: Package<'_>| {
        let folders: Vec<&Path> = package
            .source_folders()
            .filter_map(|folder| folder.strip_prefix(root).ok())
            .collect();
        let code: Vec<&File> = files
            .iter()
            .filter(|file| file.is_rust())
            .filter(|file| {
                folders
                    .iter()
                    .any(|folder| Path::new(&file.path).starts_with(folder))
            })
            .collect();
        let unused = package.all_dependencies().filter(|name| {
            !code
                .iter()
                .any(|file| names(&file.text, &name.replace('-', "_")))
        });
        unused
            .map(|name| format!("{} does not use its dependency {name}", package.name()))
            .collect::<Vec<_>>()
    };
    metadata.packages().flat_map(of_package).collect()
}

/// Returns true if a word occurs in a text, and not only as a part of another one.
fn names(text: &str, word: &str) -> bool {
    let is_part = |character: Option<char>| {
        character.is_some_and(|character| character.is_alphanumeric() || character == '_')
    };
    text.match_indices(word).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_dependencies_without_a_use_are_faults() {
        let metadata = Metadata::of(vec![json!({
            "name": "ours",
            "targets": [{"src_path": "/r/crates/ours/src/lib.rs"}],
            "dependencies": [
                {"name": "serde-json", "rename": null},
                {"name": "kamadak-exif", "rename": "exif"},
                {"name": "zip", "rename": null},
            ],
        })]);
        let files = [
            File::of(
                "crates/ours/src/a.rs",
                "use serde_json::Value; fn unzip() {}",
            ),
            File::of("crates/ours/src/b.rs", "exif::Tag::F"),
            File::of("crates/other/src/a.rs", "use zip::Archive;"),
        ];
        let faults = faults(&files, &metadata, Path::new("/r"));
        assert_eq!(faults, ["ours does not use its dependency zip"]);
    }
}
