//! The tree of a sidecar: the places of its properties, and their forms in RDF.

use roxmltree::{Attribute, Document, Node, ParsingOptions};

use super::SidecarError;
use super::bounds;
use super::schema::{Property, RDF};

/// Parses the text of a sidecar as XML, within bounds.
pub(super) fn parse(text: &str) -> Result<Document<'_>, SidecarError> {
    bounds::check(text)?;
    Document::parse_with_options(text, ParsingOptions::default())
        .map_err(|error| SidecarError::Broken(error.to_string()))
}

/// The content of a sidecar: its `rdf:RDF` and the top level of that.
pub(super) struct Packet<'a, 'input> {
    pub(super) rdf: Node<'a, 'input>,
    /// The descriptions, each with some of the properties: ExifTool writes one for each namespace,
    /// other programs one for all.
    pub(super) descriptions: Vec<Node<'a, 'input>>,
}

impl<'a, 'input> Packet<'a, 'input> {
    pub(super) fn of(document: &'a Document<'input>) -> Result<Self, SidecarError> {
        let mut all = document
            .descendants()
            .filter(|node| node.has_tag_name((RDF, "RDF")));
        let (Some(rdf), None) = (all.next(), all.next()) else {
            return Err(SidecarError::NotXmp);
        };
        let descriptions = rdf
            .children()
            .filter(|node| node.has_tag_name((RDF, "Description")))
            .collect();
        Ok(Self { rdf, descriptions })
    }

    /// Returns every place of a property, in the order of the file. XMP allows one; some files have
    /// more.
    pub(super) fn places(&self, property: &Property) -> Vec<Place<'a, 'input>> {
        let mut places = Vec::new();
        for description in &self.descriptions {
            let attributes = description.attributes().filter(|attribute| {
                let namespace = attribute.namespace().unwrap_or_default();
                property.is(namespace, attribute.name())
            });
            places.extend(attributes.map(Place::Attribute));
            let elements = description.children().filter(|node| {
                let name = node.tag_name();
                node.is_element() && property.is(name.namespace().unwrap_or_default(), name.name())
            });
            places.extend(elements.map(|element| Place::Element(element, Form::of(element))));
        }
        places
    }
}

impl Property {
    pub(super) fn is(&self, namespace: &str, name: &str) -> bool {
        name == self.name() && self.namespaces.contains(&namespace)
    }
}

/// The place of a property.
pub(super) enum Place<'a, 'input> {
    /// An attribute of a description.
    Attribute(Attribute<'a, 'input>),
    /// A child element of a description.
    Element(Node<'a, 'input>, Form<'a, 'input>),
}

/// The form of a value in the element of a property.
pub(super) enum Form<'a, 'input> {
    Text(String),
    Array(Node<'a, 'input>, Vec<Item<'a, 'input>>),
    /// A structure, a reference, or any other form in which no rating or tag is written.
    Foreign,
}

/// An element of an array. The text is `None` if its form is unknown.
pub(super) struct Item<'a, 'input> {
    pub(super) node: Node<'a, 'input>,
    pub(super) text: Option<String>,
}

impl Place<'_, '_> {
    /// Returns all texts at this place.
    pub(super) fn texts(&self) -> Vec<&str> {
        match self {
            Self::Attribute(attribute) => vec![attribute.value()],
            Self::Element(_, Form::Text(text)) => vec![text],
            Self::Element(_, Form::Array(_, items)) => items
                .iter()
                .filter_map(|item| item.text.as_deref())
                .collect(),
            Self::Element(_, Form::Foreign) => Vec::new(),
        }
    }
}

impl<'a, 'input> Form<'a, 'input> {
    fn of(element: Node<'a, 'input>) -> Self {
        if !is_plain(element) {
            return Self::Foreign;
        }
        let mut children = element.children().filter(Node::is_element);
        match (children.next(), children.next()) {
            (None, _) => Self::Text(text_of(element)),
            (Some(array), None) if is_array(array) => {
                let elements = array.children().filter(Node::is_element);
                Self::Array(array, elements.map(Item::of).collect())
            }
            _ => Self::Foreign,
        }
    }
}

impl<'a, 'input> Item<'a, 'input> {
    fn of(node: Node<'a, 'input>) -> Self {
        let text = if node.has_tag_name((RDF, "li")) {
            item_text(node)
        } else {
            None
        };
        Self { node, text }
    }
}

fn is_array(node: Node<'_, '_>) -> bool {
    ["Bag", "Seq", "Alt"]
        .iter()
        .any(|name| node.has_tag_name((RDF, *name)))
        && is_plain(node)
}

/// Returns the text of an item, also if the text is the value of an item with qualifiers (ISO
/// 16684-1, 7.8).
fn item_text(node: Node<'_, '_>) -> Option<String> {
    if let Some(value) = node.attribute((RDF, "value")) {
        return Some(value.to_owned());
    }
    let value_in = |node: Node<'_, '_>| {
        let value = node
            .children()
            .find(|child| child.has_tag_name((RDF, "value")))?;
        (is_plain(value) && !has_elements(value)).then(|| text_of(value))
    };
    let resource = node.attribute((RDF, "parseType")) == Some("Resource");
    match node.first_element_child() {
        None => is_plain(node).then(|| text_of(node)),
        Some(_) if resource => value_in(node),
        Some(inner) if inner.has_tag_name((RDF, "Description")) => value_in(inner),
        Some(_) => None,
    }
}

/// Returns true if no attribute changes the meaning of the content. `xml:lang` does not.
fn is_plain(node: Node<'_, '_>) -> bool {
    node.attributes()
        .all(|attribute| attribute.namespace() == Some(roxmltree::NS_XML_URI))
}

fn has_elements(node: Node<'_, '_>) -> bool {
    node.children().any(|child| child.is_element())
}

/// Returns all text directly in an element, even with comments in between.
fn text_of(node: Node<'_, '_>) -> String {
    node.children()
        .filter(Node::is_text)
        .filter_map(|child| child.text())
        .collect()
}
