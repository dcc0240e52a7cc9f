//! Pictures and files that are added to a text.

use std::fs;

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fumikura_tests::page::Page;
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::Stage;
use fumikura_tests::{clipboard, drag};

use crate::steps;

/// A PNG of two by one pixels, as another program would copy it.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGNQaHBoWGAAAAc3AjGexlFnAAAAAElFTkSuQmCC";

/// Pastes as a browser does: the tests' browser has no clipboard to fill from outside.
const PASTE: &str = r#"
const [selector, picture] = arguments;
const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
const clipboardData = new DataTransfer();
clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
document.querySelector(selector).dispatchEvent(event);
"#;

const IS_LOADED: &str = r#"
const picture = document.querySelector("[data-testid=page-body] img");
return picture?.complete === true && picture.naturalWidth === 2 && picture.naturalHeight === 1;
"#;

/// Saves the page, and checks that it shows the picture and has one file: the picture.
async fn save_and_check(stage: &Stage, page: &Page) -> Result<()> {
    steps::save(page).await?;
    page.wait_for_text("page-body", "moss").await?;
    page.wait_until("the picture to be shown", IS_LOADED)
        .await?;
    let api = stage.api().await?;
    let id = steps::page_id(&api, "/").await?;
    let files = api.get(&format!("api/pages/{id}/assets")).await?;
    let names: Vec<&str> = files
        .as_array()
        .context("files are a list")?
        .iter()
        .filter_map(|file| file["file_name"].as_str())
        .collect();
    ensure!(
        matches!(names[..], [name] if name.starts_with("picture-") && name.ends_with(".png")),
        "{files}"
    );
    Ok(())
}

pub(crate) async fn pasted_picture_becomes_a_page_file(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "moss: ").await?;
    let values = vec![steps::TEXT.into(), PICTURE.into()];
    page.client().execute(PASTE, values).await?;
    page.wait_for_text_at(steps::TEXT, "moss: ![](asset:picture-")
        .await?;
    save_and_check(stage, &page).await
}

pub(crate) async fn clipboard_picture_is_pasted_into_the_text(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    steps::edit(&page).await?;
    steps::write(&page, "moss: ").await?;
    clipboard::while_holding(
        stage.display(),
        "image/png",
        STANDARD.decode(PICTURE)?,
        async {
            stage.display().xdotool(&["key", "ctrl+v"]).await?;
            page.wait_for_text_at(steps::TEXT, "moss: ![](asset:picture-")
                .await
        },
    )
    .await?;
    save_and_check(stage, &page).await?;

    // Words are still pasted as text.
    steps::edit(&page).await?;
    steps::write(&page, "words: ").await?;
    clipboard::while_holding(stage.display(), "UTF8_STRING", "京都".into(), async {
        stage.display().xdotool(&["key", "ctrl+v"]).await?;
        page.wait_for_text_at(steps::TEXT, "words: 京都").await
    })
    .await
}

pub(crate) async fn file_dropped_on_text_is_linked(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let folder = stage.home().folder("dropped")?;
    let (picture, notes) = (folder.join("苔 1.png"), folder.join("notes.txt"));
    fs::write(&picture, STANDARD.decode(PICTURE)?)?;
    fs::write(&notes, "What was dropped")?;
    steps::edit(&page).await?;
    steps::write(&page, "moss").await?;
    let window = *Screen::of(stage.display())?
        .windows()?
        .last()
        .context("there is a window")?;
    drag::files_onto(stage.display(), window, &[&picture, &notes]).await?;
    page.wait_for_text_at(steps::TEXT, "![](asset:苔%201.png)")
        .await?;
    page.wait_for_text_at(steps::TEXT, "[notes.txt](asset:notes.txt)")
        .await?;
    steps::save(&page).await?;
    page.wait_for_text("page-body", "moss").await?;
    page.wait_until("the picture to be shown", IS_LOADED).await
}
