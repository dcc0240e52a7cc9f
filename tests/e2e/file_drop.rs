//! Files that a user gives to the window, so that its page gets grants for them.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::drag;
use fumikura_tests::page::Page;
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;
use serde_json::Value;

/// Listens as the page does, and puts the event into `window.dropped`.
const LISTEN: &str = r#"
const [done] = arguments;
delete window.dropped;
const tauri = window.__TAURI_INTERNALS__;
const handler = tauri.transformCallback(({ payload }) => (window.dropped = payload));
tauri.invoke("plugin:event|listen", { event: "files-dropped", target: { kind: "Any" }, handler }).then(
  () => done(null),
  (error) => done(error),
);
"#;

/// Drops files on the middle of the window. Returns the page's event: `{grants, x, y}`.
pub(crate) async fn drop_files(stage: &Stage, page: &Page, files: &[&Path]) -> Result<Value> {
    let listening = page.client().execute_async(LISTEN, Vec::new()).await?;
    ensure!(listening.is_null(), "{listening}");
    let screen = Screen::of(stage.display())?;
    let window = *screen.windows()?.last().context("there is a window")?;
    drag::files_onto(stage.display(), window, files).await?;
    wait_for_variable(page, "dropped").await
}

/// Waits for a variable of the page, and returns it.
pub(crate) async fn wait_for_variable(page: &Page, variable: &str) -> Result<Value> {
    wait::until(variable, async || {
        let value = page
            .execute(&format!("return window.{variable} ?? null"))
            .await?;
        Ok((!value.is_null()).then_some(value))
    })
    .await
}
