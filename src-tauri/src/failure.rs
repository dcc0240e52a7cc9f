//! Why there is no window, and how the person is told.

use std::io::{self, Write};

use fumikura_server::{ConfigError, StartError};

use crate::language::Language;
use crate::{dialogs, words};

/// The application did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The application behind the window did not open.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is no display to open a window on.
    #[error("no display is available to open a window")]
    NoDisplay(#[source] io::Error),
    /// The window system refused something.
    #[error("couldn't open the window: {0}")]
    Window(#[from] tauri::Error),
    /// The operating system refused something.
    #[error("a system call failed: {0}")]
    System(#[source] io::Error),
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Start(error.into())
    }
}

impl Failure {
    /// Tells the person: on standard error, and in a dialog where there is a display.
    pub(crate) fn tell(&self) {
        let language = Language::of_the_system();
        let (heading, sentence) = (
            words::cannot_start(language),
            words::failure(language, self),
        );
        // There is no better place to say that standard error is closed.
        let _closed = writeln!(io::stderr(), "fumikura: {heading}: {sentence}");
        dialogs::say_and_wait(heading, &sentence);
    }
}
