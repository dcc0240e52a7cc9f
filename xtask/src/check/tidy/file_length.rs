//! Checks that no file has more than 800 lines: such a file holds more than one concept. Below that, reviews
//! decide whether a file is too long.

use super::File;

const MAX_LINES: usize = 800;
const CODE: &[&str] = &[".rs", ".ts", ".svelte", ".css", ".js"];

pub(super) fn faults(files: &[File]) -> impl Iterator<Item = String> + '_ {
    files
        .iter()
        .filter(|file| {
            CODE.iter().any(|ending| file.path.ends_with(ending)) && !file.is_generated()
        })
        .map(|file| (file, file.text.lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(file, lines)| {
            format!(
                "{}: {lines} lines, more than {MAX_LINES}: split it",
                file.path
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_code_is_a_fault() {
        let long = "x\n".repeat(801);
        let files = [
            File::of("crates/a/src/lib.rs", &long),
            File::of("crates/a/src/b.rs", &"x\n".repeat(800)),
            File::of("ui/package-lock.json", &long),
            File::of("tests/rest/a.snap", &long),
        ];
        assert_eq!(
            faults(&files).collect::<Vec<_>>(),
            ["crates/a/src/lib.rs: 801 lines, more than 800: split it"]
        );
    }
}
