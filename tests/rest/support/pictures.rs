//! Folders of pictures for tests.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use fumikura_server::Config;

use super::wiki::encoded;
use super::{TestApp, name};

impl TestApp {
    /// Opens one with a user, and with its folder of pictures allowed at the start (`--allow`).
    pub(crate) fn with_allowed_pictures(change: impl FnOnce(&mut Config)) -> Self {
        Self::with(|config| {
            config.user = name("Aya");
            let around = config.data_dir.parent().unwrap();
            config.allow.push(around.join("pictures"));
            change(config);
        })
    }

    /// Makes the folder of pictures a root, as the dialog does. Returns the root's id.
    pub(crate) fn root(&self) -> String {
        self.inner
            .local_files()
            .open_folder(&self.pictures())
            .unwrap()
    }

    /// Puts a file into the folder of pictures. Its name may have any bytes.
    pub(crate) fn file(&self, name: impl AsRef<[u8]>, bytes: &[u8]) -> PathBuf {
        let path = self.pictures().join(OsStr::from_bytes(name.as_ref()));
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

/// Appends `?root=…&path=…` to an address.
pub(crate) fn in_root(address: &str, root: &str, path: impl AsRef<[u8]>) -> String {
    format!("{address}?root={root}&path={}", encoded(path.as_ref()))
}

/// Returns a small PNG of one colour.
pub(crate) fn png(colour: [u8; 3]) -> Vec<u8> {
    sized_png(40, 30, colour)
}

/// Returns a PNG of one colour.
pub(crate) fn sized_png(width: u32, height: u32, colour: [u8; 3]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    let mut writer = encoder.write_header().unwrap();
    let pixels = colour.repeat((width * height) as usize);
    writer.write_image_data(&pixels).unwrap();
    drop(writer);
    bytes
}

/// Returns a file of the fixtures.
pub(crate) fn fixture(path: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/images");
    std::fs::read(Path::new(folder).join(path)).unwrap()
}
