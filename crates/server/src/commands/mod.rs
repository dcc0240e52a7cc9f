//! The commands of a window: the operations of the HTTP interface by name, with arguments and answers in JSON
//! ([ADR 0005](../../../docs/adr/0005-two-transports.md)). A command is a request to the router, in process.

mod generated;
mod request;
mod table;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use fumikura_limits::Peer;
use serde_json::{Map, Value};
use tower::ServiceExt;

use crate::address::Address;
use crate::app::App;
use crate::auth::Client;
use crate::error::{ApiError, ErrorCode};
use crate::guard::WindowSession;
use crate::openapi;

pub use generated::commands_table;
pub(crate) use generated::name_commands;
use request::{answer, bad, error_value, request};
use table::{Command, commands, fields};

/// The port in addresses. Nothing listens there.
const PORT: u16 = 80;

/// The transport of windows.
pub struct Commands {
    app: Arc<App>,
    routes: OnceLock<CommandRoutes>,
}

/// The router and the table of the commands, created on first use to keep the start short.
struct CommandRoutes {
    router: Router,
    table: BTreeMap<String, Command>,
}

impl Commands {
    /// Returns the commands of an application.
    #[must_use]
    pub fn new(app: Arc<App>) -> Self {
        let routes = OnceLock::new();
        Self { app, routes }
    }

    /// Runs a command of a window. Returns the answer in JSON.
    ///
    /// # Errors
    /// The body of an error: `bad_request` for an unknown command and for unknown arguments, `unauthenticated` if the
    /// window has not signed in; otherwise the errors of the operation.
    pub async fn run(&self, name: &str, args: Value, window: &Client) -> Result<String, Value> {
        let routes = self.routes.get_or_init(|| CommandRoutes {
            router: self.app.router(Address::port(PORT, &[])),
            table: table(),
        });
        let request = routes.request(name, args, window).map_err(error_value)?;
        let answered = routes.router.clone().oneshot(request).await;
        answer(answered.unwrap_or_else(|never| match never {})).await
    }
}

impl CommandRoutes {
    fn request(
        &self,
        name: &str,
        args: Value,
        window: &Client,
    ) -> Result<axum::extract::Request, ApiError> {
        let args = fields(args).ok_or_else(|| bad("the arguments are an object"))?;
        let mut request = request(self.command(name, &args)?, args)?;
        let session = window.session().ok_or_else(|| {
            ApiError::new(ErrorCode::Unauthenticated, "the window has not signed in")
        })?;
        let extensions = request.extensions_mut();
        extensions.insert(WindowSession(session));
        // The limiters count the window's commands with its requests over HTTP.
        extensions.insert(Peer::Ip(Ipv4Addr::LOCALHOST.into()));
        Ok(request)
    }

    fn command(&self, name: &str, args: &Map<String, Value>) -> Result<&Command, ApiError> {
        let unknown = || bad(format!("there is no command {name}"));
        let command = self.table.get(name).ok_or_else(unknown)?;
        match command.fallback {
            Some((argument, other)) if args.get(argument).is_none_or(Value::is_null) => {
                self.table.get(other).ok_or_else(unknown)
            }
            Some(_) | None => Ok(command),
        }
    }
}

fn table() -> BTreeMap<String, Command> {
    commands(&openapi::routes_json())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The commands of the contract, with their arguments.
    const CONTRACT: &[(&str, &[&str])] = &[
        ("lock_acquire", &["page_id", "take_over"]),
        ("lock_renew", &["page_id", "token"]),
        ("lock_release", &["page_id", "token"]),
        ("lock_status", &["page_id"]),
        ("revision_list", &["page_id", "before", "limit"]),
        ("revision_diff", &["page_id", "from", "to"]),
        ("revision_rollback", &["page_id", "rollback_to", "token"]),
        ("revision_compact", &["page_id", "keep_from", "token"]),
        (
            "asset_list",
            &["page_id", "with_deleted", "offset", "limit", "at"],
        ),
        ("asset_add_files", &["page_id"]),
        ("asset_rename", &["asset_id"]),
        ("asset_remove", &["asset_id", "hard"]),
        ("asset_restore", &["asset_id"]),
        ("asset_zombies", &["offset", "limit"]),
        ("asset_set_owner", &["asset_id", "page_id"]),
        ("cache_stats", &[]),
        ("cache_gc", &[]),
        ("ttl_policy_get", &["root"]),
        ("ttl_policy_set", &["root", "policy"]),
        ("ttl_run", &[]),
        (
            "hash_list",
            &[
                "dir", "state", "kind", "q", "root", "path", "offset", "limit",
            ],
        ),
        ("hash_name", &["path", "name", "dir"]),
        ("hash_record", &[]),
        ("hash_verify", &[]),
        ("hash_migrate", &[]),
    ];

    #[test]
    fn commands_of_the_contract_have_their_arguments() {
        let table = table();
        for (name, expected) in CONTRACT {
            let command = &table[*name];
            let arguments = command.parameters.iter().map(|one| one.argument.as_str());
            let arguments: Vec<_> = arguments.chain(command.body.argument()).collect();
            assert_eq!(arguments, *expected, "{name}");
        }
    }

    /// Returns the method, the address and the proof of a lock of a command's request.
    #[track_caller]
    fn check(name: &str, args: Value, expected: Result<(&str, &str, Option<&str>), ErrorCode>) {
        let table = table();
        let built = fields(args).ok_or_else(|| bad("no object"));
        let built = built.and_then(|args| request(&table[name], args));
        let built = built.map_err(|error| error.code());
        let built = built.as_ref().map(|request| {
            let proof = request.headers().get(table::LOCK_AUTHENTICATION);
            (
                request.method().as_str(),
                request
                    .uri()
                    .path_and_query()
                    .map_or("", |uri| uri.as_str()),
                proof.map(|proof| proof.to_str().unwrap()),
            )
        });
        assert_eq!(built, expected.as_ref().map(|request| *request), "{name}");
    }

    #[test]
    fn arguments_become_path_query_and_headers() {
        let id = "01JD0000000000000000000000";
        let rollback = format!("/api/pages/{id}/revision?rollback_to=3");
        check(
            "revision_rollback",
            json!({"page_id": id, "rollback_to": 3, "token": "T"}),
            Ok(("POST", &rollback, Some("token=T"))),
        );
        check(
            "hash_name",
            json!({"path_bytes": "/w==", "name": null, "dir": "a&b"}),
            Ok(("GET", "/api/hashes/name?path=%FF&dir=a%26b", None)),
        );
        check(
            "asset_list",
            json!({"page_id": "a/b", "with_deleted": true}),
            Ok(("GET", "/api/pages/a%2Fb/assets?with_deleted=true", None)),
        );
        check("cache_gc", json!(null), Ok(("POST", "/api/cache/gc", None)));
    }

    #[test]
    fn invalid_arguments_are_a_bad_request() {
        for (name, args) in [
            ("lock_status", json!({})),
            ("lock_status", json!({"page_id": ""})),
            ("lock_status", json!({"page_id": 7})),
            ("lock_status", json!({"page_id": "a", "more": 1})),
            ("lock_status", json!([])),
            ("lock_renew", json!({"page_id": "a", "token": "a\nb"})),
            ("asset_list", json!({"page_id": "a", "limit": "1"})),
            ("asset_list", json!({"page_id": "a", "with_deleted": 1})),
            (
                "revision_compact",
                json!({"page_id": "a", "rollback_to": 1}),
            ),
            ("hash_name", json!({"path": "/a", "path_bytes": "YQ=="})),
            ("ttl_policy_set", json!({"root": "a"})),
            ("cache_gc", json!({"more": 1})),
        ] {
            check(name, args, Err(ErrorCode::BadRequest));
        }
    }

    #[test]
    fn arguments_of_a_command_have_different_names() {
        let document = openapi::routes_json();
        for command in table().values() {
            let mut names: Vec<&str> = command
                .parameters
                .iter()
                .map(|one| one.argument.as_str())
                .collect();
            let operation = &document["paths"][&command.path][command.method.to_lowercase()];
            let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
            let reference = schema["$ref"].as_str().unwrap_or_default();
            let schema = document
                .pointer(reference.trim_start_matches('#'))
                .unwrap_or(schema);
            names.extend(
                schema["properties"]
                    .as_object()
                    .into_iter()
                    .flatten()
                    .map(|(name, _)| name.as_str()),
            );
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", command.name);
        }
    }
}
