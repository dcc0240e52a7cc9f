//! The notices of third-party works, which the packages contain.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use fumikura_base::durable::{self, Access};
use fumikura_base::own_file;

const NAME: &str = "THIRD-PARTY-NOTICES.txt";

/// Returns a file with the notices, which is written into the cache folder: those of the package are compressed.
///
/// # Errors
/// Without a package, there is no such file.
pub(crate) fn unpacked(cache: &Path) -> io::Result<PathBuf> {
    let program = std::env::current_exe()?;
    let package = program.parent().and_then(Path::parent);
    let package = package.ok_or(io::ErrorKind::NotFound)?;
    unpack(package, cache)
}

fn unpack(package: &Path, cache: &Path) -> io::Result<PathBuf> {
    let packed = own_file::open_users(&package.join(format!("share/doc/fumikura/{NAME}.gz")))?;
    let mut text = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut text)?;
    let file = cache.join(NAME);
    durable::write_file(&file, &text, Access::Private)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    #[test]
    fn notices_of_the_package_are_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let missing = unpack(folder.path(), folder.path()).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let documents = folder.path().join("share/doc/fumikura");
        fs::create_dir_all(&documents).unwrap();
        let packed = fs::File::create(documents.join("THIRD-PARTY-NOTICES.txt.gz")).unwrap();
        let mut encoder = GzEncoder::new(packed, Compression::default());
        encoder.write_all(b"redb: MIT").unwrap();
        encoder.finish().unwrap();
        let file = unpack(folder.path(), folder.path()).unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), "redb: MIT");
    }
}
