//! Roots, folders, pictures and their thumbnails.

mod albums;
mod damaged_pictures;
mod decoder_failures;
mod duplicates;
mod embedded;
mod estelle;
mod folders;
mod frames;
mod image;
mod info;
mod overview;
mod pages;
mod roots;
mod thumb;
mod watch;
