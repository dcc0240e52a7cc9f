//! Pictures that are described by a service on this machine, within the limits.

use std::fs;
use std::path::Path;

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;
use fumikura_tests::vision_service::VisionService;
use fumikura_tests::wait;
use serde_json::json;

use crate::grid::{key, select};
use crate::steps;

/// The number of pictures of each of two kinds, one for each orientation. Two questions about each are more
/// than the limit a minute.
const PICTURES: u8 = 9;

pub(crate) async fn pictures_are_described_by_a_local_service(stage: &mut Stage) -> Result<()> {
    let service = VisionService::start()?;
    let page = steps::begin(stage).await?;
    choose_service(&page, &service).await?;
    stage.stop().await?;
    let folder = stage.home().folder("Described")?;
    for number in 0..PICTURES {
        for kind in ["Landscape", "Portrait"] {
            let name = format!("{kind}_{number}.jpg");
            let picture = fixture(&format!("images/orientation/{name}"));
            fs::copy(picture, folder.join(name))?;
        }
    }
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();

    // One picture: a sentence, and tags that are added to its sidecar.
    select(&page, "Landscape_1.jpg").await?;
    describe(&page, "describe").await?;
    page.wait_for_text("answer-text", "A cat on a sofa.")
        .await?;
    close_dialog(&page).await?;
    service.set_content(&json!({"tags": ["cat", "sofa"]}));
    describe(&page, "tags").await?;
    page.wait_for("answer-tag").await?;
    page.click("describe-add-tags").await?;
    wait_for_tag(&folder, "Landscape_1.jpg", "sofa").await?;
    close_dialog(&page).await?;

    // All of them, by a job; the stored answer costs nothing.
    service.set_content(&json!({"description": "A dog."}));
    select(&page, "Landscape_1.jpg").await?;
    page.press(&[Key::Control], "a").await?;
    describe(&page, "describe").await?;
    page.wait_for_text_at(&by_id("toast"), "Described 18 pictures.")
        .await?;
    assert_eq!(service.requests().len(), 19);

    // The minute is used up: the job waits, reports that, and is ended by a key.
    service.set_content(&json!({"tags": ["dog"]}));
    describe(&page, "tags").await?;
    page.click("jobs-at-work").await?;
    page.wait_for_text("vision-waiting", "used up").await?;
    page.wait_for_text("vision-usage-minute", "20 of 20")
        .await?;
    page.press(&[Key::Alt], "d").await?;
    let cancelled = format!(
        "{}[data-state=\"cancelled\"]",
        by_id("job-describe_pictures")
    );
    page.wait_for_selector(&cancelled).await?;
    Ok(())
}

/// Chooses the service in the settings: nothing leaves the machine.
async fn choose_service(page: &Page, service: &VisionService) -> Result<()> {
    page.click("activity-settings").await?;
    page.click("vision-kind-openai").await?;
    page.click("vision-url").await?;
    page.press(&[Key::Control], "a").await?;
    page.press(&[], &service.url()).await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_text("vision-privacy", "Nothing leaves this computer.")
        .await?;
    page.click("vision-models").await?;
    page.wait_for_text("vision-model-list", "large-eye").await
}

/// Asks about the selection.
async fn describe(page: &Page, mode: &str) -> Result<()> {
    page.press(&[], "d").await?;
    page.click(&format!("describe-mode-{mode}")).await?;
    page.click("describe-run").await
}

async fn close_dialog(page: &Page) -> Result<()> {
    page.press(&[], &key(Key::Escape)).await?;
    page.wait_until_gone("describe-dialog").await
}

async fn wait_for_tag(folder: &Path, name: &str, tag: &str) -> Result<()> {
    let sidecar = folder.join(format!("{name}.xmp"));
    wait::until(&format!("the tag “{tag}” of {name}"), async || {
        let sidecar_text = fs::read_to_string(&sidecar).unwrap_or_default();
        Ok(sidecar_text.contains(tag).then_some(()))
    })
    .await
}
