//! The reasons why there is no window, and their report to the user.

use std::io::{self, Write};

use fumikura_server::{ConfigError, StartError};

use crate::language::Language;
use crate::{dialogs, messages};

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

impl From<ConfigError> for ShellFailure {
    fn from(error: ConfigError) -> Self {
        Self::Start(error.into())
    }
}

impl ShellFailure {
    /// Reports the failure to the user: on standard error, and in a dialog if there is a display.
    pub(crate) fn report(&self) {
        let language = Language::of_the_system();
        let (heading, sentence) = (
            messages::cannot_start(language),
            messages::failure(language, self),
        );
        // A closed standard error cannot be reported anywhere else.
        let _closed = writeln!(io::stderr(), "fumikura: {heading}: {sentence}");
        dialogs::show_message_and_wait(heading, &sentence);
    }
}
