//! Access of an assistant to the data, one call at a time.

use anyhow::bail;
use parking_lot::Mutex;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value, json};

use super::exclusions::Exclusions;
use super::tools::{TOOLS, ToolEntry};
use crate::client::{Answer, Client, Common, percent_encode};

/// The access that the arguments of the command grant.
pub(super) struct Access {
    common: Common,
    /// The author of changes; none if the assistant can only read.
    author: Option<String>,
    exclusions: Exclusions,
    /// Only one call at a time can have the data open.
    turn: Mutex<()>,
}

/// The data during one call.
pub(super) struct Connection<'a> {
    client: Client,
    author: Option<&'a str>,
    pub(super) exclusions: &'a Exclusions,
}

impl Access {
    pub(super) fn new(common: Common, author: Option<&str>, exclusions: Exclusions) -> Self {
        Self {
            common,
            author: author.map(str::to_owned),
            exclusions,
            turn: Mutex::default(),
        }
    }

    /// Returns true if the assistant may use the tool.
    pub(super) fn allows(&self, tool: &ToolEntry) -> bool {
        self.author.is_some() || !tool.changes
    }

    /// Finds a tool that the assistant may use.
    pub(super) fn tool(&self, name: &str) -> Option<&'static ToolEntry> {
        let mut tools = TOOLS.iter();
        tools.find(|tool| tool.name == name && self.allows(tool))
    }

    /// Calls a tool. The data are open only meanwhile, so that the program can start at any time.
    pub(super) fn call(
        &self,
        tool: &ToolEntry,
        arguments: JsonObject,
    ) -> anyhow::Result<CallToolResult> {
        let _turn = self.turn.lock();
        let connection = Connection {
            client: Client::open(&self.common)?,
            author: self.author.as_deref(),
            exclusions: &self.exclusions,
        };
        (tool.call)(&connection, Value::Object(arguments))
    }
}

impl Connection<'_> {
    pub(super) fn get(&self, address: &str) -> anyhow::Result<Value> {
        self.client.get(address)
    }

    /// Requests an address whose answer is not JSON.
    pub(super) fn get_bytes(&self, address: &str) -> anyhow::Result<Answer> {
        self.client.send("GET", address)
    }

    /// Sends a change by the author.
    pub(super) fn change(
        &self,
        method: &str,
        address: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> anyhow::Result<Answer> {
        let Some(author) = self.author else {
            bail!("nothing can be changed: “fumi mcp” was started without --write");
        };
        let author = percent_encode(author);
        let mut headers = headers.to_vec();
        headers.push(("x-acting-user", &author));
        self.client.ask(method, address, &headers, body)
    }

    /// Registers the author, if there are users without them. The first user is the one who reads here, and is not
    /// registered by an assistant.
    pub(super) fn register_author(&self) -> anyhow::Result<()> {
        let users = self.get("api/users")?;
        let mut users = users.as_array().into_iter().flatten().peekable();
        if users.peek().is_none() {
            bail!("no user has been registered yet: open Fumikura first");
        }
        if let Some(author) = self.author
            && users.all(|user| user["name"] != author)
        {
            let kind = [("content-type", "application/json")];
            let body = json!({ "name": author }).to_string();
            self.client
                .ask("POST", "api/users", &kind, body.as_bytes())?;
        }
        Ok(())
    }
}
