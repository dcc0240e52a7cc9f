//! Unread thumbnails: previewed, expired, and removed, in the cache view.

use std::fs;
use std::path::Path;

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::cache_folder::expiry_index;
use fumikura_tests::page::by_id;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use fumikura_ttl::IndexFile;
use jiff::{SignedDuration, Timestamp};

use crate::steps;

pub(crate) async fn unread_thumbnails_expire(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Photos")?;
    for number in 1..=3 {
        let name = format!("Landscape_{number}.jpg");
        fs::copy(
            fixture(&format!("images/orientation/{name}")),
            folder.join(name),
        )?;
    }
    stage.start(std::slice::from_ref(&folder)).await?;
    wait_for_thumbnails(stage, 3).await?;
    stage.stop().await?;
    age(&stage.home().cache())?;
    // Otherwise, the next window opens the folder again, which reads its thumbnails.
    fs::remove_file(stage.home().data().join("window.json"))?;

    let page = stage.start(&[]).await?.clone();
    page.wait_for("page-body").await?;
    page.press(&[Key::Alt], "4").await?;
    page.wait_for("cache-view").await?;
    page.wait_for_text("cache-ages", "90 to 365 days ago")
        .await?;

    // The preview, then the policy, then the run.
    page.press(&[], "d").await?;
    page.click("policy-enabled").await?;
    page.wait_for_text("policy-preview", "With 90 days, ")
        .await?;
    page.wait_for_text("policy-preview", "would be removed now")
        .await?;
    page.click("policy-save").await?;
    page.wait_until_gone("policy-dialog").await?;
    page.wait_for_text("cache-default", "expires after 90 days")
        .await?;
    page.press(&[], "e").await?;
    let finished_job = format!("{}[data-state=\"done\"]", by_id("job-ttl_run"));
    page.wait_for_selector(&finished_job).await?;
    page.wait_for_text("job-ttl_run", "Removed ").await?;
    page.wait_for_text("ttl-past-run", "on request").await?;
    wait_for_thumbnails(stage, 0).await
}

/// Waits until the cache has `count` thumbnails.
async fn wait_for_thumbnails(stage: &Stage, count: u64) -> Result<()> {
    let api = stage.api().await?;
    wait::until(&format!("{count} thumbnails"), async || {
        let cache = api.get("/api/cache").await?;
        let files = cache["files"].as_u64();
        let is_idle = cache["queue"]["len"] == 0;
        Ok((files == Some(count) && is_idle).then_some(()))
    })
    .await
}

/// Moves every last read a hundred days back, as if the program had not been used since.
fn age(cache: &Path) -> Result<()> {
    let mut file = IndexFile::new(expiry_index(cache)?);
    let mut index = file.load()?;
    let long_ago = Timestamp::now() - SignedDuration::from_hours(24 * 100);
    for artifact in index.artifacts(None) {
        let (key, kind, size) = (artifact.key, artifact.kind, artifact.size.into());
        index.remove(&key);
        index.record(key, kind, &artifact.group, size, long_ago);
    }
    let save = file.prepare(&mut index);
    file.write(save)?;
    file.close()?;
    Ok(())
}
