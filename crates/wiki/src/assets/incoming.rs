//! Contents on their way into the asset folder: written to a temporary file, counted, hashed and
//! sniffed as they arrive.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};

use crate::assets::AssetFiles;
use crate::assets::mime::Sniffer;

/// The number of bytes that are copied at once.
const PIECE: usize = 64 * 1024;

/// Contents that are being written. They are removed on drop.
pub(crate) struct IncomingFile {
    file: NamedTempFile,
    size: u64,
    sha256: Sha256,
    sniffer: Sniffer,
}

/// Contents that are complete and synced, but not yet in their place. They are removed on drop.
pub(crate) struct ReceivedFile {
    pub(crate) path: TempPath,
    pub(crate) size: u64,
    pub(crate) sha256: [u8; 32],
    /// Their media type, sniffed from the contents.
    pub(crate) mime: String,
}

/// Returns the length and the SHA-256 of everything that a source has.
pub(crate) fn digest(source: &mut impl Read) -> io::Result<(u64, [u8; 32])> {
    let (mut length, mut hash) = (0, Sha256::new());
    read_all(source, |piece| {
        length += piece.len() as u64;
        hash.update(piece);
        Ok(())
    })?;
    Ok((length, hash.finalize().into()))
}

fn read_all(
    source: &mut impl Read,
    mut take: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match source.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => take(&piece[..read])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl IncomingFile {
    /// Creates an empty file for contents.
    pub(crate) fn begin(files: &AssetFiles) -> io::Result<Self> {
        Ok(Self {
            file: files.begin()?,
            size: 0,
            sha256: Sha256::new(),
            sniffer: Sniffer::new(),
        })
    }

    /// The number of bytes written.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Writes the next bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.size += bytes.len() as u64;
        self.sha256.update(bytes);
        self.sniffer.feed(bytes);
        Ok(())
    }

    /// Writes everything that a source has.
    pub(crate) fn copy_from(&mut self, source: &mut impl Read) -> io::Result<()> {
        read_all(source, |piece| self.write(piece))
    }

    /// Makes them durable. The file is closed, so that any number of them can wait.
    pub(crate) fn finish(self) -> io::Result<ReceivedFile> {
        self.file.as_file().sync_all()?;
        Ok(ReceivedFile {
            path: self.file.into_temp_path(),
            size: self.size,
            sha256: self.sha256.finalize().into(),
            mime: self.sniffer.mime(),
        })
    }
}
