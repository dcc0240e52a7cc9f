//! The moment at which the effect of a key press is painted, measured by the page itself.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::page::Page;
use crate::wait;

/// An observer of the effects of key presses in one field.
pub struct KeyLatency<'a> {
    page: &'a Page,
}

/// A field, and the element that shows its effect.
#[derive(Clone, Copy)]
pub struct KeyEffect<'a> {
    /// The selector of the field.
    pub field: &'a str,
    /// The selector of the element that shows what was typed.
    pub output: &'a str,
    /// An expression of a script that is true once the effect is there. It can use `field`, `output`, and
    /// `nodes`, the nodes that have just changed or been added.
    pub is_done: &'a str,
}

/// The resize observer is called after all scripts of a frame have run, and before the frame is painted. A
/// dot that has another size in each frame triggers it in each. Changes that exist by then are in this frame,
/// whichever script made them, and the message that is sent then arrives once the frame has been painted.
const WATCH: &str = "
    window.unwatch?.();
    const watching = new AbortController();
    const field = document.querySelector(FIELD);
    const output = document.querySelector(OUTPUT);
    const isDone = (nodes) => IS_DONE;
    const dot = document.createElement('i');
    dot.style.cssText = 'position:fixed;top:0;left:0;width:1px;height:1px;contain:strict;pointer-events:none';
    document.body.append(dot);
    let isChanged = false, frames = 0, beats = false;
    window.painted = window.pressed = null;
    const beat = () => {
        dot.style.width = `${1 + (++frames % 2)}px`;
        beats = window.pressed !== null;
        if (beats) requestAnimationFrame(beat);
    };
    const press = (event) => {
        if (window.pressed !== null) return;
        [window.pressed, isChanged] = [event.timeStamp, false];
        // Two in one frame would leave the dot as it was.
        if (!beats) requestAnimationFrame(beat);
        beats = true;
    };
    field.addEventListener('keydown', press, { capture: true, signal: watching.signal });
    field.addEventListener('beforeinput', press, { capture: true, signal: watching.signal });
    const changes = new MutationObserver((records) => {
        if (window.pressed === null || isChanged) return;
        isChanged = isDone(records.flatMap(({ target, addedNodes }) => (addedNodes.length > 0 ? [...addedNodes] : [target])));
    });
    changes.observe(output, { attributes: true, childList: true, subtree: true, characterData: true });
    const frame = new ResizeObserver(() => {
        if (window.pressed === null || !isChanged) return;
        const from = window.pressed;
        window.pressed = null;
        const afterwards = new MessageChannel();
        afterwards.port1.onmessage = () => (window.painted = performance.now() - from);
        afterwards.port2.postMessage(null);
    });
    frame.observe(dot);
    window.unwatch = () => {
        watching.abort();
        changes.disconnect();
        frame.disconnect();
        dot.remove();
    };";

impl<'a> KeyLatency<'a> {
    /// Starts observing, instead of what this page observed before.
    ///
    /// # Errors
    /// Fails if the field or the element that shows its effect does not exist.
    pub async fn watch(page: &'a Page, effect: KeyEffect<'_>) -> Result<Self> {
        let script = WATCH
            .replace("FIELD", &Value::from(effect.field).to_string())
            .replace("OUTPUT", &Value::from(effect.output).to_string())
            .replace("IS_DONE", effect.is_done);
        page.execute(&script).await?;
        Ok(Self::of(page))
    }

    /// Uses a page that is already observed.
    #[must_use]
    pub fn of(page: &'a Page) -> Self {
        Self { page }
    }

    /// Presses a key, and returns the time until its effect was painted, in milliseconds.
    ///
    /// # Errors
    /// Fails if it has no effect.
    pub async fn press(&self, key: &str) -> Result<f64> {
        self.page
            .execute("window.painted = window.pressed = null;")
            .await?;
        self.page.press(&[], key).await?;
        wait::until("what was typed to be painted", async || {
            Ok(self.page.execute("return window.painted").await?.as_f64())
        })
        .await
        .with_context(|| format!("typing {key:?}"))
    }
}
