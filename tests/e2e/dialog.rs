//! The system's own folder dialog, worked by a hand on the keyboard.

use anyhow::Result;
use fumikura_tests::screen::Screen;
use fumikura_tests::stage::Stage;
use fumikura_tests::wait;

use crate::pictures::fixture;
use crate::steps;

pub(crate) async fn a_folder_is_chosen_in_the_system_s_dialog(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let screen = Screen::of(stage.display())?;
    let before = screen.windows()?;

    page.click("rail-pictures").await?;
    page.click("open-folder-first").await?;
    let dialog = wait::until("the dialog to open", async || {
        Ok(screen
            .windows()?
            .into_iter()
            .find(|window| !before.contains(window)))
    })
    .await?
    .to_string();

    let display = stage.display();
    display
        .xdotool(&["windowactivate", "--sync", &dialog])
        .await?;
    // In GTK's chooser a slash begins a typed address.
    display
        .xdotool(&["key", "--clearmodifiers", "ctrl+l"])
        .await?;
    let folder = fixture("orientation");
    display
        .xdotool(&["type", "--delay", "5", &folder.to_string_lossy()])
        .await?;
    display.xdotool(&["key", "Return"]).await?;
    wait::until("the dialog to close", async || {
        // A first Return may only complete the name.
        if screen.windows()?.len() > before.len() {
            display.xdotool(&["key", "Return"]).await?;
            return Ok(None);
        }
        Ok(Some(()))
    })
    .await?;

    page.address("/pictures/").await?;
    page.see("thumb").await?;
    Ok(())
}
