//! What every other crate of Fumikura stands on: ids, time, randomness, the places where things are
//! kept, file writes that survive a power cut, the allocator, open handles. No async, no domain.

pub mod allocator;
pub mod characters;
pub mod clock;
pub mod dirs;
pub mod disk;
pub mod durable;
pub mod entropy;
pub mod exposure;
pub mod handles;
pub mod id;
pub mod printable;
pub mod story;
