//! WebP, made into thumbnails.
#![no_main]

fumikura_fuzz::fuzz_thumbnails!(Webp);
