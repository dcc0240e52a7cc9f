//! Queries of an index with several segments and deletions: each finds the pages that a scan finds.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::text!(fumikura_properties::search);
