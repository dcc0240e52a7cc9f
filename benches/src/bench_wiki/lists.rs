//! Lists of pages: a `pages` fence, which asks again after each save, and the levels of the tree.

use std::path::Path;

use anyhow::{Result, ensure};
use fumikura_tests::generator::Generator;
use fumikura_tests::times::Times;
use fumikura_tests::writer::Writer;
use fumikura_wiki::{
    Comparison, Condition, ListingQuery, PagePath, PageQuery, PageSort, Precondition,
};

/// The page with half of the pages directly below it; the others are in a tree of three levels.
const FLAT: &str = "/flat";
/// The number of pages that a fence shows.
const SHOWN: usize = 50;
/// The number of rows of a level that are requested at once.
const LEVEL: usize = 1000;
/// The number of measurements of each list.
const ROUNDS: usize = 60;

/// The times of lists.
pub(crate) struct Lists {
    /// The first query, which reads all pages.
    pub(crate) first: Times,
    /// A fence after a page was saved.
    pub(crate) fence: Times,
    /// The top level of the tree with one branch open on each level.
    pub(crate) tree: Times,
    /// The top level of the tree with the flat branch open.
    pub(crate) flat: Times,
    /// All pages in parts, as the window reads them for a tree that is sorted by title or date.
    pub(crate) all: Times,
}

impl Lists {
    /// Measures the lists of a new wiki of `pages` pages in `folder`.
    pub(crate) fn measure(folder: &Path, pages: usize) -> Result<Self> {
        let writer = Writer::open(folder)?;
        let generator = Generator::new(1);
        for number in 0..pages {
            writer.create(&path(number), text(&generator, number))?;
        }
        let mut lists = Self {
            first: Times::default(),
            fence: Times::default(),
            tree: Times::default(),
            flat: Times::default(),
            all: Times::default(),
        };
        lists.first.measure(|| fence(&writer))?;
        for _ in 0..ROUNDS {
            let number = generator.below(pages);
            let page = writer
                .wiki()
                .pages()
                .resolve(&PagePath::new(&path(number))?)?;
            let mut request = writer.request(page.id, text(&generator, number));
            request.if_match = Some(Precondition::Any);
            writer.wiki().pages().save(request)?;
            lists.fence.measure(|| fence(&writer))?;
            let branch = PagePath::new(&Generator::path(number / 2 * 2))?;
            lists.tree.measure(|| levels_above(&writer, &branch))?;
            let first = PagePath::new(&format!("{FLAT}/first"))?;
            lists.flat.measure(|| levels_above(&writer, &first))?;
            let found = lists.all.measure(|| all_pages(&writer))?;
            // Every page, the root page and those of the first user.
            ensure!(found > pages, "only {found} pages are listed");
        }
        Ok(lists)
    }
}

fn path(number: usize) -> String {
    match number.is_multiple_of(2) {
        true => Generator::path(number),
        false => format!("{FLAT}/note {number}"),
    }
}

/// Returns a text with properties of several kinds, one of them a link.
fn text(generator: &Generator, number: usize) -> String {
    let rating = number % 5 + 1;
    let (month, day) = (number % 12 + 1, number % 28 + 1);
    let related = Generator::path(number / 2 * 2);
    let body = generator.text(number);
    format!(
        "---\nrating: {rating}\ndue: 2026-{month:02}-{day:02}\ntags: [note, note/{rating}]\nrelated: \"[[{related}]]\"\n---\n{body}"
    )
}

/// Asks for the pages with a tag and a rating, the latest date first.
fn fence(writer: &Writer) -> Result<()> {
    let answer = writer.wiki().catalogue().query(&PageQuery {
        tag: Some("note".to_owned()),
        conditions: vec![Condition {
            property: "rating".to_owned(),
            comparison: Comparison::AtLeast,
            value: "3".to_owned(),
        }],
        sort: Some(PageSort {
            by: "due".to_owned(),
            descending: true,
        }),
        limit: SHOWN,
        ..PageQuery::default()
    })?;
    ensure!(
        answer.items.len() == SHOWN.min(answer.total),
        "pages are missing"
    );
    ensure!(answer.total > 0, "no page fits");
    Ok(())
}

/// Asks for each level of the tree down to a page.
fn levels_above(writer: &Writer, page: &PagePath) -> Result<()> {
    for (at, _) in page.as_str().match_indices('/') {
        let level = PagePath::new(if at == 0 { "/" } else { &page.as_str()[..at] })?;
        let children = writer.wiki().tree().children(&level, None, LEVEL)?;
        ensure!(!children.items.is_empty(), "{level} has no children");
    }
    Ok(())
}

/// Returns the number of all pages.
fn all_pages(writer: &Writer) -> Result<usize> {
    let (mut found, mut cursor) = (0, None);
    loop {
        let listing = writer.wiki().pages().list(&ListingQuery {
            prefix: PagePath::root(),
            cursor,
            backwards: false,
            limit: LEVEL,
            with_deleted: false,
        })?;
        found += listing.items.len();
        cursor = listing.items.last().map(|page| page.path.clone());
        if !listing.has_more {
            return Ok(found);
        }
    }
}
