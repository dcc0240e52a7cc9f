//! Limits on the unpacked size of an archive. A few kilobytes can unpack to a thousand times as many, by
//! accident or by malice; archives of pages and their files never do as a whole.

use super::error::ImportError;

/// The number of bytes that any archive may unpack to, however small it is: more than the longest text.
const BASE: u64 = 16 << 20;
/// The factor by which an archive may exceed its own size in addition.
const FACTOR: u64 = 100;

/// Returns the maximum unpacked size in bytes of an archive of `archive` bytes. The export obeys the same
/// limit, so that each of its archives can be imported.
pub(super) fn max_unpacked(archive: u64) -> u64 {
    BASE.saturating_add(archive.saturating_mul(FACTOR))
}

/// Returns an error if the disk has too little space, before anything is written to it.
pub(super) fn check_free_space(needed: u64, free: u64) -> Result<(), ImportError> {
    if needed > free {
        return Err(ImportError::NoRoom { needed, free });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacked_limit_grows_with_the_archive() {
        assert_eq!(max_unpacked(0), 16 << 20);
        assert_eq!(max_unpacked(1 << 20), 116 << 20);
        assert_eq!(max_unpacked(u64::MAX), u64::MAX);
    }

    #[test]
    fn lack_of_space_is_reported_with_both_sizes() {
        assert!(check_free_space(10, 10).is_ok());
        let refused = check_free_space(11, 10).unwrap_err().to_string();
        assert!(
            refused.contains("needs 11 bytes, and 10 are free"),
            "{refused}"
        );
    }
}
