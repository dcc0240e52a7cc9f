//! Access control: the checks before every request.

mod headers;
mod host;
mod origin;
mod session;
