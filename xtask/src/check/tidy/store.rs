//! Checks that the database's types never leave the module that owns it.

use super::File;

const STORE: &str = "crates/wiki/src/store/";

pub(super) fn faults(files: &[File]) -> impl Iterator<Item = String> + '_ {
    files
        .iter()
        .filter(|file| {
            file.is_rust() && !file.path.starts_with(STORE) && !file.path.starts_with("xtask/")
        })
        .filter(|file| {
            file.text
                .lines()
                .any(|line| !line.trim_start().starts_with("//") && line.contains("redb::"))
        })
        .map(|file| {
            format!(
                "{}: names redb's types, which live in {STORE} alone",
                file.path
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redb_is_used_in_the_store_alone() {
        let files = [
            File::of("crates/wiki/src/store/open.rs", "use redb::Database;\n"),
            File::of(
                "crates/wiki/src/pages/save.rs",
                "//! Unlike redb::Table.\nuse redb::Table;\n",
            ),
            File::of("crates/wiki/src/lib.rs", "//! Never redb::Table.\n"),
        ];
        let faults: Vec<_> = faults(&files).collect();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("crates/wiki/src/pages/save.rs"));
    }
}
