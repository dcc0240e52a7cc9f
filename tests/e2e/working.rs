//! Work on the whole, while one is elsewhere.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::by_id;
use fumikura_tests::stage::Stage;
use reqwest::Method;

use crate::finding::{key, shows};
use crate::steps;

/// More than lies on its way between a server and a reader who doesn't read.
const LONG: usize = 48 << 20;

pub(crate) async fn work_that_goes_on_is_told_elsewhere_and_ended_by_keys(
    stage: &mut Stage,
) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let root = steps::page_id(&api, "/").await?;
    let address = format!("api/pages/{root}/assets/long.bin");
    let brought = api.send_bytes(Method::POST, &address, noise());
    brought.await?.error_for_status()?;

    // It goes on as long as nobody reads it.
    let export = api.send(Method::GET, "api/export", &[], String::new());
    let export = export.await?.error_for_status()?;
    page.press(&[Key::Alt], "2").await?;
    page.address("/pictures/").await?;
    shows(&page, &by_id("jobs-at-work"), "Export").await?;

    page.see("jobs-at-work").await?;
    page.client().execute(FOCUS, Vec::new()).await?;
    page.press(&[], &key(Key::Enter)).await?;
    page.see_at(&standing("running")).await?;
    page.press(&[Key::Shift], "x").await?;
    page.see_at(&standing("paused")).await?;
    shows(&page, &by_id("jobs-at-work"), "Paused").await?;
    page.press(&[Key::Shift], "x").await?;
    page.see_at(&standing("running")).await?;
    page.press(&[Key::Alt], "x").await?;
    drop(export);
    page.see_at(&standing("cancelled")).await?;
    page.gone("jobs-at-work").await
}

const FOCUS: &str = "document.querySelector('[data-testid=\"jobs-at-work\"]').focus()";

/// The export as it stands in the settings.
fn standing(state: &str) -> String {
    format!("{}[data-state=\"{state}\"]", by_id("job-export"))
}

/// What no archive makes any smaller.
fn noise() -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut bytes = Vec::with_capacity(LONG);
    while bytes.len() < LONG {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes.extend_from_slice(&state.to_le_bytes());
    }
    bytes
}
