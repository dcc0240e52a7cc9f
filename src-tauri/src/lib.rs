//! The desktop shell: a window on the pages of the embedded server, and what only a desktop can do.
//!
//! It holds no logic of its own. [`run`] opens the application ([`fumikura_server::App`]) on a
//! thread of its own while the window system starts, then opens one window on it; `commands` are
//! what the page may ask of the shell.

mod arguments;
mod clipboard;
mod closing;
mod commands;
mod dialogs;
mod failure;
mod folders;
mod given;
mod house;
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
