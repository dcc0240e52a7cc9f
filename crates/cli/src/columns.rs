//! Columns on a terminal, aligned by the width of their characters there.

use unicode_width::UnicodeWidthStr;

/// The number of rows that are aligned with each other at most. Longer lists are printed in parts.
const PART: usize = 1000;
/// The space between two columns.
const GAP: usize = 2;

/// Rows that are aligned with each other.
#[derive(Default)]
pub(crate) struct AlignedRows {
    rows: Vec<Vec<String>>,
    /// The widths of the columns so far. They only grow, so that the parts of a list fit each other.
    widths: Vec<usize>,
}

impl AlignedRows {
    /// Adds a line whose columns are separated by tabs. Returns true if enough rows wait to be printed.
    pub(crate) fn push(&mut self, line: &str) -> bool {
        let row: Vec<String> = line.split('\t').map(str::to_owned).collect();
        // Nothing follows the last one.
        let last = row.len() - 1;
        self.widths.resize(self.widths.len().max(row.len()), 0);
        for (field, width) in row[..last].iter().zip(&mut self.widths) {
            *width = field.width().max(*width);
        }
        self.rows.push(row);
        self.rows.len() >= PART
    }

    /// Takes the rows as lines.
    pub(crate) fn take(&mut self) -> String {
        let rows = std::mem::take(&mut self.rows);
        rows.iter().map(|row| self.line(row)).collect()
    }

    fn line(&self, row: &[String]) -> String {
        let mut line = String::new();
        let mut pending = 0;
        for (field, width) in row.iter().zip(&self.widths) {
            if !field.is_empty() {
                line.extend(std::iter::repeat_n(' ', pending));
                line += field;
                pending = 0;
            }
            pending += width.saturating_sub(field.width()) + GAP;
        }
        line.push('\n');
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_cells() {
        let mut rows = AlignedRows::default();
        for line in ["/旅\tpage\t京都", "/travel\tmissing\t", "/a\t\té"] {
            assert!(!rows.push(line));
        }
        let expected = "/旅      page     京都\n/travel  missing\n/a                é\n";
        assert_eq!(rows.take(), expected);
        assert_eq!(rows.take(), "");
        rows.push("/b\tpage\tc");
        assert_eq!(rows.take(), "/b       page     c\n", "the widths stay");
        rows.push("3 pages, 2 of which are new");
        rows.push("/b\tpage");
        let expected = "3 pages, 2 of which are new\n/b       page\n";
        assert_eq!(rows.take(), expected, "a sentence is no column");
    }

    #[test]
    fn long_lists_are_printed_in_parts() {
        let mut rows = AlignedRows::default();
        let full: Vec<bool> = (0..PART).map(|_| rows.push("a\tb")).collect();
        assert_eq!(full.iter().filter(|full| **full).count(), 1);
        assert!(full.last().unwrap());
    }
}
