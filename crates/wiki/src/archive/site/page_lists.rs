//! Lists of pages and properties in a site, as they are at the moment of the export. The options of a list are those of
//! `ui/src/markdown/fences/page-list-options.ts`.

use std::collections::BTreeSet;

use super::chrome::{link, push};
use super::library::SeenFrom;
use crate::catalogue::{CataloguedPage, Comparison, Condition, PageQuery, PageSort, tag_key};
use crate::html::{self, escaped};
use crate::id::PageId;
use crate::path::PagePath;
use crate::properties::{Property, PropertyKind};
use crate::store::StorageError;

const OPTIONS: &str = "from, tag, where, linked, recent, search, columns, sort, limit";
const USUAL_LIMIT: usize = 50;
const MAX_LIMIT: usize = 1000;
/// Longer signs come before their beginnings.
const SIGNS: [(&str, Comparison); 7] = [
    ("!=", Comparison::IsNot),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("=", Comparison::Is),
    ("<", Comparison::Less),
    (">", Comparison::More),
    ("~", Comparison::Contains),
];

/// The contents of a `pages` fence.
#[derive(Debug)]
struct PageList {
    query: PageQuery,
    /// True for the pages that link to this one.
    linked: bool,
    /// The words that the pages must have.
    text: String,
    columns: Vec<String>,
}

/// The fault of a fence: an option, and its value if the option exists.
#[derive(Debug, PartialEq, Eq)]
struct Fault {
    name: String,
    value: Option<String>,
}

impl Fault {
    fn words(&self, is_japanese: bool) -> String {
        let Self { name, value } = self;
        match (value, is_japanese) {
            (None, false) => {
                format!("Unknown option “{name}” of a list of pages. Options: {OPTIONS}.")
            }
            (None, true) => {
                format!("ページ一覧に「{name}」という指定はありません。使える指定: {OPTIONS}")
            }
            (Some(value), false) => {
                format!("“{value}” isn’t a valid value for the option “{name}” of a list of pages.")
            }
            (Some(value), true) => {
                format!("ページ一覧の「{name}」に「{value}」は指定できません。")
            }
        }
    }
}

impl PageList {
    fn read(source: &str, base: &PagePath) -> Result<Self, Fault> {
        let mut list = Self {
            query: PageQuery {
                limit: USUAL_LIMIT,
                ..PageQuery::default()
            },
            linked: false,
            text: String::new(),
            columns: vec!["title".to_owned()],
        };
        for line in source.lines().filter(|line| !line.trim().is_empty()) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let (name, value) = (name.trim(), value.trim());
            let fits = list.apply(name, value, base);
            let value = match fits {
                Some(true) => continue,
                Some(false) => Some(value.to_owned()),
                None => None,
            };
            let name = name.to_owned();
            return Err(Fault { name, value });
        }
        Ok(list)
    }

    /// Applies an option. Returns whether the value fits; `None` if there is no such option.
    fn apply(&mut self, name: &str, value: &str, base: &PagePath) -> Option<bool> {
        let query = &mut self.query;
        Some(match name {
            "from" => {
                query.children = value == "children";
                query.below = match query.children {
                    true => Some(base.clone()),
                    false => PagePath::new(value).ok(),
                };
                query.below.is_some()
            }
            "tag" => {
                let tag = value.trim_start_matches('#');
                query.tag = Some(tag.to_owned());
                !tag.is_empty()
            }
            "where" => {
                let condition = condition(value);
                let fits = !condition.property.is_empty();
                query.conditions.push(condition);
                fits
            }
            "linked" => {
                self.linked = true;
                value == "here"
            }
            "recent" => {
                query.sort = Some(PageSort {
                    by: "updated".to_owned(),
                    descending: true,
                });
                value.is_empty() || set_limit(query, value)
            }
            "search" => {
                value.clone_into(&mut self.text);
                !value.is_empty()
            }
            "columns" => {
                let columns = value.split([',', '、']).map(str::trim);
                let columns = columns.filter(|column| !column.is_empty());
                self.columns = columns.map(str::to_owned).collect();
                !self.columns.is_empty()
            }
            "sort" => {
                let by = value.strip_prefix('-').unwrap_or(value);
                let words = by.rsplit_once(char::is_whitespace);
                let (by, order) = match words {
                    Some((by, order @ ("asc" | "desc"))) => (by.trim_end(), order),
                    _ => (by, ""),
                };
                query.sort = Some(PageSort {
                    by: by.to_owned(),
                    descending: value.starts_with('-') || order == "desc",
                });
                !by.is_empty()
            }
            "limit" => set_limit(query, value),
            _ => return None,
        })
    }
}

fn set_limit(query: &mut PageQuery, value: &str) -> bool {
    let limit = value.parse().ok();
    let limit = limit.filter(|limit| (1..=MAX_LIMIT).contains(limit));
    query.limit = limit.unwrap_or(query.limit);
    limit.is_some()
}

/// Reads a condition such as `rating >= 4`. A name alone means that the property exists.
fn condition(written: &str) -> Condition {
    let signs = written.char_indices().filter_map(|(at, _)| {
        let (sign, comparison) = SIGNS
            .iter()
            .find(|(sign, _)| written[at..].starts_with(sign))?;
        Some((at, sign.len(), *comparison))
    });
    // A name has at least one character.
    match { signs }.find(|(at, ..)| *at > 0) {
        None => Condition {
            property: written.trim().to_owned(),
            comparison: Comparison::Exists,
            value: String::new(),
        },
        Some((at, length, comparison)) => {
            let value = written[at + length..].trim();
            let quoted = value
                .strip_prefix('"')
                .and_then(|value| value.strip_suffix('"'));
            Condition {
                property: written[..at].trim().to_owned(),
                comparison,
                value: quoted.unwrap_or(value).to_owned(),
            }
        }
    }
}

impl SeenFrom<'_> {
    /// Returns the table of a `pages` fence in the page at `base`.
    pub(super) fn table(
        &mut self,
        base: &PagePath,
        source: &str,
        is_japanese: bool,
    ) -> Result<String, StorageError> {
        let mut list = match PageList::read(source, base) {
            Ok(list) => list,
            Err(fault) => return Ok(note(&fault.words(is_japanese))),
        };
        if list.linked {
            let linking = self.site.by_path(base).map(|index| {
                let linking = self.site.linking(index);
                linking.map(|index| self.site.pages[index].entry.id)
            });
            list.query.among = Some(linking.into_iter().flatten().collect());
        }
        if !list.text.is_empty() {
            let found = self.with_text(&list.text)?;
            let among = list.query.among.take();
            list.query.among = Some(match among {
                Some(among) => among.intersection(&found).copied().collect(),
                None => found,
            });
        }
        let site = &*self.site;
        let found = list.query.fitting(site.catalogued.iter());
        if found.is_empty() {
            let none = ["No pages", "ページがありません"][usize::from(is_japanese)];
            return Ok(note(none));
        }
        let mut out = String::from("<table>\n<thead><tr>");
        for column in &list.columns {
            let name = column_name(column, is_japanese);
            push(&mut out, format_args!("<th>{}</th>", escaped(name)));
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for page in found.iter().take(list.query.limit) {
            out.push_str("<tr>");
            for column in &list.columns {
                push(
                    &mut out,
                    format_args!("<td>{}</td>", self.cell(page, column)),
                );
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n");
        let (shown, total) = (list.query.limit, found.len());
        if total > shown {
            out.push_str(&note(&match is_japanese {
                true => format!("{total} ページ中 {shown} ページ"),
                false => format!("{shown} of {total} pages"),
            }));
        }
        Ok(out)
    }

    /// Returns the pages that have all words, in any form of their letters.
    fn with_text(&mut self, words: &str) -> Result<BTreeSet<PageId>, StorageError> {
        let words: Vec<String> = words.split_whitespace().map(tag_key).collect();
        let mut found = BTreeSet::new();
        for index in 0..self.site.pages.len() {
            let text = html::text(&self.site.text(index)?);
            let text = tag_key(&format!("{} {text}", self.site.title(index)));
            if words.iter().all(|word| text.contains(word)) {
                found.insert(self.site.pages[index].entry.id);
            }
        }
        Ok(found)
    }

    /// Returns the properties of a page; empty if it has none.
    pub(super) fn properties(&self, index: usize) -> String {
        let page = &self.site.catalogued[index];
        let mut out = String::new();
        for property in &page.properties {
            push(
                &mut out,
                format_args!(
                    "<dt>{}</dt><dd>{}</dd>\n",
                    escaped(&property.name),
                    self.values(property)
                ),
            );
        }
        match out.is_empty() {
            true => out,
            false => format!("<dl class=\"properties\">\n{out}</dl>\n"),
        }
    }

    fn cell(&self, page: &CataloguedPage, column: &str) -> String {
        let named = page
            .properties
            .iter()
            .find(|property| property.name == column);
        if let Some(property) = named.filter(|property| property.kind != PropertyKind::Tags) {
            return self.values(property);
        }
        match column {
            "title" => {
                let index = self.site.by_path(&page.path);
                self.link_to(&page.path, index.map(|index| self.site.title(index)))
            }
            "path" => self.link_to(&page.path, Some(page.path.as_str())),
            "updated" => page.updated.strftime("%Y-%m-%d").to_string(),
            "author" => escaped(&page.user_name),
            "tags" => tags(&page.tags),
            _ => String::new(),
        }
    }

    fn values(&self, property: &Property) -> String {
        let values = &property.values;
        match property.kind {
            PropertyKind::Tags => tags(values),
            PropertyKind::Check => {
                let is_set = values
                    .first()
                    .is_some_and(|value| value.eq_ignore_ascii_case("true"));
                ["☐", "☑"][usize::from(is_set)].to_owned()
            }
            PropertyKind::Text
            | PropertyKind::Number
            | PropertyKind::Date
            | PropertyKind::List
            | PropertyKind::Page
            | PropertyKind::Empty
            | PropertyKind::Other => {
                let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
                values.join(", ")
            }
        }
    }

    /// Returns a value, which may be a link to a page as a whole: `[[/path]]` or `[[/path|label]]`.
    fn value(&self, value: &str) -> String {
        let inner = value
            .strip_prefix("[[")
            .and_then(|value| value.strip_suffix("]]"));
        let Some(inner) = inner else {
            return escaped(value);
        };
        let (target, label) = inner.split_once('|').unwrap_or((inner, ""));
        let label = label.trim();
        match self.site.page(&PagePath::root(), target.trim()) {
            None => escaped(if label.is_empty() { target } else { label }),
            Some(index) => {
                let label = if label.is_empty() {
                    self.site.title(index)
                } else {
                    label
                };
                self.link_to(self.site.path(index), Some(label))
            }
        }
    }

    fn link_to(&self, path: &PagePath, label: Option<&str>) -> String {
        let label = label.unwrap_or(path.as_str());
        match self.site.by_path(path) {
            Some(index) => link(&self.address(&self.site.pages[index].entry.file), label),
            None => escaped(label),
        }
    }
}

fn tags(tags: &[String]) -> String {
    let tags: Vec<String> = tags
        .iter()
        .map(|tag| format!("#{}", escaped(tag)))
        .collect();
    tags.join(", ")
}

fn note(words: &str) -> String {
    format!("<p class=\"missing\">{}</p>\n", escaped(words))
}

fn column_name(column: &str, is_japanese: bool) -> &str {
    match (column, is_japanese) {
        ("title", false) => "Page",
        ("title", true) => "ページ",
        ("path", false) => "Path",
        ("path", true) => "パス",
        ("updated", false) => "Changed",
        ("updated", true) => "更新日時",
        ("author", false) => "Author",
        ("author", true) => "更新者",
        ("tags", false) => "Tags",
        ("tags", true) => "タグ",
        (column, _) => column,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_condition(written: &str, property: &str, comparison: Comparison, value: &str) {
        let expected = Condition {
            property: property.to_owned(),
            comparison,
            value: value.to_owned(),
        };
        assert_eq!(condition(written), expected);
    }

    #[test]
    fn conditions_are_read_as_the_window_does() {
        check_condition("rating >= 4", "rating", Comparison::AtLeast, "4");
        check_condition("a!=b", "a", Comparison::IsNot, "b");
        check_condition("kind = \"a = b\"", "kind", Comparison::Is, "a = b");
        check_condition("名前~庭", "名前", Comparison::Contains, "庭");
        check_condition(" done ", "done", Comparison::Exists, "");
    }

    #[test]
    fn invalid_options_are_named() {
        let read = |source| PageList::read(source, &PagePath::root()).unwrap_err();
        let fault = |name: &str, value: Option<&str>| Fault {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        assert_eq!(read("order: a"), fault("order", None));
        assert_eq!(read("limit: 0"), fault("limit", Some("0")));
        assert_eq!(read("\nlinked: there"), fault("linked", Some("there")));
    }
}
