//! A storehouse that has been used for a while.

mod export;
mod folders;
mod metadata;
mod traces;
mod undo;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use reqwest::{Method, Response, Url};

pub use export::start_long_export;
pub use folders::{
    BROKEN_PICTURES, DEEPEST, EMPTY, JOURNEYS, MARKED, MEMORY_CARD, NO_PICTURE, PHOTOGRAPHS,
    folders, remove_memory_card,
};
pub use metadata::{put_dated_picture, put_sidecar};
pub use traces::{before_overlong, lenses, overlong, traces, winter};
pub use undo::add_partly_undoable_operation;

use crate::stage::Api;

/// Returns the path of a file below `fixtures/`.
#[must_use]
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name)
}

/// Writes the pages of `fixtures/storehouse/{language}` as the first user.
///
/// # Errors
/// Fails if the server refuses one of them.
pub async fn storehouse(api: &Api, language: &str) -> Result<()> {
    let root = fixture("storehouse").join(language);
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    files.sort();
    for file in files {
        let relative = file.strip_prefix(&root)?.with_extension("");
        let name = relative.to_str().context("our fixtures have plain names")?;
        let path = if name == "index" {
            "/".to_owned()
        } else {
            format!("/{name}")
        };
        let text = fs::read_to_string(&file)?;
        // The page that is viewed most has a history.
        if path == garden(language) {
            write(api, &path, without_last_lines(&text)).await?;
        }
        write(api, &path, text).await?;
    }
    put_into_trash(api, packing(language)).await
}

/// Writes a page and deletes it, so that the trash is not empty.
async fn put_into_trash(api: &Api, path: &str) -> Result<()> {
    write(api, path, "# 2025\n".to_owned()).await?;
    delete(api, path, "").await
}

/// Deletes a page; `query` is that of the request.
async fn delete(api: &Api, path: &str, query: &str) -> Result<()> {
    let address = format!("api/pages/{}?{query}", page_id(api, path).await?);
    api.send(Method::DELETE, &address, &[], String::new())
        .await?
        .error_for_status()?;
    Ok(())
}

/// Returns the path of a page in the trash.
fn packing(language: &str) -> &'static str {
    in_language(language, "/packing", "/荷造り")
}

/// Returns the path of the page that has links to and from it, and a history.
#[must_use]
pub fn garden(language: &str) -> &'static str {
    in_language(language, "/travel/kyoto/autumn-gardens", "/旅/京都/秋の庭")
}

/// Returns the path of the page with code, formulas, a diagram, a table and tasks.
#[must_use]
pub fn exposure(language: &str) -> &'static str {
    in_language(language, "/photography/exposure", "/写真/露出の計算")
}

/// Returns the path of the page that shows a folder.
#[must_use]
pub fn gallery(language: &str) -> &'static str {
    in_language(language, "/travel/kyoto/pictures", "/旅/京都/写真")
}

/// Returns the text in this language.
#[must_use]
pub fn in_language(language: &str, english: &'static str, japanese: &'static str) -> &'static str {
    if language == "ja" { japanese } else { english }
}

fn without_last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    let (first, _) = lines.split_at(lines.len() / 2);
    first.join("\n") + "\n"
}

/// Writes a page, new or not. Returns its id.
///
/// # Errors
/// Fails if the server refuses it.
pub async fn write(api: &Api, path: &str, text: String) -> Result<String> {
    let query = query(path)?;
    let page = send(api, Method::GET, &format!("api/pages/resolve?{query}")).await?;
    let (id, token) = if page.status().is_success() {
        let id = id_of(page.json().await?)?;
        let token = lock(api, &id).await?;
        (id, token)
    } else {
        let created = send(api, Method::POST, &format!("api/pages?{query}")).await?;
        let created = created.error_for_status()?;
        let token = token_of(&created)?;
        (id_of(created.json().await?)?, token)
    };
    save(api, &id, &token, text).await?;
    Ok(id)
}

/// Acquires the lock of a page as another program would, even if another tab of the same user holds it.
/// Returns its token.
///
/// # Errors
/// Fails if the server refuses it.
pub async fn lock(api: &Api, id: &str) -> Result<String> {
    let address = format!("api/pages/{id}/lock?take_over=true");
    token_of(
        &send(api, Method::POST, &address)
            .await?
            .error_for_status()?,
    )
}

/// Saves a page as another program would, which releases the lock.
///
/// # Errors
/// Fails if the server refuses it.
pub async fn save(api: &Api, id: &str, token: &str, text: String) -> Result<()> {
    let token = format!("token={token}");
    let headers = [
        ("x-lock-authentication", token.as_str()),
        ("content-type", "text/markdown; charset=utf-8"),
    ];
    let address = format!("api/pages/{id}/source");
    let saved = api.send(Method::PUT, &address, &headers, text).await?;
    saved.error_for_status()?;
    Ok(())
}

/// Returns the id of the page at a path.
///
/// # Errors
/// Fails if there is none.
pub async fn page_id(api: &Api, path: &str) -> Result<String> {
    let address = format!("api/pages/resolve?{}", query(path)?);
    id_of(api.get(&address).await?)
}

async fn send(api: &Api, method: Method, address: &str) -> Result<Response> {
    api.send(method, address, &[], String::new()).await
}

fn token_of(answer: &Response) -> Result<String> {
    let lock = answer.headers().get("x-page-lock");
    let lock = lock.context("a lock comes with its token")?.to_str()?;
    let mut parts = lock.split_whitespace();
    let token = parts.find_map(|part| part.strip_prefix("token="));
    Ok(token.context("a lock has a token")?.to_owned())
}

fn query(path: &str) -> Result<String> {
    let url = Url::parse_with_params("http://localhost/", [("path", path)])?;
    Ok(url.query().unwrap_or_default().to_owned())
}

fn id_of(answer: serde_json::Value) -> Result<String> {
    Ok(answer["id"]
        .as_str()
        .context("a page has an id")?
        .to_owned())
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
