//! Evaluation of a query for one page.

use super::{Expr, Query};
use crate::authorship::matches_authorship;
use crate::document::Document;
use crate::facts::PageFacts;
use crate::sequence::Sequence;
use crate::text::PageText;
use fumikura_folding::fold;

/// The weight of a match in the title, relative to one in the text.
pub(crate) const TITLE: f32 = 4.0;
/// The weight of a match in the path.
pub(crate) const PATH: f32 = 3.0;
/// The weight of a match of the author or the day of change.
pub(crate) const AUTHORSHIP: f32 = 0.1;
/// The factor of faint matches: below the weight of one match in a text of 20 times the average length.
pub(crate) const FAINT: f32 = 0.05;
/// The maximum number of places that raise the score.
const MAX_SCORED_PLACES: usize = 50;

/// Returns the weight of a text with this number of places, relative to its length.
pub(crate) fn frequency(places: f32, length: f32, average: f32) -> f32 {
    let bound = 1.2 * (0.25 + 0.75 * length / average.max(1.0));
    places * 2.2 / (places + bound)
}

/// The reference length of texts until there is an index: that of an ordinary page, in units.
pub(crate) const ORDINARY_LENGTH: f32 = 500.0;

impl Query {
    /// Returns the score of a page; `None` if it does not match.
    #[must_use]
    pub fn weigh(&self, facts: &PageFacts, text: &PageText) -> Option<f32> {
        self.expr.weigh(facts, text)
    }
}

impl Expr {
    fn weigh(&self, facts: &PageFacts, text: &PageText) -> Option<f32> {
        let when = |is_so: bool| is_so.then_some(0.0);
        match self {
            Self::All(parts) => {
                let weights = parts.iter().map(|part| part.weigh(facts, text));
                weights.sum()
            }
            Self::Any(parts) => {
                let weights = parts.iter().filter_map(|part| part.weigh(facts, text));
                weights.reduce(|all, weight| all + weight)
            }
            Self::Not(part) => when(part.weigh(facts, text).is_none()),
            Self::Faint(part) => part.weigh(facts, text).map(|weight| weight * FAINT),
            Self::Text(sequence) => in_page(sequence, facts, text),
            Self::Title(sequence) => {
                in_document(sequence, text.title()).map(|weight| weight * TITLE)
            }
            Self::Path(sequence) => when(in_path(sequence, facts)),
            Self::Below(path) => when(is_below(&fold(&facts.path), path)),
            Self::Tag(tag) => when(text.has_tag(tag)),
            Self::Before(time) => when(facts.updated < *time),
            Self::After(time) => when(facts.updated >= *time),
            Self::HasPicture => when(text.has_picture()),
            Self::Regex(regex) => when(regex.is_match(text.body().text())),
        }
    }
}

/// Returns whether a folded path is the other one or below it.
pub(crate) fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn in_page(sequence: &Sequence, facts: &PageFacts, text: &PageText) -> Option<f32> {
    let title = in_document(sequence, text.title()).map(|weight| weight * TITLE);
    let body = in_document(sequence, text.body());
    let path = in_path(sequence, facts).then_some(PATH);
    let authorship = matches_authorship(sequence, facts).then_some(AUTHORSHIP);
    let weights = [title, body, path, authorship].into_iter().flatten();
    weights.reduce(|all, weight| all + weight)
}

fn in_document(sequence: &Sequence, document: &Document) -> Option<f32> {
    let found = document.find(sequence, MAX_SCORED_PLACES);
    let places: f32 = found.iter().map(|found| found.weight).sum();
    let length = document.len() as f32;
    (!found.is_empty()).then(|| frequency(places, length, ORDINARY_LENGTH))
}

fn in_path(sequence: &Sequence, facts: &PageFacts) -> bool {
    let paths = std::iter::once(&facts.path).chain(&facts.former);
    paths
        .map(|path| Document::new(path.clone()))
        .any(|path| path.has(sequence))
}
