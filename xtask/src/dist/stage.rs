//! The tree of files that every package contains.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{APP_ID, Facts, NAME, sbom};
use crate::build::Profile;
use crate::{command, notices, paths};

/// The programs of the packages.
pub(super) const PROGRAMS: [&str; 2] = ["fumikura", "fumi"];
/// The line of the desktop entry to which the media types of pictures are added.
const MEDIA_TYPES: &str = "MimeType=inode/directory;\n";
const ICON_SIZES: [u32; 6] = [16, 32, 48, 128, 256, 512];
/// The shells, and the files in which they look for completions.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/fumi"),
    ("zsh", "usr/share/zsh/vendor-completions/_fumi"),
    ("fish", "usr/share/fish/vendor_completions.d/fumi.fish"),
];

pub(super) struct Stage {
    root: PathBuf,
}

impl Stage {
    /// Fills a new folder with everything that is installed, with the times of the last commit.
    pub(super) fn fill(root: PathBuf, facts: &Facts) -> Result<Self> {
        let stage = Self { root };
        for name in PROGRAMS {
            let built = Profile::Release.out_dir().join(name);
            stage.copy(&built, &format!("usr/bin/{name}"), 0o755)?;
        }
        stage.add_desktop_files(facts)?;
        stage.add_manual_pages()?;
        for (shell, path) in COMPLETIONS {
            let script = command::quiet(fumi().args(["completions", shell]))?;
            stage.write(path, &script)?;
        }
        stage.add_documents()?;
        stage.set_times(facts)?;
        Ok(stage)
    }

    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn add_desktop_files(&self, facts: &Facts) -> Result<()> {
        let types = command::quiet(fumi().args(["formats", "--media-types"]))?;
        let entry = packaging("app.fumikura.Fumikura.desktop")?;
        let entry = with_media_types(&entry, &types)?;
        self.write(&format!("usr/share/applications/{APP_ID}.desktop"), &entry)?;
        for size in ICON_SIZES {
            let icon = paths::root().join(format!("icons/{size}x{size}.png"));
            let path = format!("usr/share/icons/hicolor/{size}x{size}/apps/{NAME}.png");
            self.copy(&icon, &path, 0o644)?;
        }
        let icon = paths::root().join("icons/icon.svg");
        let path = format!("usr/share/icons/hicolor/scalable/apps/{NAME}.svg");
        self.copy(&icon, &path, 0o644)?;
        let metainfo = packaging("app.fumikura.Fumikura.metainfo.xml")?
            .replace("@VERSION@", &facts.version)
            .replace("@TIME@", &facts.time);
        let path = format!("usr/share/metainfo/{APP_ID}.metainfo.xml");
        self.write(&path, &metainfo)?;
        self.write(
            "usr/lib/systemd/user/fumikura.service",
            &packaging("fumikura.service")?,
        )
    }

    fn add_manual_pages(&self) -> Result<()> {
        let folder = self.path("usr/share/man/man1");
        fs::create_dir_all(&folder)?;
        command::quiet(fumi().arg("man").arg(&folder))?;
        self.write("usr/share/man/man1/fumikura.1", &packaging("fumikura.1")?)?;
        let mut pages = Vec::new();
        for page in fs::read_dir(&folder)? {
            pages.push(page?.path());
        }
        for page in pages {
            compress(&page)?;
        }
        Ok(())
    }

    fn add_documents(&self) -> Result<()> {
        let folder = format!("usr/share/doc/{NAME}");
        self.write(&format!("{folder}/copyright"), &packaging("copyright")?)?;
        for (name, from) in [
            ("changelog", paths::root().join("CHANGELOG.md")),
            (notices::NAME, notices::write()?),
        ] {
            let path = format!("{folder}/{name}");
            self.copy(&from, &path, 0o644)?;
            compress(&self.path(&path))?;
        }
        let path = format!("{folder}/{NAME}.cdx.json");
        self.write(&path, &sbom::document()?)?;
        compress(&self.path(&path))
    }

    fn copy(&self, from: &Path, to: &str, mode: u32) -> Result<()> {
        let to = self.new_path(to)?;
        fs::copy(from, &to).with_context(|| from.display().to_string())?;
        fs::set_permissions(&to, fs::Permissions::from_mode(mode))?;
        Ok(())
    }

    fn write(&self, to: &str, text: &str) -> Result<()> {
        let to = self.new_path(to)?;
        fs::write(&to, text).with_context(|| to.display().to_string())?;
        fs::set_permissions(&to, fs::Permissions::from_mode(0o644))?;
        Ok(())
    }

    fn new_path(&self, path: &str) -> Result<PathBuf> {
        let path = self.path(path);
        let folder = path.parent().context("a file lies in a folder")?;
        fs::create_dir_all(folder)?;
        Ok(path)
    }

    /// Gives every file and folder the permissions and the time that packages have.
    fn set_times(&self, facts: &Facts) -> Result<()> {
        let root = self.root.as_os_str();
        command::quiet(
            command::program("find")
                .arg(root)
                .args(["-type", "d", "-exec", "chmod", "755", "{}", "+"]),
        )?;
        let time = format!("--date=@{}", facts.time);
        command::quiet(command::program("find").arg(root).args([
            "-exec",
            "touch",
            "--no-dereference",
            &time,
            "{}",
            "+",
        ]))?;
        Ok(())
    }
}

/// Returns a command of the headless program that is packed.
fn fumi() -> std::process::Command {
    command::program(Profile::Release.out_dir().join("fumi"))
}

fn packaging(name: &str) -> Result<String> {
    let path = paths::root().join("packaging").join(name);
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// Compresses a file without its name and time, as Debian asks for.
pub(super) fn compress(path: &Path) -> Result<()> {
    command::quiet(command::program("gzip").args(["-9n"]).arg(path))?;
    Ok(())
}

/// Returns a desktop entry with media types, which are listed one a line.
fn with_media_types(entry: &str, types: &str) -> Result<String> {
    let (before, after) = entry
        .split_once(MEDIA_TYPES)
        .with_context(|| format!("the desktop entry lacks the line: {MEDIA_TYPES}"))?;
    let types: String = types.lines().map(|one| format!("{one};")).collect();
    Ok(format!(
        "{before}{}{types}\n{after}",
        MEDIA_TYPES.trim_end()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn desktop_entry_gets_the_media_types() {
        let entry = include_str!("../../../packaging/app.fumikura.Fumikura.desktop");
        let written = with_media_types(entry, "image/jpeg\nimage/png\n").unwrap();
        let line = "\nMimeType=inode/directory;image/jpeg;image/png;\n";
        assert!(written.contains(line), "{written}");
        assert_eq!(written.replace("image/jpeg;image/png;", ""), entry);
    }

    #[test]
    fn entry_without_media_types_is_an_error() {
        assert!(with_media_types("[Desktop Entry]\n", "image/jpeg\n").is_err());
    }
}
