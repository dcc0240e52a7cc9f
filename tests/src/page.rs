//! The page from a user's point of view: finds elements, waits for them, clicks and types.

use anyhow::{Context, Result, ensure};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::wait;

const SCROLL_INTO_VIEW: &str = "arguments[0].scrollIntoView({ block: 'center' })";

/// A tab or window.
#[derive(Clone)]
pub struct Page {
    client: Client,
}

impl Page {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Returns the driver's session, for operations that have no method here.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Navigates to an address.
    ///
    /// # Errors
    /// Fails if the driver does not reach it.
    pub async fn go(&self, url: &str) -> Result<()> {
        self.client
            .goto(url)
            .await
            .with_context(|| format!("going to {url}"))
    }

    /// Waits until the address has this path.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn wait_for_address(&self, path: &str) -> Result<()> {
        wait::until(&format!("the address {path}"), async || {
            let url = self.client.current_url().await?;
            Ok((url.path() == path).then_some(()))
        })
        .await
    }

    /// Waits until the address has a path with this prefix.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn wait_for_address_below(&self, path: &str) -> Result<()> {
        wait::until(&format!("an address below {path}"), async || {
            let url = self.client.current_url().await?;
            Ok(url.path().starts_with(path).then_some(()))
        })
        .await
    }

    /// Waits for a visible element with this test id.
    ///
    /// # Errors
    /// Fails if none appears.
    pub async fn wait_for(&self, id: &str) -> Result<Element> {
        self.wait_for_selector(&by_id(id)).await
    }

    /// Waits for a visible element with this selector.
    ///
    /// # Errors
    /// Fails if none appears.
    pub async fn wait_for_selector(&self, selector: &str) -> Result<Element> {
        wait::until(&format!("{selector} to be visible"), async || {
            for element in self.client.find_all(Locator::Css(selector)).await? {
                if element.is_displayed().await? {
                    return Ok(Some(element));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Waits until there is no element with this test id.
    ///
    /// # Errors
    /// Fails if one remains.
    pub async fn wait_until_gone(&self, id: &str) -> Result<()> {
        wait::until(&format!("{id} to disappear"), async || {
            Ok((self.count(&by_id(id)).await? == 0).then_some(()))
        })
        .await
    }

    /// Returns the present number of elements.
    ///
    /// # Errors
    /// Fails if the driver does not answer.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(selector)).await?.len())
    }

    /// Waits until the element with this test id contains this text.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn wait_for_text(&self, id: &str, text: &str) -> Result<()> {
        self.wait_for_text_at(&by_id(id), text).await
    }

    /// Waits until the element with this selector contains this text.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn wait_for_text_at(&self, selector: &str, text: &str) -> Result<()> {
        wait::until(&format!("{selector} to contain “{text}”"), async || {
            let element = self.client.find(Locator::Css(selector)).await?;
            let content = element.text().await?;
            ensure!(content.contains(text), "it contains “{content}”");
            Ok(Some(()))
        })
        .await
    }

    /// Returns the present text of the element with this selector, even if a part of it is cut off: WebKit's
    /// driver considers that invisible.
    ///
    /// # Errors
    /// Fails if there is no such element.
    pub async fn text_of(&self, selector: &str) -> Result<String> {
        let script = format!("return document.querySelector({selector:?})?.textContent");
        let value = self.execute(&script).await?;
        let text = value.as_str().map(str::to_owned);
        text.with_context(|| format!("there is no {selector}"))
    }

    /// Waits for the element with this test id, and clicks it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn click(&self, id: &str) -> Result<()> {
        self.click_at(&by_id(id)).await
    }

    /// Waits for the element with this selector, and clicks it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn click_at(&self, selector: &str) -> Result<()> {
        wait::until(&format!("a click on {selector}"), async || {
            // Looked up again each time: a page that is being rendered replaces its elements.
            let element = self.client.find(Locator::Css(selector)).await?;
            let clicked = element.click().await;
            if clicked.is_err() {
                // WebKit's driver does not bring every element of a scrolled view into sight.
                let argument = serde_json::to_value(&element)?;
                self.client
                    .execute(SCROLL_INTO_VIEW, vec![argument])
                    .await?;
            }
            Ok(Some(clicked?))
        })
        .await
    }

    /// Opens a cell of a folder's grid: a click selects it, Enter opens it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn open_cell(&self, selector: &str) -> Result<()> {
        self.click_at(selector).await?;
        self.press(&[], &char::from(Key::Enter).to_string()).await
    }

    /// Waits for the field with this test id, types, and waits until the field has the text: an input method
    /// forwards keys after the driver has answered.
    ///
    /// # Errors
    /// Fails if the field can't be typed into, or the text never shows.
    pub async fn type_into(&self, id: &str, text: &str) -> Result<()> {
        let field = self.wait_for(id).await?;
        field
            .send_keys(text)
            .await
            .with_context(|| format!("typing into {id}"))?;
        wait::until(&format!("“{text}” in {id}"), async || {
            let value = field.prop("value").await?.unwrap_or_default();
            ensure!(value.contains(text), "there is “{value}”");
            Ok(Some(()))
        })
        .await
    }

    /// Replaces the text of the field with this test id, and waits as [`Self::type_into`] does.
    ///
    /// # Errors
    /// Fails if the field can't be typed into, or the text never shows.
    pub async fn replace_text(&self, id: &str, text: &str) -> Result<()> {
        let field = self.wait_for(id).await?;
        field
            .clear()
            .await
            .with_context(|| format!("emptying {id}"))?;
        self.type_into(id, text).await
    }

    /// Presses a key, with modifiers, in the focused element.
    ///
    /// # Errors
    /// Fails if the driver refuses.
    pub async fn press(&self, held: &[Key], key: &str) -> Result<()> {
        let mut keys: String = held.iter().map(|key| char::from(*key)).collect();
        keys.push_str(key);
        // The focused element may have disappeared before the driver types; then nothing was typed.
        wait::until("an element that accepts keys", async || {
            match self.client.active_element().await?.send_keys(&keys).await {
                Err(error)
                    if error.is_element_not_interactable()
                        || error.is_stale_element_reference() =>
                {
                    Ok(None)
                }
                typed => typed.map(Some).context("pressing a key"),
            }
        })
        .await
    }

    /// Runs a script in the page and returns its result.
    ///
    /// # Errors
    /// Fails if the script throws.
    pub async fn execute(&self, script: &str) -> Result<Value> {
        self.client
            .execute(script, Vec::new())
            .await
            .context("a script in the page")
    }

    /// Waits until a script in the page returns true.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn wait_until(&self, what: &str, script: &str) -> Result<()> {
        wait::until(what, async || {
            Ok((self.execute(script).await? == Value::Bool(true)).then_some(()))
        })
        .await
    }
}

/// Returns the selector of a test id.
#[must_use]
pub fn by_id(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}
