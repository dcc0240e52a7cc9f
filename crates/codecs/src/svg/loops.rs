//! `use` elements that refer back to themselves through others. They draw nothing (SVG 2, 5.6).

use std::collections::HashMap;
use std::ops::Range;

use resvg::usvg::roxmltree::{Attribute, Document, Node};

/// An element that draws another.
struct Use<'a> {
    target: &'a str,
    /// The position of the other element's name in the text.
    place: Range<usize>,
}

/// Returns the text without the references that form loops, or `None` if there are none.
pub(super) fn without_loops(text: &str, document: &Document<'_>) -> Option<String> {
    let uses = uses(document);
    let places = leading_back(&graph(document, &uses));
    if places.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for place in places {
        bytes.get_mut(place)?.fill(b' ');
    }
    String::from_utf8(bytes).ok()
}

fn uses<'a>(document: &'a Document<'_>) -> HashMap<usize, Use<'a>> {
    let nodes = document
        .descendants()
        .filter(|node| node.tag_name().name() == "use");
    let found = nodes.filter_map(|node| {
        let href = href(node)?;
        let target = href.value().trim().strip_prefix('#')?;
        let place = href.range_value();
        Some((node.id().get_usize(), Use { target, place }))
    });
    found.collect()
}

fn href<'a, 'input>(node: Node<'a, 'input>) -> Option<Attribute<'a, 'input>> {
    node.attributes()
        .find(|attribute| attribute.name() == "href")
}

/// The `use` elements within each named element, by its name.
type Graph<'a> = HashMap<&'a str, Vec<&'a Use<'a>>>;

fn graph<'a>(document: &'a Document<'_>, uses: &'a HashMap<usize, Use<'a>>) -> Graph<'a> {
    let mut graph = Graph::new();
    for node in document.descendants() {
        let Some(found) = uses.get(&node.id().get_usize()) else {
            continue;
        };
        for name in node.ancestors().filter_map(|outer| outer.attribute("id")) {
            graph.entry(name).or_default().push(found);
        }
    }
    graph
}

/// The state of an element in the search for loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Open,
    Done,
}

fn leading_back(graph: &Graph<'_>) -> Vec<Range<usize>> {
    let mut states: HashMap<&str, VisitState> = HashMap::new();
    let mut places = Vec::new();
    let mut names: Vec<&str> = graph.keys().copied().collect();
    names.sort_unstable();
    for name in names {
        if states.contains_key(name) {
            continue;
        }
        // The names of the path, and the number of their elements that have been followed.
        let mut path = vec![(name, 0)];
        states.insert(name, VisitState::Open);
        while let Some((name, next)) = path.last_mut() {
            let inner = graph.get(name).and_then(|uses| uses.get(*next));
            let Some(inner) = inner else {
                states.insert(name, VisitState::Done);
                path.pop();
                continue;
            };
            *next += 1;
            match states.get(inner.target) {
                Some(VisitState::Open) => places.push(inner.place.clone()),
                Some(VisitState::Done) => {}
                None => {
                    states.insert(inner.target, VisitState::Open);
                    path.push((inner.target, 0));
                }
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let document = Document::parse(text).unwrap();
        assert_eq!(without_loops(text, &document).as_deref(), expected);
    }

    #[test]
    fn cyclic_references_are_left_out() {
        check(
            "<g id='a'><use href='#a'/></g>",
            Some("<g id='a'><use href='  '/></g>"),
        );
        check(
            "<g><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></g>",
            Some("<g><g id='a'><use href='#b'/></g><g id='b'><use href='  '/></g></g>"),
        );
        check(
            "<g><use id='a' href='#a'/></g>",
            Some("<g><use id='a' href='  '/></g>"),
        );
    }

    #[test]
    fn acyclic_references_stay() {
        check("<g><g id='a'/><use href='#a'/><use href='#a'/></g>", None);
        check(
            "<g id='a'><use href='#b'/><use href='other.svg#a'/></g>",
            None,
        );
    }
}
