//! Roots, folders, pictures and their thumbnails.

mod embedded;
mod estelle;
mod folders;
mod image;
mod info;
mod pages;
mod poisonous;
mod roots;
mod thumb;
mod undecodable;
mod watch;
