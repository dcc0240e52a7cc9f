//! The texts of the model: words, and links by their targets.

use std::collections::BTreeSet;

use fumikura_wiki::PageId;

/// The notation of a link: `[l](…)` or `[[…]]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Wiki,
}

/// A word or a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    Word(String),
    /// A link that is permanently bound to a page.
    Page(Form, PageId),
    /// A link to a path without a page at the time of saving.
    Path {
        form: Form,
        written: String,
        /// The page that has taken the path since. Only in a latest text: an old one names the page.
        bound: Option<PageId>,
    },
}

/// A text as a list of pieces.
pub(crate) type Text = Vec<Piece>;

/// The text as shown to users. `name` returns the notation of a page.
pub(crate) fn shown(text: &Text, name: impl Fn(PageId) -> String) -> String {
    let pieces: Vec<String> = text
        .iter()
        .map(|piece| match piece {
            Piece::Word(word) => word.clone(),
            Piece::Page(form, id) => link(*form, &name(*id)),
            Piece::Path {
                form,
                bound: Some(id),
                ..
            } => link(*form, &name(*id)),
            Piece::Path {
                form,
                written,
                bound: None,
            } => link(*form, written),
        })
        .collect();
    pieces.join(" ")
}

/// The same text, with every link that leads to a page bound to that page.
pub(crate) fn canonical(text: &Text) -> Text {
    text.iter()
        .map(|piece| match piece {
            Piece::Path {
                form,
                bound: Some(id),
                ..
            } => Piece::Page(*form, *id),
            Piece::Path { .. } | Piece::Word(_) | Piece::Page(..) => piece.clone(),
        })
        .collect()
}

/// The pages to which the text links.
pub(crate) fn pages(text: &[Piece]) -> BTreeSet<PageId> {
    text.iter()
        .filter_map(|piece| match piece {
            Piece::Page(_, id) => Some(*id),
            Piece::Path { bound, .. } => *bound,
            Piece::Word(_) => None,
        })
        .collect()
}

pub(crate) fn link(form: Form, destination: &str) -> String {
    match form {
        Form::Plain => format!("[l]({destination})"),
        Form::Wiki => format!("[[{destination}]]"),
    }
}

/// Splits a written text into words and the destinations of links.
pub(crate) fn parts(source: &str) -> impl Iterator<Item = Result<(Form, &str), &str>> {
    source.split(' ').map(|part| {
        let plain = part
            .strip_prefix("[l](")
            .and_then(|rest| rest.strip_suffix(')'));
        let wiki = part
            .strip_prefix("[[")
            .and_then(|rest| rest.strip_suffix("]]"));
        let plain = plain.map(|destination| (Form::Plain, destination));
        let wiki = wiki.map(|destination| (Form::Wiki, destination));
        plain.or(wiki).ok_or(part)
    })
}

/// The last segment of a path.
pub(crate) fn last(path: &str) -> &str {
    match path.rsplit('/').next() {
        None | Some("") => "/",
        Some(name) => name,
    }
}

/// Resolves a destination from the page at `base`; `None` above the root.
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
