//! The names of files and folders that are being written. After a crash the next start recognizes the
//! remains by their names and removes them.

use std::ffi::OsStr;

const SUFFIX: &str = ".tmp";
const LETTERS: usize = 12;

/// Names with this prefix, followed by random letters and digits, and `.tmp`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TempNames(pub(crate) &'static str);

impl TempNames {
    /// Returns a builder of such files and folders.
    pub(crate) fn builder(self) -> tempfile::Builder<'static, 'static> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(self.0).suffix(SUFFIX).rand_bytes(LETTERS);
        builder
    }

    /// True if it is such a name.
    pub(crate) fn has(self, name: &OsStr) -> bool {
        let chance = name
            .to_str()
            .and_then(|name| name.strip_prefix(self.0)?.strip_suffix(SUFFIX));
        chance.is_some_and(|chance| {
            chance.len() == LETTERS && chance.bytes().all(|byte| byte.is_ascii_alphanumeric())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: bool) {
        let names = TempNames(".asset-");
        assert_eq!(names.has(OsStr::new(name)), expected, "{name}");
    }

    #[test]
    fn only_generated_names_match() {
        check(".asset-a1B2c3D4e5F6.tmp", true);
        check(".asset-a1B2c3D4e5F.tmp", false);
        check(".asset-a1B2c3D4e5-6.tmp", false);
        check(".backup-a1B2c3D4e5F6.tmp", false);
        check("asset-a1B2c3D4e5F6.tmp", false);
        check(".asset-a1B2c3D4e5F6.tmp.txt", false);
        check("notes.txt", false);
    }

    #[test]
    fn created_file_has_a_matching_name() {
        let outer = tempfile::tempdir().unwrap();
        let made = TempNames(".asset-").builder().tempfile_in(outer.path());
        let made = made.unwrap();
        assert!(TempNames(".asset-").has(made.path().file_name().unwrap()));
    }
}
