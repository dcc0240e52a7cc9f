//! The foundation of all other crates of Fumikura: ids, time, randomness, the application's folders, durable
//! file writes, the allocator, open handles. No async, no domain.

pub mod allocator;
pub mod budget;
pub mod characters;
pub mod clock;
pub mod dir_handle;
pub mod dirs;
pub mod disk;
pub mod durable;
pub mod entropy;
pub mod error_chain;
pub mod exposure;
pub mod handles;
pub mod id;
pub mod own_file;
pub mod printable;
