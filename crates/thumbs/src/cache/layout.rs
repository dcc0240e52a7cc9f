//! Where a thumbnail lies: `{thumbs}/{id[0..2]}/{id[2..4]}/{id}-{w}x{h}-{mode}.{ext}`
//! (thumbnail-server.md §3.3).

use std::path::{Path, PathBuf};

use crate::fingerprint::ThumbId;
use crate::variant::Variant;

/// What the name of an unfinished file begins with.
pub(super) const UNFINISHED_PREFIX: &str = ".thumb-";
/// What the name of an unfinished file ends with.
pub(super) const UNFINISHED_SUFFIX: &str = ".tmp";
/// How many random letters and digits stand between the two.
pub(super) const UNFINISHED_RANDOM: usize = 12;

/// The file of a thumbnail.
pub(super) fn path_of(top: &Path, id: ThumbId, variant: Variant) -> PathBuf {
    let id = id.to_string();
    top.join(&id[..2])
        .join(&id[2..4])
        .join(format!("{id}-{variant}"))
}

/// Whether a name is that of a shard: two hexadecimal digits in lower case.
pub(super) fn is_shard(name: &[u8]) -> bool {
    matches!(name, [a, b] if [a, b].iter().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f')))
}

/// Whether a name is that of an unfinished file of ours.
pub(super) fn is_unfinished(name: &[u8]) -> bool {
    name.strip_prefix(UNFINISHED_PREFIX.as_bytes())
        .and_then(|rest| rest.strip_suffix(UNFINISHED_SUFFIX.as_bytes()))
        .is_some_and(|random| {
            random.len() == UNFINISHED_RANDOM && random.iter().all(u8::is_ascii_alphanumeric)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_where_the_contract_puts_them() {
        let id: ThumbId = "a3f5c2e4bf4abb25b893ad492a4fb85efe91345c".parse().unwrap();
        let variant = Variant::parse(Some("400x300"), Some("shrink"), Some("png")).unwrap();
        assert_eq!(
            path_of(Path::new("/cache/thumbs"), id, variant),
            Path::new(
                "/cache/thumbs/a3/f5/a3f5c2e4bf4abb25b893ad492a4fb85efe91345c-400x300-shrink.png"
            )
        );
    }

    #[test]
    fn only_our_own_names_are_ours() {
        assert!(is_shard(b"a3") && is_shard(b"00"));
        assert!(!is_shard(b"A3") && !is_shard(b"a") && !is_shard(b"a3f") && !is_shard(b"zz"));
        assert!(is_unfinished(b".thumb-abcDEF012345.tmp"));
        for name in [
            &b".thumb-abcDEF01234.tmp"[..],
            b".thumb-abcDEF01234/.tmp",
            b"thumb-abcDEF012345.tmp",
            b".thumb-abcDEF012345",
            b"notes.tmp",
        ] {
            assert!(!is_unfinished(name));
        }
    }
}
