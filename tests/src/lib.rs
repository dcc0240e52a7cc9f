//! Support code of the suites: a stage on which the real application runs, and tools to inspect it.

pub mod blank_page;
pub mod clipboard;
pub mod corpus;
pub mod devtools;
pub mod drag;
pub mod evidence;
pub mod generator;
pub mod key_latency;
pub mod large_cache;
pub mod long_page;
pub mod memory;
pub mod page;
pub mod photos;
pub mod screen;
pub mod seed;
pub mod similarity;
pub mod stage;
pub mod times;
pub mod tour;
pub mod user_input;
pub mod viewport;
pub mod vision_service;
pub mod wait;
pub mod workload;
pub mod writer;
pub mod wrk;
