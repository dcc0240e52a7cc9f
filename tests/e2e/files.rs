//! Files of the machine: chosen, dropped, saved elsewhere, shown. The page only has grants for them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use fumikura_tests::page::Page;
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::{Api, Process, Stage};
use fumikura_tests::wait;
use reqwest::Method;
use serde_json::{Value, json};

use crate::grid::select;
use crate::{dialog, file_drop, steps};

/// Calls a command that waits for the user; the answer is put into `window.answered`.
const START_COMMAND: &str = r#"
const [command, values] = arguments;
delete window.answered;
window.__TAURI_INTERNALS__.invoke(command, values).then(
  (answer) => (window.answered = { ok: answer ?? null }),
  (error) => (window.answered = { error }),
);
"#;

async fn start_command(page: &Page, command: &str, values: Value) -> Result<()> {
    let values = vec![json!(command), values];
    page.client().execute(START_COMMAND, values).await?;
    Ok(())
}

/// Adds files to the root page by their grants, and compares each with the same file uploaded over HTTP.
async fn add_and_compare(page: &Page, api: &Api, files: &Value, contents: &str) -> Result<()> {
    let id = steps::page_id(api, "/").await?;
    let files = files.as_array().context("files are given as a list")?;
    let grants: Vec<&Value> = files.iter().map(|file| &file["grant"]).collect();
    let values = json!({ "page_id": id, "grants": grants });
    let added = steps::command(page, "asset_add_files", values.clone()).await?;
    let added = added["ok"]
        .as_array()
        .context("what was added is a list")?
        .clone();
    ensure!(added.len() == files.len(), "{added:?}");
    for (file, added) in files.iter().zip(&added) {
        ensure!(
            file["name"] == added["name"] && added["error"].is_null(),
            "{added}"
        );
        let address = format!(
            "api/pages/{id}/assets/over-http-{}",
            file["name"].as_str().unwrap_or_default()
        );
        let answer = api
            .send(Method::POST, &address, &[], contents.to_owned())
            .await?;
        let other: Value = answer.error_for_status()?.json().await?;
        let other = other["id"].as_str().context("what is brought has an id")?;
        let other = api.get(&format!("api/assets/{other}/meta")).await?;
        for field in ["page_id", "mime", "size", "sha256", "user_name", "state"] {
            ensure!(
                added["asset"][field] == other[field],
                "{field}: {added} is not {other}"
            );
        }
    }
    let again = steps::command(page, "asset_add_files", values).await?;
    let codes = again["ok"].as_array().context("a list")?.iter();
    ensure!(
        codes
            .clone()
            .all(|file| file["error"]["code"] == "grant_invalid"),
        "{again}"
    );
    Ok(())
}

pub(crate) async fn chosen_files_are_added_to_a_page(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let file = stage.home().folder("chosen")?.join("notes 100%.txt");
    fs::write(&file, "What was chosen")?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    start_command(&page, "pick_files", json!({})).await?;
    dialog::type_path(stage, &screen, &before, &file).await?;
    let files = file_drop::wait_for_variable(&page, "answered").await?["ok"].take();
    let expected = json!({ "name": "notes 100%.txt", "size": 15, "folder": false });
    for field in ["name", "size", "folder"] {
        ensure!(files[0][field] == expected[field], "{files}");
    }
    let text = files.to_string();
    ensure!(
        !text.contains("chosen/"),
        "the page learns the path of the file: {text}"
    );
    add_and_compare(&page, &stage.api().await?, &files, "What was chosen").await
}

pub(crate) async fn files_dropped_on_the_window_are_added(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let folder = stage.home().folder("dropped")?;
    let files = [folder.join("写真 #1.txt"), folder.join("two.txt")];
    for file in &files {
        fs::write(file, "What was dropped")?;
    }
    let paths: Vec<&Path> = files.iter().map(AsRef::as_ref).collect();
    let dropped = file_drop::drop_files(stage, &page, &paths).await?;
    let size = page.execute("return [innerWidth, innerHeight]").await?;
    for (place, size) in [(&dropped["x"], &size[0]), (&dropped["y"], &size[1])] {
        let (place, size) = (
            place.as_f64().context("a place")?,
            size.as_f64().context("a size")?,
        );
        ensure!((place - size / 2.0).abs() < 8.0, "{dropped} in {size}");
    }
    let names = [&dropped["grants"][0]["name"], &dropped["grants"][1]["name"]];
    ensure!(
        names == [&json!("写真 #1.txt"), &json!("two.txt")],
        "{dropped}"
    );
    add_and_compare(
        &page,
        &stage.api().await?,
        &dropped["grants"],
        "What was dropped",
    )
    .await
}

pub(crate) async fn copy_is_saved_at_chosen_path(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let target = stage.home().folder("saved")?.join("copy.md");
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    let text = json!({ "text": { "name": "履歴.md", "text": "# 履歴\n" } });
    start_command(&page, "save_file", text).await?;
    dialog::type_path(stage, &screen, &before, &target).await?;
    let answered = file_drop::wait_for_variable(&page, "answered").await?;
    ensure!(
        answered == json!({ "ok": { "name": "copy.md" } }),
        "{answered}"
    );
    ensure!(
        fs::read_to_string(&target)? == "# 履歴\n",
        "the copy differs"
    );
    for nothing in [
        json!({}),
        json!({ "path": "/etc/passwd" }),
        json!({ "asset": "nonsense" }),
    ] {
        let refused = steps::command(&page, "save_file", nothing).await?;
        ensure!(refused["error"]["code"] == "bad_request", "{refused}");
    }
    Ok(())
}

pub(crate) async fn picture_is_shown_in_the_file_manager(stage: &mut Stage) -> Result<()> {
    let folder = stage.home().folder("photos 日")?;
    fs::write(folder.join("a b.png"), "x")?;
    steps::begin(stage).await?;
    stage.stop().await?;
    let mut monitor = stage.display().command(stage.home(), "dbus-monitor")?;
    monitor.args(["--session", "interface=org.freedesktop.FileManager1"]);
    let _monitor = Process::spawn(&mut monitor)?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    page.wait_for("cell").await?;
    let api = stage.api().await?;
    let roots = api.get("api/roots").await?;
    let root = &roots[0]["id"];
    let answer =
        steps::command(&page, "reveal", json!({ "root": root, "path": "a b.png" })).await?;
    ensure!(answer == json!({ "ok": null }), "{answer}");
    // No program here shows single files: the folder is opened instead.
    let opened = stage.home().opened_address_file();
    let opened = wait::until("the folder to be opened", async || {
        Ok(fs::read_to_string(&opened).ok())
    })
    .await?;
    ensure!(Path::new(&opened) == folder, "{opened} was opened");
    let log = stage.home().logs().join("dbus-monitor.log");
    wait::until("the call to be logged", async || {
        let calls = fs::read_to_string(&log)?;
        ensure!(
            calls.contains("ShowItems") && calls.contains("/a%20b.png"),
            "{calls}"
        );
        Ok(Some(()))
    })
    .await?;
    for (place, code) in [
        (json!({ "root": root, "path": "gone.png" }), "not_found"),
        (
            json!({ "root": root, "path": "../escape" }),
            "outside_roots",
        ),
        (json!({ "root": root }), "bad_request"),
        (
            json!({ "root": "nonsense", "path": "a b.png" }),
            "bad_request",
        ),
        (json!({ "path": "/etc/passwd" }), "bad_request"),
    ] {
        let refused = steps::command(&page, "reveal", place).await?;
        ensure!(
            refused["error"]["code"] == code,
            "{refused} instead of {code}"
        );
    }
    Ok(())
}

pub(crate) async fn picture_opens_in_the_default_program(stage: &mut Stage) -> Result<()> {
    let folder = stage.home().folder("photos 日")?;
    fs::write(folder.join("a b.png"), "x")?;
    fs::write(folder.join("run.desktop"), "[Desktop Entry]")?;
    steps::begin(stage).await?;
    stage.stop().await?;
    let page = stage.start(std::slice::from_ref(&folder)).await?.clone();
    select(&page, "a b.png").await?;
    page.press(&[Key::Shift], "W").await?;
    let opened = stage.home().opened_address_file();
    let opened = wait::until("the picture to be opened", async || {
        Ok(fs::read_to_string(&opened).ok())
    })
    .await?;
    ensure!(
        Path::new(&opened) == folder.join("a b.png"),
        "{opened} was opened"
    );
    let roots = stage.api().await?.get("api/roots").await?;
    let root = &roots[0]["id"];
    for (path, code) in [
        ("run.desktop", "not_a_picture"),
        ("", "outside_roots"),
        ("gone.png", "not_found"),
        ("../escape.png", "outside_roots"),
    ] {
        let place = json!({ "root": root, "path": path });
        let refused = steps::command(&page, "open_picture", place).await?;
        ensure!(
            refused["error"]["code"] == code,
            "{refused} instead of {code}"
        );
    }
    Ok(())
}
