//! Albums: ordered lists of pictures from any folders, and saved searches.
//!
//! An album names its pictures by absolute path, and remembers the SHA-256 of their contents, by which a picture is
//! found again that another program has renamed or moved. The crate knows nothing of roots and reads no picture: its
//! callers do. Each album is a readable file of JSON in the data folder.

mod album;
mod albums;
mod path_in_json;

pub use album::{
    Album, AlbumId, AlbumItem, AlbumItemId, AlbumName, AlbumSearch, InvalidAlbumName,
    InvalidAlbumSearch,
};
pub use albums::{AlbumError, Albums, NewPicture, OpenAlbumsError, StoredAlbum, UnreadableAlbum};
