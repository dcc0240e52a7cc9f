//! `fumi session`: lists browser sessions and ends them.

use std::io::Write;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::client::{Client, Common, percent_encode, print, row, text};
use crate::output;

#[derive(Args)]
pub(crate) struct SessionArguments {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: SessionCommand,
}

#[derive(Subcommand)]
enum SessionCommand {
    /// List the browsers that are signed in
    List,
    /// Sign browsers out
    End {
        /// Ids of their sessions
        #[arg(value_name = "ID", required_unless_present = "all")]
        ids: Vec<String>,
        /// Sign all browsers out
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
}

pub(crate) fn run(arguments: SessionArguments) -> anyhow::Result<()> {
    let json = arguments.common.json;
    let client = Client::open(&arguments.common)?;
    match arguments.command {
        SessionCommand::List => list(&client, json),
        SessionCommand::End { all: true, .. } => end_all(&client, json),
        SessionCommand::End { ids, .. } => end(&client, json, &ids),
    }
}

fn list(client: &Client, json: bool) -> anyhow::Result<()> {
    let sessions = client.get("api/sessions")?;
    let mut out = output::stdout();
    for session in sessions["items"].as_array().into_iter().flatten() {
        match json {
            true => writeln!(out, "{session}")?,
            false => out.write_row(&line(session))?,
        }
    }
    Ok(())
}

fn end_all(client: &Client, json: bool) -> anyhow::Result<()> {
    let ended = client.send("DELETE", "api/sessions")?.json()?;
    let line = match ended["ended"].as_u64() {
        Some(1) => "Signed 1 browser out".to_owned(),
        _ => format!("Signed {} browsers out", ended["ended"]),
    };
    print(json, &ended, &line)
}

fn end(client: &Client, json: bool, ids: &[String]) -> anyhow::Result<()> {
    for id in ids {
        client.send("DELETE", &format!("api/sessions/{}", percent_encode(id)))?;
        print(json, &json!({ "id": id }), &format!("Ended session {id}"))?;
    }
    Ok(())
}

/// Formats a session: its id, the browser, and the times of the sign-in, of the last request and of its end.
fn line(session: &Value) -> String {
    let ends = match session["is_stored"].as_bool() {
        Some(false) => "with the program",
        _ => text(session, "ends_at"),
    };
    let [id, began, seen] = ["id", "began_at", "seen_at"].map(|field| text(session, field));
    row(&[id, &browser(session), began, seen, ends])
}

fn browser(session: &Value) -> String {
    let [name, system] = ["browser", "system"].map(|field| session[field].as_str());
    match (name, system) {
        _ if session["is_window"] == true => "Fumikura".to_owned(),
        (Some(name), Some(system)) => format!("{name} on {system}"),
        (Some(either), None) | (None, Some(either)) => either.to_owned(),
        (None, None) => "Unknown browser".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(browser: &Value, system: &Value) -> Value {
        json!({
            "id": "01KABC",
            "browser": browser,
            "system": system,
            "began_at": "2026-11-18T12:00:00Z",
            "seen_at": "2026-11-18T13:00:00Z",
            "ends_at": "2026-12-18T12:00:00Z",
            "is_current": false,
            "is_stored": true,
            "is_window": false,
        })
    }

    #[test]
    fn session_is_one_line() {
        assert_eq!(
            line(&session(&json!("Firefox"), &json!("Linux"))),
            "01KABC\tFirefox on Linux\t2026-11-18T12:00:00Z\t2026-11-18T13:00:00Z\t2026-12-18T12:00:00Z"
        );
    }

    #[test]
    fn browser_is_named_by_known_parts() {
        let named = |name: Value, system: Value| browser(&session(&name, &system));
        assert_eq!(named(json!("curl"), Value::Null), "curl");
        assert_eq!(named(Value::Null, json!("Linux")), "Linux");
        assert_eq!(named(Value::Null, Value::Null), "Unknown browser");
    }

    #[test]
    fn window_session_ends_with_the_program() {
        let mut window = session(&json!("Safari"), &json!("Linux"));
        window["is_window"] = json!(true);
        window["is_stored"] = json!(false);
        let line = line(&window);
        assert!(line.contains("\tFumikura\t"), "{line}");
        assert!(line.ends_with("\twith the program"), "{line}");
    }
}
