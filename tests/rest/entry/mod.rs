//! How one gets in: one-time addresses, and the sessions that they begin.

mod links;
mod login;
mod sessions;
