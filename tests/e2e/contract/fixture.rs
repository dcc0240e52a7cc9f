//! The state before a table's steps: the same for each transport, in a separate place.

use std::collections::HashMap;

use anyhow::{Context, Result};
use fumikura_tests::stage::Api;
use reqwest::{Method, Response};
use serde_json::Value;

/// Known values by name.
pub(super) struct KnownValues {
    place: String,
    names: HashMap<String, String>,
}

impl KnownValues {
    /// Returns the path that contains everything.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    pub(super) fn insert(&mut self, name: &str, value: &str) {
        self.names.insert(name.to_owned(), value.to_owned());
    }

    /// Replaces names by their values.
    pub(super) fn filled(&self, value: &Value) -> Result<Value> {
        Ok(match value {
            Value::String(text) => match text.strip_prefix('$') {
                Some("place") => self.place.clone().into(),
                Some(name) => {
                    let value = self.names.get(name);
                    value
                        .with_context(|| format!("BUG: nothing is known as {name}"))?
                        .clone()
                        .into()
                }
                None => text.clone().into(),
            },
            Value::Array(items) => {
                let items = items.iter().map(|item| self.filled(item));
                Value::Array(items.collect::<Result<_>>()?)
            }
            Value::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| Ok((name.clone(), self.filled(value)?)));
                Value::Object(fields.collect::<Result<_>>()?)
            }
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => plain.clone(),
        })
    }
}

/// Creates pages, drafts, locks and files, below `place`: `page` with three revisions and the files `asset`
/// (a.txt) and `second` (b.txt); `held`, whose token is `held_token`; `draft`, whose token is `draft_token`;
/// `begun`, another draft; `deleted`; `zombie` and `lost`, orphaned files whose page is permanently deleted,
/// the older one first; `unknown`, an id that does not exist.
pub(super) async fn make(api: &Api, place: &str) -> Result<KnownValues> {
    let builder = FixtureBuilder { api, place };
    let mut values = KnownValues {
        place: place.to_owned(),
        names: HashMap::new(),
    };
    let page = builder
        .page("page", &["one\n", "one\ntwo\n", "one\n二つ\n三つ\n"])
        .await?;
    values.insert("asset", &builder.file(&page, "a.txt").await?);
    values.insert("second", &builder.file(&page, "b.txt").await?);
    values.insert("page", &page);
    let locked_page = builder
        .page("held", &["held\n", "held once more\n"])
        .await?;
    values.insert("held_token", &builder.lock(&locked_page).await?);
    values.insert("held", &locked_page);
    for name in ["draft", "begun"] {
        let (id, token) = builder.draft(name).await?;
        values.insert(name, &id);
        values.insert(&format!("{name}_token"), &token);
    }
    let deleted = builder.page("deleted", &["deleted\n"]).await?;
    builder
        .send(Method::DELETE, &format!("api/pages/{deleted}"), &[], "")
        .await?;
    values.insert("deleted", &deleted);
    let deleted_page = builder.page("gone", &["gone\n"]).await?;
    values.insert("zombie", &builder.file(&deleted_page, "zombie.txt").await?);
    // Ids of the same millisecond are in no order: several writes to the disk separate these.
    builder.page("between", &["between\n"; 3]).await?;
    values.insert("lost", &builder.file(&deleted_page, "lost.txt").await?);
    builder
        .send(
            Method::DELETE,
            &format!("api/pages/{deleted_page}?hard=true"),
            &[],
            "",
        )
        .await?;
    values.insert("unknown", "01JD0000000000000000000000");
    Ok(values)
}

struct FixtureBuilder<'a> {
    api: &'a Api,
    place: &'a str,
}

impl FixtureBuilder<'_> {
    async fn page(&self, name: &str, revisions: &[&str]) -> Result<String> {
        let (id, mut token) = self.draft(name).await?;
        for (at, text) in revisions.iter().enumerate() {
            if at > 0 {
                token = self.lock(&id).await?;
            }
            let proof = format!("token={token}");
            let headers = [
                ("x-lock-authentication", &*proof),
                ("content-type", "text/markdown"),
            ];
            self.send(
                Method::PUT,
                &format!("api/pages/{id}/source"),
                &headers,
                text,
            )
            .await?;
        }
        Ok(id)
    }

    async fn draft(&self, name: &str) -> Result<(String, String)> {
        let address = format!("api/pages?path={}/{name}", self.place);
        let answer = self.send(Method::POST, &address, &[], "").await?;
        let token = token_of(&answer)?;
        Ok((id_of(answer).await?, token))
    }

    async fn lock(&self, id: &str) -> Result<String> {
        let address = format!("api/pages/{id}/lock");
        token_of(&self.send(Method::POST, &address, &[], "").await?)
    }

    async fn file(&self, page: &str, name: &str) -> Result<String> {
        let address = format!("api/pages/{page}/assets/{name}");
        id_of(self.send(Method::POST, &address, &[], name).await?).await
    }

    async fn send(
        &self,
        method: Method,
        address: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Result<Response> {
        let answer = self
            .api
            .send(method, address, headers, body.to_owned())
            .await?;
        answer
            .error_for_status()
            .with_context(|| address.to_owned())
    }
}

async fn id_of(answer: Response) -> Result<String> {
    let made: Value = answer.json().await?;
    made["id"]
        .as_str()
        .map(str::to_owned)
        .context("what is made has an id")
}

fn token_of(answer: &Response) -> Result<String> {
    let lock = answer
        .headers()
        .get("x-page-lock")
        .context("a lock comes with its token")?;
    let token = lock
        .to_str()?
        .split_whitespace()
        .find_map(|part| part.strip_prefix("token="));
    Ok(token.context("a lock comes with its token")?.to_owned())
}
