//! Gives the footnotes of a text labels that another text does not have, so that both can become one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::block::Blocks;
use super::inline::{FootnoteUse, Inline};

/// Renames the footnotes of a text whose labels occur in the text before it: `1` to the next free number, `a` to `a-2`.
pub(crate) fn with_distinct_footnotes(text: &str, before: &str) -> String {
    if !text.contains("[^") || !before.contains("[^") {
        return text.to_owned();
    }
    let mut taken = Blocks::parse(before).footnotes;
    let blocks = Blocks::parse(text);
    let labels = labels(text, &blocks);
    let is_shared = |label: &str| taken.contains(label) && blocks.footnotes.contains(label);
    let shared: HashSet<&str> = labels
        .iter()
        .map(|at| &text[at.clone()])
        .filter(|label| is_shared(label))
        .collect();
    taken.extend(blocks.footnotes.iter().cloned());
    let mut names: HashMap<&str, String> = HashMap::new();
    let mut renamed = String::with_capacity(text.len());
    let mut at = 0;
    for range in labels {
        let label = &text[range.clone()];
        if !shared.contains(label) {
            continue;
        }
        let name = names.entry(label).or_insert_with(|| {
            let name = free_label(label, &taken);
            taken.insert(name.clone());
            name
        });
        renamed.push_str(&text[at..range.start]);
        renamed.push_str(name);
        at = range.end;
    }
    renamed.push_str(&text[at..]);
    renamed
}

/// The labels in a text, of definitions and of references, in source order.
fn labels(text: &str, blocks: &Blocks) -> Vec<Range<usize>> {
    let mut all = blocks.footnote_labels.clone();
    let mut used = FootnoteUse::default();
    for content in &blocks.contents {
        let found = Inline::findings(content.text(), blocks, &mut used);
        all.extend(
            found
                .footnotes
                .iter()
                .map(|label| content.range_in_source(label)),
        );
    }
    debug_assert!(all.iter().all(|label| text[..label.start].ends_with("[^")));
    all.sort_by_key(|label| label.start);
    all.dedup();
    all
}

fn free_label(label: &str, taken: &HashSet<String>) -> String {
    let number: Option<u32> = label.parse().ok();
    let candidates = (2..).map(|next: u32| match number {
        Some(number) => number.saturating_add(next - 1).to_string(),
        None => format!("{label}-{next}"),
    });
    let mut free = candidates.filter(|candidate| !taken.contains(candidate));
    free.next()
        .expect("BUG: there are more numbers than footnotes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, before: &str, expected: &str) {
        assert_eq!(
            with_distinct_footnotes(text, before),
            expected,
            "{text:?} after {before:?}"
        );
    }

    #[test]
    fn shared_labels_are_renamed() {
        let before = "a[^1] b[^n]\n\n[^1]: one\n[^n]: two\n[^3]: three";
        check(
            "c[^1] d[^2] `[^1]` [^1]\n\n[^1]: x[^n]\n\n    more\n[^2]: y\n\n> [^n]: z",
            before,
            "c[^4] d[^2] `[^1]` [^4]\n\n[^4]: x[^n-2]\n\n    more\n[^2]: y\n\n> [^n-2]: z",
        );
    }

    #[test]
    fn other_texts_stay() {
        check("c[^1]\n\n[^1]: x", "no footnote [^1]", "c[^1]\n\n[^1]: x");
        check("c[^1]", "a[^1]\n\n[^1]: x", "c[^1]");
    }
}
