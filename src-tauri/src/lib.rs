//! The desktop shell: a window for the pages of the embedded server, and features that need a desktop.
//!
//! It has no logic of its own. [`run`] opens the application ([`fumikura_server::App`]) on a separate thread
//! while the window system starts, then opens one window for it. `commands` holds the commands that the page
//! may call.

mod arguments;
mod backend;
mod clipboard;
mod closing;
mod commands;
mod dialogs;
mod failure;
mod folders;
mod given;
mod instance;
mod language;
mod logging;
mod navigation;
mod notification;
mod page;
mod platform;
mod shell;
mod signals;
mod window;
mod words;

pub use shell::run;
