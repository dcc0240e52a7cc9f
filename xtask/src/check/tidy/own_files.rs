//! Checks that files are opened in one way, which waits for nothing and follows no link:
//! `crates/base/src/own_file.rs`.

use super::File;

/// Calls that open a file in another way.
const CALLS: &[&str] = &[
    "fs::read(",
    "fs::read_to_string(",
    "fs::write(",
    "fs::copy(",
    "File::open(",
    "File::create(",
    "File::create_new(",
    "OpenOptions::new(",
];

/// Files with such calls, and the reason.
const EXEMPT: &[(&str, &str)] = &[
    ("crates/base/src/own_file.rs", "the way itself"),
    ("crates/cli/src/page/mod.rs", "a file that the user names"),
    ("crates/cli/src/wiki.rs", "a file that the user names"),
    ("crates/cli/src/hash/list.rs", "a file that the user names"),
    ("crates/fs/src/platform.rs", "opens below a root"),
    ("crates/fs/src/platform/mounts.rs", "a file of the system"),
    (
        "crates/hashes/src/run/mount_points.rs",
        "a file of the system",
    ),
    ("crates/hashes/src/run/pool.rs", "a file of the system"),
    (
        "crates/server/src/connections/peer_user.rs",
        "a file of the system",
    ),
    ("crates/thumbs/src/worker/system.rs", "a file of the system"),
    ("crates/search/src/index/damage.rs", "tests"),
    (
        "crates/vision/src/command/limits.rs",
        "a file of the system",
    ),
    ("crates/wiki/src/store/crash_simulation.rs", "tests"),
    ("crates/wiki/src/store/fault_injection.rs", "tests"),
];

pub(super) fn faults(files: &[File]) -> impl Iterator<Item = String> + '_ {
    let files = files.iter().filter(|file| is_program(file));
    files.flat_map(|file| {
        program_lines(&file.text).filter_map(|(number, line)| {
            let call = CALLS.iter().find(|call| has_call(line, call))?;
            let path = &file.path;
            Some(format!("{path}:{number}: `{call}…)`: use base's own_file"))
        })
    })
}

fn is_program(file: &File) -> bool {
    let path = &*file.path;
    let is_source =
        path.starts_with("src-tauri/src/") || path.starts_with("crates/") && path.contains("/src/");
    let is_exempt = EXEMPT.iter().any(|(exempt, _)| *exempt == path);
    file.is_rust() && is_source && !is_exempt && !path.contains("test")
}

/// Returns true if the line has the call, and not only one whose name ends like it.
fn has_call(line: &str, call: &str) -> bool {
    line.match_indices(call)
        .any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
}

/// Returns the lines before the tests, with their numbers.
fn program_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.lines().enumerate();
    let program = lines.take_while(|(_, line)| !line.trim_start().starts_with("#[cfg(test)]"));
    let code = program.filter(|(_, line)| !line.trim_start().starts_with("//"));
    code.map(|(number, line)| (number + 1, line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_opened_in_one_way() {
        let files = [
            File::of(
                "crates/wiki/src/a.rs",
                "//! fs::read(\nlet a = fs::read(path);\n#[cfg(test)]\nfs::write(b)\n",
            ),
            File::of("crates/wiki/src/tests.rs", "fs::read(a)"),
            File::of("xtask/src/a.rs", "fs::read(a)"),
            File::of("crates/base/src/own_file.rs", "File::open(a)"),
        ];
        let faults: Vec<_> = faults(&files).collect();
        assert_eq!(faults.len(), 1);
        assert!(faults[0].starts_with("crates/wiki/src/a.rs:2: `fs::read(…)`"));
    }
}
