//! The checks of the packages by the distributions' own programs, where these are installed.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::{command, output, paths};

/// Checks the packages. An error of a program that is installed is an error of the packages.
pub(super) fn check(packages: &[PathBuf]) -> Result<()> {
    let checks: [(&str, &str, &[&str]); 2] = [
        (
            "deb",
            "lintian",
            &["--fail-on", "error", "--tag-display-limit", "0"],
        ),
        ("rpm", "rpmlint", &["--config", "packaging/rpmlint.toml"]),
    ];
    for (kind, program, options) in checks {
        if paths::on_path(&[program]).is_none() {
            output::step("lint", format!("{program} is not installed"));
            continue;
        }
        for package in packages
            .iter()
            .filter(|package| has_extension(package, kind))
        {
            let found = command::quiet(command::program(program).args(options).arg(package))?;
            output::step("lint", format!("{program} finds no error"));
            found
                .lines()
                .filter(|line| is_remark(line))
                .for_each(output::line);
        }
    }
    Ok(())
}

/// Returns true for a line about the package, such as `fumikura: W: …`.
fn is_remark(line: &str) -> bool {
    [": W: ", ": E: "].iter().any(|kind| line.contains(kind)) || line.starts_with("W: ")
}

fn has_extension(package: &Path, kind: &str) -> bool {
    package.extension().is_some_and(|name| name == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_told_from_summaries() {
        assert!(is_remark("W: fumikura: no-manual-page [usr/bin/fumi]"));
        assert!(is_remark("fumikura.x86_64: W: files-duplicate /a /b"));
        assert!(!is_remark("checks: 26, packages: 1"));
    }
}
