//! A query.

mod evaluate;
mod parse;

use regex::Regex;

use crate::sequence::Sequence;

pub(crate) use evaluate::{CREDIT, PATH, TITLE, frequency, is_below};
pub use parse::MAX_QUERY_CHARS;

/// A query. docs/SEARCH.md has its grammar.
#[derive(Debug, Clone)]
pub struct Query {
    pub(crate) expr: Expr,
}

/// A condition that pages fulfil or not.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    /// All of these. Without any: all pages.
    All(Vec<Expr>),
    /// One of these at least.
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// The text, the title or the path has it.
    Text(Sequence),
    Title(Sequence),
    /// The path has it.
    Path(Sequence),
    /// The page is at this folded path, or below.
    Below(String),
    /// It has this folded tag, or one below.
    Tag(String),
    /// It was last changed before this time, in milliseconds since 1970.
    Before(i64),
    /// It was last changed at this time or later.
    After(i64),
    HasPicture,
    Regex(Regex),
}

/// A query that can't be answered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// It is too long.
    #[error("a query has at most {MAX_QUERY_CHARS} characters")]
    TooLong,
    /// A regular expression is not one, or needs too much memory.
    #[error("the regular expression can't be used: {0}")]
    Regex(String),
    /// Regular expressions read every page, so they need a path.
    #[error("a regular expression needs a path: add path:/some/path")]
    RegexWithoutPath,
    /// A date is not written as `2026`, `2026-04` or `2026-04-30`.
    #[error("{0} is not a date: write 2026, 2026-04 or 2026-04-30")]
    Date(String),
}

impl Query {
    /// Reads a query as it is typed. Quotes that are not closed reach to the end.
    ///
    /// # Errors
    /// [`QueryError`] says what can't be answered.
    pub fn parse(typed: &str) -> Result<Self, QueryError> {
        let expr = parse::parse(typed)?;
        Ok(Self { expr })
    }

    /// The pages that have a phrase; none if it has no words.
    #[must_use]
    pub fn phrase(words: &str) -> Option<Self> {
        let sequence = Sequence::new(words, false)?;
        Some(Self {
            expr: Expr::Text(sequence),
        })
    }

    /// The pages of this query at a path or below.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        let folded = parse::folded_path(path);
        Self {
            expr: Expr::All(vec![Expr::Below(folded), self.expr]),
        }
    }

    /// Returns whether the query is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.expr.is_empty()
    }

    /// Checks that a regular expression comes with a path.
    ///
    /// # Errors
    /// [`QueryError::RegexWithoutPath`].
    pub fn check(&self) -> Result<(), QueryError> {
        match self.has_regex() && !self.expr.has_path() {
            true => Err(QueryError::RegexWithoutPath),
            false => Ok(()),
        }
    }

    /// Returns whether texts have to be read to answer it: the index knows words only.
    #[must_use]
    pub fn has_regex(&self) -> bool {
        self.expr.any(&|expr| matches!(expr, Expr::Regex(_)))
    }

    /// The sequences and regular expressions to highlight in a page that is found.
    pub(crate) fn shown(&self) -> Shown<'_> {
        let mut shown = Shown::default();
        self.expr.show(&mut shown);
        shown
    }
}

/// A highlighted part of a query.
#[derive(Debug, Default)]
pub(crate) struct Shown<'q> {
    pub(crate) sequences: Vec<&'q Sequence>,
    pub(crate) regexes: Vec<&'q Regex>,
}

impl Expr {
    fn is_empty(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::is_empty),
            Self::Below(_) => true,
            Self::Any(_)
            | Self::Not(_)
            | Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_) => false,
        }
    }

    /// Returns whether the condition holds for some part, this one included.
    fn any(&self, is_so: &impl Fn(&Self) -> bool) -> bool {
        if is_so(self) {
            return true;
        }
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.any(is_so)),
            Self::Not(part) => part.any(is_so),
            Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Below(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_) => false,
        }
    }

    /// Returns whether the query is limited to pages below some path.
    fn has_path(&self) -> bool {
        match self {
            Self::Below(path) => path != "/",
            Self::All(parts) => parts.iter().any(Self::has_path),
            Self::Any(parts) => !parts.is_empty() && parts.iter().all(Self::has_path),
            Self::Not(_)
            | Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_) => false,
        }
    }

    fn show<'q>(&'q self, shown: &mut Shown<'q>) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.show(shown)),
            Self::Text(sequence) | Self::Title(sequence) => shown.sequences.push(sequence),
            Self::Regex(regex) => shown.regexes.push(regex),
            Self::Not(_)
            | Self::Path(_)
            | Self::Below(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture => {}
        }
    }
}
