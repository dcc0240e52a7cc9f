//! `open_external`: opens a web or mail address with the system's default program.

use std::io;

use tauri::Url;
use tauri::async_runtime::spawn_blocking;

use super::error::CommandError;

/// The schemes that may be opened outside the application. Any other could start a program or open a file.
const ALLOWED_SCHEMES: [&str; 3] = ["http", "https", "mailto"];

#[tauri::command]
pub(crate) async fn open_external(url: String) -> Result<(), CommandError> {
    let url = external_address(&url)?;
    let opened = spawn_blocking(move || open::that_detached(url.as_str())).await;
    opened
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|error| {
            tracing::error!(%error, "no program for an address could be started");
            CommandError::internal("The system has no program that opens this address.")
        })
}

/// Returns the address in its normal form, if it may be opened outside.
fn external_address(text: &str) -> Result<Url, CommandError> {
    let url = Url::parse(text).map_err(|_| CommandError::bad_request("This is not an address."))?;
    if ALLOWED_SCHEMES.contains(&url.scheme()) {
        Ok(url)
    } else {
        Err(CommandError::bad_request(
            "Only http, https and mailto addresses are opened outside.",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn opens(text: &str, expected: &str) {
        assert_eq!(external_address(text).unwrap().as_str(), expected);
    }

    #[track_caller]
    fn refuses(text: &str) {
        assert!(external_address(text).is_err(), "{text} was let through");
    }

    #[test]
    fn web_and_mail_addresses_are_opened() {
        opens("https://example.org/a?b=c#d", "https://example.org/a?b=c#d");
        opens("HTTP://EXAMPLE.ORG", "http://example.org/");
        opens(
            "https://例え.jp/日本",
            "https://xn--r8jz45g.jp/%E6%97%A5%E6%9C%AC",
        );
        opens(
            "mailto:mori@example.org?subject=a%20b",
            "mailto:mori@example.org?subject=a%20b",
        );
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "smb://server/share",
        ] {
            refuses(text);
        }
        for text in [
            "",
            "example.org",
            "/usr/bin/true",
            "-h",
            "x-terminal:run",
            " \t",
        ] {
            refuses(text);
        }
    }

    #[test]
    fn address_contains_no_shell_characters() {
        let url = external_address("https://example.org/$(touch /tmp/x)`id`\n;\"'").unwrap();
        assert!(!url.as_str().contains(['\n', ' ', '"', '`']), "{url}");
    }
}
