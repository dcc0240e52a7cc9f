//! The scopes that a request with an access token needs.

use axum::http::Method;

use crate::auth::{Scope, TokenGrant};
use crate::error::{ApiError, ErrorCode};

/// The needs of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needs {
    /// All of these scopes; any token if there are none.
    Scopes(&'static [Scope]),
    /// More than any token gives.
    Owner,
}

const ANY: Needs = Needs::Scopes(&[]);
const READ: Needs = Needs::Scopes(&[Scope::Read]);
const WRITE: Needs = Needs::Scopes(&[Scope::Write]);
const PICTURES: Needs = Needs::Scopes(&[Scope::Pictures]);
const PICTURES_WRITE: Needs = Needs::Scopes(&[Scope::Pictures, Scope::Write]);
const READ_PICTURES: Needs = Needs::Scopes(&[Scope::Read, Scope::Pictures]);
const HASHES: Needs = Needs::Scopes(&[Scope::Hashes]);
const HASHES_WRITE: Needs = Needs::Scopes(&[Scope::Hashes, Scope::Write]);
const READ_ALL: Needs = Needs::Scopes(&[Scope::Read, Scope::Pictures, Scope::Hashes]);

/// Refuses a request for which the token does not suffice.
pub(super) fn check(
    grant: TokenGrant,
    method: &Method,
    path: &str,
    query: Option<&str>,
) -> Result<(), ApiError> {
    let message = match needs(method, path, query.unwrap_or_default()) {
        Needs::Scopes(scopes) => match scopes.iter().find(|scope| !grant.has(**scope)) {
            None => return Ok(()),
            Some(missing) => format!("the access token lacks the scope {}", name(*missing)),
        },
        Needs::Owner => "access tokens can't do this".to_owned(),
    };
    Err(ApiError::new(ErrorCode::ScopeMissing, message))
}

fn name(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read",
        Scope::Write => "write",
        Scope::Pictures => "pictures",
        Scope::Hashes => "hashes",
    }
}

/// Returns the needs of a request. What is not listed needs more than a token.
fn needs(method: &Method, path: &str, query: &str) -> Needs {
    let is_safe = method.is_safe();
    let either = |reading, writing| if is_safe { reading } else { writing };
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    match segments[..] {
        ["healthz" | "readyz"] | ["api", "openapi.json"] => ANY,
        ["thumb"] => PICTURES,
        ["api", "pages", "query"] => READ,
        // Copies pictures of folders.
        ["api", "pages", _, "assets"] => either(READ, PICTURES_WRITE),
        ["api", "users"] | ["api", "users", "me"] => either(READ, Needs::Owner),
        ["api", "users", "me", "folders"] => either(PICTURES, PICTURES_WRITE),
        [
            "api",
            "asset" | "assets" | "journal" | "journals" | "page" | "pages" | "properties" | "tags"
            | "tasks" | "users",
            ..,
        ] => either(READ, WRITE),
        ["api", "search"] => found(query),
        ["api", "search", "pictures" | "folders"] => PICTURES,
        ["api", "files", "pages"] => READ_PICTURES,
        ["api", "roots"] => either(PICTURES, Needs::Owner),
        ["api", "folders", "watch"] => PICTURES,
        [
            "api",
            "albums" | "duplicates" | "files" | "folders" | "image",
            ..,
        ] => either(PICTURES, PICTURES_WRITE),
        ["api", "hashes", ..] => either(HASHES, HASHES_WRITE),
        ["api", "jobs", _] => either(ANY, WRITE),
        ["api", "events" | "jobs"] => READ_ALL,
        _ => Needs::Owner,
    }
}

/// Returns the needs of a search, which finds everything unless it asks for one kind.
fn found(query: &str) -> Needs {
    let mut kinds = query
        .split('&')
        .filter_map(|pair| pair.strip_prefix("kind="));
    match (kinds.next(), kinds.next()) {
        (Some("page" | "file"), None) => READ,
        (Some("picture"), None) => PICTURES,
        (Some("record"), None) => HASHES,
        _ => READ_ALL,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// Returns the needs of a request in words.
    fn in_words(method: &str, path: &str, query: &str) -> String {
        let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
        match needs(&method, path, query) {
            Needs::Owner => "owner".to_owned(),
            Needs::Scopes([]) => "any".to_owned(),
            Needs::Scopes(scopes) => {
                let names: Vec<_> = scopes.iter().map(|scope| name(*scope)).collect();
                names.join(" ")
            }
        }
    }

    /// The needs of the operations at the addresses with the same beginning. All others need more than a token.
    const AREAS: &str = "\
albums: pictures, pictures write
asset: read
assets: read, write
duplicates: pictures, pictures write
events: read pictures hashes
files: pictures, pictures write, read pictures
folders: pictures, pictures write
hashes: hashes, hashes write
healthz: any
image: pictures
jobs: any, read pictures hashes, write
journal: write
journals: read, write
openapi.json: any
page: read
pages: pictures write, read, write
properties: read
readyz: any
roots: owner, pictures
search: pictures, read pictures hashes
tags: read, write
tasks: read
thumb: pictures
users: owner, pictures, pictures write, read, write
";

    #[test]
    fn operations_need_the_scopes_of_their_area() {
        let document = crate::openapi::routes_json();
        let mut areas: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for (path, operations) in document["paths"].as_object().unwrap() {
            let (first, rest) = path[1..].split_once('/').unwrap_or((&path[1..], ""));
            let area = match first {
                "api" => rest.split('/').next().unwrap(),
                first => first,
            };
            for method in operations.as_object().unwrap().keys() {
                let needs = in_words(method, path, "");
                areas.entry(area).or_default().insert(needs);
            }
        }
        areas.retain(|_, needs| needs.iter().any(|needs| needs != "owner"));
        let lines = areas.into_iter().map(|(area, needs)| {
            let needs: Vec<_> = needs.into_iter().collect();
            format!("{area}: {}\n", needs.join(", "))
        });
        assert_eq!(lines.collect::<String>(), AREAS);
    }

    #[test]
    fn search_needs_the_scope_of_its_kind() {
        let needs = |query| in_words("get", "/api/search", query);
        assert_eq!(needs("q=a&kind=page"), "read");
        assert_eq!(needs("kind=picture&q=a"), "pictures");
        assert_eq!(needs("q=a&kind=record"), "hashes");
        for query in [
            "q=a",
            "q=a&kind=page&kind=record",
            "q=a&KIND=page",
            "kind=%70age",
        ] {
            assert_eq!(needs(query), "read pictures hashes", "{query}");
        }
    }

    #[test]
    fn tokens_do_not_manage_tokens() {
        for path in [
            "/api/tokens",
            "/api/sessions",
            "/api/login-links",
            "/wiki/a",
            "/metrics",
            "/get",
        ] {
            assert_eq!(in_words("get", path, ""), "owner", "{path}");
            assert_eq!(in_words("post", path, ""), "owner", "{path}");
        }
    }
}
