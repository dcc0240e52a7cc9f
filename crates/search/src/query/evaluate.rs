//! Evaluation of a query for one page.

use fumikura_base::budget::{Budget, BudgetSpent};

use super::{Expr, Query};
use crate::authorship::matches_authorship;
use crate::catalogue::CatalogueItem;
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
    ///
    /// # Errors
    /// If the budget is spent first.
    pub fn weigh(
        &self,
        facts: &PageFacts,
        text: &PageText,
        budget: &Budget,
    ) -> Result<Option<f32>, BudgetSpent> {
        self.expr.weigh(&EvaluatedPage {
            facts,
            text,
            item: None,
            budget,
        })
    }

    /// Returns the score of an item of a catalogue, with its facts and text in the form of a page; `None` if it does not
    /// match.
    ///
    /// # Errors
    /// If the budget is spent first.
    pub(crate) fn weigh_item(
        &self,
        item: &CatalogueItem,
        (facts, text): (&PageFacts, &PageText),
        budget: &Budget,
    ) -> Result<Option<f32>, BudgetSpent> {
        self.expr.weigh(&EvaluatedPage {
            facts,
            text,
            item: Some(item),
            budget,
        })
    }
}

/// A page that is compared with a query.
struct EvaluatedPage<'p> {
    facts: &'p PageFacts,
    text: &'p PageText,
    /// The item of a catalogue whose facts and text these are.
    item: Option<&'p CatalogueItem>,
    budget: &'p Budget,
}

impl Expr {
    fn weigh(&self, page: &EvaluatedPage<'_>) -> Result<Option<f32>, BudgetSpent> {
        let EvaluatedPage {
            facts,
            text,
            item,
            budget,
        } = page;
        let when = |is_so: bool| is_so.then_some(0.0);
        Ok(match self {
            Self::All(parts) => {
                let mut all = 0.0;
                for part in parts {
                    let Some(weight) = part.weigh(page)? else {
                        return Ok(None);
                    };
                    all += weight;
                }
                Some(all)
            }
            Self::Any(parts) => {
                let mut any = None;
                for part in parts {
                    if let Some(weight) = part.weigh(page)? {
                        any = Some(any.unwrap_or(0.0) + weight);
                    }
                }
                any
            }
            Self::Not(part) => when(part.weigh(page)?.is_none()),
            Self::Faint(part) => part.weigh(page)?.map(|weight| weight * FAINT),
            Self::Text(sequence) => page.with(sequence)?,
            Self::Title(sequence) => {
                let weight = page.in_document(sequence, text.title())?;
                weight.map(|weight| weight * TITLE)
            }
            Self::Path(sequence) => when(in_path(sequence, facts)),
            Self::Below(path) => when(is_below(&fold(&facts.path), path)),
            Self::Tag(tag) => when(text.has_tag(tag)),
            Self::Before(time) => when(facts.updated < *time),
            Self::After(time) => when(facts.updated >= *time),
            Self::HasPicture => when(text.has_picture()),
            Self::Regex(pattern) => when(pattern.is_match(text.body().text(), budget)?),
            Self::Picture(condition) => when(item.is_some_and(|item| item.fulfils(condition))),
        })
    }
}

impl EvaluatedPage<'_> {
    /// Returns the weight of a sequence in the text, the title, the path or the authorship.
    fn with(&self, sequence: &Sequence) -> Result<Option<f32>, BudgetSpent> {
        let title = self.in_document(sequence, self.text.title())?;
        let title = title.map(|weight| weight * TITLE);
        let body = self.in_document(sequence, self.text.body())?;
        let path = in_path(sequence, self.facts).then_some(PATH);
        let authorship = matches_authorship(sequence, self.facts).then_some(AUTHORSHIP);
        let weights = [title, body, path, authorship].into_iter().flatten();
        Ok(weights.reduce(|all, weight| all + weight))
    }

    fn in_document(
        &self,
        sequence: &Sequence,
        document: &Document,
    ) -> Result<Option<f32>, BudgetSpent> {
        let mut found = Vec::new();
        document.find(sequence, MAX_SCORED_PLACES, self.budget, &mut found)?;
        let places: f32 = found.iter().map(|found| found.weight).sum();
        let length = document.len() as f32;
        Ok((!found.is_empty()).then(|| frequency(places, length, ORDINARY_LENGTH)))
    }
}

/// Returns whether a folded path is the other one or below it.
pub(crate) fn is_below(path: &str, above: &str) -> bool {
    let rest = path.strip_prefix(above.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn in_path(sequence: &Sequence, facts: &PageFacts) -> bool {
    let paths = std::iter::once(&facts.path).chain(&facts.former);
    paths
        .map(|path| Document::new(path.clone()))
        .any(|path| path.has(sequence))
}
