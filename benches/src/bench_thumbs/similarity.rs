//! Similarity of the results of both sides.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use fumikura_benches::Figure;
use fumikura_tests::similarity::ssim;
use fumikura_tests::times::Times;

use crate::{Work, engine, vips};
use fumikura_tests::photos::{Coding, Photos};

/// The minimum similarity of each pair.
const AIM: f64 = 0.97;

/// Does the work once on each side, and prints their similarity.
pub(crate) fn report(photos: &Photos, coding: Coding, work: Work) -> Result<()> {
    let out = tempfile::tempdir()?;
    let (_engine, ours) = engine::make(&photos.paths(coding), work, out.path())?;
    for line in vips::batches(photos, coding, work, out.path())? {
        let (program, arguments) = line.split_first().context("an empty command")?;
        let status = Command::new(program).args(arguments).status()?;
        ensure!(status.success(), "{program} failed: {status}");
    }
    let mut alike = Times::default();
    for (name, made) in &ours {
        let theirs = image::open(out.path().join(name).with_extension("jpg"))?;
        alike.push(ssim(&image::open(made)?, &theirs));
    }
    let least = alike.percentile(0);
    println!("SSIM to theirs: median {:.4}", alike.median());
    let work = format!("{} to {} px, least SSIM", coding.name(), work.edge());
    Figure::new(work, least).to("vipsthumbnail").at_least(AIM);
    Ok(())
}
