//! The key that only permits reading metrics. It outlives launches, so that a monitoring program can store
//! it.

use std::io;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_base::own_file;
use subtle::ConstantTimeEq;

/// The key, in a file of the data folder that only its owner may read.
pub(crate) struct MetricsKey {
    file: PathBuf,
}

impl MetricsKey {
    pub(crate) fn new(data: &Path) -> Self {
        Self {
            file: data.join("metrics-key"),
        }
    }

    /// Returns the key, which is created at the first call.
    pub(crate) fn get(&self, entropy: &dyn Entropy) -> io::Result<String> {
        match self.read()? {
            Some(key) => Ok(key),
            None => self.renew(entropy),
        }
    }

    /// Creates another key and invalidates the former one.
    pub(crate) fn renew(&self, entropy: &dyn Entropy) -> io::Result<String> {
        let key = URL_SAFE_NO_PAD.encode(random_bytes::<32>(entropy));
        durable::write_file(&self.file, key.as_bytes(), Access::Private)?;
        Ok(key)
    }

    /// Returns true if this is the key.
    pub(crate) fn is(&self, given: &str) -> io::Result<bool> {
        let key = self.read()?;
        Ok(key.is_some_and(|key| key.as_bytes().ct_eq(given.as_bytes()).into()))
    }

    fn read(&self) -> io::Result<Option<String>> {
        match own_file::read_to_string(&self.file, own_file::VALUE) {
            Ok(key) => Ok(Some(key.trim().to_owned()).filter(|key| !key.is_empty())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}
