//! A day of work on the keyboard of the real window: no step needs a mouse, and none loses the focus.

use anyhow::{Result, ensure};
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed::fixture;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::user_input::UserInput;
use reqwest::Method;

use crate::steps;
use crate::wiki::shows;

/// Returns true if an element has the focus. Without one, keys do not scroll, and Tab starts at the beginning.
const HAS_FOCUS: &str = "return document.hasFocus() && document.activeElement !== document.body";

const BODY: &str = "[data-testid=\"page-body\"]";

pub(crate) async fn page_is_managed_by_keys_in_the_window(stage: &mut Stage) -> Result<()> {
    stage.start(&[]).await?.see("greeting").await?;
    let api = stage.api().await?;
    let day = Day::at(stage)?;
    // A window manager would give the window the keyboard focus.
    day.input.click_into(&by_id("greeting-name")).await?;
    day.types("Hanako", "Return").await?;
    day.comes(BODY).await?;
    day.written(&api).await?;
    day.found_and_moved().await?;
    day.gone_back_to().await?;
    day.deleted_and_restored().await?;
    day.settings().await?;
    stage.stop().await?;

    let orientation = fixture("images/orientation");
    stage.start(&[orientation]).await?.see("cell").await?;
    let day = Day::at(stage)?;
    // Gives the window the focus, as above.
    day.input.click(&by_id("rail")).await?;
    day.pictures().await
}

struct Day<'a> {
    page: Page,
    input: UserInput<'a>,
}

impl<'a> Day<'a> {
    fn at(stage: &'a Stage) -> Result<Self> {
        Ok(Self {
            page: stage.page().clone(),
            input: UserInput::attach(stage)?,
        })
    }

    async fn types(&self, letters: &str, end: &str) -> Result<()> {
        self.input.type_letters(letters).await?;
        self.input.press(end).await
    }

    /// Waits until the element is shown and has the focus.
    async fn comes(&self, selector: &str) -> Result<()> {
        self.page.see_at(selector).await?;
        self.rests(selector).await
    }

    async fn rests(&self, place: &str) -> Result<()> {
        let what = format!("a focus at {place}");
        self.page.holds(&what, HAS_FOCUS).await
    }

    async fn closes(&self, id: &str) -> Result<()> {
        self.page.gone(id).await?;
        self.rests(&format!("what was behind {id}")).await
    }

    async fn written(&self, api: &Api) -> Result<()> {
        self.input.press("n").await?;
        self.input.focus(&by_id("new-page-path")).await?;
        self.types("/garden", "Return").await?;
        self.input.focus(steps::TEXT).await?;
        self.types("moss", "ctrl+Return").await?;
        shows(&self.page, BODY, "moss").await?;
        self.rests("the saved page").await?;
        self.input.press("e").await?;
        self.input.focus(steps::TEXT).await?;
        self.input.press("ctrl+End").await?;
        self.types(" and ferns", "ctrl+Return").await?;
        shows(&self.page, BODY, "moss and ferns").await?;
        let id = steps::page_id(api, "/garden").await?;
        let source = format!("api/pages/{id}/source");
        let kept = api.send(Method::GET, &source, &[], String::new()).await?;
        let kept = kept.error_for_status()?.text().await?;
        ensure!(kept == "# garden\n\nmoss and ferns", "“{kept}” is kept");
        Ok(())
    }

    async fn found_and_moved(&self) -> Result<()> {
        self.input.press("ctrl+k").await?;
        self.comes(&by_id("palette")).await?;
        self.input.press("Escape").await?;
        self.closes("palette").await?;
        self.input.press("alt+1").await?;
        self.page.address("/wiki/").await?;
        self.input.press("ctrl+k").await?;
        self.comes(&by_id("palette")).await?;
        self.input.type_letters("garden").await?;
        shows(&self.page, &by_id("palette-entry"), "garden").await?;
        self.input.press("Return").await?;
        self.page.address("/wiki/garden").await?;
        shows(&self.page, BODY, "moss").await?;

        self.input.press("F2").await?;
        self.input.focus(&by_id("move-path")).await?;
        self.input.press("ctrl+a").await?;
        self.types("/grove", "Return").await?;
        self.page.address("/wiki/grove").await?;
        self.closes("rename-dialog").await
    }

    async fn gone_back_to(&self) -> Result<()> {
        self.input.press("h").await?;
        self.comes(&by_id("history")).await?;
        // From the move to the text that was saved last, with its changes.
        self.input.press("j").await?;
        shows(&self.page, &by_id("diff"), "ferns").await?;
        self.input.press("j").await?;
        shows(&self.page, &by_id("action-go-back"), "revision 1").await?;
        self.input.press("r").await?;
        shows(&self.page, &by_id("toast"), "revision 1").await?;
        self.input.press("h").await?;
        self.page.address("/wiki/grove").await?;
        self.page
            .holds("the first text", "return document.querySelector('[data-testid=\"page-body\"]')?.textContent.trim() === 'moss'")
            .await?;
        self.rests("the page that went back").await
    }

    async fn deleted_and_restored(&self) -> Result<()> {
        self.input.press("Delete").await?;
        self.page.address("/wiki/").await?;
        self.rests("the page above").await?;
        self.input.press("b").await?;
        shows(&self.page, &by_id("bin-list"), "/grove").await?;
        self.input.press("j").await?;
        self.input.press("r").await?;
        self.comes(&by_id("bin-empty")).await
    }

    async fn settings(&self) -> Result<()> {
        self.input.press("ctrl+comma").await?;
        self.comes(&by_id("settings")).await?;
        self.input.press("alt+4").await?;
        self.comes(&by_id("cache-used")).await?;
        self.input.press("m").await?;
        let done = format!("{}[data-state=\"done\"]", by_id("job-cache_gc"));
        self.comes(&done).await?;
        self.input.press("question").await?;
        self.comes(&by_id("keys-dialog")).await?;
        self.input.press("Escape").await?;
        self.closes("keys-dialog").await
    }

    async fn pictures(&self) -> Result<()> {
        let cell = by_id("cell");
        for _ in 0..30 {
            self.input.press("Tab").await?;
            let there = format!("return document.activeElement?.matches({cell:?})");
            if self.page.ask(&there).await? == true {
                break;
            }
        }
        self.input.focus(&cell).await?;
        self.input.press("Right").await?;
        let second = format!("{cell}[data-index=\"1\"]");
        self.input.focus(&second).await?;
        self.input.press("Return").await?;
        self.comes(&by_id("viewer")).await?;
        self.input.press("j").await?;
        self.input.press("Escape").await?;
        self.page.gone("viewer").await?;
        self.input.focus(&cell).await
    }
}
