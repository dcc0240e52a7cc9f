//! The tabs of the window.

use anyhow::Result;
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;

use crate::steps;
use crate::wiki::wait_for_content;

/// A scroll position that only a long text has.
const PLACE: &str = "Math.abs(document.querySelector('#main .room').scrollTop - 900) < 2";

/// The second pane.
const BESIDE: &str = "[data-testid=pane-beside]";

pub(crate) async fn tabs_are_restored_after_restart(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let garden = format!("# 苔の庭\n\n[川へ](/川)\n\n{}", "moss\n\n".repeat(200));
    seed::write(&api, "/庭", garden).await?;
    seed::write(&api, "/川", "# 川の音\n".to_owned()).await?;
    let river = seed::write(&api, "/旅", "# 旅の空\n".to_owned()).await?;
    check_tabs(&page, 1, 0).await?;
    keys(stage, "ctrl+t").await?;
    check_tabs(&page, 2, 1).await?;
    page.click_at("[role=treeitem][href$='%E6%97%85']").await?;
    wait_for_content(&page, &by_id("page-title"), "旅の空").await?;
    keys(stage, "ctrl+t").await?;
    check_tabs(&page, 3, 2).await?;
    page.click_at("[role=treeitem][href$='%E5%BA%AD']").await?;
    wait_for_content(&page, &by_id("page-title"), "苔の庭").await?;
    // The second pane: the link has the focus.
    page.execute("document.querySelector('#main article a[href*=\"/wiki/\"]').focus()")
        .await?;
    keys(stage, "ctrl+Return").await?;
    wait_for_content(&page, &format!("{BESIDE} article"), "川の音").await?;
    // `#main` is the pane with the focus, and a focus that arrives scrolls to what has it.
    wait_for_focus(&page, BESIDE).await?;
    keys(stage, "shift+F6").await?;
    wait_for_focus(&page, &format!(":not({BESIDE}) > [data-pane]")).await?;
    page.execute("document.querySelector('#main .room').scrollTop = 900")
        .await?;
    page.wait_until("the place to be reached", &format!("return {PLACE}"))
        .await?;
    api.send(
        reqwest::Method::DELETE,
        &format!("api/pages/{river}"),
        &[],
        String::new(),
    )
    .await?
    .error_for_status()?;
    keys(stage, "ctrl+q").await?;
    stage.wait_for_end().await?;

    let page = stage.start(&[]).await?.clone();
    check_tabs(&page, 3, 2).await?;
    wait_for_content(&page, &format!("{BESIDE} article"), "川の音").await?;
    page.wait_until("the restored place", &format!("return {PLACE}"))
        .await?;
    // The tab of a page in the trash says so, and can be closed.
    keys(stage, "ctrl+shift+Tab").await?;
    check_tabs(&page, 3, 1).await?;
    page.wait_for("deleted-here").await?;
    keys(stage, "ctrl+w").await?;
    check_tabs(&page, 2, 1).await?;
    wait_for_content(&page, "#main article", "苔の庭").await?;
    keys(stage, "ctrl+shift+t").await?;
    check_tabs(&page, 3, 1).await
}

async fn keys(stage: &Stage, combination: &str) -> Result<()> {
    stage.display().xdotool(&["key", combination]).await?;
    Ok(())
}

/// Waits until the focus is in an element of this selector.
async fn wait_for_focus(page: &Page, selector: &str) -> Result<()> {
    let script = format!("return document.activeElement?.closest('{selector}') != null");
    page.wait_until(&format!("the focus in {selector}"), &script)
        .await
}

/// Waits until there are so many tabs, and the one at this index is shown.
async fn check_tabs(page: &Page, count: usize, shown: usize) -> Result<()> {
    let script = format!(
        "const tabs = [...document.querySelectorAll('[role=tab]')];
         return tabs.length === {count} && tabs[{shown}].ariaSelected === 'true'"
    );
    page.wait_until(&format!("tab {shown} of {count}"), &script)
        .await
}
