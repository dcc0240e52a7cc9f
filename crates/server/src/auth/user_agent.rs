//! Detection of a browser's name from its `User-Agent`.

/// A browser's name and system, as far as its header has them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Browser {
    pub(crate) name: Option<&'static str>,
    pub(crate) system: Option<&'static str>,
}

/// Tokens of headers with the browsers' names. Browsers repeat the tokens of other browsers for
/// compatibility, so the more specific ones come first.
const BROWSERS: [(&str, &str); 15] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("Vivaldi/", "Vivaldi"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("FxiOS/", "Firefox"),
    ("Firefox/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Epiphany/", "GNOME Web"),
    ("Safari/", "Safari"),
    ("Wget/", "Wget"),
    ("curl/", "curl"),
];

/// Tokens of headers with the systems' names.
const SYSTEMS: [(&str, &str); 8] = [
    ("Android", "Android"),
    ("iPhone", "iOS"),
    ("iPad", "iPadOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
    ("FreeBSD", "FreeBSD"),
];

impl Browser {
    /// Detects the browser of a header.
    pub(crate) fn of(user_agent: &str) -> Self {
        let first = |tokens: &[(&str, &'static str)]| {
            let mut tokens = tokens.iter();
            let found = tokens.find(|(token, _)| user_agent.contains(token));
            found.map(|(_, name)| *name)
        };
        Self {
            name: first(&BROWSERS),
            system: first(&SYSTEMS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(user_agent: &str, name: impl Into<Option<&'static str>>, system: Option<&str>) {
        let browser = Browser::of(user_agent);
        assert_eq!((browser.name, browser.system), (name.into(), system));
    }

    #[test]
    fn browsers_and_systems_are_named() {
        check(
            "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            "Firefox",
            Some("Linux"),
        );
        check(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
            "Chrome",
            Some("Linux"),
        );
        check(
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
            "Edge",
            Some("Windows"),
        );
        check(
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
            "Safari",
            Some("macOS"),
        );
        check(
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
            "Safari",
            Some("iOS"),
        );
        check(
            "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36",
            "Samsung Internet",
            Some("Android"),
        );
        check(
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15 Epiphany/49.0",
            "GNOME Web",
            Some("Linux"),
        );
        check("curl/8.14.1", "curl", None);
    }

    #[test]
    fn unknown_browser_has_no_name() {
        check("", None, None);
        check("<script>alert(1)</script>", None, None);
    }
}
