//! Every view by the Tab key: every focusable element gets the focus, shows it, and releases it (WCAG 2.1.2,
//! 2.4.7, 2.4.11).

use std::fmt::Write;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use reqwest::{Method, Url};
use serde_json::{Value, json};

const SCRIPT: &str = include_str!("tab_order.js");

/// The number of additional steps: elements without a role in HTML can be focusable too, as scrolling parts
/// are in some engines.
const ADDITIONAL_STEPS: u64 = 12;

/// A key that opens an overlay, and its test id.
const OVERLAYS: [(&[Key], &str, &str); 5] = [
    (&[], "?", "keys-dialog"),
    (&[], "n", "new-page-dialog"),
    (&[Key::Control], "k", "palette"),
    (&[], "\u{e032}", "rename-dialog"),
    (&[], "\u{e017}", "delete-dialog"),
];

pub(crate) async fn tab_key_reaches_every_control(stage: &mut Stage) -> Result<()> {
    stage.start(&[]).await?.wait_for("greeting").await?;
    let api = stage.api().await?;
    api.post("api/users", &json!({ "name": "Aya" })).await?;
    let settings = json!({ "language": "en" }).to_string();
    let headers = [("content-type", "application/json")];
    api.send(Method::PATCH, "api/settings", &headers, settings)
        .await?
        .error_for_status()?;
    seed::storehouse(&api, "en").await?;
    seed::traces(&api, "en").await?;
    stage.stop().await?;

    let page = stage.start(&seed::folders(stage.home())?).await?.clone();
    page.wait_for("cell").await?;
    let mut check = TabOrderCheck {
        base: page.client().current_url().await?,
        page,
        faults: String::new(),
    };
    let outcome = check.all_views().await;
    ensure!(check.faults.is_empty(), "{}", check.faults);
    outcome
}

/// A check of the tab order in the views, which collects faults.
struct TabOrderCheck {
    page: Page,
    base: Url,
    faults: String,
}

impl TabOrderCheck {
    async fn all_views(&mut self) -> Result<()> {
        self.pictures().await?;
        self.reader().await?;
        self.editor().await?;
        self.other_views().await
    }

    async fn pictures(&mut self) -> Result<()> {
        self.page.wait_for("thumb").await?;
        self.tab_through("a folder").await?;
        // The controls that come with the overview count, too.
        self.go("/pictures/", "[data-testid=\"start-added\"]")
            .await?;
        self.tab_through("the folders").await
    }

    async fn reader(&mut self) -> Result<()> {
        let garden = format!("/wiki{}", seed::garden("en"));
        self.go(&garden, "[data-testid=\"backlink\"]").await?;
        self.tab_through("a page").await?;
        // With a subpage, so that the dialog asks about it.
        let winter = format!("/wiki{}", seed::winter("en"));
        self.go(&winter, "[data-testid=\"page-body\"]").await?;
        for (modifiers, key, id) in OVERLAYS {
            self.overlay(modifiers, key, id).await?;
        }
        Ok(())
    }

    /// Checks that an overlay keeps the focus until Escape returns it to its former element.
    async fn overlay(&mut self, modifiers: &[Key], pressed: &str, id: &str) -> Result<()> {
        self.page
            .execute("document.querySelector('[data-testid=\"page-edit\"]').focus()")
            .await?;
        self.page.press(modifiers, pressed).await?;
        self.page.wait_for(id).await?;
        self.tab_through(id).await?;
        self.page.press(&[], &key(Key::Escape)).await?;
        self.page.wait_until_gone(id).await?;
        let back = "return document.activeElement?.dataset.testid === 'page-edit'";
        self.page
            .wait_until(&format!("the focus to return from {id}"), back)
            .await
    }

    /// Checks the editor: in a list the Tab key belongs to the text until Escape is pressed.
    async fn editor(&mut self) -> Result<()> {
        let garden = format!("/wiki{}", seed::garden("en"));
        self.go(&garden, "[data-testid=\"page-body\"]").await?;
        self.page.press(&[], "e").await?;
        self.page.wait_for_selector(".cm-content").await?;
        self.page.wait_for("editor-preview").await?;
        self.tab_through("the editor").await
    }

    async fn other_views(&mut self) -> Result<()> {
        let history = format!("/wiki{}?history", seed::garden("en"));
        self.go(&history, "[data-testid=\"diff\"]").await?;
        self.tab_through("the history").await?;
        for (name, address, id) in [
            ("the list of pages", "/pages", "list-page"),
            ("the tasks", "/tasks", "task-row"),
            ("the bin", "/bin", "trash-page"),
            ("the cache", "/cache", "cache-groups"),
            ("the settings", "/settings", "settings"),
            ("files without a page", "/settings/files", "orphan-assign"),
        ] {
            self.go(address, &format!("[data-testid=\"{id}\"]")).await?;
            self.tab_through(name).await?;
        }
        Ok(())
    }

    async fn go(&self, address: &str, ready: &str) -> Result<()> {
        self.page.go(self.base.join(address)?.as_str()).await?;
        self.page.wait_for_selector(ready).await?;
        Ok(())
    }

    /// Presses the Tab key until the focus returns to the first element.
    async fn tab_through(&mut self, place: &str) -> Result<()> {
        let start = self.execute("begin", place).await?;
        let wanted = start["wanted"].as_u64().context("a number of elements")?;
        for _ in 0..wanted + ADDITIONAL_STEPS {
            if self.is_in_text().await? {
                self.page.press(&[], &key(Key::Escape)).await?;
            }
            self.page.press(&[], &key(Key::Tab)).await?;
            if self.execute("step", place).await?["back"] == true {
                break;
            }
        }
        self.execute("end", place).await?;
        Ok(())
    }

    async fn is_in_text(&self) -> Result<bool> {
        let is_in_text = "return document.activeElement?.isContentEditable === true";
        Ok(self.page.execute(is_in_text).await? == true)
    }

    async fn execute(&mut self, act: &str, place: &str) -> Result<Value> {
        // The engine scrolls to the focus when it draws.
        let script = format!(
            "const done = arguments[arguments.length - 1]; const run = () => {{ {SCRIPT} }};
            requestAnimationFrame(() => requestAnimationFrame(() => done(run())));"
        );
        let client = self.page.client();
        let answer = client.execute_async(&script, vec![act.into()]).await;
        let answer = answer.with_context(|| format!("the tab order of {place}"))?;
        for fault in answer["faults"].as_array().context("faults are a list")? {
            let fault = fault.as_str().context("a fault is a text")?;
            writeln!(self.faults, "{place}: {fault}")?;
        }
        Ok(answer)
    }
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}
