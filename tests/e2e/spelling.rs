//! The spell checker of the window: its menu corrects a word, and adds one to the personal dictionary.

use std::fs;

use anyhow::Result;
use fumikura_tests::screen::Screen;
use fumikura_tests::seed;
use fumikura_tests::stage::Stage;
use fumikura_tests::user_input::UserInput;
use fumikura_tests::wait;

use crate::steps;

pub(crate) async fn misspelled_word_is_corrected_and_learned(stage: &mut Stage) -> Result<()> {
    let page = steps::begin(stage).await?;
    let api = stage.api().await?;
    seed::write(&api, "/moss", "The wrold of Fumikuraya\n".to_owned()).await?;
    steps::go(stage, "/wiki/moss").await?;
    page.wait_for_text("page-body", "wrold").await?;
    steps::edit(&page).await?;
    let screen = Screen::of(stage.display())?;
    let input = UserInput::attach(stage)?;
    input.click_into(steps::TEXT).await?;
    // The first entries are the guesses.
    choose(&input, &screen, "wrold", &["Down"]).await?;
    page.wait_until(
        "the corrected word",
        "return document.querySelector('.cm-content').textContent.startsWith('The world of')",
    )
    .await?;
    // Those below are for pasting, for selecting everything, and for emoji.
    choose(&input, &screen, "Fumikuraya", &["Up"; 4]).await?;
    let words = stage.home().path().join("config/enchant/en_US.dic");
    wait::until("the learned word", async || {
        let list = fs::read_to_string(&words).unwrap_or_default();
        Ok(list.lines().any(|word| word == "Fumikuraya").then_some(()))
    })
    .await?;
    page.wait_until(
        "the text to stay",
        "return document.querySelector('.cm-content').textContent === 'The world of Fumikuraya'",
    )
    .await
}

/// Opens the menu of a word, and chooses the entry to which these keys lead.
async fn choose(input: &UserInput<'_>, screen: &Screen, word: &str, keys: &[&str]) -> Result<()> {
    input.right_click_word(steps::TEXT, word).await?;
    wait::until("a menu", async || Ok(screen.has_menu()?.then_some(()))).await?;
    for key in keys {
        input.press(key).await?;
    }
    input.press("Return").await
}
