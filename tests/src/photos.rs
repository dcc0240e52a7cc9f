//! Photos of 12 MP in the usual formats, made from the wallpapers of a Debian package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The folder of the pictures of Debian's package `plasma-workspace-wallpapers`.
const WALLPAPERS: &str = "/usr/share/wallpapers";
/// The sizes that are large enough to crop a photo from.
const LARGE_SIZES: [&str; 4] = ["2560x1600", "3200x2000", "3840x2160", "5120x2880"];
/// The part of a wallpaper that a photo shows.
const PARTS: [&str; 3] = ["centre", "low", "high"];

/// The format of a photo's file, and its encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// JPEG, from top to bottom.
    Baseline,
    /// JPEG, coarse first, then finer.
    Progressive,
    /// PNG.
    Png,
    /// WebP with losses.
    WebP,
    /// TIFF without compression.
    Tiff,
    /// TIFF with LZW.
    TiffLzw,
    /// JPEG XL with losses.
    JpegXl,
    /// AVIF.
    Avif,
    /// HEIC.
    Heic,
}

impl Coding {
    /// The codings of JPEG.
    pub const JPEG: [Self; 2] = [Self::Baseline, Self::Progressive];
    /// All codings.
    pub const ALL: [Self; 9] = [
        Self::Baseline,
        Self::Progressive,
        Self::Png,
        Self::WebP,
        Self::Tiff,
        Self::TiffLzw,
        Self::JpegXl,
        Self::Avif,
        Self::Heic,
    ];

    /// Returns a name for folders.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Progressive => "progressive",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Tiff => "tiff",
            Self::TiffLzw => "tiff-lzw",
            Self::JpegXl => "jpeg-xl",
            Self::Avif => "avif",
            Self::Heic => "heic",
        }
    }

    /// Returns the extension of the files.
    fn extension(self) -> &'static str {
        match self {
            Self::Baseline | Self::Progressive => "jpg",
            Self::Png => "png",
            Self::WebP => "webp",
            Self::Tiff | Self::TiffLzw => "tif",
            Self::JpegXl => "jxl",
            Self::Avif => "avif",
            Self::Heic => "heic",
        }
    }

    /// Returns the options for `vips`. Chroma has half the resolution along each side if the format supports
    /// it, as in cameras' files.
    fn options(self) -> &'static str {
        match self {
            Self::Baseline => "[Q=90,subsample-mode=on,strip]",
            Self::Progressive => "[Q=90,subsample-mode=on,strip,interlace]",
            Self::Png => "[strip]",
            Self::WebP | Self::JpegXl => "[Q=90,strip]",
            Self::Tiff => "[compression=none,strip]",
            Self::TiffLzw => "[compression=lzw,predictor=horizontal,strip]",
            Self::Avif => "[Q=70,speed=8,compression=av1,strip]",
            Self::Heic => "[Q=70,speed=8,compression=hevc,strip]",
        }
    }
}

/// The photos, in a folder for each coding.
pub struct Photos {
    folder: PathBuf,
    count: usize,
}

impl Photos {
    /// Makes the missing photos of these codings.
    ///
    /// # Errors
    /// Fails if there are no wallpapers, or too few.
    pub fn prepare(folder: &Path, count: usize, codings: &[Coding]) -> Result<Self> {
        let wallpapers = wallpapers()?;
        let photos = Self {
            folder: folder.to_owned(),
            count,
        };
        let cuts = PARTS
            .iter()
            .flat_map(|part| wallpapers.iter().map(move |wallpaper| (wallpaper, *part)));
        let cuts: Vec<_> = cuts.take(count).collect();
        ensure!(
            cuts.len() == count,
            "there are wallpapers for {} photos only",
            cuts.len()
        );
        for &coding in codings {
            for ((wallpaper, part), photo) in cuts.iter().zip(photos.paths(coding)) {
                if !photo.exists() {
                    crop(wallpaper, part, coding, &photo)?;
                }
            }
        }
        Ok(photos)
    }

    /// Returns the number of photos of each coding.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the photos of one coding.
    #[must_use]
    pub fn paths(&self, coding: Coding) -> Vec<PathBuf> {
        let folder = self.folder.join(coding.name());
        let names = (0..self.count).map(|number| format!("{number:03}.{}", coding.extension()));
        names.map(|name| folder.join(name)).collect()
    }
}

fn wallpapers() -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for wallpaper in fs::read_dir(WALLPAPERS).context(WALLPAPERS)? {
        let images = wallpaper?.path().join("contents/images");
        if !images.is_dir() {
            continue;
        }
        for image in fs::read_dir(images)? {
            let path = image?.path();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            if LARGE_SIZES.contains(&&*stem) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    Ok(paths)
}

fn crop(wallpaper: &Path, part: &str, coding: Coding, photo: &Path) -> Result<()> {
    if let Some(folder) = photo.parent() {
        fs::create_dir_all(folder)?;
    }
    // Written to a temporary file, so that an interrupted run leaves no partial photo.
    let aside = photo.with_extension(format!("part.{}", coding.extension()));
    let target = format!("{}{}", aside.display(), coding.options());
    let status = Command::new("vips")
        .arg("thumbnail")
        .arg(wallpaper)
        .args([&target, "4000", "--height", "3000", "--size", "both"])
        .args(["--crop", part, "--no-rotate"])
        .status()
        .context("vips")?;
    ensure!(
        status.success(),
        "vips could not cut {}",
        wallpaper.display()
    );
    fs::rename(aside, photo)?;
    Ok(())
}
