//! The command line, and the form in which its folders and pictures reach a running process.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use fumikura_base::dirs::AppDirs;
use fumikura_server::{Listen, Overrides};
use serde::Serialize;
use tauri::Url;

/// The command line.
#[derive(Debug, Clone, Default, PartialEq, Eq, Parser)]
#[command(name = "fumikura", version, about)]
pub(crate) struct ShellArguments {
    /// Folders of pictures, or pictures, to open: paths or file:// addresses
    #[arg(value_name = "PATH")]
    pub(crate) places: Vec<OsString>,
    /// Data folder (pages, settings)
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Cache folder (thumbnails)
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<PathBuf>,
    /// Path of a page to show
    #[arg(long, value_name = "PAGE")]
    pub(crate) page: Option<String>,
    #[command(flatten)]
    pub(crate) command: CommandFlags,
    /// Print an HTML file to a PDF file, without a window (`fumi page show --pdf`)
    #[arg(long, num_args = 2, value_names = ["HTML", "PDF"], hide = true, exclusive = true)]
    pub(crate) print_html: Option<Vec<PathBuf>>,
    /// Show that an earlier process ended because of a fault at this place
    #[arg(long, value_name = "PLACE", hide = true)]
    pub(crate) report_panic: Option<String>,
}

/// The option of a process that reports a fault of an earlier one.
pub(crate) const REPORT_PANIC: &str = "--report-panic";

/// The first action of the window, as the desktop entry offers them. At most one is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
#[group(multiple = false)]
pub(crate) struct CommandFlags {
    /// Ask for the path of a new page, and write it
    #[arg(long)]
    new_page: bool,
    /// Open today's note
    #[arg(long)]
    today: bool,
    /// Open the search
    #[arg(long)]
    search: bool,
    /// Ask for a text to add to today's note
    #[arg(long)]
    quick: bool,
}

/// A command of the page that a start requests. The names are those of the page's shortcuts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum PageCommand {
    #[serde(rename = "new-page")]
    NewPage,
    #[serde(rename = "daily-today")]
    Today,
    #[serde(rename = "search")]
    Search,
    #[serde(rename = "quick-note")]
    QuickNote,
}

impl CommandFlags {
    /// Returns the flag that is given, with its command.
    fn given(self) -> Option<(&'static str, PageCommand)> {
        let flags = [
            (self.new_page, "--new-page", PageCommand::NewPage),
            (self.today, "--today", PageCommand::Today),
            (self.search, "--search", PageCommand::Search),
            (self.quick, "--quick", PageCommand::QuickNote),
        ];
        let given = flags.into_iter().find(|(is_given, ..)| *is_given);
        given.map(|(_, flag, command)| (flag, command))
    }
}

impl ShellArguments {
    /// Returns the requested command of the page.
    pub(crate) fn page_command(&self) -> Option<PageCommand> {
        self.command.given().map(|(_, command)| command)
    }

    /// Returns the path of the page to show.
    pub(crate) fn page(&self) -> Option<&str> {
        self.page.as_deref()
    }

    /// Returns the folders and pictures to open, as absolute paths; relative ones are resolved against `working_dir`.
    pub(crate) fn places(&self, working_dir: &Path) -> Vec<PathBuf> {
        self.places
            .iter()
            .map(|place| resolve(place, working_dir))
            .collect()
    }

    /// Returns the settings of the command line.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            data: self.data.clone(),
            cache: self.cache.clone(),
            listen: Some(Listen::RememberedPort),
            ..Overrides::default()
        }
    }

    /// Returns the cache folder. None if it is not given, and the environment names no home folder.
    pub(crate) fn cache_folder(&self) -> Option<PathBuf> {
        let own = || Some(AppDirs::of_the_user().ok()?.cache);
        self.cache.clone().or_else(own)
    }

    /// Returns the options that choose the folders.
    pub(crate) fn options(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        for (flag, value) in [("--data", &self.data), ("--cache", &self.cache)] {
            if let Some(value) = value {
                arguments.extend([OsString::from(flag), value.into()]);
            }
        }
        arguments
    }

    /// Returns the same arguments with another data folder.
    pub(crate) fn with_data(&self, data: PathBuf) -> Vec<OsString> {
        let changed = Self {
            data: Some(data),
            ..self.clone()
        };
        let mut arguments = changed.options();
        if let Some(page) = &self.page {
            arguments.extend(["--page".into(), page.into()]);
        }
        arguments.extend(self.command.given().map(|(flag, _)| OsString::from(flag)));
        arguments.push("--".into());
        arguments.extend(self.places.iter().cloned());
        arguments
    }

    /// Returns the same arguments with every path as an address, if a running process needs that form: a
    /// second start hands its arguments over as Unicode text, and a path consists of bytes.
    pub(crate) fn as_addresses(&self, working_dir: &Path) -> Option<Vec<OsString>> {
        let is_lost = |place: &OsString| {
            address_of(place).is_none() && resolve(place, working_dir).to_str().is_none()
        };
        if !self.places.iter().any(is_lost) {
            return None;
        }
        let mut arguments = self.options();
        if let Some(page) = &self.page {
            arguments.extend(["--page".into(), page.into()]);
        }
        arguments.extend(self.command.given().map(|(flag, _)| OsString::from(flag)));
        for place in self.places(working_dir) {
            arguments.push(String::from(Url::from_file_path(place).ok()?).into());
        }
        Some(arguments)
    }
}

fn resolve(place: &OsStr, working_dir: &Path) -> PathBuf {
    let path = address_of(place).unwrap_or_else(|| working_dir.join(place));
    // Removes `.`. It fails only for an empty path, and a joined path is never empty.
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns the path of a `file://` address.
fn address_of(place: &OsStr) -> Option<PathBuf> {
    let text = place.to_str().filter(|text| text.starts_with("file://"))?;
    Url::parse(text).ok()?.to_file_path().ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;

    use super::*;

    fn read(arguments: &[&[u8]]) -> ShellArguments {
        let words = arguments.iter().map(|word| OsStr::from_bytes(word));
        ShellArguments::try_parse_from([OsStr::new("fumikura")].into_iter().chain(words)).unwrap()
    }

    #[track_caller]
    fn opens(argument: &[u8], expected: &[u8]) {
        let places = read(&[argument]).places(Path::new("/home/mori"));
        assert_eq!(places, [PathBuf::from(OsStr::from_bytes(expected))]);
    }

    #[test]
    fn relative_paths_start_from_the_callers_folder() {
        opens(b"photos", b"/home/mori/photos");
        opens(b"./photos/", b"/home/mori/photos");
        opens(b".", b"/home/mori");
        opens(b"/srv/photos", b"/srv/photos");
        opens("写真".as_bytes(), "/home/mori/写真".as_bytes());
    }

    #[test]
    fn path_may_be_a_file_url() {
        opens(b"file:///srv/a%20b", b"/srv/a b");
        opens(b"file:///srv/caf%E9", b"/srv/caf\xe9");
        opens(b"file:", b"/home/mori/file:");
        opens(b"https://example.org/", b"/home/mori/https:/example.org");
    }

    #[test]
    fn non_utf8_path_is_passed_as_url() {
        let arguments = read(&[b"--data", b"/data", b"--page", b"/a", b"caf\xe9", b"b"]);
        let handed_over = arguments.as_addresses(Path::new("/srv")).unwrap();
        assert_eq!(
            handed_over,
            [
                "--data",
                "/data",
                "--page",
                "/a",
                "file:///srv/caf%E9",
                "file:///srv/b"
            ]
        );
        let words: Vec<&[u8]> = handed_over.iter().map(|word| word.as_bytes()).collect();
        assert_eq!(read(&words).as_addresses(Path::new("/srv")), None);
        assert_eq!(
            read(&words).places(Path::new("/")),
            arguments.places(Path::new("/srv"))
        );
    }

    #[test]
    fn one_command_is_handed_over() {
        assert_eq!(read(&[b"a"]).page_command(), None);
        for (flag, command) in [
            (&b"--new-page"[..], PageCommand::NewPage),
            (b"--today", PageCommand::Today),
            (b"--search", PageCommand::Search),
            (b"--quick", PageCommand::QuickNote),
        ] {
            let arguments = read(&[b"caf\xe9", flag]);
            assert_eq!(arguments.page_command(), Some(command));
            let handed_over = arguments.as_addresses(Path::new("/srv")).unwrap();
            let words: Vec<&[u8]> = handed_over.iter().map(|word| word.as_bytes()).collect();
            assert_eq!(read(&words).page_command(), Some(command));
        }
        let both = ShellArguments::try_parse_from(["fumikura", "--today", "--search"]);
        assert!(both.is_err());
    }

    #[test]
    fn another_data_folder_keeps_the_other_arguments() {
        let arguments = read(&[b"--cache", b"/cache", b"--data", b"/old", b"--", b"-a"]);
        let changed = arguments.with_data("/new".into());
        let words: Vec<&[u8]> = changed.iter().map(|word| word.as_bytes()).collect();
        let expected = ShellArguments {
            data: Some("/new".into()),
            ..arguments
        };
        assert_eq!(read(&words), expected);
    }

    #[test]
    fn utf8_path_is_passed_unchanged() {
        assert_eq!(
            read(&["写真".as_bytes()]).as_addresses(Path::new("/srv")),
            None
        );
        assert!(
            read(&[b"a"])
                .as_addresses(Path::new(OsStr::from_bytes(b"/caf\xe9")))
                .is_some()
        );
    }

    #[test]
    fn manual_describes_every_option() {
        let manual = include_str!("../../packaging/fumikura.1");
        let command = <ShellArguments as clap::CommandFactory>::command();
        for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
            let described = match argument.get_long() {
                Some(long) => format!("\\fB\\-\\-{}\\fR", long.replace('-', "\\-")),
                None => format!(".I {}", argument.get_value_names().unwrap()[0]),
            };
            assert!(manual.contains(&described), "{described}");
        }
    }
}
