//! The open tasks of all pages.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::{CataloguedPage, is_tag_within, tag_key};
use crate::id::PageId;
use crate::markdown;
use crate::pages;
use crate::parts::Catalogue;
use crate::path::PagePath;
use crate::properties::PropertyKind;
use crate::store::{ReadTxn, StorageError};

/// The length of a written date.
const DATE_LENGTH: usize = "2026-12-01".len();

/// An open task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTask {
    /// The number of its line in the newest text, from 0.
    pub line: usize,
    /// The line.
    pub written: String,
    /// Its text without markup and without the date.
    pub text: String,
    pub due: Option<Date>,
    /// The tags in the line, and those of the front matter.
    pub tags: Vec<String>,
}

/// A task with its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageTask {
    pub page_id: PageId,
    pub path: PagePath,
    pub title: Option<String>,
    pub task: OpenTask,
}

/// A tag of open tasks, with their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskTag {
    pub tag: String,
    pub tasks: usize,
}

/// The order of tasks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "wire", derive(utoipa::ToSchema))]
pub enum TaskSort {
    /// The earliest first, those without a date last.
    #[default]
    Due,
    /// By the path of the page, and by line.
    Page,
}

/// A query for open tasks; every part must fit.
#[derive(Debug, Clone, Default)]
pub struct TaskQuery {
    /// A page with those below it.
    pub below: Option<PagePath>,
    /// A tag, or one below it.
    pub tag: Option<String>,
    /// The last due date.
    pub until: Option<Date>,
    pub sort: TaskSort,
    pub offset: usize,
    pub limit: usize,
}

/// A part of the tasks that fit.
#[derive(Debug, Clone)]
pub struct TaskAnswer {
    pub items: Vec<PageTask>,
    /// The number of all that fit.
    pub total: usize,
    /// The tags of all open tasks, by name.
    pub tags: Vec<TaskTag>,
}

impl Catalogue<'_> {
    /// Returns the open tasks that fit a query, without those of templates.
    ///
    /// # Errors
    /// If the database fails.
    pub fn tasks(&self, query: &TaskQuery) -> Result<TaskAnswer, StorageError> {
        let rows = self.rows()?;
        let tag = query.tag.as_deref();
        let tag = tag.map(|tag| tag_key(tag.trim_start_matches('#')));
        let mut tags: BTreeMap<String, TaskTag> = BTreeMap::new();
        let mut found = Vec::new();
        for (id, tasks) in &rows.tasks {
            let Some(page) = rows.pages.get(id) else {
                continue;
            };
            // Those of a template are tasks of the pages that will be made of it.
            if pages::is_template(&page.path) {
                continue;
            }
            let above = query.below.as_ref();
            let is_below = above.is_none_or(|above| page.path.is_within(above));
            for task in tasks {
                let mut has_tag = tag.is_none();
                for own in &task.tags {
                    let key = tag_key(own);
                    has_tag |= tag.as_ref().is_some_and(|tag| is_tag_within(&key, tag));
                    let tag = own.clone();
                    tags.entry(key).or_insert(TaskTag { tag, tasks: 0 }).tasks += 1;
                }
                let until = query.until;
                let is_due = until.is_none_or(|until| task.due.is_some_and(|due| due <= until));
                if is_below && has_tag && is_due {
                    found.push((page, task));
                }
            }
        }
        found.sort_by(|one, other| compare(query.sort, *one, *other));
        let total = found.len();
        let part = found.into_iter().skip(query.offset).take(query.limit);
        let items = part.map(|(page, task)| PageTask {
            page_id: page.page_id,
            path: page.path.clone(),
            title: page.title.clone(),
            task: task.clone(),
        });
        Ok(TaskAnswer {
            items: items.collect(),
            total,
            tags: tags.into_values().collect(),
        })
    }
}

fn compare(
    sort: TaskSort,
    (page, task): (&CataloguedPage, &OpenTask),
    (other_page, other): (&CataloguedPage, &OpenTask),
) -> Ordering {
    let by_due = match sort {
        TaskSort::Due => (task.due.is_none(), task.due).cmp(&(other.due.is_none(), other.due)),
        TaskSort::Page => Ordering::Equal,
    };
    by_due
        .then_with(|| page.path.cmp(&other_page.path))
        .then_with(|| task.line.cmp(&other.line))
}

/// Reads the open tasks of a page.
pub(super) fn tasks_of(
    txn: &ReadTxn,
    page: &CataloguedPage,
    source: &str,
) -> Result<Vec<OpenTask>, StorageError> {
    let fields = page.properties.iter();
    let fields = fields.filter(|property| property.kind == PropertyKind::Tags);
    let page_tags: Vec<&String> = fields.flat_map(|property| &property.values).collect();
    let mut tasks = Vec::new();
    for task in markdown::open_tasks(source) {
        let line = &source[task.text];
        let due = due_date(line);
        let mut bare = line.to_owned();
        if let Some((_, range)) = &due {
            bare.replace_range(range.clone(), "");
        }
        let in_line = markdown::tags(line);
        let in_line = in_line.into_iter().map(|tag| line[tag].to_owned());
        let mut keys = BTreeSet::new();
        let tags = in_line.chain(page_tags.iter().map(|tag| (*tag).clone()));
        tasks.push(OpenTask {
            line: task.line,
            written: source[task.written].to_owned(),
            text: pages::line_text(txn, page.page_id, markdown::without_block_id(bare.trim()))?,
            due: due.map(|(date, _)| date),
            tags: tags.filter(|tag| keys.insert(tag_key(tag))).collect(),
        });
    }
    Ok(tasks)
}

/// Finds `📅 2026-12-01`, `due:2026-12-01` or `[due:: 2026-12-01]`.
fn due_date(text: &str) -> Option<(Date, Range<usize>)> {
    let marks = text.match_indices('📅');
    let words = text.match_indices("due:").filter(|(at, _)| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
    });
    let dates = marks.chain(words).filter_map(|(start, mark)| {
        let rest = &text[start + mark.len()..];
        let rest = rest.trim_start_matches([':', ' ', '\u{fe0f}', '\u{3000}']);
        let written = rest.get(..DATE_LENGTH)?;
        let ends = !rest[DATE_LENGTH..].starts_with(char::is_alphanumeric);
        let date: Date = written.parse().ok().filter(|_| ends)?;
        let end = text.len() - rest.len() + DATE_LENGTH;
        let is_enclosed =
            |open, close| text[..start].ends_with(open) && text[end..].starts_with(close);
        let enclosing = usize::from(is_enclosed('[', ']') || is_enclosed('(', ')'));
        Some((date, start - enclosing..end + enclosing))
    });
    dates.min_by_key(|(_, range)| range.start)
}

#[cfg(test)]
mod tests {
    use super::super::tests::amended;
    use super::*;
    use crate::fixture::TestWiki;

    #[track_caller]
    fn check_due(text: &str, expected: Option<(&str, &str)>) {
        let found = due_date(text).map(|(date, range)| (date.to_string(), &text[range]));
        let found = found.as_ref().map(|(date, part)| (date.as_str(), *part));
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn due_dates_are_written_in_three_ways() {
        let date = "2026-12-01";
        check_due("a 📅 2026-12-01 b", Some((date, "📅 2026-12-01")));
        check_due(
            "a 📅\u{fe0f}2026-12-01",
            Some((date, "📅\u{fe0f}2026-12-01")),
        );
        check_due("due:2026-12-01", Some((date, "due:2026-12-01")));
        check_due("a [due:: 2026-12-01]", Some((date, "[due:: 2026-12-01]")));
        check_due("a (due:: 2026-12-01)", Some((date, "(due:: 2026-12-01)")));
        check_due("due:soon 📅 2026-12-01", Some((date, "📅 2026-12-01")));
        for text in [
            "overdue:2026-12-01",
            "due:2026-02-30",
            "due:2026-12-011",
            "due: soon",
            "📅 明日ですよ",
        ] {
            check_due(text, None);
        }
    }

    fn found(test: &TestWiki, query: &TaskQuery) -> Vec<String> {
        let query = TaskQuery {
            limit: 10,
            ..query.clone()
        };
        let items = test.wiki.catalogue().tasks(&query).unwrap().items;
        // The first page has a task of its own.
        let lines = items.iter().filter(|item| !item.path.is_root());
        lines
            .map(|PageTask { path, task, .. }| format!("{path}:{} {}", task.line, task.text))
            .collect()
    }

    const WASH: &str = "/a:3 wash Bee";
    const BUY: &str = "/b:1 buy #shop/food";
    const REST: &str = "/b:2 rest";

    #[test]
    fn tasks_are_filtered_and_sorted() {
        let test = TestWiki::new();
        test.page(
            "/b",
            "# Bee\n- [ ] buy #shop/food due:2026-12-01 ^t1\n- [ ] rest",
        );
        let home = "---\ntags: [home]\n---\n- [ ] **wash** [[/b]] 📅 2026-12-05\n- [x] done\n";
        test.page("/a", home);
        test.page("/templates/day", "- [ ] {{cursor}} #template");
        let all = TaskQuery::default();
        assert_eq!(found(&test, &all), [BUY, WASH, REST]);
        let by_page = TaskQuery {
            sort: TaskSort::Page,
            ..all.clone()
        };
        assert_eq!(found(&test, &by_page), [WASH, BUY, REST]);
        let tagged = |tag: &str| TaskQuery {
            tag: Some(tag.to_owned()),
            ..TaskQuery::default()
        };
        assert_eq!(found(&test, &tagged("Shop")), [BUY]);
        assert_eq!(found(&test, &tagged("home")), [WASH]);
        let until = TaskQuery {
            until: Some("2026-12-04".parse().unwrap()),
            ..all.clone()
        };
        assert_eq!(found(&test, &until), [BUY]);
        let below = TaskQuery {
            below: Some(PagePath::new("/a").unwrap()),
            ..all.clone()
        };
        assert_eq!(found(&test, &below), [WASH]);
        let tags = test.wiki.catalogue().tasks(&all).unwrap().tags;
        let tags = tags.iter().map(|count| (count.tag.as_str(), count.tasks));
        assert_eq!(tags.collect::<Vec<_>>(), [("home", 1), ("shop/food", 1)]);
    }

    #[test]
    fn tasks_follow_every_change() {
        let test = TestWiki::new();
        let page = test.page("/a", "- [ ] one\n- [ ] two");
        assert_eq!(found(&test, &TaskQuery::default()).len(), 2);
        amended(&test, page, "- [x] one\n- [ ] two");
        assert_eq!(found(&test, &TaskQuery::default()), ["/a:1 two"]);
    }
}
