//! Links to external addresses.

use anyhow::{Result, ensure};
use fumikura_tests::stage::{Kind, Stage};
use fumikura_tests::wait;
use tokio::fs;

use crate::steps;

/// An address without a server: a browser that opens it reaches nothing.
const OUTSIDE: &str = "http://127.0.0.1:9/far/away";

pub(crate) async fn external_link_asks_for_confirmation(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, &format!("[away]({OUTSIDE})")).await?;
    steps::save(&page).await?;

    page.click_at(&format!("a[href=\"{OUTSIDE}\"]")).await?;
    page.wait_for("question").await?;
    page.wait_for_text("question", OUTSIDE).await?;
    page.click("question-no").await?;
    page.wait_until_gone("question").await?;
    ensure!(
        page.client().windows().await?.len() == 1,
        "it was opened against the answer"
    );
    ensure!(
        !opened_address_file(stage).exists(),
        "it was opened against the answer"
    );

    page.click_at(&format!("a[href=\"{OUTSIDE}\"]")).await?;
    page.click("question-yes").await?;
    match stage.kind() {
        Kind::Window => {
            let address = wait::until("the system's browser to be asked", async || {
                Ok(fs::read_to_string(opened_address_file(stage))
                    .await
                    .ok()
                    .filter(|text| !text.is_empty()))
            })
            .await?;
            ensure!(
                address.trim() == OUTSIDE,
                "the system's browser was sent to {address}"
            );
        }
        Kind::Browser => {
            wait::until("a tab for it", async || {
                Ok((page.client().windows().await?.len() == 2).then_some(()))
            })
            .await?;
        }
    }
    page.wait_for_address("/wiki/").await
}

/// Returns the path to which the stage's stand-in for the system's browser writes the requested address.
fn opened_address_file(stage: &Stage) -> std::path::PathBuf {
    stage.home().opened_address_file()
}
