//! Spell checking in text fields, by the dictionaries that are installed.

use webkit2gtk::{WebContextExt, WebView, WebViewExt};

/// The languages of the interface, which people write whatever the system's language is.
const INTERFACE: [&str; 2] = ["en_US", "ja"];

/// Checks the spelling in the system's languages and in those of the interface. WebKit ignores languages without a
/// dictionary.
pub(super) fn enable(webview: &WebView) {
    let Some(context) = webview.context() else {
        return;
    };
    let languages = languages(sys_locale::get_locales());
    let languages: Vec<&str> = languages.iter().map(String::as_str).collect();
    context.set_spell_checking_languages(&languages);
    context.set_spell_checking_enabled(true);
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
    fn languages_of_the_system_come_first() {
        check(&["de-AT", "en-GB"], &["de_AT", "en_GB", "ja"]);
        check(&["ja_JP.UTF-8", "ja-JP"], &["ja_JP", "en_US"]);
        check(&["C", "POSIX"], &["en_US", "ja"]);
        check(&[], &["en_US", "ja"]);
    }
}
