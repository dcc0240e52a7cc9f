//! A file operation that can't be completely undone, because other programs have changed the files since.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;

use super::{DEEPEST, JOURNEYS, fixture};
use crate::stage::Api;

/// Renames four pictures in one of the folders of `folders`, through the server. Then the old name of one is
/// taken, one is changed and one is removed. Does nothing if any file operation was done before.
///
/// # Errors
/// Fails if the folder is not open.
pub async fn add_partly_undoable_operation(api: &Api) -> Result<()> {
    let operations = api.get("api/files/operations").await?;
    if operations
        .as_array()
        .is_some_and(|operations| !operations.is_empty())
    {
        return Ok(());
    }
    let roots = api.get("api/roots").await?;
    let root = roots
        .as_array()
        .and_then(|roots| roots.iter().find(|root| root["name"] == JOURNEYS))
        .context("the folder is not open")?;
    let names: Vec<_> = (1..=4)
        .map(|number| json!({ "from": format!("IMG_{number:04}.jpg"), "to": format!("Deer {number}.jpg") }))
        .collect();
    let renamed = json!({ "root": root["id"], "path": DEEPEST, "names": names });
    api.post("api/files/rename", &renamed).await?;
    let folder = root["path"].as_str().context("a root has a path")?;
    let folder = Path::new(folder).join(DEEPEST);
    let other = fixture("images/orientation/Portrait_1.jpg");
    fs::copy(&other, folder.join("IMG_0001.jpg"))?;
    fs::copy(&other, folder.join("Deer 3.jpg"))?;
    Ok(fs::remove_file(folder.join("Deer 4.jpg"))?)
}
