//! The configuration file.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::text!(fumikura_properties::config);
