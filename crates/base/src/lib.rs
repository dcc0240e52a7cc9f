//! What every other crate of Fumikura stands on: ids, time, randomness, the places where things are
//! kept, file writes that survive a power cut, the allocator. No async, no domain.

pub mod allocator;
pub mod clock;
pub mod dirs;
pub mod durable;
pub mod entropy;
pub mod id;
pub mod printable;
pub mod story;
