//! `cargo xtask fuzz`: feeds each decoder and parser with inputs derived from samples, and stops at the first
//! failure.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{command, install, output, paths};

/// The program that decodes the pictures of a format, whose extension it takes from the environment.
const THUMBNAILS: &str = "thumbnails";
const EXTENSION: &str = "FUMIKURA_FUZZ_EXTENSION";
/// The samples of all formats that are fuzzed, and the extension of the scripts that made them.
const SAMPLES: &str = "tests/fixtures/images/samples";
const SCRIPT: &str = "py";
/// libFuzzer needs features of a nightly compiler.
const TOOLCHAIN: &str = "nightly";
/// Longer inputs are slower, and find nothing that shorter ones don't.
const MAX_INPUT: &str = "-max_len=65536";
/// The timeout of one input in seconds, far above the limit of a decoding process.
const TIMEOUT: &str = "-timeout=20";
/// The memory limit in MiB, including the sanitizer's own memory.
const MEMORY: &str = "-rss_limit_mb=4096";
/// rav1d leaks 48 bytes for each picture that is freed. A decoding process's leaks end with the process.
const SANITIZER: (&str, &str) = ("ASAN_OPTIONS", "detect_leaks=0");
/// The release profile's link-time optimization would take minutes for each target, and its stripping the names of a
/// failure's functions.
const PROFILE: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
];

#[derive(clap::Args)]
pub(crate) struct FuzzTaskOptions {
    /// Only these targets; all unless named
    targets: Vec<String>,
    /// Duration of each target, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

pub(crate) fn run(options: &FuzzTaskOptions) -> Result<()> {
    install::for_building()?;
    // The server, whose parsers are among the targets, embeds the page.
    install::ui::build()?;
    ensure_toolchain()?;
    let tool = install::cargo_tool::FUZZ.ensure()?;
    let targets = select_targets(&options.targets)?;
    for target in &targets {
        output::step("fuzz", format!("{target}, {} s", options.seconds));
        let found = paths::target().join("fuzz/found").join(target);
        fs::create_dir_all(&found)?;
        let mut run = fuzz(&tool, "run");
        let is_program = program_path(target).is_file();
        if !is_program {
            run.env(EXTENSION, target);
        }
        command::show(
            run.arg(if is_program { target } else { THUMBNAILS })
                // libFuzzer writes new inputs into the first folder.
                .arg(&found)
                .args(seeds(target))
                .arg("--")
                .args([MAX_INPUT, TIMEOUT, MEMORY, "-print_final_stats=1"])
                .arg(format!("-max_total_time={}", options.seconds)),
        )?;
    }
    output::step("fuzz", format!("nothing broke: {}", targets.join(", ")));
    Ok(())
}

fn ensure_toolchain() -> Result<()> {
    let mut version = Command::new("rustup");
    version.args(["run", TOOLCHAIN, "rustc", "--version"]);
    if command::quiet(&mut version).is_err() {
        bail!(
            "Fuzzing needs a nightly compiler. This installs one:\n\n  rustup toolchain install {TOOLCHAIN}\n"
        );
    }
    Ok(())
}

/// Returns a cargo-fuzz command under the nightly compiler.
fn fuzz(tool: &Path, what: &str) -> Command {
    let mut command = command::program("rustup");
    command
        .args(["run", TOOLCHAIN])
        .arg(tool)
        .args(["fuzz", what, "--fuzz-dir"])
        .arg(dir())
        .arg("--target-dir")
        .arg(paths::target().join("fuzz"))
        .env(SANITIZER.0, SANITIZER.1)
        .envs(PROFILE)
        // Set by the cargo that runs this program.
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN");
    command
}

/// Returns the requested targets, or all: the programs, and the extensions of the samples of pictures.
fn select_targets(requested: &[String]) -> Result<Vec<String>> {
    let mut all = names_in(&dir().join("targets"), Path::file_stem)?;
    all.remove(THUMBNAILS);
    let mut extensions = names_in(&paths::root().join(SAMPLES), Path::extension)?;
    extensions.remove(SCRIPT);
    all.extend(extensions);
    let all: Vec<String> = all.into_iter().collect();
    for target in requested {
        ensure!(
            all.contains(target),
            "no target is called {target}; there are {}",
            all.join(", ")
        );
    }
    Ok(if requested.is_empty() {
        all
    } else {
        requested.to_vec()
    })
}

/// Returns a part of the name of each file in a folder.
fn names_in(folder: &Path, part: fn(&Path) -> Option<&OsStr>) -> Result<BTreeSet<String>> {
    let names = fs::read_dir(folder)?.map(|entry| {
        let path = entry?.path();
        let name = part(&path).and_then(OsStr::to_str);
        Ok(name.with_context(|| path.display().to_string())?.to_owned())
    });
    names.collect()
}

fn program_path(target: &str) -> PathBuf {
    dir().join("targets").join(target).with_extension("rs")
}

/// Returns the folders of a target's seed inputs: its own corpus, or the tests' pictures, of which each
/// format uses its own.
fn seeds(target: &str) -> Vec<PathBuf> {
    let own = dir().join("corpus").join(target);
    if own.is_dir() {
        return vec![own];
    }
    let pictures = paths::root().join("tests/fixtures/images");
    ["samples", "broken", "orientation"]
        .map(|folder| pictures.join(folder))
        .to_vec()
}

fn dir() -> PathBuf {
    paths::root().join("fuzz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_with_samples_is_fuzzed() {
        let targets = select_targets(&[]).unwrap();
        for target in ["avif", "dng", "jpg", "svg", "hash_list"] {
            assert!(targets.iter().any(|one| one == target), "{targets:?}");
        }
        assert!(!targets.iter().any(|one| one == THUMBNAILS || one == SCRIPT));
        assert!(select_targets(&["doc".to_owned()]).is_err());
    }
}
