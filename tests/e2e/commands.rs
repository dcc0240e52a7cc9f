//! The commands of the window: that they reach the operations of the server, and what only a window has, grants and
//! the clipboard. `tests/rest/transports.rs` compares the commands with HTTP.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fumikura_tests::clipboard;
use fumikura_tests::page::Page;
use fumikura_tests::stage::{Api, Stage};
use fumikura_tests::wait;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};

use crate::{file_drop, steps};

/// Opens a folder over HTTP, as the page does.
const OPEN_FOLDER: &str = r#"
const [grant, done] = arguments;
const headers = { "Content-Type": "application/json" };
fetch("/api/roots", { method: "POST", headers, body: JSON.stringify({ grant }) })
  .then(async (answer) => done({ status: answer.status, body: await answer.json() }))
  .catch((error) => done({ failed: String(error) }));
"#;

pub(crate) async fn command_reaches_the_router(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let root = steps::page_id(&api, "/").await?;
    let acquired = steps::command(&page, "lock_acquire", json!({"page_id": root})).await?;
    let token = &acquired["ok"]["token"];
    ensure!(
        token.is_string() && acquired["ok"]["expire"].is_string(),
        "{acquired}"
    );
    ensure!(steps::is_locked(&api, &root).await?);
    let release = json!({"page_id": root, "token": token});
    let released = steps::command(&page, "lock_release", release).await?;
    ensure!(
        released["ok"].is_null() && released["error"].is_null(),
        "{released}"
    );
    ensure!(!steps::is_locked(&api, &root).await?);
    // The window has a session, and not the Bearer token.
    let locks = steps::command(&page, "lock_list", json!({})).await?;
    ensure!(locks["error"]["code"] == "bearer_required", "{locks}");
    let unknown = steps::command(&page, "lock_list", json!({"more": 1})).await?;
    ensure!(unknown["error"]["code"] == "bad_request", "{unknown}");
    paste_files(stage, &page, &root).await
}

/// Pastes copied files. A refused file does not prevent others.
async fn paste_files(stage: &Stage, page: &Page, to: &str) -> Result<()> {
    let folder = stage.home().folder("copied")?;
    let mut list = String::new();
    for name in ["a.txt", "bad\nname", "b.txt"] {
        let path = folder.join(name);
        fs::write(&path, "copied")?;
        let address = Url::from_file_path(&path)
            .ok()
            .context("an absolute path")?;
        list += &format!("{address}\r\n");
    }
    let values = json!({"page_id": to, "name": "picture"});
    let pasted = steps::command(page, "asset_paste", values);
    let display = stage.display();
    let pasted = clipboard::while_holding(display, "text/uri-list", list.into_bytes(), pasted);
    let pasted = pasted.await?;
    let codes: Vec<&Value> = (0..3)
        .map(|at| &pasted["ok"][at]["error"]["code"])
        .collect();
    let (none, invalid) = (Value::Null, json!("invalid_file_name"));
    ensure!(codes == [&none, &invalid, &none], "{pasted}");
    Ok(())
}

pub(crate) async fn grant_is_valid_once_in_its_window(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let root = steps::page_id(&api, "/").await?;
    let folder = stage.home().folder("given")?;
    let files = [folder.join("one.txt"), folder.join("two.txt")];
    for file in &files {
        fs::write(file, "given")?;
    }
    let paths: Vec<&Path> = files.iter().chain([&folder]).map(AsRef::as_ref).collect();
    let answer = file_drop::drop_files(stage, &page, &paths).await?;
    let grant = |at: usize| {
        let grant = answer["grants"][at]["grant"].as_str();
        grant.map(str::to_owned).context("a grant is a text")
    };
    let (one, two, of_folder) = (grant(0)?, grant(1)?, grant(2)?);

    // Requests of other programs use nothing up, and neither does an invalid request.
    for grant in [&one, &two, &of_folder] {
        ensure!(by_another_program(&api, grant).await? == StatusCode::FORBIDDEN);
    }
    let nonsense = json!({"page_id": "nonsense", "grants": [one]});
    let refused = steps::command(&page, "asset_add_files", nonsense).await?;
    ensure!(refused["error"]["code"] == "bad_request", "{refused}");

    // In one request, too, each is valid once; an invalid grant does not prevent others.
    let grants = json!([one, one, "nonsense", "", two]);
    let added = add(&page, &root, grants).await?;
    let codes: Vec<&Value> = added.iter().map(|file| &file["error"]["code"]).collect();
    let (none, invalid) = (Value::Null, json!("grant_invalid"));
    ensure!(
        codes == [&none, &invalid, &invalid, &invalid, &none],
        "{added:?}"
    );
    let names: Vec<&Value> = added.iter().map(|file| &file["name"]).collect();
    ensure!(names == ["one.txt", "", "", "", "two.txt"], "{added:?}");
    ensure!(add(&page, &root, json!([])).await?.is_empty());

    // Both transports accept the same grants: a grant that one has used is invalid on the other. The page
    // itself opens a folder that is dropped while no page is edited.
    let expected = folder.to_str().context("the folder's path is UTF-8")?;
    wait::until("the folder that was dropped is open", async || {
        let roots = api.get("api/roots").await?;
        let mut roots = roots.as_array().into_iter().flatten();
        Ok(roots.any(|root| root["path"] == expected).then_some(()))
    })
    .await?;
    for grant in [&one, &of_folder] {
        let refused = open_folder(&page, grant).await?;
        ensure!(refused["body"]["code"] == "grant_invalid", "{refused}");
        let refused = add(&page, &root, json!([grant])).await?;
        ensure!(
            refused[0]["error"]["code"] == "grant_invalid",
            "{refused:?}"
        );
    }
    let listed = api.get(&format!("api/pages/{root}/assets")).await?;
    ensure!(
        listed.as_array().is_some_and(|files| files.len() == 2),
        "{listed}"
    );
    Ok(())
}

async fn add(page: &Page, to: &str, grants: Value) -> Result<Vec<Value>> {
    let values = json!({"page_id": to, "grants": grants});
    let added = steps::command(page, "asset_add_files", values).await?;
    let files = added["ok"].as_array().cloned();
    files.with_context(|| added.to_string())
}

async fn open_folder(page: &Page, grant: &str) -> Result<Value> {
    let values = vec![grant.into()];
    Ok(page.client().execute_async(OPEN_FOLDER, values).await?)
}

async fn by_another_program(api: &Api, grant: &str) -> Result<StatusCode> {
    let json = [("content-type", "application/json")];
    let body = json!({ "grant": grant }).to_string();
    let answer = api.send(Method::POST, "api/roots", &json, body).await?;
    Ok(answer.status())
}
