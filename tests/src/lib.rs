//! Support code of the suites: a stage on which the real application runs, and tools to inspect it.

pub mod blank;
pub mod clipboard;
pub mod corpus;
pub mod crowd;
pub mod devtools;
pub mod drag;
pub mod evidence;
pub mod generator;
pub mod hand;
pub mod likeness;
pub mod long_page;
pub mod memory;
pub mod page;
pub mod painted;
pub mod photos;
pub mod screen;
pub mod seed;
pub mod stage;
pub mod times;
pub mod tour;
pub mod viewport;
pub mod vision_service;
pub mod wait;
pub mod work;
pub mod writer;
pub mod wrk;
