//! Screens for things that do not exist.

use anyhow::Result;
use fantoccini::key::Key;

use super::views::IN_WINDOW;
use super::{Tour, Visitor};
use crate::seed;

/// Makes every request fail.
const FAIL_REQUESTS: &str = "window.fetch = () => Promise.reject(new TypeError('no answer'))";

/// Reloads the page without its embedded answers, and makes every request fail. The window is the same, and a policy of
/// trusted types can't be created twice in it: the reloaded script gets plain rules, and a default policy applies them.
const FAIL_START: &str = r#"
    fetch(location.href).then((answer) => answer.text()).then((html) => {
        window.fetch = () => Promise.reject(new TypeError('no answer'));
        const policies = window.trustedTypes;
        if (policies) {
            policies.createPolicy('default', { createHTML: (text) => text });
            const value = { createPolicy: (name, rules) => rules };
            Object.defineProperty(window, 'trustedTypes', { value });
        }
        document.open();
        document.write(html.replace(/(id="first-answers"[^>]*>)[^<]*/, '$1').replace(/(src="[^"]+\.js)"/, '$1?anew"'));
        document.close();
    });"#;

const GO_TO_UNKNOWN_ROUTE: &str =
    "history.pushState(null, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))";

impl<G: Visitor> Tour<'_, G> {
    pub(super) async fn errors(&mut self) -> Result<()> {
        // A link that leads to no route; the server itself answers such an address with an error.
        self.open_page(seed::garden(self.language)).await?;
        self.page.execute(GO_TO_UNKNOWN_ROUTE).await?;
        self.page.wait_for("not-found").await?;
        self.visit("nowhere").await?;
        self.open_page(seed::garden(self.language)).await?;
        // The window uses commands, which no script can intercept.
        if self.page.execute(IN_WINDOW).await? != true {
            self.page.execute(FAIL_START).await?;
            self.page.wait_for("start-failed").await?;
            self.visit("start-failed").await?;
            self.open_page(seed::garden(self.language)).await?;
        }
        self.page.execute(FAIL_REQUESTS).await?;
        self.page.press(&[Key::Alt], "1").await?;
        self.page.wait_for("error-state").await?;
        self.visit("unreachable").await
    }
}
