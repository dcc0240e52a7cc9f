//! Hash records in all formats: a record that is read and written is read again as the same.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::bytes!(fumikura_properties::hash_record);
