//! What one sees when something is not there.

use anyhow::Result;
use fantoccini::key::Key;

use super::{Guest, Walk};
use crate::seed;

/// From now on nobody answers.
const SILENCE: &str = "window.fetch = () => Promise.reject(new TypeError('nobody answers'))";

const ASTRAY: &str =
    "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))";

impl<G: Guest> Walk<'_, G> {
    pub(super) async fn faults(&mut self) -> Result<()> {
        // A link that leads to none of the rooms; the server itself answers such an address with an error.
        self.read(seed::garden(self.language)).await?;
        self.page.ask(ASTRAY).await?;
        self.page.see("not-found").await?;
        self.arrive("nowhere").await?;
        self.read(seed::garden(self.language)).await?;
        self.page.ask(SILENCE).await?;
        self.page.press(&[Key::Alt], "1").await?;
        self.page.see("error-state").await?;
        self.arrive("unreachable").await
    }
}
