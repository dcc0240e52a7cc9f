//! Agreement with the browser's link reader (`ui/src/markdown/`): both must find the same links in the same
//! text.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::destination::{Meaning, meaning};
use super::scan::scan;
use crate::path::PagePath;

#[derive(Deserialize)]
struct LinkFixture {
    /// The path of the page that has the texts.
    page: PagePath,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    source: String,
    /// The targets of its links: a path or an id, and what follows it.
    links: BTreeSet<String>,
}

#[test]
fn links_match_those_of_the_browser() {
    let json = include_str!("../../../../tests/fixtures/links/cases.json");
    let fixture: LinkFixture = serde_json::from_str(json).unwrap();
    let mut wrong = Vec::new();
    for Case { source, links } in fixture.cases {
        let mut found = BTreeSet::new();
        for written in scan(&source) {
            let said = &written.value;
            let tail = said.find(['?', '#']).map_or("", |at| &said[at..]);
            match meaning(&written.value, &fixture.page) {
                Meaning::Page(id) => found.insert(format!("page:{id}{tail}")),
                Meaning::Path(path) => found.insert(format!("{path}{tail}")),
                Meaning::Asset(..) | Meaning::Other => false,
            };
        }
        if found != links {
            wrong.push(format!("{source:?}\n  has {links:?}\n  not {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
