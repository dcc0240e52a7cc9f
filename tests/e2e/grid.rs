//! The grid of a folder, as more than one scenario meets it.

use anyhow::Result;
use fantoccini::key::Key;
use fumikura_tests::page::{Page, by_id};
use serde_json::json;

/// The selector of an entry's cell.
pub(crate) fn cell(name: &str) -> String {
    format!("{}[data-name=\"{name}\"]", by_id("cell"))
}

/// A key without a letter, as it is pressed.
pub(crate) fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// Has an entry selected, and nothing else.
pub(crate) async fn mean(page: &Page, name: &str) -> Result<()> {
    page.click_at(&cell(name)).await?;
    let selected = format!("{}[aria-selected=\"true\"]", cell(name));
    page.see_at(&selected).await?;
    Ok(())
}

/// The entries stand there, in this order, and no others.
pub(crate) async fn are(page: &Page, names: &[&str]) -> Result<()> {
    let script = format!(
        "const cells = [...document.querySelectorAll('{}')];
         return JSON.stringify(cells.map((cell) => cell.dataset.name)) === JSON.stringify({});",
        by_id("cell"),
        json!(names)
    );
    page.holds(&format!("{names:?}"), &script).await
}
