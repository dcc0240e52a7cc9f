//! `cargo xtask fuzz`: feeds each decoder and parser with inputs derived from samples, and stops at the first
//! failure.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{command, install, output, paths};

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
        command::show(
            fuzz(&tool, "run")
                .arg(target)
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

/// Returns the requested targets, or all.
fn select_targets(requested: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir().join("targets"))? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|name| name.to_str());
        all.push(name.context("a target has a name")?.to_owned());
    }
    all.sort();
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

/// Returns the folders of a target's seed inputs: its own corpus, or the tests' pictures, of which each
/// target uses those of its format.
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
