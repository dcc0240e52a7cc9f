//! The language of the shell's own messages.

use tauri::{Manager, Wry};

use crate::backend::Backend;

/// A language of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Japanese,
}

impl Language {
    /// Returns the language of the user's settings; before the data is open, that of the system.
    pub(crate) fn of_the_user(manager: &impl Manager<Wry>) -> Self {
        let backend = manager.try_state::<Backend>();
        let chosen = backend.and_then(|backend| Self::of_setting(&backend.language_setting()?));
        chosen.unwrap_or_else(Self::of_the_system)
    }

    /// Returns the language of a setting. None if it follows the system.
    fn of_setting(setting: &str) -> Option<Self> {
        Self::of_locale(setting)
    }

    /// Returns the first supported language of the system's list, otherwise English.
    pub(crate) fn of_the_system() -> Self {
        Self::first_of(sys_locale::get_locales())
    }

    fn first_of(locales: impl IntoIterator<Item = String>) -> Self {
        locales
            .into_iter()
            .find_map(|locale| Self::of_locale(&locale))
            .unwrap_or(Self::English)
    }

    fn of_locale(locale: &str) -> Option<Self> {
        match locale
            .split(['-', '_', '.', '@'])
            .next()?
            .to_ascii_lowercase()
            .as_str()
        {
            "ja" => Some(Self::Japanese),
            "en" | "c" | "posix" => Some(Self::English),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn chooses(locales: &[&str], expected: Language) {
        let locales = locales.iter().map(|&locale| locale.to_owned());
        assert_eq!(Language::first_of(locales), expected);
    }

    #[test]
    fn first_supported_language_is_chosen() {
        chooses(&["ja-JP", "en-US"], Language::Japanese);
        chooses(&["ja_JP.UTF-8"], Language::Japanese);
        chooses(&["en-GB", "ja"], Language::English);
        chooses(&["fr-FR", "ja", "en"], Language::Japanese);
    }

    #[test]
    fn setting_may_follow_the_system() {
        let expected = [
            ("ja", Some(Language::Japanese)),
            ("en", Some(Language::English)),
            ("system", None),
        ];
        for (setting, language) in expected {
            assert_eq!(Language::of_setting(setting), language, "{setting}");
        }
    }

    #[test]
    fn english_is_the_fallback() {
        chooses(&[], Language::English);
        chooses(&["fr-FR", "de"], Language::English);
        chooses(&["C", "ja"], Language::English);
        chooses(&["jav"], Language::English);
    }
}
