//! Logging in: one-time addresses, the sessions that they create, and redirects of browsers.

mod links;
mod login;
mod own_host;
mod sessions;
mod tokens;
