//! Daily counts.

use jiff::civil::Date;

/// The counts of the two latest days. A reservation made before midnight may be released after it, and a
/// clock that is set back over midnight finds its earlier count.
#[derive(Debug, Clone, Default)]
pub(crate) struct DailyCounts([(Date, u32); 2]);

impl DailyCounts {
    pub(crate) fn get(&self, day: Date) -> u32 {
        let found = self.0.iter().find(|(date, _)| *date == day);
        found.map_or(0, |(_, count)| *count)
    }

    pub(crate) fn add(&mut self, day: Date) {
        match self.0.iter_mut().find(|(date, _)| *date == day) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => {
                let older = usize::from(self.0[1].0 < self.0[0].0);
                self.0[older] = (day, 1);
            }
        }
    }

    /// Decrements a count; never below 0.
    pub(crate) fn credit(&mut self, day: Date) {
        let found = self.0.iter_mut().find(|(date, _)| *date == day);
        if let Some((_, count)) = found {
            *count = count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn two_latest_days_are_kept() {
        let [first, second, third] = [24, 25, 26].map(|day| date(2026, 2, day));
        let mut counts = DailyCounts::default();
        counts.add(first);
        counts.add(first);
        counts.add(second);
        counts.credit(first);
        assert_eq!([first, second].map(|day| counts.get(day)), [1, 1]);
        counts.add(third);
        assert_eq!([first, second, third].map(|day| counts.get(day)), [0, 1, 1]);
        counts.credit(first);
        counts.credit(second);
        counts.credit(second);
        assert_eq!([first, second, third].map(|day| counts.get(day)), [0, 0, 1]);
    }
}
