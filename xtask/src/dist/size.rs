//! `cargo xtask bench size`: the sizes of the packages and of their parts, beside the aim.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::{MAX_DEB, is_deb};
use crate::{command, output, paths};

/// The parts of the staged tree, by the beginnings of their paths. The first that fits counts.
const PARTS: [(&str, &str); 6] = [
    ("fumikura", "usr/bin/fumikura"),
    ("fumi", "usr/bin/fumi"),
    ("icons", "usr/share/icons"),
    ("manual pages", "usr/share/man"),
    ("documents", "usr/share/doc"),
    ("other files", "usr"),
];

/// Prints the sizes of the packages of `cargo xtask dist`, and of their parts before and after compression.
pub(crate) fn run() -> Result<()> {
    let out = paths::target().join("dist");
    let mut packages = Vec::new();
    let entries = fs::read_dir(&out).context("`cargo xtask dist` builds the packages first")?;
    for entry in entries {
        let path = entry?.path();
        let size = path.metadata()?.len();
        if path.is_file() {
            packages.push((path, size));
        }
    }
    packages.sort();
    for (path, size) in &packages {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let aim = if is_deb(path) {
            format!(" (aim: at most {})", mebibytes(MAX_DEB))
        } else {
            String::new()
        };
        output::step("package", format!("{name}: {}{aim}", mebibytes(*size)));
    }
    let stage = out.join("stage");
    let mut files = Vec::new();
    add_files(&stage, &stage, &mut files)?;
    for (part, begin) in PARTS {
        let (own, others) = files.into_iter().partition(|file| part_of(file) == begin);
        files = others;
        let own: Vec<String> = own;
        let size: u64 = own
            .iter()
            .filter_map(|file| Some(stage.join(file).metadata().ok()?.len()))
            .sum();
        let packed = packed_size(&stage, &own)?;
        let sizes = format!("{}, packed {}", mebibytes(size), mebibytes(packed));
        output::step(part, sizes);
    }
    Ok(())
}

/// Returns the beginning of the part to which a file belongs.
fn part_of(file: &str) -> &'static str {
    let is_part = |begin: &str| {
        let rest = file.strip_prefix(begin);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let found = PARTS.iter().find(|(_, begin)| is_part(begin));
    found.map_or("usr", |(_, begin)| begin)
}

/// Adds the paths of all files below a folder, relative to `root`.
fn add_files(root: &Path, folder: &Path, files: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            add_files(root, &path, files)?;
        } else {
            let path = path.strip_prefix(root)?;
            files.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}

/// Returns the size of these files in the compression of the Debian package.
fn packed_size(stage: &Path, files: &[String]) -> Result<u64> {
    let script =
        "tar --create --sort=name --owner=0 --group=0 \"$@\" | xz -9 --threads=1 | wc --bytes";
    let counted = command::quiet(
        command::program("sh")
            .args(["-c", script, "sh"])
            .args(files)
            .current_dir(stage),
    )?;
    counted.trim().parse().context("wc prints a number")
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.2} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_belongs_to_the_first_part_that_fits() {
        for (file, part) in [
            ("usr/bin/fumi", "usr/bin/fumi"),
            ("usr/bin/fumikura", "usr/bin/fumikura"),
            ("usr/share/man/man1/fumi.1.gz", "usr/share/man"),
            ("usr/lib/systemd/user/fumikura.service", "usr"),
        ] {
            assert_eq!(part_of(file), part);
        }
    }
}
