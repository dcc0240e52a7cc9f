//! The REST interface.

mod events;
mod healthz;
mod journals;
mod locks;
mod pages;
mod pictures;
mod settings;
mod users;
