//! Contents on their way into the asset folder: written aside, counted, hashed and looked at as they
//! come.

use std::io::{self, Write};

use sha2::{Digest, Sha256};
use tempfile::{NamedTempFile, TempPath};

use crate::assets::AssetFiles;
use crate::assets::mime::Sniffer;

/// Contents that are being written. Dropped, they leave nothing behind.
pub(crate) struct Incoming {
    file: NamedTempFile,
    size: u64,
    sha256: Sha256,
    sniffer: Sniffer,
}

/// Contents that are whole and on the disk, but not in their place. Dropped, they are gone.
pub(crate) struct Written {
    pub(crate) path: TempPath,
    pub(crate) size: u64,
    pub(crate) sha256: [u8; 32],
    /// What they are, as they tell.
    pub(crate) mime: String,
}

impl Incoming {
    /// Begins contents.
    pub(crate) fn begin(files: &AssetFiles) -> io::Result<Self> {
        Ok(Self {
            file: files.begin()?,
            size: 0,
            sha256: Sha256::new(),
            sniffer: Sniffer::new(),
        })
    }

    /// How many bytes were written.
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

    /// Makes them durable. The file is closed, so that any number can wait.
    pub(crate) fn finish(self) -> io::Result<Written> {
        self.file.as_file().sync_all()?;
        Ok(Written {
            path: self.file.into_temp_path(),
            size: self.size,
            sha256: self.sha256.finalize().into(),
            mime: self.sniffer.mime(),
        })
    }
}
