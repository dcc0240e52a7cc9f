//! End to end: the same scenarios in the real window and in Chromium.

mod scenario;
