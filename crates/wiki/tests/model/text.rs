//! Texts as the model keeps them: words, and links by what they mean.

use std::collections::BTreeSet;

use fumikura_wiki::PageId;

/// A word or a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Word(String),
    /// A link that leads to a page for ever.
    Page(PageId),
    /// A link to a path at which nothing stood when it was saved.
    Path {
        written: String,
        /// The page that came there since; only of a newest text, for an old one names it.
        bound: Option<PageId>,
    },
}

/// A text, piece by piece.
pub(crate) type Text = Vec<Piece>;

/// The text as it is given to people: `name` says how a page is written.
pub(crate) fn shown(text: &Text, name: impl Fn(PageId) -> String) -> String {
    let pieces: Vec<String> = text
        .iter()
        .map(|piece| match piece {
            Piece::Word(word) => word.clone(),
            Piece::Page(id) => link(&name(*id)),
            Piece::Path {
                bound: Some(id), ..
            } => link(&name(*id)),
            Piece::Path {
                written,
                bound: None,
            } => link(written),
        })
        .collect();
    pieces.join(" ")
}

/// The same with every link that leads to a page written as that page.
pub(crate) fn canonical(text: &Text) -> Text {
    text.iter()
        .map(|piece| match piece {
            Piece::Path {
                bound: Some(id), ..
            } => Piece::Page(*id),
            Piece::Path { .. } | Piece::Word(_) | Piece::Page(_) => piece.clone(),
        })
        .collect()
}

/// The pages that the text links to.
pub(crate) fn pages(text: &Text) -> BTreeSet<PageId> {
    text.iter()
        .filter_map(|piece| match piece {
            Piece::Page(id) => Some(*id),
            Piece::Path { bound, .. } => *bound,
            Piece::Word(_) => None,
        })
        .collect()
}

fn link(destination: &str) -> String {
    format!("[l]({destination})")
}

/// What was written, taken apart again: words, and the destinations of links.
pub(crate) fn parts(source: &str) -> impl Iterator<Item = Result<&str, &str>> {
    source.split(' ').map(|part| {
        let destination = part
            .strip_prefix("[l](")
            .and_then(|rest| rest.strip_suffix(')'));
        destination.ok_or(part)
    })
}

/// Where a destination leads from the page at `base`; none above the root.
pub(crate) fn resolve(base: &str, written: &str) -> Option<String> {
    let folder = base.rsplit_once('/').map_or("", |(folder, _)| folder);
    let full = if written.starts_with('/') {
        written.to_owned()
    } else {
        format!("{folder}/{written}")
    };
    let mut kept: Vec<&str> = Vec::new();
    for segment in full.split('/').filter(|segment| !segment.is_empty()) {
        if segment == ".." {
            kept.pop()?;
        } else {
            kept.push(segment);
        }
    }
    Some(format!("/{}", kept.join("/")))
}
