//! `vipsthumbnail`, the reference.

use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::Work;
use crate::meter::Line;
use fumikura_tests::photos::{Coding, Photos};

/// Returns two commands that share the photos.
pub(crate) fn batches(
    photos: &Photos,
    coding: Coding,
    work: Work,
    out: &Path,
) -> Result<Vec<Line>> {
    let paths = photos.paths(coding);
    let half = paths.len().div_ceil(2);
    Ok(paths
        .chunks(half)
        .map(|part| line(part, work, out))
        .collect())
}

/// Returns a command for each photo, as Estelle starts them.
pub(crate) fn one_by_one(
    photos: &Photos,
    coding: Coding,
    work: Work,
    out: &Path,
) -> Result<Vec<Line>> {
    let paths = photos.paths(coding);
    Ok(paths
        .chunks(1)
        .map(|photo| line(photo, work, out))
        .collect())
}

fn line(photos: &[PathBuf], work: Work, out: &Path) -> Line {
    let edge = work.edge();
    let mut line = vec![
        "vipsthumbnail".to_owned(),
        format!("--size={edge}x{edge}"),
        format!("--output={}/%s.jpg[Q=85,strip]", out.display()),
    ];
    line.extend(photos.iter().map(|photo| photo.display().to_string()));
    line
}
