//! The server's own host name for browsers. Cookies are not bound to a port: a browser sends those of
//! `127.0.0.1` to any port there. No other server is ever visited at a name that cannot be guessed.

use std::io;
use std::path::{Path, PathBuf};

use fumikura_base::durable::{self, Access};
use fumikura_base::entropy::{Entropy, random_bytes};
use fumikura_base::own_file;

/// The length of a label: 128 bits in hexadecimal digits.
const LABEL_LENGTH: usize = 32;

/// The random part of the name, in a file of the data folder that only its owner may read. It stays the same
/// from launch to launch, so that browsers stay signed in.
pub(crate) struct OwnHost {
    file: PathBuf,
}

impl OwnHost {
    pub(crate) fn new(data: &Path) -> Self {
        Self {
            file: data.join("own-host"),
        }
    }

    /// Returns the label. It is created if the file is missing or invalid.
    pub(crate) fn label(&self, entropy: &dyn Entropy) -> io::Result<String> {
        match own_file::read_to_string(&self.file, own_file::VALUE) {
            Ok(label) if is_label(label.trim()) => Ok(label.trim().to_owned()),
            Err(error) if !is_replaceable(&error) => Err(error),
            Ok(_) | Err(_) => {
                let label = hex::encode(random_bytes::<16>(entropy));
                durable::write_file(&self.file, label.as_bytes(), Access::Private)?;
                Ok(label)
            }
        }
    }
}

/// Returns true if nothing is lost by a new file: there is none, or it is not one of ours.
fn is_replaceable(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::InvalidData
    )
}

fn is_label(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == LABEL_LENGTH && text.bytes().all(is_digit)
}

/// Returns the host name with this label.
pub(crate) fn host_name(label: &str) -> String {
    format!("fumikura-{label}.localhost")
}

/// Returns true if the text is such a host name.
pub(crate) fn is_host_name(text: &str) -> bool {
    let label = text.strip_prefix("fumikura-");
    let label = label.and_then(|text| text.strip_suffix(".localhost"));
    label.is_some_and(is_label)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use fumikura_base::entropy::{SeededEntropy, SystemEntropy};

    use super::*;

    #[test]
    fn label_is_private_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let own_host = OwnHost::new(folder.path());
        let label = own_host.label(&SeededEntropy::new(1)).unwrap();
        assert!(is_label(&label), "{label}");
        assert_eq!(own_host.label(&SystemEntropy).unwrap(), label);
        let mode = fs::metadata(&own_host.file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn damaged_label_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let own_host = OwnHost::new(folder.path());
        for damaged in ["", "evil.example/", "0123"] {
            fs::write(&own_host.file, damaged).unwrap();
            let label = own_host.label(&SystemEntropy).unwrap();
            assert!(is_label(&label), "{label}");
        }
        fs::remove_file(&own_host.file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &own_host.file).unwrap();
        let label = own_host.label(&SystemEntropy).unwrap();
        assert_eq!(fs::read_to_string(&own_host.file).unwrap(), label);
    }

    #[test]
    fn host_names_are_recognized() {
        let name = host_name("0123456789abcdef0123456789abcdef");
        assert!(is_host_name(&name), "{name}");
        for other in [
            "localhost",
            "fumikura-.localhost",
            "fumikura-0123.localhost",
            "fumikura-0123456789abcdef0123456789abcdef.localhost.evil.example",
            "evil.example/fumikura-0123456789abcdef0123456789abcdef.localhost",
        ] {
            assert!(!is_host_name(other), "{other}");
        }
    }
}
