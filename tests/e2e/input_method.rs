//! Japanese input with fcitx5 and mozc in the real window: the Enter that accepts a conversion does nothing
//! else, nor does the Escape that cancels one, and no background activity disturbs a composition.

use anyhow::{Result, ensure};
use fumikura_tests::page::{Page, by_id};
use fumikura_tests::seed;
use fumikura_tests::stage::{Api, InputMethod, Stage};
use fumikura_tests::user_input::UserInput;
use fumikura_tests::wait;
use reqwest::Method;

use crate::{editor_lock, steps};

/// The typed keys, their reading, and mozc's first candidate.
const TYPED: &str = "nihongo";
const READING: &str = "にほんご";
const CONVERTED: &str = "日本語";

/// More than any stroke of a letter, less than a line below four of them.
const UNDERLINE: usize = 40;

/// Counts the composition events of the page from now on.
const LISTEN: &str = r#"
window.compositions ??= addEventListener("compositionstart", () => compositions.started++, true) ?? {};
onkeyup ??= ({ key }) => (compositions.released = key);
Object.assign(compositions, { started: 0, released: null });
"#;

/// Returns the text of the focused element, line by line in the editor; the number of compositions; the last key.
const WRITER_STATE: &str = r#"
const { activeElement } = document;
const lines = [...activeElement.querySelectorAll(".cm-line")].map((line) => line.innerText.replace("\n", ""));
return { text: activeElement.value ?? lines.join("\n"), ...window.compositions };
"#;

/// A writer of Japanese.
pub(super) struct Writer<'a> {
    page: Page,
    input: UserInput<'a>,
    input_method: &'a InputMethod,
}

impl<'a> Writer<'a> {
    /// Attaches to the window of a stage whose application runs.
    pub(super) fn attach(stage: &'a Stage) -> Result<Self> {
        Ok(Self {
            page: stage.page().clone(),
            input: UserInput::attach(stage)?,
            input_method: stage.display().input_method()?,
        })
    }

    /// Composes in a field, up to mozc's first candidate, without accepting it.
    async fn convert(&self, selector: &str, before: &str) -> Result<()> {
        self.compose(selector, before).await?;
        self.input.press("space").await?;
        self.wait_for_text(&format!("{before}{CONVERTED}")).await?;
        self.check_one_composition().await
    }

    /// Checks that the page received one composition, regardless of the number of keys.
    async fn check_one_composition(&self) -> Result<()> {
        let state = self.page.execute(WRITER_STATE).await?;
        ensure!(state["started"] == 1, "the page received {state}");
        Ok(())
    }

    /// Clicks into a field and types an unconverted reading, after its present text.
    async fn compose(&self, selector: &str, before: &str) -> Result<()> {
        self.input.click_into(selector).await?;
        // The initial selection of the field must not be replaced.
        self.input.press("End").await?;
        self.input_method.turn_on().await?;
        self.page.execute(LISTEN).await?;
        self.input.type_letters(TYPED).await?;
        self.wait_for_text(&format!("{before}{READING}")).await?;
        self.check_one_composition().await
    }

    /// Presses a key and waits until the page has received it.
    async fn press(&self, key: &str, name: &str) -> Result<()> {
        self.page.execute(LISTEN).await?;
        self.input.press(key).await?;
        wait::until(&format!("{name} to be released"), async || {
            let state = self.page.execute(WRITER_STATE).await?;
            ensure!(state["released"] == name, "the page received {state}");
            Ok(Some(()))
        })
        .await
    }

    /// Accepts mozc's candidate: it is inserted, and nothing else has happened.
    async fn accept(&self, text: &str) -> Result<()> {
        self.press("Return", "Enter").await?;
        self.wait_for_text(text).await
    }

    /// Removes the initial heading of a new page.
    async fn empty_text(&self) -> Result<()> {
        self.input.click_into(steps::TEXT).await?;
        self.input.press("ctrl+a").await?;
        self.input.press("Delete").await
    }

    async fn wait_for_text(&self, text: &str) -> Result<()> {
        wait::until(&format!("the text “{text}”"), async || {
            let state = self.page.execute(WRITER_STATE).await?;
            ensure!(state["text"] == text, "it is {state}");
            Ok(Some(()))
        })
        .await
    }

    /// Composes in a field after its present text, cancels by Escape, composes again and accepts by Enter:
    /// the field is there throughout, and contains the accepted text.
    async fn compose_twice(&self, field: &str, before: &str) -> Result<()> {
        self.compose(field, before).await?;
        self.press("Escape", "Escape").await?;
        self.wait_for_text(before).await?;
        self.convert(field, before).await?;
        self.accept(&format!("{before}{CONVERTED}")).await?;
        self.input_method.turn_off().await?;
        self.input.focus(field).await
    }
}

/// Starts the application for the first time, with an input method.
async fn begin(stage: &mut Stage) -> Result<(Page, Api)> {
    stage.start_input_method().await?;
    let page = steps::begin(stage).await?;
    Ok((page, stage.api().await?))
}

/// Opens the editor of a page, or any other address.
async fn go(page: &Page, address: &str) -> Result<()> {
    let url = page.client().current_url().await?.join(address)?;
    page.go(url.as_str()).await
}

/// Waits until the text is an autosave entry.
async fn wait_for_autosave(api: &Api, text: &str) -> Result<()> {
    wait::until(&format!("“{text}” to be autosaved"), async || {
        let entries = steps::autosave_entries(api).await?;
        Ok(entries
            .iter()
            .any(|entry| entry["source"] == text)
            .then_some(()))
    })
    .await
}

/// Returns the saved text of the page.
async fn source(api: &Api, path: &str) -> Result<String> {
    let address = format!("api/pages/{}/source", steps::page_id(api, path).await?);
    let answer = api.send(Method::GET, &address, &[], String::new()).await?;
    Ok(answer.error_for_status()?.text().await?)
}

pub(crate) async fn japanese_is_composed_in_the_editor(stage: &mut Stage) -> Result<()> {
    let (page, api) = begin(stage).await?;
    go(&page, "/edit/new").await?;
    page.click("page-write").await?;
    let writer = Writer::attach(stage)?;
    writer.empty_text().await?;
    writer.compose(steps::TEXT, "").await?;
    wait::until("the text to be underlined", async || {
        let line = writer.input.capture(".cm-line").await?;
        Ok((line.longest_stroke() > UNDERLINE).then_some(()))
    })
    .await?;
    // Activity beside the text does not end it.
    page.wait_for_text("editor-preview", READING).await?;
    wait_for_autosave(&api, READING).await?;
    writer.input.press("space").await?;
    writer.wait_for_text(CONVERTED).await?;
    page.wait_for_text("editor-preview", CONVERTED).await?;
    writer.check_one_composition().await?;
    writer.accept(CONVERTED).await?;

    // Enter makes a new line again, and in a list the next item.
    writer.press("Return", "Enter").await?;
    writer.input_method.turn_off().await?;
    writer.input.type_letters("- ").await?;
    let before = format!("{CONVERTED}\n- ");
    writer.wait_for_text(&before).await?;
    writer.convert(steps::TEXT, &before).await?;
    let item = format!("{before}{CONVERTED}");
    writer.accept(&item).await?;
    writer.press("Return", "Enter").await?;
    writer.wait_for_text(&format!("{item}\n- ")).await?;

    // A cancelled composition leaves the text as it was, and writing continues.
    writer.compose(steps::TEXT, &format!("{item}\n- ")).await?;
    writer.press("Escape", "Escape").await?;
    writer.wait_for_text(&format!("{item}\n- ")).await?;
    page.wait_for_address("/edit/new").await?;
    ensure!(
        page.count(&by_id("question")).await? == 0,
        "Escape asks something"
    );
    wait_for_autosave(&api, &format!("{item}\n- ")).await?;
    writer.input.press("ctrl+Return").await?;
    page.wait_for_text("page-body", CONVERTED).await?;
    let saved = source(&api, "/new").await?;
    ensure!(saved == format!("{item}\n- "), "“{saved}” was saved");
    Ok(())
}

/// The selected completion.
const CHOSEN: &str = ".cm-tooltip-autocomplete [aria-selected]";

pub(crate) async fn completion_waits_for_the_composition(stage: &mut Stage) -> Result<()> {
    let (page, api) = begin(stage).await?;
    for name in ["にほんごの本", "日本語の本", "日本語の歌"] {
        seed::write(&api, &format!("/{name}"), format!("# {name}\n")).await?;
    }
    go(&page, "/edit/new").await?;
    page.click("page-write").await?;
    let writer = Writer::attach(stage)?;
    writer.empty_text().await?;
    writer.input.type_letters("[[").await?;
    page.wait_for_selector(CHOSEN).await?;
    writer.convert(steps::TEXT, "[[").await?;
    // Enter and the arrows belong to the candidates first.
    writer.press("Down", "ArrowDown").await?;
    writer.press("Up", "ArrowUp").await?;
    writer.accept(&format!("[[{CONVERTED}")).await?;
    writer.input_method.turn_off().await?;

    // For the typed text: the former list had all pages.
    wait::until("the pages of that name", async || {
        let pages = page.count(".cm-tooltip-autocomplete li").await?;
        Ok((pages == 2).then_some(()))
    })
    .await?;
    // A new list ignores keys at first; once the arrow moves in it, it accepts Enter as well.
    let first = page.text_of(CHOSEN).await?;
    wait::until("the other page to be chosen", async || {
        if page.text_of(CHOSEN).await? != first {
            return Ok(Some(()));
        }
        writer.press("Down", "ArrowDown").await?;
        Ok(None)
    })
    .await?;
    let other = if first.contains("日本語の本") {
        "日本語の歌"
    } else {
        "日本語の本"
    };
    writer.press("Return", "Enter").await?;
    writer.wait_for_text(&format!("[[/{other}]]")).await
}

pub(crate) async fn accepting_a_conversion_submits_no_field(stage: &mut Stage) -> Result<()> {
    stage.start_input_method().await?;
    let page = stage.start(&[]).await?.clone();
    let writer = Writer::attach(stage)?;
    writer.compose_twice(&by_id("greeting-name"), "").await?;
    writer.input.press("Return").await?;
    page.wait_for("tour-next").await?;
    writer.input.press("Escape").await?;
    page.wait_until_gone("tour-next").await?;
    let api = stage.api().await?;
    let me = api.get("api/users/me").await?;
    ensure!(me["name"] == CONVERTED, "it is {me} who writes");

    writer.input.press("ctrl+k").await?;
    writer.compose_twice(&by_id("palette-input"), "").await?;
    page.wait_for_text("palette-entry", "/日本語").await?;
    writer.input.press("Down").await?;
    writer.input.press("Return").await?;
    page.wait_for_selector(steps::TEXT).await?;
    writer.input.click_into(steps::TEXT).await?;
    writer.input.type_letters("text").await?;
    writer.input.press("ctrl+Return").await?;
    page.wait_for_text("page-body", "text").await?;
    let id = steps::page_id(&api, "/日本語").await?;

    writer.input.press("n").await?;
    writer.compose_twice(&by_id("new-page-path"), "").await?;
    writer.input.press("Return").await?;
    // The page exists already, and is shown for reading.
    page.wait_for_address("/wiki/%E6%97%A5%E6%9C%AC%E8%AA%9E")
        .await?;
    page.wait_for_text("page-body", "text").await?;

    writer.input.press("F2").await?;
    writer.compose_twice(&by_id("move-path"), "/日本語").await?;
    page.wait_for_selector("[data-testid=\"rename-submit\"]:not(:disabled)")
        .await?;
    writer.input.press("Return").await?;
    page.wait_until_gone("rename-dialog").await?;
    ensure!(
        steps::page_id(&api, "/日本語日本語").await? == id,
        "it moved elsewhere"
    );

    go(&page, "/pages").await?;
    writer.compose_twice(&by_id("list-filter"), "").await?;
    // WebKit's driver considers the contents of some rows invisible.
    let listed = format!(
        "return document.querySelector('[data-testid=\"list-page\"]')?.textContent.includes({CONVERTED:?})"
    );
    page.wait_until("the page in the list", &listed).await
}

pub(crate) async fn names_and_searches_can_be_composed(stage: &mut Stage) -> Result<()> {
    let (page, api) = begin(stage).await?;
    seed::write(&api, "/new", "日本語".to_owned()).await?;
    let id = steps::page_id(&api, "/new").await?;
    let address = format!("api/pages/{id}/assets/plan");
    api.send(Method::POST, &address, &[], "What it holds".to_owned())
        .await?
        .error_for_status()?;
    go(&page, "/wiki/new").await?;
    page.wait_for("page-body").await?;
    steps::edit(&page).await?;
    let writer = Writer::attach(stage)?;
    writer.input.press("ctrl+shift+l").await?;
    page.wait_until("the focus on the file", FOCUS_ON_FILE)
        .await?;
    writer.input.press("F2").await?;
    writer.compose_twice(&by_id("asset-name"), "plan").await?;
    writer.input.press("Return").await?;
    wait::until("the file to have its name", async || {
        let files = api.get(&format!("api/pages/{id}/assets")).await?;
        ensure!(files[0]["file_name"] == "plan日本語", "{files}");
        Ok(Some(()))
    })
    .await?;

    writer.input.click_into(steps::TEXT).await?;
    writer.input.press("ctrl+h").await?;
    writer.compose_twice("[name=replace]", "").await?;
    writer.compose_twice("[name=search]", "").await?;
    page.wait_for_text_at(steps::TEXT, CONVERTED).await?;
    // The match is found, then replaced by itself with an addition.
    writer.press("Return", "Enter").await?;
    writer.input.click_into("[name=replace]").await?;
    writer.input.press("End").await?;
    writer.input.type_letters("!").await?;
    writer.wait_for_text("日本語!").await?;
    writer.input.press("Return").await?;
    page.wait_for_text_at(steps::TEXT, "日本語!").await?;
    writer.press("Escape", "Escape").await?;
    wait::until("the panel to close", async || {
        Ok((page.count(".cm-search").await? == 0).then_some(()))
    })
    .await
}

const FOCUS_ON_FILE: &str = "return document.activeElement?.dataset.testid === 'asset-use'";

pub(crate) async fn composition_survives_lost_lock_and_new_revision(
    stage: &mut Stage,
) -> Result<()> {
    editor_lock::set_lock_duration(stage, 2)?;
    let (page, api) = begin(stage).await?;
    seed::write(&api, "/new", "first\n\nsecond\n\nthird".to_owned()).await?;
    let id = steps::page_id(&api, "/new").await?;
    go(&page, "/wiki/new").await?;
    page.wait_for("page-body").await?;
    steps::edit(&page).await?;
    let writer = Writer::attach(stage)?;
    let before = "first\n\nsecond\n\nthird";
    writer.compose(steps::TEXT, before).await?;
    page.wait_for("lock-lost").await?;
    wait::until("the lock to be over", async || {
        Ok((!steps::is_locked(&api, &id).await?).then_some(()))
    })
    .await?;
    editor_lock::save_as_another(&api, &id, "first, theirs\n\nsecond\n\nthird").await?;
    wait_for_autosave(&api, &format!("{before}{READING}")).await?;
    writer.input.press("space").await?;
    writer
        .wait_for_text(&format!("{before}{CONVERTED}"))
        .await?;
    writer.check_one_composition().await?;
    writer.accept(&format!("{before}{CONVERTED}")).await?;

    // On a busy machine, it may take the key for a letter.
    writer.input_method.turn_off().await?;
    writer.input.press("ctrl+s").await?;
    page.click("conflict-merge").await?;
    page.wait_until_gone("editor-conflict").await?;
    for line in ["first, theirs", "second", "third日本語"] {
        page.wait_for_text_at(steps::TEXT, line).await?;
    }
    steps::save(&page).await?;
    page.wait_for_text("page-body", "third日本語").await?;
    let saved = source(&api, "/new").await?;
    ensure!(
        saved == "first, theirs\n\nsecond\n\nthird日本語",
        "“{saved}” was saved"
    );
    Ok(())
}

/// A press on a button accepts the composition: nothing of it is lost or duplicated.
pub(crate) async fn unconverted_text_is_saved_as_typed(stage: &mut Stage) -> Result<()> {
    let (page, api) = begin(stage).await?;
    steps::edit(&page).await?;
    let writer = Writer::attach(stage)?;
    // Replaces all text.
    writer.input.click_into(steps::TEXT).await?;
    writer.input.press("ctrl+a").await?;
    writer.input_method.turn_on().await?;
    page.execute(LISTEN).await?;
    writer.input.type_letters(TYPED).await?;
    writer.wait_for_text(READING).await?;
    writer.check_one_composition().await?;
    writer.input.click(&by_id("editor-finish")).await?;
    page.wait_for_text("page-body", READING).await?;
    let saved = source(&api, "/").await?;
    ensure!(saved == READING, "“{saved}” was saved");
    Ok(())
}
