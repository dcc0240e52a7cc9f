//! Files of this program in a hash folder: a name and version, postcard, and a checksum.

use std::io;
use std::path::Path;

use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;
use ring::digest::{SHA256, digest};
use serde::Serialize;
use serde::de::DeserializeOwned;

const CHECKSUM: usize = 32;

/// Writes a value durably. `magic` is the file's name and version.
pub(super) fn write<T: Serialize>(path: &Path, magic: &[u8; 8], value: &T) -> io::Result<()> {
    let mut bytes = magic.to_vec();
    bytes.extend(postcard::to_allocvec(value).map_err(io::Error::other)?);
    let checksum = digest(&SHA256, &bytes);
    bytes.extend_from_slice(checksum.as_ref());
    durable::write_file(path, &bytes, Access::Private)
}

/// Reads a value. Returns `None` if the file is missing, damaged, no regular file or of another version.
pub(super) fn read<T: DeserializeOwned>(path: &Path, magic: &[u8; 8]) -> Option<T> {
    let bytes = match own_file::read(path, own_file::INDEX) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
        Err(error) => {
            tracing::warn!("{} can't be read, and is rebuilt: {error}", path.display());
            return None;
        }
    };
    let (body, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    if digest(&SHA256, body).as_ref() != checksum {
        tracing::warn!("{} is damaged; it is rebuilt", path.display());
        return None;
    }
    postcard::from_bytes(body.strip_prefix(magic)?).ok()
}
