//! Photos of 12 MP, made from the wallpapers of a Debian package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Where Debian's package `plasma-workspace-wallpapers` puts its pictures.
const WALLPAPERS: &str = "/usr/share/wallpapers";
/// The sizes that are large enough to be cut from.
const LARGE: [&str; 4] = ["2560x1600", "3200x2000", "3840x2160", "5120x2880"];
/// Which part of a wallpaper a photo shows.
const PARTS: [&str; 3] = ["centre", "low", "high"];

/// How a JPEG is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// From top to bottom.
    Baseline,
    /// Coarse first, then finer.
    Progressive,
}

impl Coding {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Baseline, Self::Progressive];

    /// For names of folders.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Progressive => "progressive",
        }
    }

    /// What `vips` is told: colours with half as many samples along each side, as cameras write them.
    fn options(self) -> &'static str {
        match self {
            Self::Baseline => "[Q=90,subsample-mode=on,strip]",
            Self::Progressive => "[Q=90,subsample-mode=on,strip,interlace]",
        }
    }
}

/// The photos, in a folder for each coding.
pub struct Photos {
    folder: PathBuf,
    names: Vec<String>,
}

impl Photos {
    /// Makes those that are missing.
    ///
    /// # Errors
    /// When the wallpapers are not there, or are too few.
    pub fn prepare(folder: &Path, count: usize) -> Result<Self> {
        let wallpapers = wallpapers()?;
        let cuts = PARTS
            .iter()
            .flat_map(|part| wallpapers.iter().map(move |wallpaper| (wallpaper, *part)));
        let mut names = Vec::new();
        for (number, (wallpaper, part)) in cuts.take(count).enumerate() {
            let name = format!("{number:03}.jpg");
            for coding in Coding::ALL {
                let photo = folder.join(coding.name()).join(&name);
                if !photo.exists() {
                    cut(wallpaper, part, coding, &photo)?;
                }
            }
            names.push(name);
        }
        ensure!(
            names.len() == count,
            "there are wallpapers for {} photos only",
            names.len()
        );
        let folder = folder.to_owned();
        Ok(Self { folder, names })
    }

    /// How many there are of each coding.
    #[must_use]
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The folder of one coding.
    fn folder(&self, coding: Coding) -> PathBuf {
        self.folder.join(coding.name())
    }

    /// The photos of one coding.
    #[must_use]
    pub fn paths(&self, coding: Coding) -> Vec<PathBuf> {
        let folder = self.folder(coding);
        self.names.iter().map(|name| folder.join(name)).collect()
    }
}

fn wallpapers() -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for wallpaper in fs::read_dir(WALLPAPERS).context(WALLPAPERS)? {
        let images = wallpaper?.path().join("contents/images");
        if !images.is_dir() {
            continue;
        }
        for image in fs::read_dir(images)? {
            let path = image?.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if LARGE.contains(&&*stem) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn cut(wallpaper: &Path, part: &str, coding: Coding, photo: &Path) -> Result<()> {
    if let Some(folder) = photo.parent() {
        fs::create_dir_all(folder)?;
    }
    // Written aside, so that an interrupted run leaves no half photo to the next.
    let aside = photo.with_extension("part.jpg");
    let target = format!("{}{}", aside.display(), coding.options());
    let done = Command::new("vips")
        .arg("thumbnail")
        .arg(wallpaper)
        .args([&target, "4000", "--height", "3000", "--size", "both"])
        .args(["--crop", part, "--no-rotate"])
        .status()
        .context("vips")?;
    ensure!(done.success(), "vips could not cut {}", wallpaper.display());
    fs::rename(aside, photo)?;
    Ok(())
}
