//! The tools that change pages. Each change holds the edit lock of its page, and is a revision by the author.

use anyhow::{Context, bail};
use fumikura_wiki::PagePath;
use rmcp::model::CallToolResult;
use rmcp::schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::connection::Connection;
use super::pages;
use crate::client::{Answer, percent_encode, text};

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct CreateInput {
    /// The path of the new page
    path: String,
    /// The Markdown text, which begins with the title as a heading
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct AppendInput {
    /// The path of the page
    path: String,
    /// The Markdown text to append
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
pub(super) struct EditInput {
    /// The path of the page
    path: String,
    /// The replacements, in their order
    edits: Vec<Replacement>,
    /// The revision that was read; the edit fails if there is a newer one
    revision: Option<u64>,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(deny_unknown_fields)]
struct Replacement {
    /// The text to replace, exactly as it is in the page, where it must occur once
    old: String,
    /// The new text
    new: String,
}

/// The edit lock of a page, which the next save releases.
struct EditLock<'a> {
    connection: &'a Connection<'a>,
    page: String,
    authentication: String,
}

impl<'a> EditLock<'a> {
    /// Reads the lock from the answer to the request that acquired it.
    fn of(connection: &'a Connection<'a>, page: String, answer: &Answer) -> anyhow::Result<Self> {
        let lock = answer.header("x-page-lock")?;
        let token = lock.split("token=").nth(1).context("a lock has a token")?;
        let authentication = format!("token={token}");
        Ok(Self {
            connection,
            page,
            authentication,
        })
    }

    fn acquire(connection: &'a Connection<'a>, page: String) -> anyhow::Result<Self> {
        let address = format!("api/pages/{page}/lock");
        let answer = connection.change("POST", &address, &[], b"")?;
        Self::of(connection, page, &answer)
    }

    /// Runs a change. If it fails, the lock is released, and a draft deleted with it.
    fn run<T>(self, change: impl FnOnce(&Self) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let changed = change(&self);
        if changed.is_err() {
            let address = format!("api/pages/{}/lock", self.page);
            let headers = [("x-lock-authentication", &*self.authentication)];
            self.connection
                .change("DELETE", &address, &headers, b"")
                .context("the lock of the page couldn't be released")?;
        }
        changed
    }

    /// Saves a text and releases the lock. Returns the number of the revision.
    fn save(&self, headers: &[(&str, &str)], source: &str) -> anyhow::Result<u64> {
        let mut headers = headers.to_vec();
        headers.push(("content-type", "text/markdown"));
        headers.push(("x-lock-authentication", &self.authentication));
        let address = format!("api/pages/{}/source", self.page);
        let saved = self
            .connection
            .change("PUT", &address, &headers, source.as_bytes())?;
        let revision = saved.json()?["revision"].as_u64();
        revision.context("the server's answer has no revision")
    }
}

pub(super) fn create(
    connection: &Connection<'_>,
    input: CreateInput,
) -> anyhow::Result<CallToolResult> {
    let path = PagePath::new(&input.path)?;
    if connection.exclusions.hide_page(path.as_str()) {
        bail!("no page can be created at {path}");
    }
    connection.register_author()?;
    let address = format!("api/pages?path={}", percent_encode(path.as_str()));
    let created = connection.change("POST", &address, &[], b"")?;
    let page = text(&created.json()?, "id").to_owned();
    let lock = EditLock::of(connection, page, &created)?;
    let revision = lock.run(|lock| lock.save(&[], &input.text))?;
    Ok(CallToolResult::structured(
        json!({ "path": path.as_str(), "revision": revision }),
    ))
}

pub(super) fn append(
    connection: &Connection<'_>,
    input: AppendInput,
) -> anyhow::Result<CallToolResult> {
    change(connection, &input.path, |source, _| {
        Ok(appended(source, &input.text))
    })
}

pub(super) fn edit(
    connection: &Connection<'_>,
    input: EditInput,
) -> anyhow::Result<CallToolResult> {
    change(connection, &input.path, |source, revision| {
        if input.revision.is_some_and(|read| read != revision) {
            bail!("the page has changed: read revision {revision} first");
        }
        let mut source = source.to_owned();
        for edit in &input.edits {
            source = replaced(&source, edit)?;
        }
        Ok(source)
    })
}

/// Changes the newest text of a page.
fn change(
    connection: &Connection<'_>,
    path: &str,
    text: impl FnOnce(&str, u64) -> anyhow::Result<String>,
) -> anyhow::Result<CallToolResult> {
    let page = pages::find(connection, path, None)?;
    connection.register_author()?;
    let changed = EditLock::acquire(connection, page.id)?.run(|lock| {
        let address = format!("api/pages/{}", lock.page);
        // A locked page can't move, so its path is checked now.
        let now = connection.get(&format!("{address}/path"))?;
        let now = crate::client::text(&now, "path").to_owned();
        if connection.exclusions.hide_page(&now) {
            bail!("there is no page at {path}");
        }
        let read = connection.get_bytes(&format!("{address}/source"))?;
        let tag = read.header("etag")?;
        let revision: u64 = read.header("x-page-revision")?.parse()?;
        let source = text(str::from_utf8(&read.body)?, revision)?;
        let digest = tag.trim_matches('"').split('-').nth(1);
        let digest = digest.context("the server's answer has no digest")?;
        let headers = [("if-match", tag), ("x-page-read", digest)];
        let revision = lock.save(&headers, &source)?;
        Ok((now, revision))
    });
    let (path, revision) = changed?;
    Ok(CallToolResult::structured(
        json!({ "path": path, "revision": revision }),
    ))
}

/// Returns a text with another one on a line of its own at the end.
fn appended(source: &str, text: &str) -> String {
    let line = if source.is_empty() || source.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{source}{line}{text}{end}")
}

/// Returns a text with one replacement.
fn replaced(source: &str, edit: &Replacement) -> anyhow::Result<String> {
    if edit.old.is_empty() {
        bail!("the text to replace is empty");
    }
    let shown: String = edit.old.chars().take(60).collect();
    match source.matches(&edit.old).count() {
        0 => bail!("the page does not contain this text: {shown}"),
        1 => Ok(source.replacen(&edit.old, &edit.new, 1)),
        count => bail!("the page contains this text {count} times, give more of it: {shown}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn appended_text_has_its_own_line() {
        assert_eq!(appended("a\n", "b"), "a\nb\n");
        assert_eq!(appended("a", "b\n"), "a\nb\n");
        assert_eq!(appended("", "b"), "b\n");
    }

    #[test]
    fn replaced_text_must_occur_once() {
        let replaced = |old: &str| {
            let (old, new) = (old.to_owned(), "X".to_owned());
            replaced("one two two", &Replacement { old, new })
        };
        assert_eq!(replaced("one").unwrap(), "X two two");
        for (old, part) in [("two", "2 times"), ("three", "does not"), ("", "empty")] {
            let error = replaced(old).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
