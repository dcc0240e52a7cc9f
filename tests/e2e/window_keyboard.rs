//! A day of work on the keyboard of the real window: no step needs a mouse, and none loses the focus.

use anyhow::{Result, ensure};
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::user_input::UserInput;
use reqwest::Method;

use crate::steps;
use crate::wiki::wait_for_content;

/// Returns true if an element has the focus. Without one, keys do not scroll, and Tab starts at the beginning.
const HAS_FOCUS: &str = "return document.hasFocus() && document.activeElement !== document.body";

const BODY: &str = "[data-testid=\"page-body\"]";

pub(crate) async fn page_is_managed_by_keys_in_the_window(stage: &mut Stage) -> Result<()> {
    stage.start(&[]).await?.wait_for("greeting").await?;
    let api = stage.api().await?;
    let user = KeyboardUser::attach(stage)?;
    // A window manager would give the window the keyboard focus.
    user.input.click_into(&by_id("greeting-name")).await?;
    user.type_text("Hanako", "Return").await?;
    user.wait_for_focus("[data-testid=\"tour-next\"]").await?;
    user.input.press("Escape").await?;
    user.wait_for_focus(BODY).await?;
    user.write_page(&api).await?;
    user.find_and_rename_page().await?;
    user.restore_revision().await?;
    user.delete_and_restore_page().await?;
    user.settings().await?;
    stage.stop().await?;

    let orientation = fixture("images/orientation");
    stage.start(&[orientation]).await?.wait_for("cell").await?;
    let user = KeyboardUser::attach(stage)?;
    // Gives the window the focus, as above.
    user.input.click(&by_id("activity-bar")).await?;
    user.pictures().await
}

struct KeyboardUser<'a> {
    page: Page,
    input: UserInput<'a>,
}

impl<'a> KeyboardUser<'a> {
    fn attach(stage: &'a Stage) -> Result<Self> {
        Ok(Self {
            page: stage.page().clone(),
            input: UserInput::attach(stage)?,
        })
    }

    async fn type_text(&self, letters: &str, end: &str) -> Result<()> {
        self.input.type_letters(letters).await?;
        self.input.press(end).await
    }

    /// Waits until the element is shown and has the focus.
    async fn wait_for_focus(&self, selector: &str) -> Result<()> {
        self.page.wait_for_selector(selector).await?;
        self.check_focus(selector).await
    }

    async fn check_focus(&self, place: &str) -> Result<()> {
        let description = format!("a focus at {place}");
        self.page.wait_until(&description, HAS_FOCUS).await
    }

    async fn check_closed(&self, id: &str) -> Result<()> {
        self.page.wait_until_gone(id).await?;
        self.check_focus(&format!("the element behind {id}")).await
    }

    async fn write_page(&self, api: &Api) -> Result<()> {
        self.input.press("n").await?;
        self.input.focus(&by_id("new-page-path")).await?;
        self.type_text("/garden", "Return").await?;
        self.input.focus(steps::TEXT).await?;
        self.type_text("moss", "ctrl+Return").await?;
        wait_for_content(&self.page, BODY, "moss").await?;
        self.check_focus("the saved page").await?;
        self.input.press("e").await?;
        self.input.focus(steps::TEXT).await?;
        self.input.press("ctrl+End").await?;
        self.type_text(" and ferns", "ctrl+Return").await?;
        wait_for_content(&self.page, BODY, "moss and ferns").await?;
        let id = steps::page_id(api, "/garden").await?;
        let source = format!("api/pages/{id}/source");
        let source = api.send(Method::GET, &source, &[], String::new()).await?;
        let source = source.error_for_status()?.text().await?;
        ensure!(
            source == "# garden\n\nmoss and ferns",
            "“{source}” was saved"
        );
        Ok(())
    }

    async fn find_and_rename_page(&self) -> Result<()> {
        self.input.press("ctrl+k").await?;
        self.wait_for_focus(&by_id("palette")).await?;
        self.input.press("Escape").await?;
        self.check_closed("palette").await?;
        self.input.press("alt+1").await?;
        self.page.wait_for_address("/wiki/").await?;
        self.input.press("ctrl+k").await?;
        self.wait_for_focus(&by_id("palette")).await?;
        self.input.type_letters("garden").await?;
        wait_for_content(&self.page, &by_id("palette-entry"), "garden").await?;
        self.input.press("Return").await?;
        self.page.wait_for_address("/wiki/garden").await?;
        wait_for_content(&self.page, BODY, "moss").await?;

        self.input.press("F2").await?;
        self.input.focus(&by_id("move-path")).await?;
        self.input.press("ctrl+a").await?;
        self.type_text("/grove", "Return").await?;
        self.page.wait_for_address("/wiki/grove").await?;
        self.check_closed("rename-dialog").await
    }

    async fn restore_revision(&self) -> Result<()> {
        self.input.press("h").await?;
        self.wait_for_focus(&by_id("history")).await?;
        // From the move to the text that was saved last, with its changes.
        self.input.press("j").await?;
        wait_for_content(&self.page, &by_id("diff"), "ferns").await?;
        self.input.press("j").await?;
        wait_for_content(&self.page, &by_id("action-go-back"), "revision 1").await?;
        self.input.press("r").await?;
        wait_for_content(&self.page, &by_id("toast"), "revision 1").await?;
        self.input.press("h").await?;
        self.page.wait_for_address("/wiki/grove").await?;
        self.page
            .wait_until("the first text", "return document.querySelector('[data-testid=\"page-body\"]')?.textContent.trim() === 'moss'")
            .await?;
        self.check_focus("the page that went back").await
    }

    async fn delete_and_restore_page(&self) -> Result<()> {
        self.input.press("Delete").await?;
        self.page.wait_for_address("/wiki/").await?;
        self.check_focus("the page above").await?;
        self.input.press("b").await?;
        wait_for_content(&self.page, &by_id("trash-list"), "/grove").await?;
        self.input.press("j").await?;
        self.input.press("r").await?;
        self.wait_for_focus(&by_id("trash-empty")).await
    }

    async fn settings(&self) -> Result<()> {
        self.input.press("ctrl+comma").await?;
        self.wait_for_focus(&by_id("settings")).await?;
        self.input.press("alt+4").await?;
        self.wait_for_focus(&by_id("cache-used")).await?;
        self.input.press("m").await?;
        let finished_job = format!("{}[data-state=\"done\"]", by_id("job-cache_gc"));
        self.wait_for_focus(&finished_job).await?;
        self.input.press("question").await?;
        self.wait_for_focus(&by_id("keys-dialog")).await?;
        self.input.press("Escape").await?;
        self.check_closed("keys-dialog").await
    }

    async fn pictures(&self) -> Result<()> {
        let cell = by_id("cell");
        for _ in 0..30 {
            self.input.press("Tab").await?;
            let is_focused = format!("return document.activeElement?.matches({cell:?})");
            if self.page.execute(&is_focused).await? == true {
                break;
            }
        }
        self.input.focus(&cell).await?;
        self.input.press("Right").await?;
        let second = format!("{cell}[data-index=\"1\"]");
        self.input.focus(&second).await?;
        self.input.press("Return").await?;
        self.wait_for_focus(&by_id("viewer")).await?;
        self.input.press("j").await?;
        self.input.press("Escape").await?;
        self.page.wait_until_gone("viewer").await?;
        self.input.focus(&cell).await
    }
}
