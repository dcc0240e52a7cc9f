//! How one gets in: one-time addresses.

mod links;
mod login;
