//! The names of hash records: a name that shows a path is the name of that path, and a path's name shows it.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::bytes!(fumikura_properties::hash_name);
