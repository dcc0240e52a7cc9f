//! Mouse and keyboard input for the window. It takes the whole way: through the X server, the input method
//! and the toolkit.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::page::Page;
use crate::screen::{Area, Picture, Screen};
use crate::stage::Stage;
use crate::wait;

/// Returns the position and size of an element in the page.
const BOUNDS: &str = r#"
const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
return [x, y, width, height].map(Math.round);
"#;

/// Returns the position and size of a word in an element.
const WORD: &str = r#"
const texts = document.createTreeWalker(document.querySelector(arguments[0]), NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
  const at = text.data.indexOf(arguments[1]);
  if (at < 0) continue;
  const range = new Range();
  range.setStart(text, at);
  range.setEnd(text, at + arguments[1].length);
  const { x, y, width, height } = range.getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}
return null;
"#;

/// Returns true if an element receives what is typed.
const HAS_FOCUS: &str = r#"
return document.hasFocus() && document.activeElement?.closest(arguments[0]) !== null;
"#;

/// Records whether a drag begins, possibly of an ancestor of the element.
const WATCH_DRAG: &str = r#"
window.dragBegan = false;
addEventListener("dragstart", () => (window.dragBegan = true), { once: true, capture: true });
"#;

/// Counts the `dragover` events of an element.
const COUNT_DRAGS: &str = r#"
window.dragged = 0;
document.querySelector(arguments[0]).addEventListener("dragover", () => window.dragged++);
"#;

/// The mouse and keyboard of the only window of a stage.
pub struct UserInput<'a> {
    stage: &'a Stage,
    page: Page,
    screen: Screen,
    window: u32,
}

/// Reads the bounds of `what`.
fn area_of(bounds: &Value, what: &str) -> Result<Area> {
    let part = |at: usize| {
        bounds[at]
            .as_i64()
            .with_context(|| format!("{what} is at {bounds}"))
    };
    Ok(Area {
        x: part(0)?.try_into()?,
        y: part(1)?.try_into()?,
        width: part(2)?.try_into()?,
        height: part(3)?.try_into()?,
    })
}

impl<'a> UserInput<'a> {
    /// Attaches to the window of a stage whose application runs.
    ///
    /// # Errors
    /// Fails if there is no window.
    pub fn attach(stage: &'a Stage) -> Result<Self> {
        let screen = Screen::of(stage.display())?;
        let windows = screen.windows()?;
        Ok(Self {
            stage,
            page: stage.page().clone(),
            screen,
            window: *windows.first().context("a window")?,
        })
    }

    /// Clicks into the middle of an element, and waits until it has the focus.
    ///
    /// # Errors
    /// Fails if the element does not exist, or does not get the focus.
    pub async fn click_into(&self, selector: &str) -> Result<()> {
        self.click(selector).await?;
        self.focus(selector).await
    }

    /// Waits until an element has the focus.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn focus(&self, selector: &str) -> Result<()> {
        wait::until(&format!("the focus on {selector}"), async || {
            Ok((self.execute(HAS_FOCUS, selector).await? == Value::Bool(true)).then_some(()))
        })
        .await
    }

    /// Clicks into the middle of an element.
    ///
    /// # Errors
    /// Fails if the element does not exist.
    pub async fn click(&self, selector: &str) -> Result<()> {
        self.point_at(selector).await?;
        self.stage.display().xdotool(&["click", "1"]).await?;
        Ok(())
    }

    /// Clicks into the middle of an element with the right button.
    ///
    /// # Errors
    /// Fails if the element does not exist.
    pub async fn right_click(&self, selector: &str) -> Result<()> {
        self.point_at(selector).await?;
        self.stage.display().xdotool(&["click", "3"]).await?;
        Ok(())
    }

    /// Clicks into the middle of a word in an element with the right button.
    ///
    /// # Errors
    /// Fails if the element or the word does not exist.
    pub async fn right_click_word(&self, selector: &str, word: &str) -> Result<()> {
        let arguments = vec![selector.into(), word.into()];
        let place = self.page.client().execute(WORD, arguments).await?;
        self.point_into(area_of(&place, word)?).await?;
        self.stage.display().xdotool(&["click", "3"]).await?;
        Ok(())
    }

    /// Starts dragging an element by its middle; [`Self::drop_on`] drops it.
    ///
    /// # Errors
    /// Fails if the element does not exist, or can't be dragged.
    pub async fn drag(&self, selector: &str) -> Result<()> {
        self.page.execute(WATCH_DRAG).await?;
        self.point_at(selector).await?;
        let display = self.stage.display();
        display.xdotool(&["mousedown", "1"]).await?;
        // A drag begins after the pointer has moved some distance with the button pressed, and the page has
        // received that.
        wait::until(&format!("{selector} to be dragged"), async || {
            display.xdotool(&["mousemove_relative", "12", "12"]).await?;
            let words = ["mousemove_relative", "--", "-4", "-4"];
            display.xdotool(&words).await?;
            Ok(
                (self.page.execute("return window.dragBegan").await? == Value::Bool(true))
                    .then_some(()),
            )
        })
        .await
    }

    /// Drops the dragged element on the middle of another.
    ///
    /// # Errors
    /// Fails if the element does not exist, or rejects the drop.
    pub async fn drop_on(&self, selector: &str) -> Result<()> {
        self.page.wait_for_selector(selector).await?;
        self.execute(COUNT_DRAGS, selector).await?;
        self.point_at(selector).await?;
        // The toolkit allows no drop before the page has accepted the drag. Answers arrive in order, so the
        // first has arrived once the third request is sent.
        wait::until(&format!("{selector} to be dragged over"), async || {
            let display = self.stage.display();
            display.xdotool(&["mousemove_relative", "1", "0"]).await?;
            display
                .xdotool(&["mousemove_relative", "--", "-1", "0"])
                .await?;
            let count = self.page.execute("return window.dragged").await?;
            Ok((count.as_u64() >= Some(3)).then_some(()))
        })
        .await?;
        self.stage.display().xdotool(&["mouseup", "1"]).await?;
        Ok(())
    }

    async fn point_at(&self, selector: &str) -> Result<()> {
        self.page.wait_for_selector(selector).await?;
        self.point_into(self.area(selector).await?).await
    }

    async fn point_into(&self, area: Area) -> Result<()> {
        let (left, top) = self.screen.corner(self.window)?;
        let x = i32::from(left) + i32::from(area.x) + i32::from(area.width) / 2;
        let y = i32::from(top) + i32::from(area.y) + i32::from(area.height) / 2;
        let words = ["mousemove", &x.to_string(), &y.to_string()];
        self.stage.display().xdotool(&words).await?;
        Ok(())
    }

    /// Types letters.
    ///
    /// # Errors
    /// Fails if there is no keyboard.
    pub async fn type_letters(&self, letters: &str) -> Result<()> {
        let words = ["type", "--", letters];
        self.stage.display().xdotool(&words).await?;
        Ok(())
    }

    /// Presses a key, by its X name, with modifiers (`ctrl+s`).
    ///
    /// # Errors
    /// Fails if there is no such key.
    pub async fn press(&self, key: &str) -> Result<()> {
        self.stage.display().xdotool(&["key", key]).await?;
        Ok(())
    }

    /// Returns the pixels of an element, as the screen shows them.
    ///
    /// # Errors
    /// Fails if the element does not exist.
    pub async fn capture(&self, selector: &str) -> Result<Picture> {
        self.screen.capture(self.window, self.area(selector).await?)
    }

    async fn area(&self, selector: &str) -> Result<Area> {
        let bounds = self.execute(BOUNDS, selector).await?;
        area_of(&bounds, selector)
    }

    async fn execute(&self, script: &str, selector: &str) -> Result<Value> {
        let arguments = vec![selector.into()];
        Ok(self.page.client().execute(script, arguments).await?)
    }
}
