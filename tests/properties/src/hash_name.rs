//! The names of hash records: a name that shows a path is the name of that path, and a path's name shows it.

use fumikura_hashes::{FilePath, MAX_NAME, NameKind, decode, encode, kind, record_name};

/// Checks one input.
pub fn hash_name(data: &[u8]) {
    let decoded = decode(data);
    assert_eq!(kind(data) == NameKind::Encoded, decoded.is_ok());
    if let Ok(path) = decoded {
        assert_eq!(encode(&path), data);
    }
    if let Ok(path) = FilePath::new(data) {
        assert_eq!(decode(&encode(&path)), Ok(path.clone()));
        let (name, is_short) = record_name(&path, MAX_NAME);
        assert_eq!(decode(&name).is_err(), is_short);
        assert!(name.len() <= MAX_NAME);
    }
}
