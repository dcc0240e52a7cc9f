//! Spell checking in text fields, by the dictionaries that are installed.

use tauri::WebviewWindow;
use tokio::sync::oneshot;
use webkit2gtk::{WebContextExt, WebView, WebViewExt};

/// The languages of the interface, which people write whatever the system's language is.
const INTERFACE: [&str; 2] = ["en_US", "ja"];

/// Checks the spelling in the system's languages and in those of the interface.
pub(super) fn enable(webview: &WebView) {
    set(webview, true, &languages(sys_locale::get_locales()));
}

/// Sets the checker's languages; those of [`enable`] if there are none. Returns those that have a dictionary.
pub(crate) async fn set_spelling(
    window: &WebviewWindow,
    enabled: bool,
    chosen: Vec<String>,
) -> tauri::Result<Vec<String>> {
    let (answer, answered) = oneshot::channel();
    window.with_webview(move |webview| {
        let languages = match chosen.is_empty() {
            true => languages(sys_locale::get_locales()),
            false => chosen.iter().map(|name| dictionary(name)).collect(),
        };
        // The receiver is gone when the application is ending.
        let _ending = answer.send(set(&webview.inner(), enabled, &languages));
    })?;
    Ok(answered.await.unwrap_or_default())
}

/// WebKit ignores languages without a dictionary. Returns the others.
fn set(webview: &WebView, enabled: bool, languages: &[String]) -> Vec<String> {
    let Some(context) = webview.context() else {
        return Vec::new();
    };
    let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
    context.set_spell_checking_languages(&languages);
    context.set_spell_checking_enabled(enabled);
    let known = context.spell_checking_languages();
    known.iter().map(|name| name.to_string()).collect()
}

/// Returns the name of a dictionary, such as `en_GB`, for a language such as `en-gb`.
fn dictionary(language: &str) -> String {
    let mut parts = language.split(['-', '_']);
    let mut name = parts.next().unwrap_or_default().to_ascii_lowercase();
    for part in parts {
        name.push('_');
        match part.len() {
            2 => name.push_str(&part.to_ascii_uppercase()),
            _ => name.push_str(part),
        }
    }
    name
}

/// Returns the names of dictionaries, such as `en_GB`, for locales such as `en-GB`. A language of the interface is
/// added unless the system has a variant of it.
fn languages(locales: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut languages: Vec<String> = Vec::new();
    for locale in locales {
        let name = locale.split(['.', '@']).next().unwrap_or_default();
        let language = name.replace('-', "_");
        if is_language(&language) && !languages.contains(&language) {
            languages.push(language);
        }
    }
    for language in INTERFACE {
        let base = base(language);
        if !languages.iter().any(|other| self::base(other) == base) {
            languages.push(language.to_owned());
        }
    }
    languages
}

/// True if this is not `C` or `POSIX`.
fn is_language(name: &str) -> bool {
    (2..=3).contains(&base(name).len())
}

/// Returns the language without its region.
fn base(language: &str) -> &str {
    language.split('_').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(locales: &[&str], expected: &[&str]) {
        let locales = locales.iter().map(|&locale| locale.to_owned());
        assert_eq!(languages(locales), expected);
    }

    #[test]
    fn languages_name_their_dictionaries() {
        let names = ["en-gb", "de", "zh-Hant-tw", "EN_US"].map(dictionary);
        assert_eq!(names, ["en_GB", "de", "zh_Hant_TW", "en_US"]);
    }

    #[test]
    fn languages_of_the_system_come_first() {
        check(&["de-AT", "en-GB"], &["de_AT", "en_GB", "ja"]);
        check(&["ja_JP.UTF-8", "ja-JP"], &["ja_JP", "en_US"]);
        check(&["C", "POSIX"], &["en_US", "ja"]);
        check(&[], &["en_US", "ja"]);
    }
}
