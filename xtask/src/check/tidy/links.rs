//! Checks that every link of a document leads to an existing file and, if it names a heading, to an existing
//! heading.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use crate::paths;

/// Pages of the wiki: their links lead to other pages, not to files.
const PAGES: &[&str] = &["crates/wiki/templates/", "tests/fixtures/"];

pub(super) fn faults(files: &[File]) -> Vec<String> {
    let documents: Documents<'_> = files
        .iter()
        .filter(|file| is_document(&file.path))
        .map(|file| (file.path.as_str(), file.text.as_str()))
        .collect();
    let exists = |path: &str| paths::root().join(path).exists();
    let mut faults = Vec::new();
    for (path, text) in &documents {
        for line in prose(text) {
            for link in targets(&line) {
                if !resolves(link, path, &documents, exists) {
                    faults.push(format!("{path}: the link `{link}` leads nowhere"));
                }
            }
        }
    }
    faults
}

/// Texts by path.
type Documents<'a> = BTreeMap<&'a str, &'a str>;

fn is_document(path: &str) -> bool {
    path.ends_with(".md") && !PAGES.iter().any(|folder| path.starts_with(folder))
}

fn resolves(
    link: &str,
    from: &str,
    documents: &Documents<'_>,
    exists: impl Fn(&str) -> bool,
) -> bool {
    if link.contains("://") || link.starts_with("mailto:") {
        return true;
    }
    let (path, fragment) = link
        .split_once('#')
        .map_or((link, None), |(path, name)| (path, Some(name)));
    let target = if path.is_empty() {
        from.to_owned()
    } else {
        resolve(from, path)
    };
    match (fragment, documents.get(target.as_str())) {
        (None, _) => exists(&target),
        (Some(name), Some(text)) => anchors(text).contains(name),
        (Some(_), None) => false,
    }
}

/// Resolves a link of a document to a path.
fn resolve(document: &str, link: &str) -> String {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the lines outside of code blocks, without their inline code.
fn prose(text: &str) -> impl Iterator<Item = String> + '_ {
    outside_fences(text).map(|line| line.split('`').step_by(2).collect())
}

fn outside_fences(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    })
}

/// Returns the targets of the links and pictures of a line.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// Returns the anchors of a document's headings, as GitHub generates them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut taken = BTreeSet::new();
    for line in outside_fences(text) {
        let words = line.trim_start_matches('#');
        if words.len() == line.len() || !words.starts_with(' ') {
            continue;
        }
        let name = anchor(words.trim());
        let free = (0..)
            .map(|number| match number {
                0 => name.clone(),
                _ => format!("{name}-{number}"),
            })
            .find(|name| !taken.contains(name));
        taken.extend(free);
    }
    taken
}

fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter))
        .map(|letter| if letter == ' ' { '-' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn leads(link: &str, expected: bool) {
        let documents = Documents::from([
            ("README.md", "# A book\n"),
            (
                "docs/GUIDE.md",
                "# 使い方\n## Write, and `save`\n## 書く\n## 書く\n```\n# none\n```\n",
            ),
        ]);
        let exists = |path: &str| ["README.md", "docs/GUIDE.md", "docs/a.png"].contains(&path);
        let found = resolves(link, "docs/GUIDE.md", &documents, exists);
        assert_eq!(found, expected, "{link}");
    }

    #[test]
    fn links_to_files_and_headings_are_accepted() {
        leads("a.png", true);
        leads("../README.md", true);
        leads("../README.md#a-book", true);
        leads("#write-and-save", true);
        leads("#書く", true);
        leads("#書く-1", true);
        leads("https://example.org/#nowhere", true);
    }

    #[test]
    fn broken_link_is_a_fault() {
        leads("b.png", false);
        leads("README.md", false);
        leads("../README.md#the-book", false);
        leads("#書く-2", false);
        leads("#none", false);
        leads("a.png#top", false);
    }

    #[test]
    fn links_in_code_are_ignored() {
        let text = "[a](b) `[c](d)` ![e](f)\n```\n[g](h)\n```\n[i](j \n";
        let found: Vec<String> = prose(text)
            .flat_map(|line| targets(&line).map(str::to_owned).collect::<Vec<_>>())
            .collect();
        assert_eq!(found, ["b", "f"]);
    }
}
