//! JPEG, reduced without libjpeg: any file is refused, or has planes of the sizes that its header states.
#![cfg_attr(fuzzing, no_main)]

fumikura_fuzz::bytes!(fumikura_properties::jpeg_reduce);
