//! The tools that an assistant can call.

use std::any::Any;
use std::sync::Arc;

use anyhow::anyhow;
use rmcp::handler::server::common::schema_for_type;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use rmcp::schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::connection::Connection;
use super::{page_changes, pages, pictures, search};

/// A tool.
pub(super) struct ToolEntry {
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    /// True if the tool changes pages.
    pub(super) changes: bool,
    /// True if a change replaces text instead of adding some.
    replaces: bool,
    schema: fn() -> Arc<JsonObject>,
    pub(super) call: fn(&Connection<'_>, Value) -> anyhow::Result<CallToolResult>,
}

/// All tools.
pub(super) const TOOLS: &[ToolEntry] = &[
    ToolEntry {
        name: "search",
        title: "Search",
        description: "Searches the texts of all pages, the files of pages, and the captions, tags and names of pictures.",
        changes: false,
        replaces: false,
        schema: schema_of::<search::SearchInput>,
        call: |connection, input| search::search(connection, parse(input)?),
    },
    ToolEntry {
        name: "read_page",
        title: "Read a page",
        description: "Returns the Markdown text of a page.",
        changes: false,
        replaces: false,
        schema: schema_of::<pages::ReadInput>,
        call: |connection, input| pages::read(connection, parse(input)?),
    },
    ToolEntry {
        name: "list_pages",
        title: "List pages",
        description: "Lists pages by path.",
        changes: false,
        replaces: false,
        schema: schema_of::<pages::ListInput>,
        call: |connection, input| pages::list(connection, parse(input)?),
    },
    ToolEntry {
        name: "backlinks",
        title: "Backlinks",
        description: "Lists the pages that link to a page.",
        changes: false,
        replaces: false,
        schema: schema_of::<pages::BacklinksInput>,
        call: |connection, input| pages::backlinks(connection, parse(input)?),
    },
    ToolEntry {
        name: "list_folder",
        title: "List a folder of pictures",
        description: "Lists the pictures and folders in a folder, with dates, sizes, ratings, tags and captions; without \
            a path, the open folders.",
        changes: false,
        replaces: false,
        schema: schema_of::<pictures::FolderInput>,
        call: |connection, input| pictures::list_folder(connection, parse(input)?),
    },
    ToolEntry {
        name: "picture_info",
        title: "Describe a picture",
        description: "Returns the metadata of a picture: size, date, camera, exposure, place, rating, tags and caption.",
        changes: false,
        replaces: false,
        schema: schema_of::<pictures::PictureInput>,
        call: |connection, input| pictures::info(connection, parse(input)?),
    },
    ToolEntry {
        name: "picture_thumbnail",
        title: "Look at a picture",
        description: "Returns a picture, reduced.",
        changes: false,
        replaces: false,
        schema: schema_of::<pictures::ThumbnailInput>,
        call: |connection, input| pictures::thumbnail(connection, parse(input)?),
    },
    ToolEntry {
        name: "create_page",
        title: "Create a page",
        description: "Creates a page with a Markdown text.",
        changes: true,
        replaces: false,
        schema: schema_of::<page_changes::CreateInput>,
        call: |connection, input| page_changes::create(connection, parse(input)?),
    },
    ToolEntry {
        name: "append_to_page",
        title: "Append to a page",
        description: "Appends Markdown text to a page, on a line of its own. Fails while another user edits the page.",
        changes: true,
        replaces: false,
        schema: schema_of::<page_changes::AppendInput>,
        call: |connection, input| page_changes::append(connection, parse(input)?),
    },
    ToolEntry {
        name: "edit_page",
        title: "Edit a page",
        description: "Replaces parts of the text of a page, all or none. Fails while another user edits the page. \
            Earlier texts can be restored.",
        changes: true,
        replaces: true,
        schema: schema_of::<page_changes::EditInput>,
        call: |connection, input| page_changes::edit(connection, parse(input)?),
    },
];

impl ToolEntry {
    /// Describes the tool to the client.
    pub(super) fn describe(&self) -> Tool {
        let hints = ToolAnnotations::new()
            .read_only(!self.changes)
            .destructive(self.replaces)
            .open_world(false);
        Tool::new(self.name, self.description, (self.schema)())
            .with_title(self.title)
            .with_annotations(hints)
    }
}

/// Returns the schema of a tool's input, as the protocol requires it.
fn schema_of<T: JsonSchema + Any>() -> Arc<JsonObject> {
    let mut schema = (*schema_for_type::<T>()).clone();
    schema.remove("title");
    Arc::new(schema)
}

/// Reads a tool's input.
fn parse<T: DeserializeOwned>(input: Value) -> anyhow::Result<T> {
    serde_json::from_value(input).map_err(|error| anyhow!("the arguments are invalid: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_described_to_assistants() {
        for tool in TOOLS {
            let schema = tool.describe().input_schema;
            assert_eq!(schema["type"], "object", "{}", tool.name);
            let fields = schema["properties"].as_object().unwrap();
            for (name, field) in fields {
                assert!(field["description"].is_string(), "{} {name}", tool.name);
            }
        }
    }

    #[test]
    fn unknown_arguments_are_refused() {
        let input = serde_json::json!({"path": "/a", "revison": 2});
        let error = parse::<pages::ReadInput>(input).err().unwrap();
        assert!(error.to_string().contains("revison"), "{error}");
    }
}
