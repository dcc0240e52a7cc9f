//! A folder of broken and hostile pictures.

use anyhow::Result;
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::Stage;

use crate::steps;

/// Returns true if every picture is loaded or shown as broken.
const ALL_SETTLED: &str = r#"
    const pictures = [...document.querySelectorAll('[data-testid="cell"][data-kind="picture"]')];
    const whole = (image) => image !== null && image.complete && image.naturalWidth > 0;
    return pictures.length > 0 && pictures.every((cell) =>
        cell.querySelector('[data-testid="thumb-failed"]') !== null || whole(cell.querySelector('[data-testid="thumb"]')));
"#;

pub(crate) async fn broken_pictures_affect_no_others(stage: &mut Stage) -> Result<()> {
    steps::begin(stage).await?;
    stage.stop().await?;

    let page = stage.start(&[fixture("images/broken")]).await?.clone();
    page.wait_until("every picture to be shown or called broken", ALL_SETTLED)
        .await?;
    page.wait_for("thumb-failed").await?;

    // A picture that can't be shown, large: a calm message, and the way back.
    page.open_cell("[data-testid=\"cell\"]:has([data-testid=\"thumb-failed\"])")
        .await?;
    page.wait_for("viewer").await?;
    page.click("viewer-close").await?;
    page.wait_until_gone("viewer").await?;

    page.click("activity-wiki").await?;
    page.wait_for("page-body").await?;
    Ok(())
}
