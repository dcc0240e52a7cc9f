//! The REST interface.

mod assets;
mod events;
mod healthz;
mod journals;
mod locks;
mod pages;
mod pictures;
mod settings;
mod users;
