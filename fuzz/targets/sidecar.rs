//! XMP sidecars: what is read of them, and what a change makes of them.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::bytes!(fumikura_properties::sidecar);
