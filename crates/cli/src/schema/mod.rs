//! `fumi schema`: the JSON Schema of what the commands print with `--json`. Most of it are answers of the HTTP interface,
//! whose schemas are derived from the types of the server.

mod outputs;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use anyhow::{Context, bail};
use clap::Args;
use fumikura_server::openapi_document;
use serde_json::{Map, Value, json};

use crate::output;

use outputs::OUTPUTS;

/// The prefix of references within the OpenAPI document.
const COMPONENTS: &str = "#/components/schemas/";

#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// Only the definition of this command and those that it needs, such as `page list`
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

/// The form of a line that a command prints.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// The answer of an operation: its method and address.
    Answer(&'static str),
    /// An item of a list in the answer of an operation: in a field, or the answer itself if that is empty.
    Item(&'static str, &'static str),
    /// A named schema of the HTTP interface.
    Named(&'static str),
    /// An object with these fields alone: name and type. A `?` after the name marks what may be absent, and `|null` after
    /// the type what may be null.
    Object(&'static [(&'static str, &'static str)]),
    /// A form with further fields.
    With(&'static Self, &'static [(&'static str, &'static str)]),
    /// A file: its path in a field, or in base64 in `{field}_bytes` if it is not UTF-8.
    File(&'static str),
    /// A form with the path of a file in a field.
    WithFile(&'static Self, &'static str),
    /// One of several forms.
    OneOf(&'static [Self]),
}

/// Prints the schema.
pub(crate) fn run(arguments: &SchemaArguments) -> anyhow::Result<()> {
    let only = arguments.command.join(" ");
    let only = (!only.is_empty()).then_some(only.as_str());
    let schema = serde_json::to_string_pretty(&schema(only)?)?;
    writeln!(output::stdout(), "{schema}")?;
    Ok(())
}

/// Returns the schema of all commands, or of one.
fn schema(only: Option<&str>) -> anyhow::Result<Value> {
    let api: Value = serde_json::from_str(&openapi_document())?;
    let mut definitions = BTreeMap::new();
    for (command, form) in OUTPUTS {
        if only.is_none_or(|only| only == *command) {
            let mut definition = form.schema(&api)?;
            let words = format!("A line that `fumi {command}` prints as JSON.");
            definition["description"] = words.into();
            definitions.insert(definition_name(command), definition);
        }
    }
    if definitions.is_empty() {
        bail!(
            "there is no command “{}” with --json",
            only.unwrap_or_default()
        );
    }
    for name in needed(definitions.values(), &api) {
        let schema = component(&api, &name)?;
        definitions.insert(name, renamed(schema.clone()));
    }
    Ok(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "JSON of fumi",
        "description": "Each line that a command of fumi prints with --json is an object that its definition describes: \
            fumi-page-list for “fumi page list --json”. New fields may be added to objects that come from the server.",
        "$defs": definitions,
    }))
}

/// Returns the name of a command's definition, which is that of its manual page.
fn definition_name(command: &str) -> String {
    format!("fumi-{}", command.replace(' ', "-"))
}

fn component<'a>(api: &'a Value, name: &str) -> anyhow::Result<&'a Value> {
    let schema = &api["components"]["schemas"][name];
    match schema.is_null() {
        true => bail!("the OpenAPI document has no schema {name}"),
        false => Ok(schema),
    }
}

/// Returns the names of all schemas to which some refer, directly or through others.
fn needed<'a>(schemas: impl Iterator<Item = &'a Value>, api: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for schema in schemas {
        references(schema, "#/$defs/", &mut found);
    }
    while let Some(name) = found.pop() {
        if names.insert(name.clone()) {
            references(&api["components"]["schemas"][&name], COMPONENTS, &mut found);
        }
    }
    names
}

/// Collects the names of the schemas to which a schema refers.
fn references(schema: &Value, prefix: &str, found: &mut Vec<String>) {
    if let Some(fields) = schema.as_object() {
        let name = fields.get("$ref").and_then(Value::as_str);
        found.extend(
            name.and_then(|name| name.strip_prefix(prefix))
                .map(str::to_owned),
        );
        for field in fields.values() {
            references(field, prefix, found);
        }
    }
    for item in schema.as_array().into_iter().flatten() {
        references(item, prefix, found);
    }
}

/// Returns a schema whose references lead to the definitions of this document.
fn renamed(mut schema: Value) -> Value {
    for (name, field) in schema.as_object_mut().into_iter().flatten() {
        let target = field.as_str().and_then(|to| to.strip_prefix(COMPONENTS));
        *field = match target.filter(|_| name == "$ref") {
            Some(target) => format!("#/$defs/{target}").into(),
            None => renamed(field.take()),
        };
    }
    for item in schema.as_array_mut().into_iter().flatten() {
        *item = renamed(item.take());
    }
    schema
}

impl Form {
    fn schema(&self, api: &Value) -> anyhow::Result<Value> {
        Ok(match self {
            Self::Answer(operation) => renamed(answer(api, operation)?.clone()),
            Self::Item(operation, field) => renamed(item(api, operation, field)?.clone()),
            Self::Named(name) => json!({"$ref": format!("#/$defs/{name}")}),
            Self::Object(fields) => {
                let mut object = object(fields);
                object["additionalProperties"] = false.into();
                object
            }
            Self::With(form, fields) => json!({"allOf": [form.schema(api)?, object(fields)]}),
            Self::File(field) => {
                let mut file = file(field);
                file["additionalProperties"] = false.into();
                file
            }
            Self::WithFile(form, field) => json!({"allOf": [form.schema(api)?, file(field)]}),
            Self::OneOf(forms) => {
                let forms: anyhow::Result<Vec<_>> =
                    forms.iter().map(|form| form.schema(api)).collect();
                json!({"anyOf": forms?})
            }
        })
    }
}

/// Returns the schema of the JSON that an operation answers.
fn answer<'a>(api: &'a Value, operation: &str) -> anyhow::Result<&'a Value> {
    let (method, address) = operation.split_once(' ').unwrap_or_default();
    let responses = &api["paths"][address][method.to_lowercase()]["responses"];
    let answered = ["200", "201"].into_iter().find_map(|status| {
        let content = &responses[status]["content"]["application/json"]["schema"];
        content.is_object().then_some(content)
    });
    answered.with_context(|| format!("{operation} answers no JSON"))
}

/// Returns the schema of the items of a list.
fn item<'a>(api: &'a Value, operation: &str, field: &str) -> anyhow::Result<&'a Value> {
    let mut list = answer(api, operation)?;
    if let Some(name) = list["$ref"].as_str() {
        list = component(api, name.trim_start_matches(COMPONENTS))?;
    }
    let list = match field {
        "" => list,
        field => &list["properties"][field],
    };
    match list["items"].is_object() {
        true => Ok(&list["items"]),
        false => bail!("{operation} answers no list {field}"),
    }
}

fn object(fields: &[(&str, &str)]) -> Value {
    let names = fields.iter().map(|(name, _)| *name);
    let required: Vec<_> = names.filter(|name| !name.ends_with('?')).collect();
    let property =
        |(name, kind): &(&str, &str)| (name.trim_end_matches('?').into(), property(kind));
    let properties: Map<String, Value> = fields.iter().map(property).collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// Returns the schema of a field: a type of JSON Schema, a list of one, or a schema of the HTTP interface.
fn property(kind: &str) -> Value {
    let (kind, is_nullable) = match kind.strip_suffix("|null") {
        Some(kind) => (kind, true),
        None => (kind, false),
    };
    if kind == "any" {
        return json!({});
    }
    let list = kind.strip_suffix("[]");
    let base = match list.unwrap_or(kind) {
        base if base.starts_with(char::is_uppercase) => json!({"$ref": format!("#/$defs/{base}")}),
        base => json!({"type": base}),
    };
    let schema = match list {
        Some(_) => json!({"type": "array", "items": base}),
        None => base,
    };
    match is_nullable {
        true => json!({"anyOf": [schema, {"type": "null"}]}),
        false => schema,
    }
}

fn file(field: &str) -> Value {
    let bytes = format!("{field}_bytes");
    json!({
        "type": "object",
        "properties": {
            field: {"type": "string"},
            &bytes: {"type": "string", "contentEncoding": "base64", "description": "The path, if it is not UTF-8."},
        },
        "anyOf": [{"required": [field]}, {"required": [bytes]}],
    })
}

#[cfg(test)]
mod tests {
    use clap::{Command, CommandFactory};

    use super::*;

    /// Collects the commands that do something and have `--json`.
    fn with_json(command: &Command, name: &str, found: &mut BTreeSet<String>) {
        let has_json = command.get_arguments().any(|one| one.get_id() == "json");
        if has_json && !command.is_subcommand_required_set() {
            found.insert(name.to_owned());
        }
        for inner in command.get_subcommands() {
            if inner.get_name() != "help" && !inner.is_hide_set() {
                let name = format!("{name} {}", inner.get_name());
                with_json(inner, name.trim_start(), found);
            }
        }
    }

    #[test]
    fn every_command_with_json_has_a_definition() {
        let mut command = crate::Cli::command();
        command.build();
        let mut found = BTreeSet::new();
        with_json(&command, "", &mut found);
        // It prints the contents of a file.
        assert!(found.remove("asset get"));
        let defined = OUTPUTS.iter().map(|(command, _)| (*command).to_owned());
        let mut defined: BTreeSet<_> = defined.collect();
        // It prints nothing but JSON.
        assert!(defined.remove("events"));
        assert_eq!(found, defined);
    }

    #[test]
    fn definitions_refer_to_each_other_alone() {
        let schema = schema(None).unwrap();
        let mut found = Vec::new();
        references(&schema, "#/$defs/", &mut found);
        assert!(found.iter().all(|name| schema["$defs"][name].is_object()));
        assert!(!schema.to_string().contains(COMPONENTS));
        let one = super::schema(Some("page tag")).unwrap();
        assert_eq!(one["$defs"].as_object().unwrap().len(), 1);
        assert!(super::schema(Some("page")).is_err());
    }
}
