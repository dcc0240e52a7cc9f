//! Printing a page of the window by the system's dialog, and saving it as PDF, into a file.

use std::fs;
use std::io::Read;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use fantoccini::key::Key;
use flate2::read::ZlibDecoder;
use fumikura_tests::screen::Screen;
use fumikura_tests::seed;
use fumikura_tests::stage::{Stage, programs};
use fumikura_tests::wait;
use reqwest::Method;

use crate::{dialog, steps};

/// The colours of ink on light and on dark paper, as PDF fills with them (`ui/src/styles/tokens.css`).
const INK_ON_LIGHT: &str = ".1255 .1412 .1686 rg";
const INK_ON_DARK: &str = ".8706 .8549 .8157 rg";
/// The colours of the screen's paper: on paper, both would be a veil.
const PAPERS: [&str; 2] = [".9843 .9804 .9647 rg", ".0902 .098 .1137 rg"];

pub(crate) async fn page_is_printed_in_ink_on_white(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    let text = format!(
        "# 庭\n\n{}<details><summary>more</summary>\n\nclosed\n\n</details>\n",
        "moss and ferns\n\n".repeat(120)
    );
    seed::write(&api, "/garden", text).await?;
    let theme = r#"{"theme": "dark"}"#.to_owned();
    let headers = [("content-type", "application/json")];
    let changed = api
        .send(Method::PATCH, "api/settings", &headers, theme)
        .await?;
    changed.error_for_status()?;
    let address = page.client().current_url().await?;
    page.go(address.join("/wiki/garden")?.as_str()).await?;
    page.wait_for_text("page-title", "庭").await?;
    let screen = Screen::of(stage.display())?;
    let windows = screen.windows()?.len();

    page.press(&[Key::Control], "p").await?;
    wait::until("the print dialog to open", async || {
        Ok((screen.windows()?.len() > windows).then_some(()))
    })
    .await?;
    accept(stage, &screen, windows).await?;
    let file = stage.home().path().join("home/庭.pdf");
    let pdf = wait::until("the page to be printed", async || {
        let pdf = fs::read(&file).unwrap_or_default();
        Ok(pdf.trim_ascii_end().ends_with(b"%%EOF").then_some(pdf))
    })
    .await?;
    let pages = count(&pdf, b"/Type /Page\n");
    ensure!(pages > 1, "{pages} pages were printed");
    let drawn = drawing(&pdf);
    ensure!(drawn.contains(INK_ON_LIGHT), "the text has another colour");
    for colour in PAPERS.into_iter().chain([INK_ON_DARK]) {
        ensure!(!drawn.contains(colour), "the screen's {colour} was printed");
    }
    // The screen is as before.
    page.wait_until(
        "the dark theme, and what was closed",
        "return document.documentElement.dataset.theme === 'dark' && !document.querySelector('details').open",
    )
    .await
}

pub(crate) async fn page_is_saved_as_pdf(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(
        &api,
        "/garden",
        format!("# Garden\n\n{}", "moss\n\n".repeat(120)),
    )
    .await?;
    steps::go(stage, "/wiki/garden").await?;
    page.wait_for_text("page-title", "Garden").await?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;
    page.click("more-actions").await?;
    page.click("action-save-pdf").await?;
    let file = stage.home().path().join("home/saved garden.pdf");
    dialog::type_path(stage, &screen, &before, &file).await?;
    let pdf = wait::until("the page to be saved", async || {
        let pdf = fs::read(&file).unwrap_or_default();
        Ok(pdf.trim_ascii_end().ends_with(b"%%EOF").then_some(pdf))
    })
    .await?;
    let pages = count(&pdf, b"/Type /Page\n");
    ensure!(pages > 1, "{pages} pages were saved");
    ensure!(drawing(&pdf).contains(INK_ON_LIGHT), "the text is missing");
    page.wait_for_text("toast", "saved garden.pdf").await?;
    printed_by_the_command_line(stage).await
}

/// The program of the window prints the page without a window.
async fn printed_by_the_command_line(stage: &Stage) -> Result<()> {
    let file = stage.home().path().join("home/printed.pdf");
    let mut command = stage
        .display()
        .command(stage.home(), programs::headless()?)?;
    command
        .args(["page", "show", "/garden", "--pdf"])
        .arg(&file);
    let status = command.status().await?;
    ensure!(status.success(), "fumi page show --pdf ended with {status}");
    let pdf = fs::read(&file)?;
    ensure!(count(&pdf, b"/Type /Page\n") > 1, "one page was printed");
    ensure!(drawing(&pdf).contains(INK_ON_LIGHT), "the text is missing");
    Ok(())
}

/// Chooses the first printer, which prints to a file, and prints. GTK finds the printers in the background.
async fn accept(stage: &Stage, screen: &Screen, windows: usize) -> Result<()> {
    let mut closed = Err(anyhow::anyhow!("the dialog stays"));
    for _ in 0..8 {
        stage.display().xdotool(&["key", "Tab", "alt+p"]).await?;
        closed = wait::within(Duration::from_secs(3), "the dialog to close", async || {
            Ok((screen.windows()?.len() == windows).then_some(()))
        })
        .await;
        if closed.is_ok() {
            break;
        }
    }
    closed.context("printing")
}

/// Returns the decompressed drawing instructions of all pages.
fn drawing(pdf: &[u8]) -> String {
    const STREAM: &[u8] = b"stream\n";
    let mut drawing = String::new();
    for at in 0..pdf.len() {
        if !pdf[at..].starts_with(STREAM) {
            continue;
        }
        let mut bytes = Vec::new();
        // Fonts and pictures are streams too; what is no text stays out.
        if ZlibDecoder::new(&pdf[at + STREAM.len()..])
            .read_to_end(&mut bytes)
            .is_ok()
        {
            drawing.push_str(&String::from_utf8(bytes).unwrap_or_default());
        }
    }
    drawing
}

fn count(text: &[u8], wanted: &[u8]) -> usize {
    text.windows(wanted.len())
        .filter(|part| *part == wanted)
        .count()
}
