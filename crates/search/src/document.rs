//! A text that is prepared for searching.

use std::collections::BTreeSet;
use std::ops::Range;

use fumikura_base::budget::{Budget, BudgetSpent};

use crate::sequence::{Sequence, VOWEL};
use crate::units::{Kind, Unit, Units, mark_between};
use fumikura_folding::FoldedText;

/// The number of units in which a sequence is sought at each step of a budget.
const UNITS_A_STEP: usize = 256;

/// A text with its units.
#[derive(Debug, Clone, Default)]
pub struct Document {
    text: String,
    folded: FoldedText,
    units: Vec<Unit>,
    is_cut: bool,
}

/// A match of a sequence.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Match {
    /// The bytes of the match in the original text.
    pub(crate) range: Range<usize>,
    pub(crate) weight: f32,
}

impl Document {
    /// Reads a text, or its beginning: see [`FoldedText::new`].
    #[must_use]
    pub fn new(mut text: String) -> Self {
        let folded = FoldedText::new(&text);
        let units = Units::new(folded.text()).collect();
        let is_cut = folded.end() < text.len();
        text.truncate(folded.end());
        if is_cut {
            text.shrink_to_fit();
        }
        Self {
            text,
            folded,
            units,
            is_cut,
        }
    }

    /// Returns the original text, as far as it is searched.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the text is only the beginning of what was passed.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns the approximate memory of the document, in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.text.len() + self.folded.memory() + self.units.len() * size_of::<Unit>()
    }

    /// Returns the number of its units.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Adds the places of the sequence in the text, until there are `limit`.
    ///
    /// # Errors
    /// If the budget is spent before the end.
    pub(crate) fn find(
        &self,
        sequence: &Sequence,
        limit: usize,
        budget: &Budget,
        found: &mut Vec<Match>,
    ) -> Result<(), BudgetSpent> {
        // A comparison with missing vowels may take as long as many without.
        let units_a_step = if sequence.has_vowels() {
            1
        } else {
            UNITS_A_STEP
        };
        let mut from = 0;
        let mut paid = 0;
        while from < self.units.len() && found.len() < limit {
            if from >= paid {
                budget.spend()?;
                paid = from + units_a_step;
            }
            let strict = self.strict_at(sequence, from);
            let hit = strict.or_else(|| {
                let (end, weight) = self.vowels_at(sequence, from)?;
                Some((from..end, weight))
            });
            from += 1;
            if let Some((units, weight)) = hit {
                from = from.max(units.end);
                found.push(Match {
                    range: self.range(sequence, units),
                    weight,
                });
            }
        }
        Ok(())
    }

    /// Returns whether the text has the sequence. For short texts.
    pub(crate) fn has(&self, sequence: &Sequence) -> bool {
        let mut found = Vec::new();
        let whole = self.find(sequence, 1, &Budget::unlimited(), &mut found);
        whole.is_ok() && !found.is_empty()
    }

    /// Returns the units from this one on that match the slots. At a border of the query, the text may have
    /// one unit instead: the index knows only positions.
    fn strict_at(&self, sequence: &Sequence, from: usize) -> Option<(Range<usize>, f32)> {
        let start = self.units[from].position;
        let mut weight = f32::MAX;
        let mut at = from;
        for (slot, wanted) in sequence.slots.iter().enumerate() {
            while self.units.get(at)?.position < start + wanted.offset {
                at += 1;
            }
            let unit = &self.units[at];
            if unit.position != start + wanted.offset {
                return None;
            }
            weight = weight.min(self.weigh(sequence, slot, unit)?);
            if let Some(mark) = wanted.mark {
                let next = self.units.get(at + 1)?;
                if mark_between(self.folded.text(), unit, next) != Some(mark) {
                    return None;
                }
            }
        }
        Some((from..at + 1, weight))
    }

    fn weigh(&self, sequence: &Sequence, slot: usize, unit: &Unit) -> Option<f32> {
        let (wanted, text) = (&sequence.slots[slot], unit.text(self.folded.text()));
        match (wanted.kind, unit.kind) {
            (Kind::Character, Kind::Character) => (wanted.text == text).then_some(1.0),
            (Kind::Word, Kind::Word) => sequence.weigh(slot, text),
            (Kind::Character, Kind::Word) | (Kind::Word, Kind::Character) => None,
        }
    }

    /// Returns the end of the units from this one on that match the slots, if long vowels may be missing or
    /// added.
    fn vowels_at(&self, sequence: &Sequence, from: usize) -> Option<(usize, f32)> {
        if !sequence.has_vowels() {
            return None;
        }
        self.weigh(sequence, 0, &self.units[from])?;
        // The possible ends of the units for the slots so far. The first slot is never a missing vowel.
        let mut ends = vec![from];
        for (slot, wanted) in sequence.slots.iter().enumerate() {
            let mut next = BTreeSet::new();
            if slot > 0 {
                let gap = wanted.offset - sequence.slots[slot - 1].offset;
                let following = ends.iter().filter_map(|end| self.unit_after(*end, gap));
                next.extend(
                    following.filter(|at| self.weigh(sequence, slot, &self.units[*at]).is_some()),
                );
            } else {
                next.insert(from);
            }
            if wanted.may_be_missing {
                next.extend(&ends);
            }
            if wanted.may_be_long {
                let vowels = next.iter().filter_map(|end| self.unit_after(*end, 1));
                let is_vowel = |at: &usize| self.units[*at].text(self.folded.text()) == "ー";
                let vowels: Vec<usize> = vowels.filter(is_vowel).collect();
                next.extend(vowels);
            }
            ends = next.into_iter().collect();
        }
        Some((ends.last()? + 1, VOWEL))
    }

    /// Returns the unit at this distance after another one.
    fn unit_after(&self, unit: usize, gap: u32) -> Option<usize> {
        let position = self.units[unit].position + gap;
        let behind = &self.units[unit + 1..];
        let candidates = behind.iter().take_while(|next| next.position <= position);
        let (at, candidate) = candidates.enumerate().last()?;
        (candidate.position == position).then_some(unit + 1 + at)
    }

    /// Returns the range of the units in the text, or the range of the part by which a word matches.
    fn range(&self, sequence: &Sequence, units: Range<usize>) -> Range<usize> {
        let folded = self.folded.text();
        let (first, last) = (self.units[units.start], self.units[units.end - 1]);
        let (mut start, mut end) = (first.start as usize, last.end as usize);
        let slots = &sequence.slots;
        if let [only] = &slots[..] {
            if only.kind == Kind::Word
                && let Some(at) = first.text(folded).find(&only.text)
            {
                start += at;
                end = start + only.text.len();
            }
        } else {
            let (head, tail) = (&slots[0], &slots[slots.len() - 1]);
            if head.kind == Kind::Word && first.text(folded).ends_with(&head.text) {
                start = first.end as usize - head.text.len();
            }
            if tail.kind == Kind::Word && last.text(folded).starts_with(&tail.text) {
                end = last.start as usize + tail.text.len();
            }
        }
        self.folded.written(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, text: &str, expected: &[&str]) {
        let document = Document::new(text.to_owned());
        let sequence = Sequence::new(typed, true).unwrap();
        let mut found = Vec::new();
        let budget = Budget::unlimited();
        document.find(&sequence, 10, &budget, &mut found).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|found| &text[found.range.clone()])
            .collect();
        assert_eq!(found, expected, "{typed:?} in {text:?}");
    }

    #[test]
    fn words_are_found_by_their_parts() {
        check("base", "A database, base", &["base", "base"]);
        check("ＤＡＴＡ", "A database", &["data"]);
        check("pages", "one page", &["page"]);
        check("goteborg", "in Göteborg", &["Göteborg"]);
        check("大阪", "東京都 大阪府", &["大阪"]);
    }

    #[test]
    fn characters_are_found_where_they_are_adjacent() {
        check("京都", "東京都", &["京都"]);
        check("京都", "京 都", &[]);
        check("健", "見 建 健", &["健"]);
        check("カナ", "ｶﾅ かな", &["ｶﾅ", "かな"]);
        check("重跑gen-itgc後", "重跑gen-itgc後", &["重跑gen-itgc後"]);
        check("跑gen", "重跑gen-itgc後", &["跑gen"]);
        check("c++", "C+ C++", &["C++"]);
    }

    #[test]
    fn long_vowels_may_differ_in_long_words() {
        check("サーバー", "サーバの管理", &["サーバ"]);
        check("サーバ", "サーバー", &["サーバ"]);
        check("サーバ管理", "サーバー管理", &["サーバー管理"]);
        check("サーバー管理", "サーバ管理", &["サーバ管理"]);
        check(
            "ユーザインタフェース",
            "ユーザーインターフェース",
            &["ユーザーインターフェース"],
        );
        check("ビル", "ビール", &[]);
        check("ビール", "ビル", &[]);
    }
}
