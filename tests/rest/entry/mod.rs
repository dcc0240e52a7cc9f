//! How one gets in: one-time addresses, the sessions that they begin, and where browsers are moved.

mod links;
mod login;
mod own_host;
mod sessions;
