//! The reasons why there is no window, and the window that reports them instead.

mod notice;
mod words;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

use fumikura_base::dirs::AppDirs;
use fumikura_server::{Config, ConfigError, StartError, StartFault, restorable_backups};

use crate::arguments::ShellArguments;
use crate::language::Language;
use crate::{diagnostics, signals};

pub(crate) use notice::{Decision, Notice, Restorable};

/// The reason why the application did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShellFailure {
    /// The application behind the window could not be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no display for a window.
    #[error("no display is available to open a window")]
    NoDisplay(#[source] io::Error),
    /// The window system reported an error.
    #[error("couldn't open the window: {0}")]
    Window(#[from] tauri::Error),
    /// The operating system reported an error.
    #[error("a system call failed: {0}")]
    System(#[source] io::Error),
}

/// The kind of a failure, by what a user can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cause {
    Start(StartFault),
    Window,
    System,
}

impl From<ConfigError> for ShellFailure {
    fn from(error: ConfigError) -> Self {
        Self::Start(error.into())
    }
}

impl ShellFailure {
    fn cause(&self) -> Cause {
        match self {
            Self::Start(error) => Cause::Start(error.fault()),
            Self::NoDisplay(_) | Self::Window(_) => Cause::Window,
            Self::System(_) => Cause::System,
        }
    }

    /// Reports the failure to the user: on standard error, and in a window if there is a display. Returns the arguments of
    /// another attempt, if the user asks for one.
    pub(crate) fn report(&self, arguments: &ShellArguments) -> Option<Vec<OsString>> {
        let language = Language::of_the_system();
        let heading = words::heading(language);
        let reason = words::reason(language, self);
        // A closed standard error cannot be reported anywhere else.
        let _closed = writeln!(io::stderr(), "fumikura: {heading}: {self}");
        tracing::error!("the application did not start: {:?}", self.cause());
        // Without a display, the text on standard error is the only report.
        if gtk::init().is_err() {
            return None;
        }
        // Ctrl C closes the window.
        signals::unblock();
        let notice = self.notice(language, arguments, reason);
        match notice.show_and_wait() {
            Decision::Quit => None,
            Decision::Again => Some(std::env::args_os().skip(1).collect()),
            Decision::Folder(data) => Some(arguments.with_data(data)),
        }
    }

    fn notice(&self, language: Language, arguments: &ShellArguments, reason: String) -> Notice {
        let config = Config::load(arguments.overrides()).ok();
        let cause = self.cause();
        let backups = config.as_ref().filter(|_| cause.is_of_the_database());
        let backups = backups.map(restorable_backups).unwrap_or_default();
        let restorable = config
            .as_ref()
            .filter(|_| !backups.is_empty())
            .map(|config| Restorable {
                config: config.clone(),
                backups: backups.clone(),
            });
        Notice {
            language,
            heading: words::heading(language),
            reason,
            safe: words::safe(language, cause),
            remedy: words::remedy(language, cause, restorable.is_some()),
            again: words::try_again(language),
            folder: cause.folder(config.as_ref(), arguments),
            may_choose: cause.is_of_the_folder(),
            may_quit: true,
            diagnostics: diagnostics::text(arguments, Some(&self.to_string())),
            restorable,
        }
    }
}

/// A failure of the running application, which a window reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunFailure {
    /// The page's process ended again and again.
    EndedPage,
    /// The window shows nothing.
    BlankWindow,
    /// The program ended because of a fault in it.
    Panic,
    /// A task of the program ended because of a fault in it.
    BackgroundFault,
}

/// Returns the notice of a page whose process has ended again.
pub(crate) fn ended_page(language: Language, arguments: &ShellArguments, reason: &str) -> Notice {
    run_notice(language, arguments, RunFailure::EndedPage, reason)
}

/// Returns the notice of a window that shows nothing.
pub(crate) fn blank_window(language: Language, arguments: &ShellArguments) -> Notice {
    run_notice(language, arguments, RunFailure::BlankWindow, "")
}

/// Returns the notice of a task that has ended because of a fault.
pub(crate) fn background_fault(
    language: Language,
    arguments: &ShellArguments,
    place: &str,
) -> Notice {
    run_notice(language, arguments, RunFailure::BackgroundFault, place)
}

/// Shows what the program ended for, in a process of its own. Returns true if the user asks for another start.
pub(crate) fn report_panic(arguments: &ShellArguments, place: &str) -> bool {
    if gtk::init().is_err() {
        return false;
    }
    let language = Language::of_the_system();
    let notice = run_notice(language, arguments, RunFailure::Panic, place);
    notice.show_and_wait() == Decision::Again
}

fn run_notice(
    language: Language,
    arguments: &ShellArguments,
    failure: RunFailure,
    details: &str,
) -> Notice {
    let words = words::run_failure(language, failure);
    Notice {
        language,
        heading: words.heading,
        reason: match (details, language) {
            ("", _) => words.reason.to_owned(),
            (details, Language::English) => format!("{} ({details})", words.reason),
            (details, Language::Japanese) => format!("{}（{details}）", words.reason),
        },
        safe: words.safe,
        remedy: words.remedy,
        again: words.again,
        folder: None,
        may_choose: false,
        may_quit: failure != RunFailure::BackgroundFault,
        diagnostics: diagnostics::text(arguments, Some(&format!("{failure:?} {details}"))),
        restorable: None,
    }
}

impl Cause {
    /// True if a backup may help.
    fn is_of_the_database(self) -> bool {
        matches!(
            self,
            Self::Start(StartFault::Damaged | StartFault::Missing | StartFault::DiskFailed)
        )
    }

    /// True if another data folder may help.
    fn is_of_the_folder(self) -> bool {
        match self {
            Self::Start(fault) => match fault {
                StartFault::InUse
                | StartFault::NoLocks
                | StartFault::DiskFull
                | StartFault::ReadOnly
                | StartFault::Folder
                | StartFault::Exposed
                | StartFault::TooNew
                | StartFault::TooOld
                | StartFault::Damaged
                | StartFault::Missing
                | StartFault::DiskFailed => true,
                StartFault::Setting
                | StartFault::SettingsFile
                | StartFault::NoHome
                | StartFault::CacheDisk
                | StartFault::Thumbnails
                | StartFault::Roots
                | StartFault::Address
                | StartFault::User
                | StartFault::Threads => false,
            },
            Self::Window | Self::System => false,
        }
    }

    /// Returns the folder in which the failure can be repaired.
    fn folder(self, config: Option<&Config>, arguments: &ShellArguments) -> Option<PathBuf> {
        let own = AppDirs::of_the_user().ok();
        let settings = || {
            let file = config.map(|config| config.config_file.clone());
            let folder = file.and_then(|file| Some(file.parent()?.to_owned()));
            folder.or(own.as_ref().map(|own| own.config.clone()))
        };
        let data = || {
            let given = arguments.data.clone();
            given.or(own.as_ref().map(|own| own.data.clone()))
        };
        match self {
            Self::Start(StartFault::Setting | StartFault::SettingsFile) => settings(),
            Self::Start(StartFault::CacheDisk | StartFault::Thumbnails) => {
                config.map(|config| config.thumbs_dir.clone())
            }
            Self::Start(StartFault::Roots) => data(),
            Self::Start(_) if self.is_of_the_folder() => data(),
            Self::Start(_) | Self::Window | Self::System => None,
        }
        .filter(|folder| folder.is_dir())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cause_has_words_in_both_languages() {
        use StartFault::*;
        let starts = [
            Setting,
            SettingsFile,
            NoHome,
            InUse,
            NoLocks,
            DiskFull,
            ReadOnly,
            Folder,
            Exposed,
            TooNew,
            TooOld,
            Damaged,
            Missing,
            DiskFailed,
            CacheDisk,
            Thumbnails,
            Roots,
            Address,
            User,
            Threads,
        ];
        let causes = starts
            .map(Cause::Start)
            .into_iter()
            .chain([Cause::Window, Cause::System]);
        for cause in causes {
            for has_backups in [false, true] {
                let english = Language::English;
                let texts = [
                    words::safe(english, cause),
                    words::remedy(english, cause, has_backups),
                ];
                assert!(texts.iter().all(|text| text.ends_with('.')), "{texts:?}");
                let japanese = Language::Japanese;
                let texts = [
                    words::safe(japanese, cause),
                    words::remedy(japanese, cause, has_backups),
                ];
                assert!(texts.iter().all(|text| text.ends_with('。')), "{texts:?}");
            }
        }
    }

    #[test]
    fn background_fault_does_not_ask_to_quit() {
        let arguments = ShellArguments::default();
        for language in [Language::English, Language::Japanese] {
            let notice = background_fault(language, &arguments, "a.rs:1");
            assert!(!notice.may_quit && notice.reason.contains("a.rs:1"));
            let blank = blank_window(language, &arguments);
            assert!(blank.may_quit && blank.heading != notice.heading);
        }
    }

    #[test]
    fn missing_database_offers_its_backups() {
        let folder = tempfile::tempdir().unwrap();
        let [data, cache] = ["data", "cache"].map(|name| folder.path().join(name));
        let backup = data.join("backups/fumikura-1");
        std::fs::create_dir_all(&backup).unwrap();
        let record = r#"{"version": 1, "taken_at": "2026-01-01T00:00:00Z", "cause": "request", "pages": 3, "revisions": 5,
            "assets": 0, "bytes": 9, "rows_sha256": "", "proved_at": null, "faults": [], "decreases": []}"#;
        std::fs::write(backup.join("backup.json"), record).unwrap();
        let arguments = ShellArguments {
            data: Some(data.clone()),
            cache: Some(cache),
            ..ShellArguments::default()
        };
        let missing = ShellFailure::Start(StartError::Missing {
            database: data.join("wiki.redb"),
            command: Some("fumi backup restore".to_owned()),
        });
        let notice = missing.notice(Language::English, &arguments, String::new());
        assert_eq!(notice.restorable.unwrap().backups[0].name, "fumikura-1");
        assert_eq!((notice.folder, notice.may_choose), (Some(data), true));
        assert!(notice.remedy.contains("backup"), "{}", notice.remedy);
        let failed = ShellFailure::System(io::Error::other("failed"));
        let notice = failed.notice(Language::English, &arguments, String::new());
        assert!(notice.restorable.is_none() && notice.folder.is_none() && !notice.may_choose);
    }
}
