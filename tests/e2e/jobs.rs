//! Jobs on the whole wiki, while the user is in another view.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::by_id;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;

use crate::steps;
use crate::wiki::{key, wait_for_content};

pub(crate) async fn running_job_is_shown_and_cancelled_by_keys(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    // It continues until its answer is read.
    let export = seed::start_long_export(&api).await?;
    page.press(&[Key::Alt], "2").await?;
    page.wait_for_address("/pictures/").await?;
    wait_for_content(&page, &by_id("jobs-at-work"), "Export").await?;

    page.wait_for("jobs-at-work").await?;
    page.client().execute(FOCUS, Vec::new()).await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.wait_for_selector(&with_state("running")).await?;
    page.press(&[Key::Shift], "x").await?;
    page.wait_for_selector(&with_state("paused")).await?;
    wait_for_content(&page, &by_id("jobs-at-work"), "Paused").await?;
    page.press(&[Key::Shift], "x").await?;
    page.wait_for_selector(&with_state("running")).await?;
    page.press(&[Key::Alt], "x").await?;
    drop(export);
    page.wait_for_selector(&with_state("cancelled")).await?;
    page.wait_until_gone("jobs-at-work").await
}

const FOCUS: &str = "document.querySelector('[data-testid=\"jobs-at-work\"]').focus()";

/// Returns the selector of the export in the settings, in this state.
fn with_state(state: &str) -> String {
    format!("{}[data-state=\"{state}\"]", by_id("job-export"))
}
