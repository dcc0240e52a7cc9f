//! `open_external`: opens a web or mail address with the system's default program.
//!
//! The address may come from a hostile page, and the program that gets it is unknown. Only addresses of a strict form
//! are passed on, written anew from their parts.

use std::io;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use tauri::Url;
use tauri::async_runtime::spawn_blocking;

use super::error::CommandError;

/// The characters of a mail address and its fields that are escaped.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// The maximum length of a label of a host name, in bytes (RFC 1035, section 2.3.4).
const MAX_LABEL: usize = 63;

#[tauri::command]
pub(crate) async fn open_external(url: String) -> Result<(), CommandError> {
    let url = external_address(&url)?;
    let opened = spawn_blocking(move || open::that_detached(url)).await;
    opened
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|error| {
            tracing::error!(%error, "no program for an address could be started");
            CommandError::internal("The system has no program that opens this address.")
        })
}

/// Returns the address in its normal form, if it may be opened outside.
fn external_address(text: &str) -> Result<String, CommandError> {
    let (scheme, rest) = text.split_once(':').unwrap_or_default();
    let address = match scheme.to_ascii_lowercase().as_str() {
        // Parsers skip these characters, or read another address.
        _ if text.contains(|c: char| c.is_control() || c.is_whitespace()) => None,
        "http" | "https" => web_address(text, rest),
        "mailto" => mail_address(rest),
        _ => {
            return Err(CommandError::bad_request(
                "Only http, https and mailto addresses are opened outside.",
            ));
        }
    };
    address.ok_or_else(|| CommandError::bad_request("This is not an address."))
}

/// Returns a web address with two slashes and a host name, and without a user name.
fn web_address(text: &str, rest: &str) -> Option<String> {
    // A parser of browsers would add missing slashes, and skip superfluous ones.
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    if authority.is_empty() || authority.contains(['@', '\\']) {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let is_host = url.domain().is_none_or(is_host_name);
    is_host.then(|| url.into())
}

/// Returns a `mailto` address with its recipients, subject and body. Some mail programs attach the files that other
/// fields name.
fn mail_address(rest: &str) -> Option<String> {
    let (recipients, fields) = rest.split_once('?').unwrap_or((rest, ""));
    let recipients = decoded(recipients)?;
    let are_valid = recipients.is_empty() || recipients.split(',').all(is_mail_address);
    let fields: Vec<String> = [("subject", false), ("body", true)]
        .into_iter()
        .filter_map(|(name, has_lines)| Some(format!("{name}={}", field(fields, name, has_lines)?)))
        .collect();
    if !are_valid || recipients.is_empty() && fields.is_empty() {
        return None;
    }
    let recipients: Vec<String> = recipients.split(',').map(escaped).collect();
    let address = format!("mailto:{}", recipients.join(",").replace("%40", "@"));
    Some(match fields.is_empty() {
        true => address,
        false => format!("{address}?{}", fields.join("&")),
    })
}

/// Returns the first field of this name, escaped. One with control characters is left out, except line breaks in a text
/// of several lines.
fn field(fields: &str, name: &str, has_lines: bool) -> Option<String> {
    let mut fields = fields.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = fields.find(|(found, _)| found.eq_ignore_ascii_case(name))?;
    let value = decoded(value)?;
    let is_allowed = |c: char| !c.is_control() || has_lines && ['\r', '\n'].contains(&c);
    value.chars().all(is_allowed).then(|| escaped(&value))
}

fn decoded(text: &str) -> Option<String> {
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

fn is_mail_address(text: &str) -> bool {
    let is_local = |local: &str| {
        let is_start = |c: char| c.is_alphanumeric() || c == '_';
        local.starts_with(is_start) && local.chars().all(|c| is_start(c) || ".+-=".contains(c))
    };
    let parts = text.rsplit_once('@');
    parts.is_some_and(|(local, domain)| is_local(local) && is_host_name(domain))
}

/// Returns true for labels of letters, digits and hyphens. None begins with a hyphen, as an option of a program does.
fn is_host_name(name: &str) -> bool {
    let is_inner = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    let is_label = |label: &str| {
        (1..=MAX_LABEL).contains(&label.len())
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(is_inner)
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    name.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn opens(text: &str, expected: &str) {
        assert_eq!(external_address(text).unwrap(), expected);
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
    fn mail_keeps_recipient_subject_and_body() {
        opens(
            "mailto:mori@example.org?attach=/etc/passwd&subject=a&Attachment=/etc/shadow&cc=x@y&body=b",
            "mailto:mori@example.org?subject=a&body=b",
        );
        opens(
            "MAILTO:a@example.org,b+c@example.org?SUBJECT=%E6%A3%AE%26attach=/etc/passwd&subject=2",
            "mailto:a@example.org,b%2Bc@example.org?subject=%E6%A3%AE%26attach%3D%2Fetc%2Fpasswd",
        );
        opens("mailto:?body=a%0D%0Ab", "mailto:?body=a%0D%0Ab");
        // A subject with a line break could add a header.
        opens(
            "mailto:a@example.org?subject=a%0Abcc:x@y&body=b",
            "mailto:a@example.org?body=b",
        );
        opens(
            "mailto:a@example.org?attach=/etc/passwd",
            "mailto:a@example.org",
        );
        for text in [
            "mailto:",
            "mailto:?attach=/etc/passwd",
            "mailto:--attach=/etc/passwd",
            "mailto:a@example.org%3Fattach=/etc/passwd",
            "mailto:a@example.org%20--attach",
            "mailto:a@example.org%00",
            "mailto:-a@example.org",
            "mailto:a@-example.org",
            "mailto:%FF@example.org",
            "mailto:a",
            "mailto:a@example.org,,b@example.org",
        ] {
            refuses(text);
        }
    }

    #[test]
    fn loosely_written_addresses_are_refused() {
        for text in [
            "http:--help",
            "http:example.org",
            "http:/example.org",
            "http:///example.org",
            "http:\\\\example.org",
            "http://\\example.org",
            "http://--help",
            "http://example.-org",
            "http://a..b",
            "http://?a",
            "https://me:secret@example.org/",
            "https://github.com@example.org/",
            "\0http://example.org",
            "\u{1}http://example.org",
            " http://example.org",
            "http://example.org ",
            "ht\ntp://example.org",
            "http://exam\tple.org",
            "http://example.org/\u{85}",
            "http://example.org/a b",
        ] {
            refuses(text);
        }
    }

    #[test]
    fn address_contains_no_shell_characters() {
        let url = external_address("https://example.org/$(touch/tmp/x)`id`;\"'").unwrap();
        assert!(!url.contains(['\n', ' ', '"', '`']), "{url}");
    }
}
