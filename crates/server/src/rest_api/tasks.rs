//! `/api/tasks`: the open tasks of all pages.

use axum::Json;
use fumikura_wiki::{PagePath, PageTask, TaskAnswer, TaskQuery, TaskSort, TaskTag, Wiki};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::pages::checked_limit;
use crate::blocking::blocking;
use crate::error::{ApiError, ErrorBody, ErrorCode};
use crate::part::Part;
use crate::rest_api::Routes;
use crate::rest_api::extract::ApiQuery;

/// The conditions of a list of tasks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TaskListQuery {
    /// A page with those below it.
    below: Option<String>,
    /// A tag, or one below it: in the line, or in the front matter of the page.
    tag: Option<String>,
    /// The last due date, `2026-12-01`.
    until: Option<String>,
    #[serde(default)]
    #[param(inline)]
    sort: TaskSort,
    #[serde(default)]
    offset: usize,
    /// 50 by default, at most 1,000.
    limit: Option<usize>,
}

/// Open tasks.
#[derive(Serialize, ToSchema)]
struct TaskList {
    items: Vec<TaskItem>,
    /// The number of all that fit.
    total: usize,
    /// The tags of all open tasks, by name.
    tags: Vec<TaskTagDto>,
}

/// A tag of open tasks.
#[derive(Serialize, ToSchema)]
#[schema(as = TaskTag)]
struct TaskTagDto {
    tag: String,
    /// The number of tasks with it.
    tasks: usize,
}

/// An open task.
#[derive(Serialize, ToSchema)]
struct TaskItem {
    page_id: String,
    path: String,
    /// The title of the page.
    title: Option<String>,
    /// The number of its line in the newest text, from 0.
    line: usize,
    /// The line, by which it is found again after a change.
    written: String,
    /// Its text without markup and without the date.
    text: String,
    /// `2026-12-01`.
    due: Option<String>,
    tags: Vec<String>,
}

impl From<PageTask> for TaskItem {
    fn from(item: PageTask) -> Self {
        Self {
            page_id: item.page_id.to_string(),
            path: item.path.to_string(),
            title: item.title,
            line: item.task.line,
            written: item.task.written,
            text: item.task.text,
            due: item.task.due.map(|date| date.to_string()),
            tags: item.task.tags,
        }
    }
}

pub(super) fn routes() -> Routes {
    Routes::new().routes(routes!(task_list))
}

/// Lists the open tasks of all pages.
#[utoipa::path(get, path = "/api/tasks", tag = "pages", params(TaskListQuery), responses(
    (status = 200, body = TaskList),
    (status = 400, description = "`bad_request`: an invalid limit or date", body = ErrorBody),
))]
async fn task_list(
    Part(wiki): Part<Wiki>,
    ApiQuery(query): ApiQuery<TaskListQuery>,
) -> Result<Json<TaskList>, ApiError> {
    let until = query.until.as_deref().map(str::parse::<Date>).transpose();
    let until = until.map_err(|error| ApiError::new(ErrorCode::BadRequest, error.to_string()))?;
    let query = TaskQuery {
        below: query.below.as_deref().map(PagePath::new).transpose()?,
        tag: query.tag,
        until,
        sort: query.sort,
        offset: query.offset,
        limit: checked_limit(query.limit)?,
    };
    let answer = blocking(&wiki, move |wiki| Ok(wiki.catalogue().tasks(&query)?));
    let TaskAnswer { items, total, tags } = answer.await?;
    let tags = tags.into_iter();
    let tags = tags.map(|TaskTag { tag, tasks }| TaskTagDto { tag, tasks });
    Ok(Json(TaskList {
        items: items.into_iter().map(TaskItem::from).collect(),
        total,
        tags: tags.collect(),
    }))
}
