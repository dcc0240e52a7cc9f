//! Queries: their parts, errors and properties.

mod evaluate;
mod parse;
mod pattern;
mod picture;
mod tags;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::sequence::Sequence;

pub(crate) use evaluate::{AUTHORSHIP, FAINT, PATH, TITLE, frequency, is_below};
pub use parse::MAX_QUERY_CHARS;
pub(crate) use pattern::Pattern;
pub(crate) use picture::PictureCondition;
pub use tags::{names_tag, rename_tag};

/// A query. docs/SEARCH.md describes its grammar.
#[derive(Debug, Clone)]
pub struct Query {
    pub(crate) expr: Expr,
    unknown: Vec<String>,
}

/// A condition on pages.
#[derive(Debug, Clone)]
pub(crate) enum Expr {
    /// All of these conditions; none for all pages.
    All(Vec<Expr>),
    /// At least one of these conditions.
    Any(Vec<Expr>),
    Not(Box<Expr>),
    /// The condition, with a weight below that of any other.
    Faint(Box<Expr>),
    /// The text, the title or the path contains the sequence.
    Text(Sequence),
    Title(Sequence),
    /// The path contains the sequence.
    Path(Sequence),
    /// The page is at this folded path, or below.
    Below(String),
    /// The page has this folded tag, or one below.
    Tag(String),
    /// The last change was before this time, in milliseconds since 1970.
    Before(i64),
    /// The last change was at this time or later.
    After(i64),
    HasPicture,
    Regex(Pattern),
    /// The item is a picture in a folder that fulfils the condition.
    Picture(PictureCondition),
}

/// The reason why a query is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The query is too long.
    #[error("a query has at most {MAX_QUERY_CHARS} characters")]
    TooLong,
    /// The regular expression is invalid, or needs too much memory.
    #[error("the regular expression can't be used: {reason}{}", place(*at))]
    Regex {
        /// The fault.
        reason: String,
        /// The number of the character at which it is, from 1.
        at: Option<usize>,
    },
    /// Regular expressions read every page, so they need a path.
    #[error("a regular expression needs a path: add path:/some/path")]
    RegexWithoutPath,
    /// A date is not written as `2026`, `2026-04` or `2026-04-30`.
    #[error("{0} is not a date: write 2026, 2026-04 or 2026-04-30")]
    Date(String),
    /// The value of `rating:` or `size:` is none.
    #[error("{field}:{value} can't be searched: write {}", example(field))]
    Value { field: &'static str, value: String },
    /// There is no such type of pictures.
    #[error("there is no type {value}: write one of {types}")]
    Type {
        value: String,
        /// The names of all types.
        types: String,
    },
    /// There is no such album.
    #[error("there is no album {0}")]
    Album(String),
}

fn place(at: Option<usize>) -> String {
    at.map_or_else(String::new, |at| format!(" at character {at}"))
}

fn example(field: &str) -> &'static str {
    match field {
        "rating" => "rating:3, rating:>=4, rating:unrated or rating:rejected",
        _ => "size:>5MB or size:<300KB",
    }
}

impl Query {
    /// Parses a query. Unclosed quotes extend to the end.
    ///
    /// # Errors
    /// [`QueryError`] describes the invalid part.
    pub fn parse(typed: &str) -> Result<Self, QueryError> {
        parse::parse(typed)
    }

    /// Returns what looks like a field but is none, as in `width:5`, which is searched as a word.
    #[must_use]
    pub fn unknown_fields(&self) -> &[String] {
        &self.unknown
    }

    /// Returns the places of the words of a typed query that pages must have in their texts or titles.
    pub(crate) fn required_words(typed: &str) -> Vec<Range<usize>> {
        parse::required_words(typed)
    }

    /// Returns a query for the pages with a phrase; `None` if it has no words.
    #[must_use]
    pub fn phrase(words: &str) -> Option<Self> {
        let sequence = Sequence::new(words, false)?;
        Some(Self {
            expr: Expr::Text(sequence),
            unknown: Vec::new(),
        })
    }

    /// Limits the query to pages at a path or below.
    #[must_use]
    pub fn below(self, path: &str) -> Self {
        let folded = parse::folded_path(path);
        Self {
            expr: Expr::All(vec![Expr::Below(folded), self.expr]),
            ..self
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
    /// [`QueryError::RegexWithoutPath`] if it does not.
    pub fn check(&self) -> Result<(), QueryError> {
        match self.has_regex() && !self.expr.has_path() {
            true => Err(QueryError::RegexWithoutPath),
            false => Ok(()),
        }
    }

    /// Returns whether the query has a condition on pictures in folders, so that it finds nothing else.
    #[must_use]
    pub fn is_of_pictures(&self) -> bool {
        self.expr.any(&|expr| matches!(expr, Expr::Picture(_)))
    }

    /// Replaces the words of `type:` by types. `resolve` returns the type or extension that a word means.
    ///
    /// # Errors
    /// [`QueryError::Type`] with the names of all types if there is no such type.
    pub fn resolve_types(
        &mut self,
        resolve: &dyn Fn(&str) -> Option<String>,
        names: &dyn Fn() -> String,
    ) -> Result<(), QueryError> {
        let type_of = |word: &String| {
            resolve(word).ok_or_else(|| QueryError::Type {
                value: word.clone(),
                types: names(),
            })
        };
        self.expr.change_pictures(&mut |condition| {
            if let PictureCondition::Types(types) = condition {
                *types = types.iter().map(type_of).collect::<Result<_, _>>()?;
            }
            Ok(())
        })
    }

    /// Finds the albums of `album:`. `paths` returns the absolute paths of the pictures of an album in its order, by its
    /// id or its name. Before this, the condition holds for no picture.
    ///
    /// # Errors
    /// [`QueryError::Album`] if there is no such album.
    pub fn resolve_albums(
        &mut self,
        paths: &dyn Fn(&str) -> Option<Vec<String>>,
    ) -> Result<(), QueryError> {
        self.expr.change_pictures(&mut |condition| {
            if let PictureCondition::Album(album) = condition {
                let paths = paths(&album.name);
                let paths = paths.ok_or_else(|| QueryError::Album(album.name.clone()))?;
                let positions: HashMap<String, usize> = paths.into_iter().zip(0..).collect();
                album.positions = Arc::new(positions);
            }
            Ok(())
        })
    }

    /// Returns the positions of the pictures in the album that all found pictures belong to, by their absolute paths;
    /// `None` if the query names no album.
    #[must_use]
    pub fn album_positions(&self) -> Option<&HashMap<String, usize>> {
        let Expr::All(parts) = &self.expr else {
            return None;
        };
        parts.iter().find_map(|part| {
            let Expr::Picture(PictureCondition::Album(album)) = part else {
                return None;
            };
            Some(&*album.positions)
        })
    }

    /// Returns whether texts have to be read: the index knows only words.
    #[must_use]
    pub fn has_regex(&self) -> bool {
        self.expr.has_regex()
    }

    /// Returns the sequences and regular expressions to highlight in a page that is found.
    pub(crate) fn highlight_terms(&self) -> HighlightTerms<'_> {
        let mut terms = HighlightTerms::default();
        self.expr.collect_highlight_terms(&mut terms);
        terms
    }
}

/// The highlighted terms of a query.
#[derive(Debug, Default)]
pub(crate) struct HighlightTerms<'q> {
    pub(crate) sequences: Vec<&'q Sequence>,
    pub(crate) patterns: Vec<&'q Pattern>,
}

impl Expr {
    fn is_empty(&self) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(Self::is_empty),
            Self::Below(_) => true,
            Self::Any(_)
            | Self::Not(_)
            | Self::Faint(_)
            | Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_)
            | Self::Picture(_) => false,
        }
    }

    /// Changes all conditions on pictures.
    fn change_pictures(
        &mut self,
        change: &mut dyn FnMut(&mut PictureCondition) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        match self {
            Self::All(parts) | Self::Any(parts) => parts
                .iter_mut()
                .try_for_each(|part| part.change_pictures(change)),
            Self::Not(part) | Self::Faint(part) => part.change_pictures(change),
            Self::Picture(condition) => change(condition),
            Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Below(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_) => Ok(()),
        }
    }

    pub(crate) fn has_regex(&self) -> bool {
        self.any(&|expr| matches!(expr, Self::Regex(_)))
    }

    /// Returns whether the condition holds for any part, including this one.
    fn any(&self, is_so: &impl Fn(&Self) -> bool) -> bool {
        if is_so(self) {
            return true;
        }
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().any(|part| part.any(is_so)),
            Self::Not(part) | Self::Faint(part) => part.any(is_so),
            Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Below(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_)
            | Self::Picture(_) => false,
        }
    }

    /// Returns whether the query is limited to pages below some path.
    fn has_path(&self) -> bool {
        match self {
            Self::Below(path) => path != "/",
            Self::All(parts) => parts.iter().any(Self::has_path),
            Self::Any(parts) => !parts.is_empty() && parts.iter().all(Self::has_path),
            Self::Faint(part) => part.has_path(),
            Self::Not(_)
            | Self::Text(_)
            | Self::Title(_)
            | Self::Path(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Regex(_)
            | Self::Picture(_) => false,
        }
    }

    fn collect_highlight_terms<'q>(&'q self, terms: &mut HighlightTerms<'q>) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts
                .iter()
                .for_each(|part| part.collect_highlight_terms(terms)),
            Self::Faint(part) => part.collect_highlight_terms(terms),
            Self::Text(sequence) | Self::Title(sequence) => terms.sequences.push(sequence),
            Self::Regex(pattern) => terms.patterns.push(pattern),
            Self::Picture(
                PictureCondition::Camera(words)
                | PictureCondition::Lens(words)
                | PictureCondition::Caption(words),
            ) => {
                terms.sequences.push(words);
            }
            Self::Not(_)
            | Self::Path(_)
            | Self::Below(_)
            | Self::Tag(_)
            | Self::Before(_)
            | Self::After(_)
            | Self::HasPicture
            | Self::Picture(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn album_has_its_pictures_and_their_order() {
        let mut query = Query::parse("rating:5 album:\"Trip to 京都\" -album:x").unwrap();
        assert_eq!(query.album_positions().map(HashMap::len), Some(0));
        let pictures = || vec!["/b.jpg".to_owned(), "/a.jpg".to_owned()];
        let resolved = query.resolve_albums(&|name| match name {
            "Trip to 京都" => Some(pictures()),
            _ => Some(Vec::new()),
        });
        resolved.unwrap();
        let positions = query.album_positions().unwrap();
        assert_eq!((positions["/b.jpg"], positions["/a.jpg"]), (0, 1));
        assert!(query.is_of_pictures());
        let without = Query::parse("-album:x OR album:y").unwrap();
        assert!(without.album_positions().is_none());
        let missing = query.resolve_albums(&|name| (name != "x").then(pictures));
        assert_eq!(missing, Err(QueryError::Album("x".to_owned())));
    }
}
