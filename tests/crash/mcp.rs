//! `fumi mcp` as an assistant uses it: with a server that has the data open, and without one.

use std::process::Stdio;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ServiceError, ServiceExt};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::runtime::Runtime;

use crate::support::{Home, Server, until, wait_for_exit, with_a_picture};

/// A client of the protocol, with its server as a child process.
struct Assistant {
    runtime: Runtime,
    client: RunningService<RoleClient, ()>,
    child: Child,
}

impl Assistant {
    fn start(home: &Home, options: &[&str]) -> Self {
        let mut command = home.fumi(&["mcp"]);
        command.arg("--data").arg(home.data()).args(options);
        command.stdin(Stdio::piped());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (client, child) = runtime.block_on(async {
            let mut child = Command::from(command).kill_on_drop(true).spawn().unwrap();
            let transport = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
            (().serve(transport).await.unwrap(), child)
        });
        Self {
            runtime,
            client,
            child,
        }
    }

    fn tools(&self) -> Vec<String> {
        let tools = self.runtime.block_on(self.client.list_all_tools()).unwrap();
        tools.into_iter().map(|tool| tool.name.into()).collect()
    }

    fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        let Value::Object(arguments) = arguments else {
            panic!("arguments are an object");
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        self.runtime.block_on(self.client.call_tool(call))
    }

    #[track_caller]
    fn ok(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).unwrap();
        assert_eq!(result.is_error, Some(false), "{result:?}");
        result.structured_content.unwrap()
    }

    /// Calls a tool, which must fail. Returns the message.
    #[track_caller]
    fn fails(&self, tool: &'static str, arguments: Value) -> String {
        let result = self.call(tool, arguments).unwrap();
        assert_eq!(result.is_error, Some(true), "{result:?}");
        result.content[0].as_text().unwrap().text.clone()
    }

    /// Closes the input of the server, which must end by that.
    fn leave(self) {
        let Self {
            runtime,
            client,
            mut child,
        } = self;
        runtime.block_on(async {
            client.cancel().await.unwrap();
            assert!(child.wait().await.unwrap().success());
        });
    }
}

/// Runs a command on the data of a home, and returns its output.
#[track_caller]
fn fumi(home: &Home, words: &[&str]) -> String {
    let mut command = home.fumi(words);
    command.arg("--data").arg(home.data());
    let outcome = wait_for_exit(&mut command.spawn().unwrap());
    assert_eq!(outcome.code, Some(0), "{words:?}: {}", home.stderr());
    outcome.output
}

fn paths(answer: &Value, list: &str) -> Vec<String> {
    let items = answer[list].as_array().unwrap().iter();
    items
        .map(|item| item["path"].as_str().unwrap().to_owned())
        .collect()
}

const WRITING: [&str; 5] = ["--write", "--user", "Aki 旅", "--exclude-page", "/private"];

/// Checks the tools for pages, with or without a server.
fn check_pages(home: &Home, folder: &str) {
    let assistant = Assistant::start(home, &WRITING);
    let page = format!("/{folder}/旅");
    let text = "# 旅\n\n[[/]]\nKyoto\n";
    let created = assistant.ok("create_page", json!({"path": page, "text": text}));
    assert_eq!(created, json!({"path": page, "revision": 1}));
    assistant.ok("append_to_page", json!({"path": page, "text": "Nara"}));
    let replace = |old: &str, revision: u64| {
        let edits = json!([{"old": old, "new": "Osaka"}]);
        json!({"path": page, "edits": edits, "revision": revision})
    };
    let edited = assistant.ok("edit_page", replace("Nara", 2));
    assert_eq!(edited["revision"], 3);
    let stale = assistant.fails("edit_page", replace("Osaka", 2));
    assert!(stale.contains("the page has changed"), "{stale}");
    let missing = assistant.fails("edit_page", replace("Nara", 3));
    assert!(missing.contains("does not contain"), "{missing}");

    let read = assistant.ok("read_page", json!({"path": page}));
    let text = "# 旅\n\n[[/]]\nKyoto\nOsaka\n";
    assert_eq!(
        read,
        json!({"path": page, "title": "旅", "revision": 3, "text": text})
    );
    let old = json!({"path": page, "revision": 2, "first_line": 5});
    let old = assistant.ok("read_page", old);
    assert_eq!(
        (&old["text"], &old["total_lines"]),
        (&"Nara\n".into(), &5.into())
    );
    let listed = assistant.ok("list_pages", json!({"below": format!("/{folder}")}));
    assert_eq!(paths(&listed, "pages"), [page.as_str()]);
    let links = assistant.ok("backlinks", json!({"path": "/"}));
    assert!(paths(&links, "pages").contains(&page), "{links}");
    let query = json!({"query": "Osaka", "below": format!("/{folder}")});
    until("the page is found", || {
        let found = assistant.ok("search", query.clone());
        paths(&found, "results") == [page.as_str()]
    });
    assistant.leave();

    let revisions = fumi(home, &["revision", "list", &page]);
    let authors = revisions
        .lines()
        .map(|line| line.split('\t').nth(2).unwrap());
    assert_eq!(authors.collect::<Vec<_>>(), ["Aki 旅"; 3]);
    assert_eq!(fumi(home, &["lock", "list"]), "");
}

#[test]
fn assistant_writes_pages_as_its_own_user() {
    let home = Home::new();
    let server = Server::start(&home);
    check_pages(&home, "served");
    server.stop(Signal::TERM);
    check_pages(&home, "alone");
}

#[test]
fn assistant_without_write_only_reads() {
    let home = Home::new();
    Server::start(&home).stop(Signal::TERM);
    let assistant = Assistant::start(&home, &["--user", "Aki"]);
    let tools = assistant.tools();
    assert_eq!(
        tools.join(" "),
        "search read_page list_pages backlinks list_folder picture_info picture_thumbnail"
    );
    let refused = assistant.call("create_page", json!({"path": "/a", "text": "a"}));
    assert!(
        matches!(refused, Err(ServiceError::McpError(_))),
        "{refused:?}"
    );
    assistant.leave();
    assert_eq!(fumi(&home, &["page", "list"]), "/\n");
    assert!(!fumi(&home, &["user", "list"]).contains("Aki"));
}

#[test]
fn hidden_pages_look_missing_to_the_assistant() {
    let home = Home::new();
    let server = Server::start(&home);
    let assistant = Assistant::start(&home, &WRITING);
    let client = server.client();
    let add = |path: &str, text: &str| {
        let draft = client
            .post(&format!("/api/pages?path={path}"))
            .unwrap()
            .is(201);
        let id = draft.json()["id"].as_str().unwrap().to_owned();
        let source = format!("/api/pages/{id}/source");
        client.save(&source, &draft.lock(), text).unwrap().is(200);
        id
    };
    add("/private/diary", "secretword [[/]]\n");
    let moved = add("/moved", "secretword too\n");
    let rename = format!("/api/pages/{moved}/path?rename_to=/private/moved");
    client.post(&rename).unwrap().is(200);
    add("/shown", "secretword shown [[/]]\n");

    for (path, now) in [
        ("/private/diary", "/private/diary"),
        ("/x/../private/diary", "/private/diary"),
        ("/moved", "/moved"),
        ("/nothing", "/nothing"),
    ] {
        let missing = format!("there is no page at {now}");
        assert_eq!(assistant.fails("read_page", json!({"path": path})), missing);
        let append = json!({"path": path, "text": "x"});
        assert_eq!(assistant.fails("append_to_page", append), missing);
    }
    let create = json!({"path": "/private/new", "text": "x"});
    assistant.fails("create_page", create);
    let listed = assistant.ok("list_pages", json!({"limit": 1}));
    assert_eq!(paths(&listed, "pages"), ["/"]);
    let mut next = listed["next"].clone();
    let mut seen = Vec::new();
    while !next.is_null() {
        let part = assistant.ok("list_pages", json!({"limit": 1, "from": next}));
        seen.extend(paths(&part, "pages"));
        next = part["next"].clone();
    }
    assert_eq!(seen, ["/shown"]);
    let links = assistant.ok("backlinks", json!({"path": "/"}));
    assert_eq!(paths(&links, "pages"), ["/shown"]);
    until("the index is complete", || {
        let found = client.get("/api/search?q=secretword").unwrap().is(200);
        found.json()["items"].as_array().unwrap().len() == 3
    });
    let found = assistant.ok("search", json!({"query": "secretword"}));
    assert_eq!(paths(&found, "results"), ["/shown"]);
    assistant.leave();
}

#[test]
fn assistant_waits_for_no_lock() {
    let home = Home::new();
    let server = Server::start(&home);
    let client = server.client();
    let root = client.get("/api/pages/resolve?path=/").unwrap().is(200);
    let root = root.json()["id"].as_str().unwrap().to_owned();
    let source = format!("/api/pages/{root}/source");
    let before = client.get(&source).unwrap().is(200).body;
    client
        .post(&format!("/api/pages/{root}/lock"))
        .unwrap()
        .is(204);

    let assistant = Assistant::start(&home, &WRITING);
    let append = json!({"path": "/", "text": "x"});
    let refused = assistant.fails("append_to_page", append);
    assert!(refused.contains("Aya"), "{refused}");
    assert_eq!(client.get(&source).unwrap().is(200).body, before);
    assistant.leave();
}

#[test]
fn assistant_sees_pictures_of_open_folders() {
    let home = Home::new();
    let (_server, _) = with_a_picture(&home);
    let pictures = home.path().join("pictures");
    let private = pictures.join("private");
    std::fs::create_dir(&private).unwrap();
    std::fs::copy(pictures.join("a.jpg"), private.join("b.jpg")).unwrap();
    let assistant = Assistant::start(&home, &["--exclude-folder", private.to_str().unwrap()]);

    let folders = assistant.ok("list_folder", json!({}));
    assert_eq!(paths(&folders, "folders"), [pictures.to_str().unwrap()]);
    let picture = pictures.join("a.jpg");
    let listed = assistant.ok("list_folder", json!({"path": pictures}));
    assert_eq!(paths(&listed, "entries"), [picture.to_str().unwrap()]);
    let info = assistant.ok("picture_info", json!({"path": picture}));
    assert_eq!(
        (&info["mime"], &info["width"], &info["height"]),
        (&"image/jpeg".into(), &1800.into(), &1200.into())
    );
    let look = json!({"path": picture, "size": 60});
    let look = assistant.call("picture_thumbnail", look).unwrap();
    let image = look.content[0].as_image().unwrap();
    let bytes = BASE64.decode(&image.data).unwrap();
    let size = image::load_from_memory(&bytes).unwrap();
    assert_eq!((size.width(), size.height()), (60, 40));

    for path in [private.join("b.jpg"), "/etc/hostname".into()] {
        let refused = assistant.fails("picture_thumbnail", json!({"path": path}));
        let outside = format!("{} is not below an open folder", path.display());
        assert_eq!(refused, outside);
    }
    assistant.leave();
}
