//! The page as a person meets it: found by what it shows, waited for, clicked, typed into.

use anyhow::{Context, Result, ensure};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, Locator};
use serde_json::Value;

use crate::wait;

/// One tab or window.
#[derive(Clone)]
pub struct Page {
    client: Client,
}

impl Page {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// The driver's session, for what has no word here.
    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Goes to an address.
    ///
    /// # Errors
    /// Fails if the driver does not get there.
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
    pub async fn address(&self, path: &str) -> Result<()> {
        wait::until(&format!("the address {path}"), async || {
            let url = self.client.current_url().await?;
            Ok((url.path() == path).then_some(()))
        })
        .await
    }

    /// Waits until the address has a path that begins so.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn address_beneath(&self, path: &str) -> Result<()> {
        wait::until(&format!("an address beneath {path}"), async || {
            let url = self.client.current_url().await?;
            Ok(url.path().starts_with(path).then_some(()))
        })
        .await
    }

    /// Waits for a visible element of this test id.
    ///
    /// # Errors
    /// Fails if there is never one.
    pub async fn see(&self, id: &str) -> Result<Element> {
        self.see_at(&by_id(id)).await
    }

    /// Waits for a visible element of this selector.
    ///
    /// # Errors
    /// Fails if there is never one.
    pub async fn see_at(&self, selector: &str) -> Result<Element> {
        wait::until(&format!("{selector} to be seen"), async || {
            for element in self.client.find_all(Locator::Css(selector)).await? {
                if element.is_displayed().await? {
                    return Ok(Some(element));
                }
            }
            Ok(None)
        })
        .await
    }

    /// Waits until no element of this test id is there.
    ///
    /// # Errors
    /// Fails if one stays.
    pub async fn gone(&self, id: &str) -> Result<()> {
        wait::until(&format!("{id} to go away"), async || {
            Ok((self.count(&by_id(id)).await? == 0).then_some(()))
        })
        .await
    }

    /// How many elements there are now.
    ///
    /// # Errors
    /// Fails if the driver can't tell.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.client.find_all(Locator::Css(selector)).await?.len())
    }

    /// Waits until the element of this test id holds this text.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn read(&self, id: &str, text: &str) -> Result<()> {
        self.read_at(&by_id(id), text).await
    }

    /// Waits until the element of this selector holds this text.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn read_at(&self, selector: &str, text: &str) -> Result<()> {
        wait::until(&format!("{selector} to hold “{text}”"), async || {
            let element = self.client.find(Locator::Css(selector)).await?;
            let shown = element.text().await?;
            ensure!(shown.contains(text), "it holds “{shown}”");
            Ok(Some(()))
        })
        .await
    }

    /// What the element of this selector holds now, also where a part of it is cut off: WebKit's
    /// driver takes that for invisible.
    ///
    /// # Errors
    /// Fails if there is none.
    pub async fn read_now(&self, selector: &str) -> Result<String> {
        let script = format!("return document.querySelector({selector:?})?.textContent");
        let held = self.ask(&script).await?;
        let text = held.as_str().map(str::to_owned);
        text.with_context(|| format!("there is no {selector}"))
    }

    /// Waits for the element of this test id, and clicks it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn click(&self, id: &str) -> Result<()> {
        self.click_at(&by_id(id)).await
    }

    /// Waits for the element of this selector, and clicks it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn click_at(&self, selector: &str) -> Result<()> {
        wait::until(&format!("a click on {selector}"), async || {
            // Found anew each time: a page that is being drawn replaces its elements.
            let element = self.client.find(Locator::Css(selector)).await?;
            element.click().await?;
            Ok(Some(()))
        })
        .await
    }

    /// Opens a cell of a folder's grid: a click means it, Enter opens it.
    ///
    /// # Errors
    /// Fails if it can't be clicked.
    pub async fn open_cell(&self, selector: &str) -> Result<()> {
        self.click_at(selector).await?;
        self.press(&[], &char::from(Key::Enter).to_string()).await
    }

    /// Waits for the field of this test id, types, and waits until the text is in it: an input method hands on keys
    /// after the driver has answered.
    ///
    /// # Errors
    /// Fails if it can't be typed into, or what was typed never shows.
    pub async fn type_into(&self, id: &str, text: &str) -> Result<()> {
        let field = self.see(id).await?;
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

    /// Presses a key where the focus is, with others held down.
    ///
    /// # Errors
    /// Fails if the driver refuses.
    pub async fn press(&self, held: &[Key], key: &str) -> Result<()> {
        let mut keys: String = held.iter().map(|key| char::from(*key)).collect();
        keys.push_str(key);
        // What had the focus may have gone by the time when the driver types; then nothing was typed.
        wait::until("the focus to take a key", async || {
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

    /// Runs a script in the page and gives what it returns.
    ///
    /// # Errors
    /// Fails if the script throws.
    pub async fn ask(&self, script: &str) -> Result<Value> {
        self.client
            .execute(script, Vec::new())
            .await
            .context("a script in the page")
    }

    /// Waits until a script in the page returns true.
    ///
    /// # Errors
    /// Fails if it never does.
    pub async fn holds(&self, what: &str, script: &str) -> Result<()> {
        wait::until(what, async || {
            Ok((self.ask(script).await? == Value::Bool(true)).then_some(()))
        })
        .await
    }
}

/// The selector of a test id.
#[must_use]
pub fn by_id(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}
