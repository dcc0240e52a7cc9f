//! The grid of a folder, for several scenarios.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use serde_json::json;

/// Returns the selector of an entry's cell.
pub(crate) fn cell(name: &str) -> String {
    format!("{}[data-name=\"{name}\"]", by_id("cell"))
}

/// Returns a non-character key as text to type.
pub(crate) fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// Selects an entry, and nothing else.
pub(crate) async fn select(page: &Page, name: &str) -> Result<()> {
    page.click_at(&cell(name)).await?;
    let selected = format!("{}[aria-selected=\"true\"]", cell(name));
    page.wait_for_selector(&selected).await?;
    Ok(())
}

/// Waits until these entries are shown, in this order, and no others.
pub(crate) async fn wait_for_entries(page: &Page, names: &[&str]) -> Result<()> {
    let script = format!(
        "const cells = [...document.querySelectorAll('{}')];
         return JSON.stringify(cells.map((cell) => cell.dataset.name)) === JSON.stringify({});",
        by_id("cell"),
        json!(names)
    );
    page.wait_until(&format!("{names:?}"), &script).await
}
