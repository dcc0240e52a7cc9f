//! The desktop shell: a window for the pages of the embedded server, and features that need a desktop.
//!
//! It has no logic of its own. [`run`] opens the application ([`fumikura_server::App`]) on a separate thread
//! while the window system starts, then opens a window for it. `commands` holds the commands that the page may call.

mod accent;
mod arguments;
mod backend;
mod clipboard;
mod close;
mod commands;
mod diagnostics;
mod dialogs;
mod failure;
mod file_grants;
mod instance;
mod language;
mod logging;
mod messages;
mod missing_parts;
mod navigation;
mod notices;
mod notification;
mod page;
mod panics;
mod places;
mod platform;
mod quick;
mod rendering;
mod shell;
mod signals;
mod window;

pub use shell::run;
