//! What a person does in more than one scenario.

use anyhow::{Context, Result};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Api, Stage};
use serde_json::Value;

/// Where one writes.
pub(crate) const TEXT: &str = ".cm-content";

/// The first start: the greeting asks for a name, and the wiki's root page appears.
pub(crate) async fn begin(stage: &mut Stage) -> Result<Page> {
    let page = stage.start(&[]).await?.clone();
    page.type_into("greeting-name", "花子").await?;
    page.click("greeting-submit").await?;
    page.see("page-body").await?;
    Ok(page)
}

/// Opens the page that is shown for writing.
pub(crate) async fn edit(page: &Page) -> Result<()> {
    page.click("page-edit").await?;
    page.see_at(TEXT).await?;
    Ok(())
}

/// Replaces everything in the editor.
pub(crate) async fn write(page: &Page, text: &str) -> Result<()> {
    // A line ends with a key; WebKit's driver drops the character.
    let text = text.replace('\n', &char::from(Key::Enter).to_string());
    page.click_at(TEXT).await?;
    page.see_at(TEXT)
        .await?
        .send_keys(&chord(Key::Control, "a"))
        .await?;
    page.see_at(TEXT).await?.send_keys(&text).await?;
    Ok(())
}

/// Saves, and waits until the page is shown again.
pub(crate) async fn save(page: &Page) -> Result<()> {
    page.click("editor-finish").await?;
    page.see("page-body").await?;
    Ok(())
}

/// A key with another one held down.
pub(crate) fn chord(held: Key, key: &str) -> String {
    // What comes after the null key has nothing held down any more.
    format!("{}{key}{}", char::from(held), char::from(Key::Null))
}

/// Asks the window by a command, as the page does.
const COMMAND: &str = r#"
const [command, values, done] = arguments;
window.__TAURI_INTERNALS__.invoke(command, values).then(
  (answer) => done({ ok: answer ?? null }),
  (error) => done({ error }),
);
"#;

/// What a command answers: `{"ok": answer}`, or `{"error": body}`.
pub(crate) async fn command(page: &Page, name: &str, values: Value) -> Result<Value> {
    let asked = vec![name.into(), values];
    let answer = page.client().execute_async(COMMAND, asked).await;
    answer.with_context(|| name.to_owned())
}

/// The id of the page at a path, as the server has it.
pub(crate) async fn page_id(api: &Api, path: &str) -> Result<String> {
    let query = reqwest::Url::parse_with_params("http://x/", [("path", path)])?;
    let found = api
        .get(&format!(
            "api/pages/resolve?{}",
            query.query().unwrap_or_default()
        ))
        .await?;
    found["id"]
        .as_str()
        .map(str::to_owned)
        .context("a page has an id")
}

/// Whether somebody writes this page now.
pub(crate) async fn is_locked(api: &Api, id: &str) -> Result<bool> {
    let status = api.get(&format!("api/pages/{id}/lock")).await?;
    status["locked"]
        .as_bool()
        .context("a lock status says whether it is locked")
}

/// The unsaved texts that the server keeps for this person.
pub(crate) async fn journals(api: &Api) -> Result<Vec<Value>> {
    let list = api.get("api/journals").await?;
    list.as_array().cloned().context("journals are a list")
}
