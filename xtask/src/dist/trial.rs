//! `cargo xtask test --packages`: the Debian package in a root of its own, where it is installed, used, upgraded and
//! removed by `packaging/trial.sh`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use super::{NAME, is_deb};
use crate::{command, install, output, paths};

/// The packages of the root, beside the essential ones: a display, and what a session has.
const SESSION: &str =
    "ca-certificates,xvfb,dbus-daemon,dbus-x11,xdotool,openbox,fonts-noto-cjk,procps";

/// Installs the package of `cargo xtask dist` in a clean root, and tries it there.
pub(crate) fn run() -> Result<()> {
    ensure!(
        command::quiet(command::program("id").arg("-u"))?.trim() == "0",
        "a root of its own can only be made and entered by root"
    );
    install::apt::ensure(&["mmdebstrap"])?;
    let newer = built_package()?;
    let work = paths::target().join("dist-trial");
    fs::create_dir_all(&work)?;
    let archive = paths::tools().join("clean-root.tar");
    if !archive.is_file() {
        make_root(&archive)?;
    }
    let root = work.join("root");
    if root.exists() {
        command::quiet(command::program("rm").arg("-rf").arg(&root))?;
    }
    fs::create_dir_all(&root)?;
    output::step("trial", "unpacking a clean root");
    command::quiet(
        command::program("tar")
            .arg("--extract")
            .arg("--file")
            .arg(&archive)
            .arg("--directory")
            .arg(&root),
    )?;
    let trial = root.join("trial");
    fs::create_dir_all(&trial)?;
    fs::copy(&newer, trial.join("newer.deb"))?;
    pack_older(&newer, &work, &trial.join("older.deb"))?;
    fs::copy(
        paths::root().join("packaging/trial.sh"),
        trial.join("trial.sh"),
    )?;
    let pictures = paths::root().join("tests/fixtures/images/orientation");
    command::quiet(
        command::program("cp")
            .arg("-r")
            .arg(pictures)
            .arg(trial.join("pictures")),
    )?;
    fs::copy("/etc/resolv.conf", root.join("etc/resolv.conf"))?;
    command::show(&mut enter(&root))?;
    command::quiet(command::program("rm").arg("-rf").arg(&root))?;
    Ok(())
}

/// Returns the package that `cargo xtask dist` has written.
fn built_package() -> Result<PathBuf> {
    let out = paths::target().join("dist");
    let entries = fs::read_dir(&out).with_context(|| out.display().to_string());
    let entries = entries.context("`cargo xtask dist` builds the packages first")?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut packages: Vec<PathBuf> = paths.filter(|path| is_deb(path)).collect();
    match (packages.pop(), packages.is_empty()) {
        (Some(package), true) => Ok(package),
        (Some(_), false) => bail!("{} has several .deb", out.display()),
        (None, _) => bail!("there is no .deb: `cargo xtask dist` builds it"),
    }
}

/// Makes an archive of a clean root of this system's own distribution and version.
fn make_root(archive: &Path) -> Result<()> {
    output::step("trial", "making a clean root");
    let release = fs::read_to_string("/etc/os-release")?;
    let field = |name: &str| {
        let mut fields = release.lines().filter_map(|line| line.split_once('='));
        let found = fields.find(|(field, _)| *field == name);
        found.map(|(_, value)| value.trim_matches('"').to_owned())
    };
    let suite = field("VERSION_CODENAME").context("/etc/os-release names no suite")?;
    let id = field("ID").context("/etc/os-release names no distribution")?;
    let lists = [
        format!("/etc/apt/sources.list.d/{id}.sources"),
        "/etc/apt/sources.list".to_owned(),
    ];
    let Some(sources) = lists.iter().find(|list| Path::new(list).is_file()) else {
        bail!("neither {} is there", lists.join(" nor "));
    };
    let unfinished = archive.with_extension("part.tar");
    fs::create_dir_all(paths::tools())?;
    command::quiet(
        command::program("mmdebstrap")
            .args(["--variant=minbase", &format!("--include={SESSION}"), &suite])
            .arg(&unfinished)
            .arg(sources),
    )?;
    fs::rename(&unfinished, archive)?;
    Ok(())
}

/// Packs the same files as an older version.
fn pack_older(package: &Path, work: &Path, older: &Path) -> Result<()> {
    let tree = work.join("older");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    command::quiet(
        command::program("dpkg-deb")
            .arg("--raw-extract")
            .arg(package)
            .arg(&tree),
    )?;
    let control = tree.join("DEBIAN/control");
    let text = fs::read_to_string(&control)?;
    let version = format!("\nVersion: {}", env!("CARGO_PKG_VERSION"));
    ensure!(
        text.contains(&version),
        "the control file of {NAME} names no version"
    );
    fs::write(&control, text.replace(&version, "\nVersion: 0~before"))?;
    command::quiet(
        command::program("dpkg-deb")
            .args(["--root-owner-group", "-Zgzip", "-z1", "--build"])
            .arg(&tree)
            .arg(older),
    )?;
    fs::remove_dir_all(&tree)?;
    Ok(())
}

/// Returns the command of the trial in the root. Its processes have a namespace of their own: none outlives it.
fn enter(root: &Path) -> Command {
    let mut command = command::program("unshare");
    command
        .args(["--mount", "--pid", "--fork", "--kill-child", "--", "sh", "-euc"])
        .arg(
            "mount -t proc proc \"$0/proc\"; mount --rbind /dev \"$0/dev\"; mount -t tmpfs tmpfs \"$0/run\"; \
             exec chroot \"$0\" /trial/trial.sh /trial/older.deb /trial/newer.deb /trial/pictures",
        )
        .arg(root);
    for (name, _) in env::vars_os() {
        if name != "PATH" {
            command.env_remove(name);
        }
    }
    command
}
