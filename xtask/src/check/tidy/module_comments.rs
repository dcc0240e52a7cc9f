//! Checks that every Rust file states its purpose in its first line.

use super::File;

pub(super) fn faults(files: &[File]) -> impl Iterator<Item = String> + '_ {
    files
        .iter()
        .filter(|file| file.is_rust() && !file.text.starts_with("//! "))
        .map(|file| {
            format!(
                "{}: its first line must begin with `//! ` and say what lives there",
                file.path
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_file_without_module_comment_is_a_fault() {
        let files = [
            File::of("a.rs", "//! What lives here.\n"),
            File::of("b.rs", "use std::fs;\n"),
            File::of("c.ts", "import x from 'y';\n"),
        ];
        assert_eq!(faults(&files).count(), 1);
    }
}
