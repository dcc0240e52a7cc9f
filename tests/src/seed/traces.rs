//! Traces of use in a storehouse: files, unsaved text, moved and deleted pages, and overlong names.

use anyhow::{Context, Result};
use reqwest::{Method, Url};
use serde_json::json;
use std::fs;

use super::{delete, fixture, garden, in_language, page_id, write};
use crate::stage::Api;

/// Returns the path of the page that was saved by another tab while a tab had unsaved text.
#[must_use]
pub fn lenses(language: &str) -> &'static str {
    in_language(language, "/photography/lens-notes", "/写真/レンズの手入れ")
}

/// Returns the path of a page that has a subpage and relative links.
#[must_use]
pub fn winter(language: &str) -> &'static str {
    in_language(language, "/plans/winter", "/計画/冬")
}

/// Returns the path of a page that has moved, and whose long name has no place to break a line.
#[must_use]
pub fn overlong(language: &str) -> String {
    let (above, word) = if language == "ja" {
        ("/写真", "とぎれのないながいなまえ")
    } else {
        ("/photography", "unbroken")
    };
    let name: String = word.chars().cycle().take(200).collect();
    format!("{above}/{name}")
}

/// Returns the former path of that page.
#[must_use]
pub fn before_overlong(language: &str) -> String {
    let path = overlong(language);
    let above = path.rsplit_once('/').map_or("", |(above, _)| above);
    format!("{above}/{}", in_language(language, "short", "短い名"))
}

/// Adds the traces to what `storehouse` wrote.
///
/// # Errors
/// Fails if the server refuses one of them.
pub async fn traces(api: &Api, language: &str) -> Result<()> {
    plans(api, language).await?;
    long_names(api, language).await?;
    files(api, language).await?;
    add_conflicting_autosave(api, language).await
}

/// Writes plans for two winters: one to come, one in the trash.
async fn plans(api: &Api, language: &str) -> Result<()> {
    let winter = winter(language);
    let (title, list) = (
        in_language(language, "Winter", "冬"),
        in_language(language, "list", "持ち物"),
    );
    let snow = in_language(language, "snow", "雪");
    let last = in_language(language, "/plans/last-winter", "/計画/去年の冬");
    for path in [last, winter] {
        let (_, name) = path.rsplit_once('/').context("a path has a name")?;
        let text =
            format!("# {title}\n\n[{list}]({name}/{list}), [{snow}]({snow}), [{last}]({last})\n");
        write(api, path, text).await?;
        write(api, &format!("{path}/{list}"), format!("# {list}\n")).await?;
    }
    delete(api, last, "recursive=true").await
}

async fn long_names(api: &Api, language: &str) -> Result<()> {
    let path = overlong(language);
    let (_, name) = path.rsplit_once('/').context("a path has a name")?;
    let before = before_overlong(language);
    let text = format!(
        "# {name}\n\n{name}\n\n## {name}\n\n[{name}](/{name}) `{name}`\n\n```\n{name}\n```\n\n\
         | {name} | {name} |\n| --- | --- |\n| 1 | 2 |\n\n> {name}\n\n- [ ] {name}\n"
    );
    write(api, &before, "# 1\n".to_owned()).await?;
    let to = Url::parse_with_params("http://localhost/", [("rename_to", &path)])?;
    let address = format!(
        "api/pages/{}/path?{}",
        page_id(api, &before).await?,
        to.query().unwrap_or_default()
    );
    api.send(Method::POST, &address, &[], String::new())
        .await?
        .error_for_status()?;
    write(api, &path, text).await?;
    Ok(())
}

/// Adds files, some of a page, and some whose page is permanently deleted.
async fn files(api: &Api, language: &str) -> Result<()> {
    let lost = in_language(language, "/old-album", "/古いアルバム");
    write(api, lost, "# 2019\n".to_owned()).await?;
    let long = format!("{}.jpg", "IMG_20191103_".repeat(14));
    for (page, names) in [
        (
            garden(language),
            [in_language(language, "moss.jpg", "苔.jpg"), "gate.jpg"],
        ),
        (
            lost,
            [in_language(language, "pond.jpg", "池.jpg"), long.as_str()],
        ),
    ] {
        let id = page_id(api, page).await?;
        for (name, picture) in names.into_iter().zip(["Landscape_1.jpg", "Portrait_6.jpg"]) {
            upload(api, &id, name, picture).await?;
        }
    }
    delete(api, lost, "hard=true").await
}

async fn upload(api: &Api, page: &str, name: &str, picture: &str) -> Result<()> {
    let contents = fs::read(fixture("images/orientation").join(picture))?;
    let mut address = Url::parse("http://localhost/")?;
    if let Ok(mut path) = address.path_segments_mut() {
        path.extend(["api", "pages", page, "assets", name]);
    }
    api.send_bytes(Method::POST, &address.path()[1..], contents)
        .await?
        .error_for_status()?;
    Ok(())
}

/// Makes two changes to the same line: one is saved, the other is an autosave entry.
async fn add_conflicting_autosave(api: &Api, language: &str) -> Result<()> {
    let path = lenses(language);
    let id = page_id(api, path).await?;
    let source = format!("api/pages/{id}/source");
    let original = api
        .send(Method::GET, &source, &[], String::new())
        .await?
        .error_for_status()?
        .text()
        .await?;
    let mine = in_language(language, "400 K", "400 K だけ、もっと");
    let theirs = in_language(language, "250 K", "250 K ほど");
    let old = in_language(language, "300 K", "300 K だけ");
    let text = original.replace(old, mine);
    anyhow::ensure!(text != original, "{path} has another text: {original}");
    let entry = json!({ "path": path, "base_revision": 1, "source": text, "seq": 1 });
    let json = [("content-type", "application/json")];
    let address = format!("api/journal/{id}?tab=a-tab-that-is-gone");
    api.send(Method::PUT, &address, &json, entry.to_string())
        .await?
        .error_for_status()?;
    write(api, path, original.replace(old, theirs)).await?;
    Ok(())
}
