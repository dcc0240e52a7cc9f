//! Hunks of all kinds of texts, including those that take the most time.

use super::*;

/// Formats the difference: `-`, `+` or a space before each line, changes inside a line in brackets, and the
/// line ending if it is not a line feed.
fn written(diff: &TextDiff) -> Vec<String> {
    let mut all = Vec::new();
    for hunk in &diff.hunks {
        all.push(format!(
            "@@ {},{} {},{}",
            hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines
        ));
        for line in &hunk.lines {
            let sign = match line.kind {
                LineKind::Context => ' ',
                LineKind::Removed => '-',
                LineKind::Added => '+',
            };
            let span = |span: &Span| match span.changed && line.spans.len() > 1 {
                true => format!("[{}]", span.text),
                false => span.text.clone(),
            };
            let text: String = line.spans.iter().map(span).collect();
            let end = match line.end {
                LineEnd::Lf => "",
                LineEnd::CrLf => "↵",
                LineEnd::Cr => "←",
                LineEnd::None => "·",
            };
            all.push(format!("{sign}{text}{end}"));
        }
    }
    all
}

#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    let found = diff(old, new);
    assert_eq!(written(&found), expected, "{old:?} → {new:?}");
    rebuilds(&found, old, new);
}

/// Checks that context and removed lines are those of the old text, and context and added lines those of the
/// new text, at the given numbers.
#[track_caller]
fn rebuilds(diff: &TextDiff, old: &str, new: &str) {
    let text = |line: &DiffLine| -> String { line.spans.iter().map(|p| p.text.as_str()).collect() };
    let (old, new): (Vec<_>, Vec<_>) = (lines(old).collect(), lines(new).collect());
    let mut rebuilt = Vec::new();
    let mut at = 0;
    for line in diff.hunks.iter().flat_map(|hunk| &hunk.lines) {
        if let Some(number) = line.old {
            while at + 1 < number {
                rebuilt.push((old[at].text.to_owned(), old[at].end));
                at += 1;
            }
            assert_eq!((text(line).as_str(), line.end), (old[at].text, old[at].end));
            at += 1;
        }
        if let Some(number) = line.new {
            rebuilt.push((text(line), line.end));
            assert_eq!(rebuilt.len(), number);
        }
    }
    rebuilt.extend(
        old[at..]
            .iter()
            .map(|line| (line.text.to_owned(), line.end)),
    );
    let new: Vec<_> = new.iter().map(|l| (l.text.to_owned(), l.end)).collect();
    assert_eq!(rebuilt, new);
    let count = |kind| {
        let lines = diff.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.kind == kind).count()
    };
    assert_eq!(diff.added, count(LineKind::Added));
    assert_eq!(diff.removed, count(LineKind::Removed));
}

#[test]
fn equal_texts_have_no_hunks() {
    for text in ["", "a", "a\n", "題\r\n"] {
        check(text, text, &[]);
    }
}

#[test]
fn empty_texts_are_compared() {
    check("", "a\nb", &["@@ 0,0 1,2", "+a", "+b·"]);
    check("a\n", "", &["@@ 1,1 0,0", "-a"]);
    check("", "\n", &["@@ 0,0 1,1", "+"]);
}

#[test]
fn changes_have_three_lines_of_context() {
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n",
        "1\n2\n3\n4\n6\n7\n8\n9\n10\n11\n12\n12½\n13\n",
        &[
            "@@ 2,7 2,6",
            " 2",
            " 3",
            " 4",
            "-5",
            " 6",
            " 7",
            " 8", //
            "@@ 10,4 9,5",
            " 10",
            " 11",
            " 12",
            "+12½",
            " 13",
        ],
    );
    // Closer changes are in one hunk.
    check(
        "1\n2\n3\n4\n5\n6\n7\n8\n",
        "2\n3\n4\n5\n6\n7\n",
        &["@@ 1,8 1,6", "-1", " 2", " 3", " 4", " 5", " 6", " 7", "-8"],
    );
}

#[test]
fn line_endings_are_compared() {
    check("a\nb\n", "a\nb", &["@@ 1,2 1,2", " a", "-b", "+b·"]);
    check("a\nb\n", "a\r\nb\n", &["@@ 1,2 1,2", "-a", "+a↵", " b"]);
    check("a\rb", "a\nb", &["@@ 1,2 1,2", "-a←", "+a", " b·"]);
}

#[test]
fn words_are_marked_inside_changed_lines() {
    check(
        "the quick brown fox\n",
        "the slow brown dog\n",
        &[
            "@@ 1,1 1,1",
            "-the [quick] brown [fox]",
            "+the [slow] brown [dog]",
        ],
    );
    check(
        "京都へ旅行した話。\n",
        "奈良へ旅行した話。\n",
        &[
            "@@ 1,1 1,1",
            "-[京都]へ旅行した話。",
            "+[奈良]へ旅行した話。",
        ],
    );
    check(
        "カメラを買った\n",
        "カメラとレンズを買った\n",
        &["@@ 1,1 1,1", "-カメラを買った", "+カメラ[とレンズ]を買った"],
    );
    // A lone particle between two changes counts as changed.
    check(
        "春の山へ行く予定です\n",
        "秋の海へ行く予定です\n",
        &[
            "@@ 1,1 1,1",
            "-[春の山]へ行く予定です",
            "+[秋の海]へ行く予定です",
        ],
    );
}

#[test]
fn dissimilar_lines_are_marked_whole() {
    check(
        "東京の天気は晴れ\n",
        "the weather in Tokyo\n",
        &["@@ 1,1 1,1", "-東京の天気は晴れ", "+the weather in Tokyo"],
    );
    let found = diff("abc def\n", "ghi jkl\n");
    assert!(
        found.hunks[0]
            .lines
            .iter()
            .all(|line| line.spans.len() == 1)
    );
}

#[test]
fn split_line_keeps_its_words() {
    check(
        "one two three four five six\n",
        "one two three\nfour five six\n",
        &[
            "@@ 1,1 1,2",
            "-one two three[ ]four five six",
            "+one two three",
            "+four five six",
        ],
    );
}

#[test]
fn many_changed_lines_are_compared_in_bounded_time() {
    let text = |word: &str| -> String { (0..100_000).map(|n| format!("{word} {n}\n")).collect() };
    let (old, new) = (text("old"), text("new"));
    let begun = Instant::now();
    let found = diff(&old, &new);
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!((found.removed, found.added), (100_000, 100_000));
    assert!(!found.truncated);
    rebuilds(&found, &old, &new);
}

#[test]
fn the_longest_texts_are_compared_in_bounded_time() {
    let million = |line: &str| line.repeat(10 * 1024 * 1024 / line.len());
    // Pseudo-random lines of a small alphabet: the worst case for the search.
    let noise = |seed: u64| -> String {
        let mut state = seed;
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            state >> 60
        };
        (0..2_000_000)
            .map(|_| format!("{:x}{:x}\n", next(), next()))
            .collect()
    };
    let few = |seed: u64| -> String { noise(seed).chars().take(1_200_000).collect() };
    for (old, new) in [
        (
            million("あいうえおかきくけこ\n"),
            million("さしすせそたちつてと\n"),
        ),
        (million("\n"), million("a")),
        (million("a"), million("b")),
        (million("ab "), million("ba ")),
        (noise(1), noise(2)),
        (few(3), few(4)),
        (String::new(), million("x\r\n")),
    ] {
        let begun = Instant::now();
        let found = diff(&old, &new);
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(20), "{took:?}");
        let shown: usize = found.hunks.iter().map(|hunk| hunk.lines.len()).sum();
        assert!(0 < shown && shown <= MAX_SHOWN, "{shown}");
        assert_eq!(found.truncated, shown < found.added + found.removed);
    }
}

#[test]
fn timeout_gives_an_approximate_but_correct_difference() {
    let text = |from: u32| -> String {
        (from..from + 3000)
            .map(|n| format!("{}\n", n.wrapping_mul(2_654_435_761) >> 28))
            .collect()
    };
    let (old, new) = (text(0), text(1_000_000));
    let found = diff_until(&old, &new, Instant::now());
    assert!(found.approximate);
    rebuilds(&found, &old, &new);
}

proptest::proptest! {
    #[test]
    fn difference_rebuilds_the_new_text(
        old in "([ab京\\r]{0,3}(\\n|\\r\\n)){0,12}[ab]{0,2}",
        new in "([ab京\\r]{0,3}(\\n|\\r\\n)){0,12}[ab]{0,2}",
    ) {
        rebuilds(&diff(&old, &new), &old, &new);
    }
}
