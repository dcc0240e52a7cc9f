//! Allowed dependencies between crates.

use crate::check::metadata::Metadata;

/// For each of our crates, those of our crates that it may depend on.
const ALLOWED: &[(&str, &[&str])] = &[
    ("fumikura-base", &[]),
    (
        "fumikura-wiki",
        &["fumikura-base", "fumikura-folding", "fumikura-image"],
    ),
    ("fumikura-convert", &["fumikura-base"]),
    ("fumikura-fs", &["fumikura-base"]),
    ("fumikura-image", &[]),
    ("fumikura-jpeg-reduce", &[]),
    (
        "fumikura-codecs",
        &["fumikura-image", "fumikura-jpeg-reduce"],
    ),
    ("fumikura-xmp", &["fumikura-fs"]),
    ("fumikura-watch", &["fumikura-fs"]),
    (
        "fumikura-fileops",
        &[
            "fumikura-base",
            "fumikura-fs",
            "fumikura-image",
            "fumikura-xmp",
        ],
    ),
    (
        "fumikura-library",
        &[
            "fumikura-base",
            "fumikura-fs",
            "fumikura-image",
            "fumikura-xmp",
        ],
    ),
    (
        "fumikura-thumbs",
        &["fumikura-base", "fumikura-fs", "fumikura-image"],
    ),
    (
        "fumikura-pictures",
        &[
            "fumikura-base",
            "fumikura-fileops",
            "fumikura-fs",
            "fumikura-image",
            "fumikura-library",
            "fumikura-thumbs",
            "fumikura-xmp",
        ],
    ),
    ("fumikura-hashes", &["fumikura-base"]),
    ("fumikura-limits", &["fumikura-base"]),
    ("fumikura-folding", &[]),
    ("fumikura-search", &["fumikura-base", "fumikura-folding"]),
    (
        "fumikura-searcher",
        &[
            "fumikura-base",
            "fumikura-folding",
            "fumikura-fs",
            "fumikura-hashes",
            "fumikura-library",
            "fumikura-pictures",
            "fumikura-search",
            "fumikura-wiki",
        ],
    ),
    ("fumikura-ttl", &["fumikura-base"]),
    (
        "fumikura-expiry",
        &[
            "fumikura-base",
            "fumikura-fs",
            "fumikura-image",
            "fumikura-library",
            "fumikura-pictures",
            "fumikura-thumbs",
            "fumikura-ttl",
        ],
    ),
    ("fumikura-albums", &["fumikura-base"]),
    ("fumikura-contact-sheet", &["fumikura-base"]),
    ("fumikura-vision", &["fumikura-base", "fumikura-limits"]),
    (
        "fumikura-server",
        &[
            "fumikura-albums",
            "fumikura-base",
            "fumikura-wiki",
            "fumikura-contact-sheet",
            "fumikura-convert",
            "fumikura-expiry",
            "fumikura-fileops",
            "fumikura-fs",
            "fumikura-image",
            "fumikura-library",
            "fumikura-pictures",
            "fumikura-thumbs",
            "fumikura-watch",
            "fumikura-xmp",
            "fumikura-hashes",
            "fumikura-limits",
            "fumikura-search",
            "fumikura-searcher",
            "fumikura-ttl",
            "fumikura-vision",
        ],
    ),
    (
        "fumikura-cli",
        &[
            "fumikura-base",
            "fumikura-codecs",
            "fumikura-hashes",
            "fumikura-image",
            "fumikura-server",
            "fumikura-thumbs",
            "fumikura-wiki",
        ],
    ),
    (
        "fumikura",
        &["fumikura-base", "fumikura-cli", "fumikura-server"],
    ),
];

/// Crates that must not depend on the web, on windows or on an asynchronous runtime.
const DOMAINS: &[&str] = &[
    "fumikura-base",
    "fumikura-convert",
    "fumikura-folding",
    "fumikura-wiki",
    "fumikura-fs",
    "fumikura-image",
    "fumikura-xmp",
    "fumikura-watch",
    "fumikura-fileops",
    "fumikura-library",
    "fumikura-thumbs",
    "fumikura-pictures",
    "fumikura-codecs",
    "fumikura-jpeg-reduce",
    "fumikura-albums",
    "fumikura-contact-sheet",
    "fumikura-hashes",
    "fumikura-expiry",
    "fumikura-limits",
    "fumikura-search",
    "fumikura-searcher",
    "fumikura-ttl",
    "fumikura-vision",
];
const FORBIDDEN_IN_DOMAINS: &[&str] = &["axum", "hyper", "tauri", "tokio", "tower", "tower-http"];

/// The crate of OpenAPI schemas, which domain types have only for the HTTP interface.
const SCHEMAS: &str = "utoipa";

/// The database, and the only crate that may depend on it.
const DATABASE: (&str, &str) = ("redb", "fumikura-wiki");

pub(super) fn faults(metadata: &Metadata) -> Vec<String> {
    let mut faults = Vec::new();
    for package in metadata.packages() {
        for dependency in package.dependencies() {
            if let Some(reason) = forbidden(package.name(), dependency) {
                faults.push(format!(
                    "{} is built from {dependency}: {reason}",
                    package.name()
                ));
            }
        }
        if DOMAINS.contains(&package.name()) && package.requires(SCHEMAS) {
            faults.push(format!(
                "{} requires {SCHEMAS}: schemas of domain types are behind the feature `wire`",
                package.name()
            ));
        }
    }
    faults
}

fn forbidden(package: &str, dependency: &str) -> Option<&'static str> {
    if dependency == DATABASE.0 && package != DATABASE.1 {
        return Some("the wiki's store alone knows the database");
    }
    if DOMAINS.contains(&package) && FORBIDDEN_IN_DOMAINS.contains(&dependency) {
        return Some("a domain crate knows nothing of the web, of windows or of a runtime");
    }
    let ours = dependency.starts_with("fumikura");
    let allowed = ALLOWED
        .iter()
        .find(|(name, _)| *name == package)
        .map(|(_, allowed)| *allowed);
    match allowed {
        Some(allowed) if ours && !allowed.contains(&dependency) => {
            Some("the architecture has no such edge")
        }
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domain_crates_have_no_forbidden_dependencies() {
        assert!(forbidden("fumikura-wiki", "fumikura-thumbs").is_some());
        assert!(forbidden("fumikura-wiki", "axum").is_some());
        assert!(forbidden("fumikura-server", "redb").is_some());
        assert!(forbidden("fumikura", "fumikura-wiki").is_some());
    }

    #[test]
    fn documented_edges_are_allowed() {
        assert!(forbidden("fumikura-wiki", "fumikura-base").is_none());
        assert!(forbidden("fumikura-wiki", "redb").is_none());
        assert!(forbidden("fumikura-server", "axum").is_none());
        assert!(forbidden("fumikura-tests", "fumikura-wiki").is_none());
    }
}
