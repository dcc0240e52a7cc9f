//! The stage: the real application, started, driven and stopped, in its own window or in a browser.

mod api;
mod browser;
mod display;
mod driver;
mod home;
mod input_method;
mod process;
pub mod process_tree;
pub mod programs;
mod server;
mod window;

use std::path::PathBuf;

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal};

pub use api::Api;
pub use browser::Browser;
pub use display::Display;
pub use home::Home;
pub use input_method::InputMethod;
pub use process::Process;
pub use server::Server;

use crate::page::Page;
use crate::wait;

/// The program that shows the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The desktop window, driven by WebKit's own driver.
    Window,
    /// Chromium, served by `fumi serve`.
    Browser,
}

impl Kind {
    /// Returns a name for tests and folders.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Browser => "browser",
        }
    }
}

/// A user's machine: a home that outlives the application's starts, and the application while it runs.
pub struct Stage {
    kind: Kind,
    // Order matters: the application ends before the display and the folders that it uses.
    running: Option<RunningApplication>,
    display: Display,
    home: Home,
}

/// The application while it runs.
struct RunningApplication {
    page: Page,
    /// The process that owns the data: the window's program, or the server.
    application: Pid,
    /// The driver with its browser, and the server if it is a separate process; killed when dropped.
    _processes: Vec<Process>,
}

impl Stage {
    /// Creates an empty home and a display, with nothing started.
    ///
    /// # Errors
    /// Fails if one of the programs is missing or older than its sources.
    pub async fn new(kind: Kind) -> Result<Self> {
        let home = Home::new()?;
        let display = Display::open(&home).await?;
        Ok(Self {
            kind,
            running: None,
            display,
            home,
        })
    }

    /// Returns the program that shows the page.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the user's folders.
    #[must_use]
    pub fn home(&self) -> &Home {
        &self.home
    }

    /// Returns the user's folders, for changes.
    pub fn home_mut(&mut self) -> &mut Home {
        &mut self.home
    }

    /// Starts fcitx5 and mozc for the application, before that is started. They are off until turned on.
    ///
    /// # Errors
    /// Fails if one of its programs is missing or does not start.
    pub async fn start_input_method(&mut self) -> Result<()> {
        self.display.start_input_method(&self.home).await
    }

    /// Returns the display, for input from outside the page.
    #[must_use]
    pub fn display(&self) -> &Display {
        &self.display
    }

    /// Starts the application as a user would, with folders to open.
    ///
    /// # Errors
    /// Fails if it does not start.
    pub async fn start(&mut self, folders: &[PathBuf]) -> Result<&Page> {
        let running = match self.kind {
            Kind::Window => window::start(&self.home, &self.display, folders).await?,
            Kind::Browser => browser::start(&self.home, &self.display, folders).await?,
        };
        Ok(&self.running.insert(running).page)
    }

    /// Returns the page as it is shown now.
    ///
    /// # Panics
    /// Panics if nothing was started.
    #[must_use]
    pub fn page(&self) -> &Page {
        &self
            .running
            .as_ref()
            .expect("the application was started")
            .page
    }

    /// Returns the page, if there is one.
    #[must_use]
    pub fn page_if_running(&self) -> Option<&Page> {
        self.running.as_ref().map(|running| &running.page)
    }

    /// Returns the server's API, for the actions of a second program.
    ///
    /// # Errors
    /// Fails if the application has not written its address.
    pub async fn api(&self) -> Result<Api> {
        Api::of(&self.home).await
    }

    /// Returns the process that owns the data.
    ///
    /// # Panics
    /// Panics if nothing was started.
    #[must_use]
    pub fn application(&self) -> Pid {
        self.running
            .as_ref()
            .expect("the application was started")
            .application
    }

    /// Terminates the application (SIGTERM) and waits until it has ended.
    ///
    /// # Errors
    /// Fails if it does not end.
    pub async fn stop(&mut self) -> Result<()> {
        self.end(Signal::TERM).await
    }

    /// Kills the application as a power failure would (SIGKILL).
    ///
    /// # Errors
    /// Fails if it does not end.
    pub async fn kill(&mut self) -> Result<()> {
        self.end(Signal::KILL).await
    }

    /// Waits until the application has ended by itself.
    ///
    /// # Errors
    /// Fails if it keeps running.
    pub async fn wait_for_end(&mut self) -> Result<()> {
        // Taken only then: if it keeps running, what it shows is evidence.
        let running = self.running.as_ref().context("nothing runs")?;
        wait::until("the application to end", async || {
            Ok(process_tree::has_ended(running.application).then_some(()))
        })
        .await?;
        self.running = None;
        Ok(())
    }

    async fn end(&mut self, signal: Signal) -> Result<()> {
        rustix::process::kill_process(self.application(), signal)?;
        self.wait_for_end().await
    }
}
