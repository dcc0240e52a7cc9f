//! Who is let in: what stands before every request.

mod headers;
mod host;
mod origin;
mod session;
