//! Checks for words that have no place in the repository: promises to finish later, and conflict markers of
//! an unfinished merge.

use super::File;

/// Each word is split in two, so that this file does not contain it.
const WORDS: &[(&str, &str)] = &[
    ("TO", "DO"),
    ("FIX", "ME"),
    ("XX", "X"),
    ("<<<<", "<<< "),
    (">>>>", ">>> "),
];

/// Lock files contain random letters.
const EXEMPT: &[&str] = &["ui/package-lock.json", "Cargo.lock"];

pub(super) fn faults(files: &[File]) -> impl Iterator<Item = String> + '_ {
    files
        .iter()
        .filter(|file| !EXEMPT.contains(&file.path.as_str()))
        .flat_map(|file| {
            file.text
                .lines()
                .enumerate()
                .flat_map(move |(number, line)| {
                    WORDS
                        .iter()
                        .map(|(first, second)| format!("{first}{second}"))
                        .filter(|word| holds(line, word))
                        .map(move |word| format!("{}:{}: `{word}`", file.path, number + 1))
                })
        })
}

/// Returns true if `line` contains `word`, and not only as a part of a longer word.
fn holds(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        ![before, after]
            .into_iter()
            .flatten()
            .any(|neighbour| neighbour.is_alphanumeric() || neighbour == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_word_is_reported_with_its_line() {
        let text = format!("fine\n// {}{}: later\n", "TO", "DO");
        assert_eq!(
            faults(&[File::of("a.rs", &text)]).collect::<Vec<_>>(),
            [format!("a.rs:2: `{}{}`", "TO", "DO")]
        );
    }

    #[test]
    fn longer_words_are_accepted() {
        assert!(!holds("FORKED", "FORK"));
        assert!(!holds("MY_FORK", "FORK"));
        assert!(holds("FORK: x", "FORK"));
    }
}
