//! Sizes with a unit, and ratios.

use super::ConfigError;

const BYTES_FORM: &str = "a size from 1 KiB to 1024 TiB, such as 500MB or 2 GiB";
const MEMORY_FORM: &str = "a size of 512 MiB or more, such as 2 GiB";
const RATIO_FORM: &str = "a number above 0 and up to 1, such as 0.9";

/// The units of sizes (docs/spec/thumbnails.md), TB, and the binary names. All are powers of 1024, which the
/// binary names state.
const UNITS: [(&str, u64); 9] = [
    ("KIB", 1 << 10),
    ("MIB", 1 << 20),
    ("GIB", 1 << 30),
    ("TIB", 1 << 40),
    ("KB", 1 << 10),
    ("MB", 1 << 20),
    ("GB", 1 << 30),
    ("TB", 1 << 40),
    ("B", 1),
];
const MIN_BYTES: u64 = 1 << 10;
const MAX_BYTES: u64 = 1 << 50;
const MIN_MEMORY: u64 = 512 << 20;

/// Parses a size in bytes: digits, and an optional unit.
pub(super) fn bytes(name: &str, text: &str) -> Result<u64, ConfigError> {
    let upper = text.trim().to_ascii_uppercase();
    let unit = UNITS.iter().find(|(unit, _)| upper.ends_with(unit));
    let (unit, size) = unit.copied().unwrap_or(("", 1));
    let number = upper[..upper.len() - unit.len()].trim_end();
    let is_plain = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let bytes = is_plain.then(|| number.parse::<u64>().ok()).flatten();
    bytes
        .and_then(|number| number.checked_mul(size))
        .filter(|bytes| (MIN_BYTES..=MAX_BYTES).contains(bytes))
        .ok_or_else(|| ConfigError::bad(name, text, BYTES_FORM))
}

/// Parses the memory of a process, as [`bytes`], with a minimum.
pub(super) fn memory(name: &str, text: &str) -> Result<u64, ConfigError> {
    let bytes = bytes(name, text).ok().filter(|bytes| *bytes >= MIN_MEMORY);
    bytes.ok_or_else(|| ConfigError::bad(name, text, MEMORY_FORM))
}

/// Parses a ratio above 0 and up to 1.
pub(super) fn ratio(name: &str, text: &str) -> Result<f64, ConfigError> {
    let ratio = text.trim().parse::<f64>().ok();
    ratio
        .filter(|ratio| *ratio > 0.0 && *ratio <= 1.0)
        .ok_or_else(|| ConfigError::bad(name, text, RATIO_FORM))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_a_unit() {
        for (text, expected) in [
            ("1GB", 1 << 30),
            ("500MB", 500 << 20),
            (" 2 gb ", 2 << 30),
            ("2 GiB", 2 << 30),
            ("500MiB", 500 << 20),
            ("3TB", 3 << 40),
            ("1048576", 1 << 20),
            ("1024KB", 1 << 20),
            ("1KB", 1 << 10),
            ("300 KiB", 300 << 10),
            ("1024", 1 << 10),
            ("1024TB", 1 << 50),
            ("2097152B", 2 << 20),
        ] {
            assert_eq!(bytes("limit", text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn invalid_size_is_refused_with_its_name() {
        for text in [
            "",
            "GB",
            "-1GB",
            "+1GB",
            "1.5GB",
            "1PB",
            "1iB",
            "1 G B",
            "5",
            "99999999999999999999TB",
            "9999999TB",
            "1025TB",
            "1023B",
            "0KB",
        ] {
            let error = bytes("limit", text).unwrap_err().to_string();
            assert!(
                error.starts_with("limit is “") && error.contains("500MB"),
                "{error}"
            );
        }
    }

    #[test]
    fn ratio_is_above_zero_and_at_most_one() {
        assert!(ratio("part", "1").is_ok() && ratio("part", " 0.75 ").is_ok());
        for text in ["0", "-0.5", "1.01", "NaN", "inf", "ninety", "90%"] {
            assert!(ratio("part", text).is_err(), "{text}");
        }
    }
}
