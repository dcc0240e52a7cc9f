//! A text that describes this installation for a report of a problem, without contents of the wiki and without secrets.

use std::fmt::Write as _;
use std::path::Path;

use fumikura_base::dirs::AppDirs;
use fumikura_base::own_file;

use crate::arguments::ShellArguments;
use crate::logging;
use crate::platform;

/// The number of the last lines of the log in the text.
const LOG_LINES: usize = 200;

/// Variables of the environment that determine how the window is shown and how text is entered.
const VARIABLES: [&str; 15] = [
    "LANG",
    "LC_ALL",
    "LANGUAGE",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "GDK_BACKEND",
    "GTK_THEME",
    "GTK_IM_MODULE",
    "XMODIFIERS",
    "LIBGL_ALWAYS_SOFTWARE",
    "WEBKIT_DISABLE_DMABUF_RENDERER",
    "WEBKIT_DISABLE_COMPOSITING_MODE",
    "FUMIKURA_LOG",
];

/// Returns the text, with the failure that a user has met.
pub(crate) fn text(arguments: &ShellArguments, failure: Option<&str>) -> String {
    let mut text = format!("Fumikura {}\n", env!("CARGO_PKG_VERSION"));
    let mut line = |name: &str, value: &str| {
        // Writing into a string never fails.
        let _never = writeln!(text, "{name}: {value}");
    };
    if let Some(failure) = failure {
        line("failure", failure);
    }
    line("system", &system());
    line("libraries", &platform::libraries());
    for name in VARIABLES {
        if let Some(value) = std::env::var_os(name) {
            line(name, &value.to_string_lossy());
        }
    }
    if let Ok(own) = AppDirs::of_the_user() {
        let data = arguments.data.clone().unwrap_or(own.data);
        line("data", &folder(&data));
        let cache = arguments.cache.clone().unwrap_or(own.cache);
        line("cache", &folder(&cache));
    }
    let log = logging::tail(arguments, LOG_LINES);
    if !log.is_empty() {
        text.push_str("\nlog:\n");
        text.push_str(&log);
    }
    without_home(&text, std::env::home_dir().as_deref())
}

/// Returns the name of the distribution and the kernel's version.
fn system() -> String {
    let read = |path: &str| own_file::read_users(Path::new(path), own_file::VALUE);
    let release = read("/etc/os-release").unwrap_or_default();
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let kernel = read("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, Linux {}",
        name.unwrap_or("unknown").trim_matches('"'),
        kernel.trim()
    )
}

/// Returns a folder's path, and whether it is there.
fn folder(path: &Path) -> String {
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => path.display().to_string(),
        Ok(_) => format!("{} (not a folder)", path.display()),
        Err(error) => format!("{} ({error})", path.display()),
    }
}

/// Replaces the home folder, whose name is often that of a person.
fn without_home(text: &str, home: Option<&Path>) -> String {
    match home.and_then(Path::to_str).filter(|home| home.len() > 1) {
        Some(home) => text.replace(home, "~"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_has_the_failure_and_the_version() {
        let text = text(&ShellArguments::default(), Some("the disk is full"));
        assert!(text.starts_with(concat!("Fumikura ", env!("CARGO_PKG_VERSION"))));
        assert!(text.contains("\nfailure: the disk is full\n"), "{text}");
        assert!(text.contains("\nsystem: "), "{text}");
    }

    #[test]
    fn home_folder_is_not_named() {
        let home = Some(Path::new("/home/mori"));
        assert_eq!(without_home("/home/mori/a: failed", home), "~/a: failed");
        assert_eq!(without_home("/srv/a", Some(Path::new("/"))), "/srv/a");
    }
}
