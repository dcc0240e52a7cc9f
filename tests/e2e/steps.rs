//! Actions of a user in several scenarios.

use anyhow::{Context, Result};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Api, Stage};
use serde_json::Value;

/// The selector of the text field.
pub(crate) const TEXT: &str = ".cm-content";

/// Starts for the first time: the greeting asks for a name, and the wiki's root page appears.
pub(crate) async fn begin(stage: &mut Stage) -> Result<Page> {
    let page = stage.start(&[]).await?.clone();
    page.type_into("greeting-name", "花子").await?;
    page.click("greeting-submit").await?;
    page.click("tour-skip").await?;
    page.wait_for("page-body").await?;
    Ok(page)
}

/// Goes to an address of the application.
pub(crate) async fn go(stage: &Stage, path: &str) -> Result<()> {
    let page = stage.page_if_running().context("the stage runs")?;
    let address = page.client().current_url().await?;
    page.go(address.join(path)?.as_str()).await
}

/// Opens the editor of the page that is shown.
pub(crate) async fn edit(page: &Page) -> Result<()> {
    page.click("page-edit").await?;
    page.wait_for_selector(TEXT).await?;
    Ok(())
}

/// Replaces everything in the editor.
pub(crate) async fn write(page: &Page, text: &str) -> Result<()> {
    // A line ends with a key; WebKit's driver drops the character.
    let text = text.replace('\n', &char::from(Key::Enter).to_string());
    page.click_at(TEXT).await?;
    page.wait_for_selector(TEXT)
        .await?
        .send_keys(&chord(Key::Control, "a"))
        .await?;
    // A mark that is typed over a selection would surround it.
    page.wait_for_selector(TEXT)
        .await?
        .send_keys(&char::from(Key::Delete).to_string())
        .await?;
    page.wait_for_selector(TEXT).await?.send_keys(&text).await?;
    Ok(())
}

/// Saves, and waits until the page is shown again.
pub(crate) async fn save(page: &Page) -> Result<()> {
    page.click("editor-finish").await?;
    page.wait_for("page-body").await?;
    Ok(())
}

/// Returns a key with a modifier.
pub(crate) fn chord(held: Key, key: &str) -> String {
    // The null key releases the modifier.
    format!("{}{key}{}", char::from(held), char::from(Key::Null))
}

/// Calls a command of the window, as the page does.
const COMMAND: &str = r#"
const [command, values, done] = arguments;
window.__TAURI_INTERNALS__.invoke(command, values).then(
  (answer) => done({ ok: answer ?? null }),
  (error) => done({ error }),
);
"#;

/// Returns the answer of a command: `{"ok": answer}`, or `{"error": body}`.
pub(crate) async fn command(page: &Page, name: &str, values: Value) -> Result<Value> {
    let parameters = vec![name.into(), values];
    let answer = page.client().execute_async(COMMAND, parameters).await;
    answer.with_context(|| name.to_owned())
}

/// Returns the id of the page at a path.
pub(crate) async fn page_id(api: &Api, path: &str) -> Result<String> {
    let query = reqwest::Url::parse_with_params("http://x/", [("path", path)])?;
    let page = api
        .get(&format!(
            "api/pages/resolve?{}",
            query.query().unwrap_or_default()
        ))
        .await?;
    page["id"]
        .as_str()
        .map(str::to_owned)
        .context("a page has an id")
}

/// Returns true if the page is locked.
pub(crate) async fn is_locked(api: &Api, id: &str) -> Result<bool> {
    let status = api.get(&format!("api/pages/{id}/lock")).await?;
    status["locked"]
        .as_bool()
        .context("a lock status says whether it is locked")
}

/// Returns the user's autosave entries on the server.
pub(crate) async fn autosave_entries(api: &Api) -> Result<Vec<Value>> {
    let list = api.get("api/journals").await?;
    list.as_array().cloned().context("journals are a list")
}
