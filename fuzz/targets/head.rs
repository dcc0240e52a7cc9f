//! The headers of pictures, as listings read them.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::bytes!(fumikura_properties::head);
