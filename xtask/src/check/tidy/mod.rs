//! The house rules as code: each rule is a pure function over the repository's files.

mod dependencies;
mod documents;
mod file_length;
mod forbidden_words;
mod links;
mod module_comments;
mod own_files;
mod store;
mod unused_dependencies;

use std::fs;

use anyhow::{Result, bail};

use super::metadata;
use crate::{command, paths};

/// A text file of the repository.
struct File {
    /// Relative to the root, with slashes.
    path: String,
    text: String,
}

pub(super) fn run() -> Result<()> {
    let files = files()?;
    let mut faults = Vec::new();
    faults.extend(file_length::faults(&files));
    faults.extend(module_comments::faults(&files));
    faults.extend(forbidden_words::faults(&files));
    faults.extend(store::faults(&files));
    faults.extend(own_files::faults(&files));
    faults.extend(documents::faults(&files));
    faults.extend(links::faults(&files));
    let metadata = metadata::read()?;
    faults.extend(dependencies::faults(&metadata));
    faults.extend(unused_dependencies::faults(
        &files,
        &metadata,
        paths::root(),
    ));
    if !faults.is_empty() {
        faults.sort();
        bail!("The house rules are broken:\n  {}", faults.join("\n  "));
    }
    Ok(())
}

/// Returns every text file that is in the repository, or would be if it were added.
fn files() -> Result<Vec<File>> {
    let list = command::quiet(command::program("git").args([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]))?;
    // Files that are not UTF-8 are pictures. Files that can't be read were deleted and the deletion is not
    // yet committed.
    let files = list
        .split('\0')
        .filter(|path| !path.is_empty())
        .filter_map(|path| {
            let text = fs::read_to_string(paths::root().join(path)).ok()?;
            Some(File {
                path: path.to_owned(),
                text,
            })
        });
    Ok(files.collect())
}

impl File {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Returns true if a generator writes the file.
    fn is_generated(&self) -> bool {
        self.path.ends_with(".snap")
    }

    #[cfg(test)]
    fn of(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }
}
