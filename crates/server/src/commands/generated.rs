//! Names of commands in the OpenAPI document, and a table in Markdown, both generated from the table of commands.

use std::fmt::Write;

use serde_json::{Map, json};
use utoipa::openapi::OpenApi;

use super::table;
use super::table::{BodyArguments, Command};

/// Names the commands of each operation as `x-commands`, for the shell's build and the page's client: with the
/// parameter that only one of several commands has, the argument that is the whole body, and whether the page sends
/// the request over HTTP nevertheless.
pub(crate) fn name_commands(document: &mut OpenApi) {
    for command in table().values() {
        let item = document.paths.paths.get_mut(&command.path);
        let operation = item.and_then(|item| match command.method.as_str() {
            "GET" => item.get.as_mut(),
            "POST" => item.post.as_mut(),
            "PUT" => item.put.as_mut(),
            "PATCH" => item.patch.as_mut(),
            _ => item.delete.as_mut(),
        });
        let operation = operation.expect("BUG: the table is derived from the document");
        let mut facts = Map::new();
        if let Some(parameter) = command.distinguished_by {
            facts.insert("parameter".to_owned(), parameter.into());
        }
        if let BodyArguments::Whole(argument) = command.body {
            facts.insert("body".to_owned(), argument.into());
        }
        if !command.is_used_by_the_page() {
            facts.insert("over_http".to_owned(), true.into());
        }
        let extensions = operation.extensions.get_or_insert_default();
        let commands = extensions.entry("x-commands".to_owned());
        commands.or_insert_with(|| json!({}))[&command.name] = facts.into();
    }
}

/// Returns the table of the commands with their requests, in Markdown.
#[must_use]
pub fn commands_table() -> String {
    let mut text = "| Command | The same as |\n| --- | --- |\n".to_owned();
    for command in table().values() {
        let arguments = command.parameters.iter().map(|one| one.argument.as_str());
        let body = match &command.body {
            BodyArguments::None => None,
            BodyArguments::Fields { .. } => Some("…"),
            whole @ (BodyArguments::Whole(_) | BodyArguments::Text(_)) => whole.argument(),
        };
        let arguments: Vec<&str> = arguments.chain(body).collect();
        line(
            &mut text,
            format_args!(
                "| `{} {{{}}}` | `{}` |",
                command.name,
                arguments.join(", "),
                request_of(command)
            ),
        );
    }
    text
}

/// Returns the method and the path. If several commands have the same ones, the parameter that decides is added.
fn request_of(command: &Command) -> String {
    let Command { method, path, .. } = command;
    match command.distinguished_by {
        Some(name) => format!("{method} {path}?{name}"),
        None => format!("{method} {path}"),
    }
}

fn line(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("BUG: a string takes every text");
}
