//! Items that are found by their names, paths, tags and a few words about them: pictures, files and records.

use fumikura_base::budget::{Budget, BudgetSpent};
use memchr::memmem;

use crate::authorship::day;
use crate::document::Document;
use crate::facts::PageFacts;
use crate::query::{Expr, PictureCondition, Query};
use crate::sequence::Sequence;
use crate::snippet::{Snippet, highlights, snippets};
use crate::text::PageText;
use fumikura_folding::{fold, without_accents};

/// The long vowel mark, which may be missing or added.
const LONG_VOWEL: char = 'ー';

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogueItem {
    /// The path, beginning with a slash. The part after the last slash is the name.
    pub path: String,
    /// Words about the item: a caption, a camera, dates.
    pub about: String,
    /// The tags, with slashes between levels.
    pub tags: Vec<String>,
    /// True for a picture.
    pub is_picture: bool,
    /// The facts of a picture in a folder.
    pub picture: Option<PictureFacts>,
    /// The date, in milliseconds since 1970; the item is found by it too.
    pub time: i64,
}

/// The facts of a picture in a folder, as far as they have been read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureFacts {
    /// The stars, 1 to 5, or -1 for rejected.
    pub rating: Option<i8>,
    /// The size in bytes.
    pub size: u64,
    /// The name of the type, in lower case.
    pub kind: &'static str,
    /// The name of the camera; empty if it is unknown.
    pub camera: &'static str,
    /// The name of the lens; empty if it is unknown.
    pub lens: &'static str,
    /// The length of the caption at the beginning of the words about the item, in bytes.
    pub caption_bytes: usize,
}

/// Items, each with a value of the caller.
#[derive(Debug)]
pub struct Catalogue<T> {
    items: Vec<(CatalogueItem, T)>,
    /// The words of each item without accents and long vowels; an item without a match here has none.
    keys: Vec<Box<str>>,
}

/// The highlights of a found item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemSnippets {
    pub name: Snippet,
    pub path: Snippet,
    /// The matching words about the item; `None` if no word matches.
    pub about: Vec<Snippet>,
}

impl CatalogueItem {
    /// Returns the caption of a picture; empty if it has none.
    pub(crate) fn caption(&self) -> &str {
        let length = self.picture.map_or(0, |picture| picture.caption_bytes);
        &self.about[..length]
    }

    /// Returns the part of the path after the last slash.
    #[must_use]
    pub fn name(&self) -> &str {
        self.path
            .rsplit_once('/')
            .map_or(&*self.path, |(_, name)| name)
    }

    /// Returns the score of the item for the query; `None` if it does not match.
    ///
    /// # Errors
    /// If the budget is spent first.
    pub fn weigh(&self, query: &Query, budget: &Budget) -> Result<Option<f32>, BudgetSpent> {
        let facts = PageFacts {
            key: [0; 16],
            path: self.path.clone(),
            former: Vec::new(),
            title: None,
            deleted: false,
            updated: self.time,
            author: String::new(),
            version: 0,
        };
        let text = PageText::new(
            self.name().to_owned(),
            self.words(),
            self.tags.clone(),
            self.is_picture,
        );
        query.weigh_item(self, (&facts, &text), budget)
    }

    /// Returns the highlights of a query in the item; those before the end of the budget.
    #[must_use]
    pub fn snippets(&self, query: &Query, budget: &Budget) -> ItemSnippets {
        let marked = |text: &str| {
            let document = Document::new(text.to_owned());
            Snippet {
                highlights: highlights(query, &document, budget),
                text: document.text().to_owned(),
            }
        };
        let words = Document::new(self.words());
        let about = match highlights(query, &words, budget).is_empty() {
            true => Vec::new(),
            false => snippets(query, &words, &[], "", 1, budget),
        };
        ItemSnippets {
            name: marked(self.name()),
            path: marked(&self.path),
            about,
        }
    }

    /// Returns the words about the item, and its tags.
    fn words(&self) -> String {
        let mut words = self.about.clone();
        for tag in &self.tags {
            if !words.is_empty() {
                words.push('\n');
            }
            words.push_str(tag);
        }
        words
    }
}

impl<T> Catalogue<T> {
    /// Returns the number of items.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns an item by its number.
    #[must_use]
    pub fn get(&self, number: usize) -> Option<&(CatalogueItem, T)> {
        self.items.get(number)
    }

    /// Adds the numbers of the items that match a query, with their scores. Returns the number of items that were
    /// compared with it: all, unless the budget is spent first.
    pub fn find(&self, query: &Query, budget: &Budget, found: &mut Vec<(usize, f32)>) -> usize {
        let filter = Filter::new(&query.expr);
        for (number, ((item, _), key)) in self.items.iter().zip(&self.keys).enumerate() {
            match filter.fit(item, key) {
                Fit::No => {}
                Fit::Yes => found.push((number, 0.0)),
                Fit::Maybe => match budget.spend().and_then(|()| item.weigh(query, budget)) {
                    Ok(weight) => found.extend(weight.map(|weight| (number, weight))),
                    Err(BudgetSpent) => return number,
                },
            }
        }
        self.len()
    }
}

impl<T> FromIterator<(CatalogueItem, T)> for Catalogue<T> {
    fn from_iter<I: IntoIterator<Item = (CatalogueItem, T)>>(items: I) -> Self {
        let items: Vec<(CatalogueItem, T)> = items.into_iter().collect();
        let keys = items.iter().map(|(item, _)| {
            let words = format!("{}\n{}\n{}", item.path, item.words(), day(item.time));
            key_of(&fold(&words)).into_boxed_str()
        });
        Self {
            keys: keys.collect(),
            items,
        }
    }
}

fn key_of(folded: &str) -> String {
    without_accents(folded).replace(LONG_VOWEL, "")
}

/// The outcome of a quick check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    No,
    /// The exact check decides.
    Maybe,
    /// The item matches. Only conditions are certain, so its score is 0.
    Yes,
}

impl Fit {
    fn when(is_so: bool) -> Self {
        if is_so { Self::Yes } else { Self::No }
    }
}

/// A quick check of the key of an item, before the exact one.
enum Filter<'q> {
    All(Vec<Filter<'q>>),
    Any(Vec<Filter<'q>>),
    Not(Box<Filter<'q>>),
    /// The exact check of a condition that takes little time.
    Picture(&'q PictureCondition),
    Has(Box<memmem::Finder<'static>>),
    /// Requires the exact check.
    Unknown,
}

impl<'q> Filter<'q> {
    fn new(expr: &'q Expr) -> Self {
        match expr {
            Expr::All(parts) => Self::All(parts.iter().map(Self::new).collect()),
            Expr::Any(parts) => Self::Any(parts.iter().map(Self::new).collect()),
            Expr::Not(part) => Self::Not(Box::new(Self::new(part))),
            Expr::Faint(part) => Self::new(part),
            Expr::Text(sequence) | Expr::Title(sequence) | Expr::Path(sequence) => {
                Self::of_sequence(sequence)
            }
            Expr::Picture(condition) => match condition.sequence() {
                Some(sequence) => Self::of_sequence(sequence),
                None => Self::Picture(condition),
            },
            Expr::Below(_)
            | Expr::Tag(_)
            | Expr::Before(_)
            | Expr::After(_)
            | Expr::HasPicture
            | Expr::Regex(_) => Self::Unknown,
        }
    }

    fn of_sequence(sequence: &Sequence) -> Self {
        let needed = sequence.slots.iter().map(|slot| {
            let needed = key_of(slot.least());
            Self::Has(Box::new(memmem::Finder::new(&needed).into_owned()))
        });
        // Words are certain only by the exact check, also if they need no key.
        Self::All(needed.chain([Self::Unknown]).collect())
    }

    fn fit(&self, item: &CatalogueItem, key: &str) -> Fit {
        match self {
            Self::All(parts) => {
                let mut all = Fit::Yes;
                for part in parts {
                    all = all.min(part.fit(item, key));
                    if all == Fit::No {
                        break;
                    }
                }
                all
            }
            Self::Any(parts) => {
                let mut any = Fit::No;
                for part in parts {
                    match part.fit(item, key) {
                        Fit::No => {}
                        Fit::Yes => any = Fit::Yes,
                        // Its score counts, too.
                        Fit::Maybe => return Fit::Maybe,
                    }
                }
                any
            }
            Self::Not(part) => match part.fit(item, key) {
                Fit::No => Fit::Yes,
                Fit::Maybe => Fit::Maybe,
                Fit::Yes => Fit::No,
            },
            Self::Picture(condition) => Fit::when(item.fulfils(condition)),
            Self::Has(needed) => match needed.find(key.as_bytes()) {
                Some(_) => Fit::Maybe,
                None => Fit::No,
            },
            Self::Unknown => Fit::Maybe,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn picture(path: &str, about: &str, tags: &[&str]) -> (CatalogueItem, ()) {
        let item = CatalogueItem {
            path: path.to_owned(),
            about: about.to_owned(),
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            is_picture: true,
            picture: Some(PictureFacts {
                rating: path.contains("京都").then_some(4),
                kind: if path.ends_with("png") { "png" } else { "jpeg" },
                ..PictureFacts::default()
            }),
            time: 0,
        };
        (item, ())
    }

    fn found(catalogue: &Catalogue<()>, query: &Query) -> Vec<(usize, f32)> {
        let mut found = Vec::new();
        let budget = Budget::unlimited();
        assert_eq!(catalogue.find(query, &budget, &mut found), catalogue.len());
        found
    }

    #[track_caller]
    fn check(typed: &str, expected: &[&str]) {
        let catalogue: Catalogue<()> = [
            picture(
                "/pictures/旅/京都 2024.jpg",
                "2024-04-01\nFujifilm X100V",
                &["旅/京都"],
            ),
            picture("/pictures/IMG_0001.JPG", "サーバーの棚 in Göteborg", &[]),
            picture("/other/a.png", "", &["Family"]),
        ]
        .into_iter()
        .collect();
        let query = Query::parse(typed).unwrap();
        let found = found(&catalogue, &query);
        let found: Vec<_> = found
            .iter()
            .map(|(number, _)| catalogue.get(*number).unwrap().0.name())
            .collect();
        assert_eq!(found, expected, "{typed:?}");
    }

    #[test]
    fn pictures_are_found_by_their_metadata() {
        check("京都", &["京都 2024.jpg"]);
        check("img_0001", &["IMG_0001.JPG"]);
        check("x100", &["京都 2024.jpg"]);
        check("2024-04", &["京都 2024.jpg"]);
        check("サーバ", &["IMG_0001.JPG"]);
        check("goteborg", &["IMG_0001.JPG"]);
        check("family OR 棚", &["IMG_0001.JPG", "a.png"]);
        check("pictures -fujifilm", &["IMG_0001.JPG"]);
        check("tag:旅", &["京都 2024.jpg"]);
        check("path:/other", &["a.png"]);
        check("title:a", &["a.png"]);
        check("has:picture", &["京都 2024.jpg", "IMG_0001.JPG", "a.png"]);
        check("nothing", &[]);
        check("rating:>=4", &["京都 2024.jpg"]);
        check("rating:>=4 OR type:png", &["京都 2024.jpg", "a.png"]);
        check("-rating:4 type:jpeg", &["IMG_0001.JPG"]);
        check("tag:ＦＡＭＩＬＹ", &["a.png"]);
        check("folder:pictures", &["京都 2024.jpg", "IMG_0001.JPG"]);
    }

    #[test]
    fn pictures_of_an_album_are_found() {
        let items = ["/a/1.jpg", "/a/2.jpg", "/b/1.jpg"].map(|path| picture(path, "", &[]));
        let catalogue: Catalogue<()> = items.into_iter().collect();
        let numbers = |typed: &str| -> Vec<usize> {
            let mut query = Query::parse(typed).unwrap();
            let resolved = query.resolve_albums(&|name| match name {
                "trip" => Some(vec!["/b/1.jpg".to_owned(), "/a/1.jpg".to_owned()]),
                _ => Some(Vec::new()),
            });
            resolved.unwrap();
            let found = found(&catalogue, &query);
            found.into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(numbers("album:trip"), [0, 2]);
        assert_eq!(numbers("-album:trip"), [1]);
        assert_eq!(numbers("album:trip folder:b"), [2]);
        assert_eq!(numbers("album:other"), [0; 0]);
    }

    #[test]
    fn highlights_cover_name_path_and_words() {
        let (item, ()) = picture("/旅/京都.jpg", "the old gate", &["旅"]);
        let budget = Budget::unlimited();
        let found = item.snippets(&Query::parse("旅 gate").unwrap(), &budget);
        assert_eq!(
            (&*found.name.text, found.name.highlights.len()),
            ("京都.jpg", 0)
        );
        assert_eq!(found.path.highlights.first(), Some(&(1..4)));
        assert_eq!(found.about[0].text, "the old gate");
        assert!(
            item.snippets(&Query::parse("京都").unwrap(), &budget)
                .about
                .is_empty()
        );
    }

    #[test]
    fn certain_matches_are_those_of_the_exact_check() {
        let items = [
            picture("/旅/京都.jpg", "", &["旅"]),
            picture("/旅/京都.png", "", &[]),
            picture("/a/b.jpg", "京都", &[]),
        ];
        let catalogue: Catalogue<()> = items.iter().cloned().collect();
        for typed in [
            "type:jpeg",
            "-type:jpeg",
            "type:jpeg -rating:4",
            "rating:4 OR type:png",
            "-(rating:4 OR type:png)",
            "京都 OR type:jpeg",
            "京都 type:jpeg",
            "-京都",
            "-京都 OR rating:4",
            "-folder:旅 type:jpeg",
            "tag:旅 rating:>=4",
        ] {
            let query = Query::parse(typed).unwrap();
            let weigh = |item: &CatalogueItem| item.weigh(&query, &Budget::unlimited()).unwrap();
            let exact = items.iter().enumerate();
            let exact = exact.filter_map(|(number, (item, ()))| Some((number, weigh(item)?)));
            assert_eq!(
                found(&catalogue, &query),
                exact.collect::<Vec<_>>(),
                "{typed:?}"
            );
        }
    }

    proptest! {
        /// The quick check rejects nothing that the exact one finds.
        #[test]
        fn catalogue_finds_every_matching_item(
            path in "/[a-cA-CéァーオあE-Gs一-三 _.]{0,12}",
            about in "[a-cé ァーオあ一-三\n]{0,12}",
            typed in "[a-cAé ァーオあs一-三_]{1,4}",
        ) {
            let item = picture(&path, &about, &[]);
            let query = Query::parse(&typed).unwrap();
            let weight = item.0.weigh(&query, &Budget::unlimited()).unwrap();
            let fits = !query.is_empty() && weight.is_some();
            let catalogue: Catalogue<()> = [item].into_iter().collect();
            let found = !query.is_empty() && !found(&catalogue, &query).is_empty();
            prop_assert_eq!(found, fits);
        }
    }
}
