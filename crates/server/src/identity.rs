//! `server.json`: how other programs of the same person find the running server.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use serde::{Deserialize, Serialize};

/// The file's contents. Believed only if `/healthz` at the address answers with the same instance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerFile {
    /// Where the server answers: `http://127.0.0.1:PORT/` or `unix:///path`.
    pub url: String,
    /// The launch's Bearer token.
    pub token: String,
    /// The launch's id.
    pub instance: String,
}

fn file_of(data: &Path) -> PathBuf {
    data.join("server.json")
}

/// What the data folder's `server.json` says, if there is one that can be read.
#[must_use]
pub fn find_running(data: &Path) -> Option<ServerFile> {
    serde_json::from_slice(&fs::read(file_of(data)).ok()?).ok()
}

impl ServerFile {
    /// Writes the file, for its owner's eyes alone.
    pub(crate) fn write(&self, data: &Path) -> io::Result<()> {
        let json = serde_json::to_vec(self).map_err(io::Error::other)?;
        durable::write_file(&file_of(data), &json, Access::Private)
    }

    /// Takes the file away, unless another launch has written its own.
    pub(crate) fn remove(&self, data: &Path) -> io::Result<()> {
        if find_running(data).as_ref() == Some(self) {
            fs::remove_file(file_of(data))
        } else {
            Ok(())
        }
    }
}
