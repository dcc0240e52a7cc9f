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
        ("rpm", "rpmlint", &[]),
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
            let lines = found.lines().filter(|line| !line.trim().is_empty()).count();
            output::step("lint", format!("{program}: {lines} remarks, no error"));
            found.lines().for_each(output::line);
        }
    }
    Ok(())
}

fn has_extension(package: &Path, kind: &str) -> bool {
    package.extension().is_some_and(|name| name == kind)
}
