//! The web view's own menu in the window: it edits and copies text, and has no commands of a browser.

use anyhow::{Result, ensure};
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::screen::Screen;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use fumikura_tests::user_input::UserInput;
use fumikura_tests::wait;

use crate::steps;

/// Selects the text of the only paragraph.
const SELECT: &str =
    "getSelection().selectAllChildren(document.querySelector('[data-testid=page-body] p'))";

/// Counts the events that open a menu.
const COUNT: &str = "window.menus = 0; addEventListener('contextmenu', () => window.menus++, true)";

pub(crate) async fn window_menu_only_edits_text(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/moss", "moss\n".to_owned()).await?;
    steps::go(stage, "/wiki/moss").await?;
    page.wait_for_text("page-body", "moss").await?;
    let screen = Screen::of(stage.display())?;
    let input = UserInput::attach(stage)?;
    page.execute(COUNT).await?;

    // Elsewhere all entries are those of a browser, so there is no menu.
    input.right_click(&by_id("page-edit")).await?;
    wait_for_menus(&page, 1).await?;
    ensure!(!screen.has_menu()?, "a menu without text");

    page.execute(SELECT).await?;
    input.right_click("[data-testid=page-body] p").await?;
    wait_for_menus(&page, 2).await?;
    wait_for_menu(&screen).await?;
    // The only entry is "Copy".
    for key in ["Up", "Return"] {
        input.press(key).await?;
    }
    wait::until("the menu to close", async || {
        Ok((!screen.has_menu()?).then_some(()))
    })
    .await?;

    input.press("n").await?;
    let field = by_id("new-page-path");
    input.focus(&field).await?;
    input.press("ctrl+a").await?;
    input.right_click(&field).await?;
    wait_for_menus(&page, 3).await?;
    wait_for_menu(&screen).await?;
    input.press("Escape").await?;
    input.focus(&field).await?;
    input.press("ctrl+v").await?;
    page.wait_until(
        "the copied text",
        "return document.querySelector('[data-testid=new-page-path]').value.endsWith('moss')",
    )
    .await
}

async fn wait_for_menus(page: &Page, count: u32) -> Result<()> {
    page.wait_until(
        "the event of a menu",
        &format!("return window.menus === {count}"),
    )
    .await
}

async fn wait_for_menu(screen: &Screen) -> Result<()> {
    wait::until("a menu", async || Ok(screen.has_menu()?.then_some(()))).await
}
