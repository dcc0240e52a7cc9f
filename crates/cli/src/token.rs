//! `fumi token`: access tokens of other programs.

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::output;

#[derive(Args)]
pub(crate) struct TokenArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// List the tokens that are valid
    List,
    /// Create a token, and print it: it is never shown again
    Create {
        /// Name by which you recognize the program
        name: String,
        /// Right of the program; can be repeated
        #[arg(long = "scope", value_name = "SCOPE", required = true)]
        scopes: Vec<Scope>,
        /// Number of days until the token expires, at most 366
        #[arg(long, value_name = "N", default_value_t = 90)]
        days: u32,
        /// User on whose behalf the program acts
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
    },
    /// Revoke tokens: they are refused from then on
    Revoke {
        /// Ids of the tokens
        #[arg(value_name = "ID", required = true)]
        ids: Vec<String>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Scope {
    /// Read pages and their files
    Read,
    /// Change pages, and what the other scopes show
    Write,
    /// See pictures, folders and albums
    Pictures,
    /// See hash records
    Hashes,
}

impl Scope {
    fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Pictures => "pictures",
            Self::Hashes => "hashes",
        }
    }
}

pub(crate) fn run(arguments: TokenArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        TokenCommand::List => list(&client, json),
        TokenCommand::Create {
            name,
            scopes,
            days,
            user,
        } => {
            let scopes: Vec<_> = scopes.into_iter().map(Scope::name).collect();
            let body = json!({"name": name, "scopes": scopes, "days": days, "user": user});
            let kind = [("content-type", "application/json")];
            let body = body.to_string();
            let created = client.ask("POST", "api/tokens", &kind, body.as_bytes())?;
            let created = created.json()?;
            print(json, &created, text(&created, "token"))
        }
        TokenCommand::Revoke { ids } => {
            for id in ids {
                client.send("DELETE", &format!("api/tokens/{}", percent_encode(&id)))?;
                print(json, &json!({ "id": id }), &format!("Revoked token {id}"))?;
            }
            Ok(())
        }
    }
}

fn list(client: &Client, json: bool) -> anyhow::Result<()> {
    let tokens = client.get("api/tokens")?;
    let mut out = output::stdout();
    for token in tokens["items"].as_array().into_iter().flatten() {
        match json {
            true => writeln!(out, "{token}")?,
            false => out.write_row(&line(token))?,
        }
    }
    Ok(())
}

/// Formats a token: its id, name, scopes, user and expiry.
fn line(token: &Value) -> String {
    let scopes = token["scopes"].as_array().into_iter().flatten();
    let scopes: Vec<_> = scopes.filter_map(Value::as_str).collect();
    let [id, name, user, expires] =
        ["id", "name", "user_name", "expires_at"].map(|field| text(token, field));
    row(&[id, name, &scopes.join(","), user, expires])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_one_line() {
        let token = json!({
            "id": "01KABC",
            "name": "backup\tscript",
            "scopes": ["read", "hashes"],
            "user_name": "Aya",
            "expires_at": "2026-12-18T12:00:00Z",
        });
        assert_eq!(
            line(&token),
            "01KABC\tbackup\\tscript\tread,hashes\tAya\t2026-12-18T12:00:00Z"
        );
    }
}
