//! A three-way merge by lines of two texts with a common base: changes of one side are taken, and places that both sides
//! changed differently are marked. No line is lost.

use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// The beginning of the line before the lines of this side.
const MINE: &str = concat!("<<<<", "<<< ");
/// The line between the sides.
const BETWEEN: &str = "=======";
/// The beginning of the line after the lines of the other side.
const THEIRS: &str = concat!(">>>>", ">>> ");
/// The time after which a comparison may report unchanged lines as changed.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// A merged text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) text: String,
    /// The number of marked places.
    pub(super) conflicts: usize,
}

/// The names of the two sides, for the marks.
pub(super) struct Sides<'a> {
    pub(super) mine: &'a str,
    pub(super) theirs: &'a str,
}

/// Merges two texts.
pub(super) fn merge(base: &str, mine: &str, theirs: &str, sides: &Sides<'_>) -> Merged {
    let [base, mine, theirs] = [base, mine, theirs].map(lines);
    let mut ours = changes(&base, &mine).into_iter().peekable();
    let mut others = changes(&base, &theirs).into_iter().peekable();
    let mut merged = Merged {
        text: String::new(),
        conflicts: 0,
    };
    let mut at = 0;
    loop {
        let starts = [ours.peek(), others.peek()].into_iter().flatten();
        let Some(start) = starts.map(|change| change.base.start).min() else {
            break;
        };
        merged.take(&base[at..start]);
        // Changes that overlap or touch, without a line between them, are one place.
        let mut end = start;
        let (mut my_place, mut their_place) = (Place::new(start), Place::new(start));
        loop {
            let (next, place) = if ours.peek().is_some_and(|change| change.base.start <= end) {
                (ours.next(), &mut my_place)
            } else if others.peek().is_some_and(|change| change.base.start <= end) {
                (others.next(), &mut their_place)
            } else {
                break;
            };
            let Some(change) = next else { break };
            end = end.max(change.base.end);
            place.add(&change);
        }
        let my_lines = my_place.lines(&base, &mine, end);
        let their_lines = their_place.lines(&base, &theirs, end);
        if their_place.is_unchanged() || my_lines == their_lines {
            merged.take(&my_lines);
        } else if my_place.is_unchanged() {
            merged.take(&their_lines);
        } else {
            merged.mark(&my_lines, &their_lines, sides);
        }
        at = end;
    }
    merged.take(&base[at..]);
    merged
}

/// True if a text still contains the marks of a conflict.
pub(super) fn has_marks(text: &str) -> bool {
    let begins = |mark: &str| text.lines().any(|line| line.starts_with(mark));
    begins(MINE) && begins(THEIRS)
}

/// A change of one side: lines of the base, and the lines in their place.
struct Change {
    base: Range<usize>,
    side: Range<usize>,
}

/// A changed place, as one side has it.
struct Place {
    base_start: usize,
    /// The lines of the base and of the side that the changes cover, with the equal lines between them.
    covered: Option<(Range<usize>, Range<usize>)>,
}

impl Place {
    fn new(base_start: usize) -> Self {
        Self {
            base_start,
            covered: None,
        }
    }

    fn add(&mut self, change: &Change) {
        self.covered = Some(match self.covered.take() {
            None => (change.base.clone(), change.side.clone()),
            Some((base, side)) => (base.start..change.base.end, side.start..change.side.end),
        });
    }

    fn is_unchanged(&self) -> bool {
        self.covered.is_none()
    }

    /// Returns the lines of the side from the start of the place to a line of the base.
    fn lines<'a>(&self, base: &[&'a str], side: &[&'a str], end: usize) -> Vec<&'a str> {
        match &self.covered {
            None => base[self.base_start..end].to_vec(),
            Some((covered, changed)) => [
                &base[self.base_start..covered.start],
                &side[changed.clone()],
                &base[covered.end..end],
            ]
            .concat(),
        }
    }
}

impl Merged {
    fn take(&mut self, lines: &[&str]) {
        for line in lines {
            self.end_line();
            self.text += line;
        }
    }

    fn mark(&mut self, mine: &[&str], theirs: &[&str], sides: &Sides<'_>) {
        self.conflicts += 1;
        self.take(&[&format!("{MINE}{}\n", sides.mine)]);
        self.take(mine);
        self.take(&[&format!("{BETWEEN}\n")]);
        self.take(theirs);
        self.take(&[&format!("{THEIRS}{}\n", sides.theirs)]);
    }

    /// Ends the last line, which may be the last one of a side without a line break.
    fn end_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn changes(base: &[&str], side: &[&str]) -> Vec<Change> {
    let deadline = Some(Instant::now() + TIME_LIMIT);
    let operations = capture_diff_slices_deadline(Algorithm::Myers, base, side, deadline);
    let changed = operations
        .iter()
        .filter(|operation| !matches!(operation, DiffOp::Equal { .. }));
    changed
        .map(|operation| Change {
            base: operation.old_range(),
            side: operation.new_range(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: Sides<'_> = Sides {
        mine: "mine",
        theirs: "theirs",
    };

    #[track_caller]
    fn check(base: &str, mine: &str, theirs: &str, expected: &str) {
        let merged = merge(base, mine, theirs, &SIDES);
        assert_eq!((merged.text.as_str(), merged.conflicts), (expected, 0));
    }

    #[test]
    fn changes_of_different_places_are_merged() {
        check("a\nb\n", "a\nb\n", "a\nb\n", "a\nb\n");
        check("a\nb\nc\n", "a\nB\nc\n", "a\nb\nc\n", "a\nB\nc\n");
        check("a\nb\nc\n", "a\nb\nc\n", "a\nb\nC\n", "a\nb\nC\n");
        check(
            "a\nb\nc\nd\ne\n",
            "A\nb\nc\nd\ne\n",
            "a\nb\nc\nd\nE\n",
            "A\nb\nc\nd\nE\n",
        );
        check("a\nb\n", "a\nX\n", "a\nX\n", "a\nX\n");
        check("a\nb\nc\nd", "new\na\nb\nc\nd", "a\nb\nd", "new\na\nb\nd");
        check("a\nb\n", "a\nb\n", "", "");
        check(
            "庭\n\n苔\n\n石",
            "庭\n\n苔寺\n\n石",
            "お庭\n\n苔\n\n石",
            "お庭\n\n苔寺\n\n石",
        );
    }

    #[test]
    fn changes_of_one_place_are_marked() {
        let merged = merge("a\nb\nc\n", "a\nmine\nc\n", "a\ntheirs\nc\n", &SIDES);
        assert_eq!(
            merged.text,
            "a\n<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\nc\n"
        );
        assert_eq!(merged.conflicts, 1);
        assert!(has_marks(&merged.text));
        assert!(!has_marks("Title\n=======\n"));
        // Without line breaks at the ends.
        let merged = merge("", "mine", "theirs", &SIDES);
        assert_eq!(
            merged.text,
            "<<<<<<< mine\nmine\n=======\ntheirs\n>>>>>>> theirs\n"
        );
    }

    /// Returns texts of up to eight lines of few kinds, so that many are equal.
    fn texts(seed: &mut u64) -> [String; 3] {
        let mut next = |below: u64| {
            *seed = *seed * 16_807 % 2_147_483_647;
            *seed % below
        };
        std::array::from_fn(|_| {
            let count = next(9);
            (0..count)
                .map(|_| ["a\n", "b\n", "c\n", "\n"][usize::try_from(next(4)).unwrap()])
                .collect()
        })
    }

    #[test]
    fn one_changed_side_is_taken_whole() {
        let mut seed = 11;
        for _ in 0..400 {
            let [base, mine, _] = texts(&mut seed);
            check(&base, &mine, &base, &mine);
            check(&base, &base, &mine, &mine);
        }
    }

    #[test]
    fn added_lines_of_both_sides_are_kept() {
        let mut seed = 7;
        for _ in 0..400 {
            let [base, mine, theirs] = texts(&mut seed);
            let mine = format!("{mine}only mine\n");
            let merged = merge(&base, &mine, &format!("only theirs\n{theirs}"), &SIDES);
            for line in ["only mine\n", "only theirs\n"] {
                assert!(merged.text.contains(line), "{}", merged.text);
            }
        }
    }
}
