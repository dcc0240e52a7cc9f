//! Queries for pages by place, tag and property.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{CataloguedPage, is_tag_within, tag_key};
use crate::id::PageId;
use crate::parts::Catalogue;
use crate::path::PagePath;
use crate::store::StorageError;

/// The way in which a property is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub enum Comparison {
    /// `=`: equal, or an item of a list is.
    Is,
    /// `!=`: not equal, or missing.
    IsNot,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `~`: contains the text.
    Contains,
    /// The property exists.
    Exists,
}

/// A condition on a property, or on `title`, `path`, `updated` and `author` if the page has no property of that name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct Condition {
    pub property: String,
    pub comparison: Comparison,
    #[serde(default)]
    pub value: String,
}

/// The order of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub struct PageSort {
    /// A property, or `title`, `path`, `updated` or `author`. Pages without it come last.
    pub by: String,
    #[serde(default)]
    pub descending: bool,
}

/// A query; every part must fit.
#[derive(Debug, Clone, Default)]
pub struct PageQuery {
    /// The pages below this one.
    pub below: Option<PagePath>,
    /// Only the pages directly below it.
    pub children: bool,
    /// The tag, or one below it.
    pub tag: Option<String>,
    pub conditions: Vec<Condition>,
    /// The only pages that may fit.
    pub among: Option<BTreeSet<PageId>>,
    /// By path if it is missing.
    pub sort: Option<PageSort>,
    pub offset: usize,
    pub limit: usize,
}

/// A part of the pages that fit.
#[derive(Debug, Clone)]
pub struct PageAnswer {
    pub items: Vec<CataloguedPage>,
    /// The number of all that fit.
    pub total: usize,
}

impl Catalogue<'_> {
    /// Returns the pages that fit a query.
    ///
    /// # Errors
    /// If the database fails.
    pub fn query(&self, query: &PageQuery) -> Result<PageAnswer, StorageError> {
        let rows = self.rows()?;
        let found = query.fitting(rows.pages.values());
        let total = found.len();
        let items = found.into_iter().skip(query.offset).take(query.limit);
        Ok(PageAnswer {
            items: items.cloned().collect(),
            total,
        })
    }
}

impl PageQuery {
    /// Returns all pages that fit, in the order of the query.
    pub(crate) fn fitting<'p>(
        &self,
        pages: impl Iterator<Item = &'p CataloguedPage>,
    ) -> Vec<&'p CataloguedPage> {
        let query = self;
        let tag = query
            .tag
            .as_deref()
            .map(|tag| tag_key(tag.trim_start_matches('#')));
        let conditions: Vec<(&Condition, Value)> = query
            .conditions
            .iter()
            .map(|condition| (condition, Value::new(&condition.value)))
            .collect();
        let fits = |page: &&CataloguedPage| {
            query
                .among
                .as_ref()
                .is_none_or(|among| among.contains(&page.page_id))
                && query
                    .below
                    .as_ref()
                    .is_none_or(|above| is_below(&page.path, above, query.children))
                && tag.as_ref().is_none_or(|tag| {
                    page.tags
                        .iter()
                        .any(|own| is_tag_within(&tag_key(own), tag))
                })
                && conditions
                    .iter()
                    .all(|(condition, value)| holds(page, condition, value))
        };
        let mut found: Vec<&CataloguedPage> = pages.filter(fits).collect();
        match &query.sort {
            None => found.sort_by(|one, other| one.path.cmp(&other.path)),
            Some(sort) => {
                found.sort_by_cached_key(|page| SortKey {
                    value: values(page, &sort.by)
                        .into_iter()
                        .next()
                        .map(|value| Value::new(&value)),
                    descending: sort.descending,
                    path: page.path.clone(),
                });
            }
        }
        found
    }
}

fn is_below(path: &PagePath, above: &PagePath, children: bool) -> bool {
    if path == above || !path.is_within(above) {
        return false;
    }
    let rest = path.as_str()[above.as_str().len()..].trim_start_matches('/');
    !children || !rest.contains('/')
}

/// Returns the values of a property, or of what every page has.
fn values(page: &CataloguedPage, name: &str) -> Vec<String> {
    if let Some(property) = page
        .properties
        .iter()
        .find(|property| property.name == name)
    {
        return property.values.clone();
    }
    match name {
        "title" => vec![
            page.title
                .clone()
                .unwrap_or_else(|| page.path.name().to_owned()),
        ],
        "path" => vec![page.path.to_string()],
        "updated" => vec![page.updated.to_string()],
        "author" => vec![page.user_name.clone()],
        "tags" => page.tags.clone(),
        _ => Vec::new(),
    }
}

fn holds(page: &CataloguedPage, condition: &Condition, wanted: &Value) -> bool {
    let values = values(page, &condition.property);
    let any = |fits: fn(Ordering) -> bool| {
        values
            .iter()
            .any(|value| fits(Value::new(value).cmp(wanted)))
    };
    match condition.comparison {
        Comparison::Is => any(Ordering::is_eq),
        Comparison::IsNot => !any(Ordering::is_eq),
        Comparison::Less => any(Ordering::is_lt),
        Comparison::AtMost => any(Ordering::is_le),
        Comparison::More => any(Ordering::is_gt),
        Comparison::AtLeast => any(Ordering::is_ge),
        Comparison::Contains => values
            .iter()
            .any(|value| tag_key(value).contains(&wanted.text)),
        Comparison::Exists => page
            .properties
            .iter()
            .any(|each| each.name == condition.property),
    }
}

/// A value for comparison: numbers by size, all else as text without differences of case and width.
#[derive(Debug, Clone, PartialEq)]
struct Value {
    number: Option<f64>,
    text: String,
}

impl Value {
    fn new(written: &str) -> Self {
        let text = tag_key(written.trim());
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        Self { number, text }
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.number, other.number) {
            (Some(one), Some(other)) => one.total_cmp(&other),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => self.text.cmp(&other.text),
        }
    }
}

/// Pages without a value come last in both directions.
#[derive(PartialEq, Eq)]
struct SortKey {
    value: Option<Value>,
    descending: bool,
    path: PagePath,
}

impl Ord for SortKey {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_value = match (&self.value, &other.value) {
            (Some(one), Some(two)) if self.descending => two.cmp(one),
            (Some(one), Some(two)) => one.cmp(two),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        by_value.then_with(|| self.path.cmp(&other.path))
    }
}

impl PartialOrd for SortKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
