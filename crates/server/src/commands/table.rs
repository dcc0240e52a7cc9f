//! The table of commands, derived from the OpenAPI document: an operation is declared by its route alone.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The header that proves a lock. A command has its token as the argument `token`.
pub(super) const LOCK_AUTHENTICATION: &str = "X-Lock-Authentication";
/// The header of a lock's holder. A command's answer has its fields.
pub(super) const PAGE_LOCK: &str = "X-Page-Lock";

/// Operations with one command for each of some parameters, of which a request has exactly one.
const SPLIT: &[(&str, &[(&str, &str)])] = &[
    (
        "page_move",
        &[("page_rename", "rename_to"), ("page_restore", "restore_to")],
    ),
    (
        "revision_change",
        &[
            ("revision_rollback", "rollback_to"),
            ("revision_compact", "keep_from"),
        ],
    ),
];

/// Commands with the whole body in one argument, instead of an argument for each of its fields.
const WHOLE_BODIES: &[(&str, &str)] =
    &[("ttl_default_set", "policy"), ("ttl_policy_set", "policy")];

/// Commands of another address, used if an argument is absent: the default policy, of no root.
const FALLBACKS: &[(&str, &str, &str)] = &[
    ("ttl_policy_get", "root", "ttl_default_get"),
    ("ttl_policy_set", "root", "ttl_default_set"),
];

/// The argument of a body that is text.
const TEXT: &str = "text";

/// An operation as a window calls it: the name, and the request that it stands for.
pub(super) struct Command {
    pub(super) name: String,
    /// The method, in upper case.
    pub(super) method: String,
    /// The path, with parameters in braces.
    pub(super) path: String,
    pub(super) parameters: Vec<Parameter>,
    pub(super) body: BodyArguments,
    /// The command that is run instead if this argument is absent.
    pub(super) fallback: Option<(&'static str, &'static str)>,
    /// The parameter that the other commands of the same request do not have.
    pub(super) distinguished_by: Option<&'static str>,
    /// True if the answer has headers that are not in the command's answer.
    pub(super) has_headers: bool,
}

/// An argument that is not in the body.
pub(super) struct Parameter {
    pub(super) argument: String,
    /// The name in the request.
    pub(super) name: String,
    pub(super) place: ParameterPlace,
    pub(super) kind: ParameterKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterPlace {
    Path,
    Query,
    Header,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParameterKind {
    Text,
    Number,
    Flag,
}

/// The arguments of the body.
pub(super) enum BodyArguments {
    /// No body.
    None,
    /// Every argument that is not a parameter is a field of a JSON object.
    Fields { is_required: bool },
    /// One argument is the JSON body.
    Whole(&'static str),
    /// One argument is the body, a text of this media type.
    Text(String),
}

/// Returns the commands by name.
pub(super) fn commands(document: &Value) -> BTreeMap<String, Command> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let operations = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (path, method, operation))
    });
    let commands = operations
        // Other addresses are for other programs, and for elements of pages.
        .filter(|(path, ..)| path.starts_with("/api/"))
        .filter(|(_, _, operation)| is_command(operation))
        .flat_map(|(path, method, operation)| commands_of(path, method, operation));
    commands
        .map(|command| (command.name.clone(), command))
        .collect()
}

/// Returns true if the request and the answer are JSON or text. Streams and bytes are for HTTP only.
fn is_command(operation: &Value) -> bool {
    let request = media_types(&operation["requestBody"]);
    let has_request = request.is_empty() || request.iter().any(|kind| is_text(kind));
    let answers = successes(operation).flat_map(media_types);
    has_request && answers.into_iter().all(is_text)
}

fn is_text(media_type: &str) -> bool {
    let is_stream = media_type == "text/event-stream";
    media_type == "application/json" || media_type.starts_with("text/") && !is_stream
}

fn media_types(body: &Value) -> Vec<&str> {
    let content = body["content"].as_object().into_iter().flatten();
    content.map(|(kind, _)| kind.as_str()).collect()
}

fn successes(operation: &Value) -> impl Iterator<Item = &Value> {
    let responses = operation["responses"].as_object().into_iter().flatten();
    responses
        .filter(|(status, _)| status.starts_with('2'))
        .map(|(_, response)| response)
}

/// Returns the commands of an operation: usually one, with the operation's name.
fn commands_of(path: &str, method: &str, operation: &Value) -> Vec<Command> {
    let id = operation["operationId"].as_str().unwrap_or_default();
    let command = |name: &str, distinguished_by, left_out: &[&str]| Command {
        name: name.to_owned(),
        method: method.to_uppercase(),
        path: path.to_owned(),
        parameters: parameters(operation, left_out),
        body: body(name, &operation["requestBody"]),
        fallback: find(FALLBACKS.iter().map(|row| (row.0, (row.1, row.2))), name),
        distinguished_by,
        has_headers: successes(operation).any(has_own_headers),
    };
    match find(SPLIT.iter().copied(), id) {
        None => vec![command(id, None, &[])],
        Some(parts) => {
            let others = |kept| {
                parts
                    .iter()
                    .map(|part| part.1)
                    .filter(move |one| *one != kept)
            };
            let parts = parts.iter().map(|(name, kept)| {
                let left_out: Vec<&str> = others(*kept).collect();
                command(name, Some(*kept), &left_out)
            });
            parts.collect()
        }
    }
}

fn find<'k, T>(mut rows: impl Iterator<Item = (&'k str, T)>, name: &str) -> Option<T> {
    rows.find(|row| row.0 == name).map(|row| row.1)
}

fn parameters(operation: &Value, left_out: &[&str]) -> Vec<Parameter> {
    let all = operation["parameters"].as_array().into_iter().flatten();
    let all = all.filter_map(|parameter| {
        let name = parameter["name"].as_str()?;
        let (place, argument) = match parameter["in"].as_str()? {
            "path" => (ParameterPlace::Path, name.to_owned()),
            "query" => (ParameterPlace::Query, name.to_owned()),
            "header" => (ParameterPlace::Header, header_argument(name)),
            _ => return None,
        };
        Some(Parameter {
            argument,
            name: name.to_owned(),
            place,
            kind: kind(&parameter["schema"]["type"]),
        })
    });
    all.filter(|parameter| !left_out.contains(&parameter.name.as_str()))
        .collect()
}

/// `If-Match` is `if_match`, and `X-Page-Read` is `page_read`.
fn header_argument(name: &str) -> String {
    if name == LOCK_AUTHENTICATION {
        return "token".to_owned();
    }
    let name = name.to_ascii_lowercase().replace('-', "_");
    name.strip_prefix("x_").unwrap_or(&name).to_owned()
}

/// Parses a type, or an array of a type and `null`.
fn kind(types: &Value) -> ParameterKind {
    let all = types.as_array();
    let is = |name: &str| all.map_or(types == name, |all| all.iter().any(|one| one == name));
    if is("integer") || is("number") {
        ParameterKind::Number
    } else if is("boolean") {
        ParameterKind::Flag
    } else {
        ParameterKind::Text
    }
}

fn body(command: &str, body: &Value) -> BodyArguments {
    if let Some(argument) = find(WHOLE_BODIES.iter().copied(), command) {
        return BodyArguments::Whole(argument);
    }
    let types = media_types(body);
    match types.iter().find(|kind| is_text(kind)) {
        None => BodyArguments::None,
        Some(&"application/json") => BodyArguments::Fields {
            is_required: body["required"] == true,
        },
        Some(text) => BodyArguments::Text((*text).to_owned()),
    }
}

fn has_own_headers(response: &Value) -> bool {
    let headers = response["headers"].as_object().into_iter().flatten();
    let mut names = headers.map(|(name, _)| name.as_str());
    names.any(|name| name != "Location" && name != PAGE_LOCK)
}

impl BodyArguments {
    /// Returns the name of the only argument, if the body has one.
    pub(super) fn argument(&self) -> Option<&str> {
        match self {
            Self::None | Self::Fields { .. } => None,
            Self::Whole(argument) => Some(argument),
            Self::Text(_) => Some(TEXT),
        }
    }
}

impl Command {
    /// Returns true if the page runs the command. Requests whose answers have further headers, such as an `ETag`, are
    /// sent over HTTP.
    pub(super) fn is_used_by_the_page(&self) -> bool {
        !self.has_headers && !matches!(self.body, BodyArguments::Text(_))
    }
}

/// Returns the fields of a JSON object; null has none.
pub(super) fn fields(args: Value) -> Option<Map<String, Value>> {
    match args {
        Value::Object(fields) => Some(fields),
        Value::Null => Some(Map::new()),
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}
