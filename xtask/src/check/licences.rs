//! The licences and sources of all dependencies.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use spdx::{Expression, LicenseReq, ParseMode};

use crate::command;

/// The platforms that we build and test.
const PLATFORMS: [&str; 2] = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

/// The licences that we accept in the build, whether or not a dependency has them.
const ACCEPTED: [&str; 14] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    // Requires that documents mention the Independent JPEG Group.
    "IJG",
    "ISC",
    "MIT",
    "MIT-0",
    // File-level copyleft, in parts that we use unchanged (Tauri's CSS selectors, the WebDriver client).
    "MPL-2.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that must not be dependencies, with the reason.
const BANNED: [(&str, &str); 1] = [("openssl-sys", "TLS is rustls with ring")];

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

pub(super) fn run() -> Result<()> {
    let mut faults: Vec<String> = Vec::new();
    for platform in PLATFORMS {
        faults.extend(faults_on(platform)?);
    }
    faults.sort();
    faults.dedup();
    if !faults.is_empty() {
        bail!(
            "Dependencies are not acceptable:\n  {}",
            faults.join("\n  ")
        );
    }
    Ok(())
}

fn faults_on(platform: &str) -> Result<Vec<String>> {
    let metadata = command::quiet(
        command::cargo()
            .args([
                "metadata",
                "--format-version",
                "1",
                "--locked",
                "--all-features",
            ])
            .args(["--filter-platform", platform]),
    )?;
    let metadata: Value = serde_json::from_str(&metadata).context("cargo metadata")?;
    let nodes = metadata["resolve"]["nodes"].as_array();
    let ids: Vec<&Value> = nodes
        .context("cargo metadata resolves no packages")?
        .iter()
        .map(|node| &node["id"])
        .collect();
    let packages = metadata["packages"].as_array();
    let packages = packages.context("cargo metadata names no packages")?.iter();
    let foreign =
        packages.filter(|package| !package["source"].is_null() && ids.contains(&&package["id"]));
    Ok(foreign.filter_map(fault).collect())
}

/// Returns what is wrong with a package of others.
fn fault(package: &Value) -> Option<String> {
    let name = package["name"].as_str().unwrap_or_default();
    if let Some((_, reason)) = BANNED.iter().find(|(banned, _)| *banned == name) {
        return Some(format!("{name} is banned: {reason}"));
    }
    if package["source"] != REGISTRY {
        return Some(format!("{name} is from {}", package["source"]));
    }
    let licence = package["license"].as_str().unwrap_or_default();
    match Expression::parse_mode(licence, ParseMode::LAX) {
        Ok(expression) if expression.evaluate(is_accepted) => None,
        Ok(_) => Some(format!("{name} is licensed under {licence}")),
        Err(error) => Some(format!("{name} has an unreadable licence: {error}")),
    }
}

fn is_accepted(licence: &LicenseReq) -> bool {
    // An exception grants more than the licence.
    let id = licence.license.id();
    id.is_some_and(|id| ACCEPTED.contains(&id.name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault_of(name: &str, source: &str, licence: &str) -> Option<String> {
        fault(&json!({"name": name, "source": source, "license": licence}))
    }

    #[test]
    fn permissive_licences_are_accepted() {
        for licence in [
            "MIT",
            "MIT/Apache-2.0",
            "GPL-3.0-only OR MIT",
            "Apache-2.0 WITH LLVM-exception",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert_eq!(fault_of("a", REGISTRY, licence), None, "{licence}");
        }
    }

    #[test]
    fn other_licences_and_sources_are_refused() {
        for (name, source, licence) in [
            ("a", REGISTRY, "GPL-3.0-only"),
            ("a", REGISTRY, "MIT AND AGPL-3.0-only"),
            ("a", REGISTRY, "LicenseRef-own"),
            ("a", REGISTRY, ""),
            ("a", "git+https://example.org/a", "MIT"),
            ("openssl-sys", REGISTRY, "MIT"),
        ] {
            assert!(fault_of(name, source, licence).is_some(), "{licence}");
        }
    }
}
