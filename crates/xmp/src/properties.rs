//! Changes of properties in the text of a sidecar.

use std::collections::{HashMap, HashSet};
use std::slice;

use roxmltree::Node;

use super::packet::{Form, Item, Packet, Place};
use super::read::{main_item, text_at};
use super::schema::{
    CAPTION_COPIES, CATEGORIES, DESCRIPTION, PATHS, Property, RATING, RATING_OF_ACDSEE,
    RATING_PERCENT, RDF, SUBJECT,
};
use super::splice::{Layout, Splices, escaped};
use super::tag::{Keywords, Tag};
use super::{Rating, SidecarError, categories};

/// Changes of properties that are collected and applied at once.
pub(super) struct Editor<'a, 'input> {
    text: &'a str,
    packet: &'a Packet<'a, 'input>,
    splices: Splices<'a>,
    /// The properties that do not exist yet.
    new: Vec<String>,
}

/// An item that a list is to have: its meaning, and its text if it must be added.
struct ListItem {
    tag: Tag,
    text: String,
}

impl<'a, 'input> Editor<'a, 'input> {
    pub(super) fn new(text: &'a str, packet: &'a Packet<'a, 'input>) -> Self {
        Self {
            text,
            packet,
            splices: Splices::new(text),
            new: Vec::new(),
        }
    }

    /// Returns the text with all changes.
    pub(super) fn finish(mut self) -> String {
        if !self.new.is_empty() {
            if let Some(&description) = self.packet.descriptions.first() {
                self.splices.append(description, &self.new);
            } else {
                let rdf = rdf_prefix(self.packet.rdf);
                let layout = Layout::in_element(self.text, self.packet.rdf);
                // Without a prefix, the attribute can't be in the namespace. It is optional.
                let about = if rdf.is_empty() {
                    String::new()
                } else {
                    format!(" {rdf}about=\"\"")
                };
                let properties: String = self
                    .new
                    .iter()
                    .map(|property| layout.line(1) + property)
                    .collect();
                let (open, close) = (layout.line(0), format!("</{rdf}Description>"));
                let description = format!("<{rdf}Description{about}>{properties}{open}{close}");
                self.splices.append(self.packet.rdf, &[description]);
            }
        }
        self.splices.finish()
    }

    /// Sets the rating. `hides` is true if none must be stated too: the picture itself has another one.
    pub(super) fn rate(&mut self, rating: Option<Rating>, hides: bool) -> Result<(), SidecarError> {
        let stars = rating.map_or(0, |rating| rating.number().max(0));
        self.set_copy(&RATING_OF_ACDSEE, Some(stars))?;
        self.set_copy(&RATING_PERCENT, Some(rating.map_or(0, Rating::percent)))?;
        // Nothing to remove: a new rating of 0 would say nothing.
        if rating.is_none() && !hides && self.places(&RATING)?.is_empty() {
            return Ok(());
        }
        self.set(&RATING, rating.map_or(0, Rating::number))
    }

    /// Sets or removes a property that repeats another one, if it exists.
    pub(super) fn set_copy(
        &mut self,
        property: &Property,
        value: Option<impl std::fmt::Display>,
    ) -> Result<(), SidecarError> {
        match self.packet.places(property).is_empty() {
            true => Ok(()),
            false => self.set_or_remove(property, value),
        }
    }

    /// Sets a property, or removes it.
    pub(super) fn set_or_remove(
        &mut self,
        property: &Property,
        value: Option<impl std::fmt::Display>,
    ) -> Result<(), SidecarError> {
        let Some(value) = value else {
            let places = self.places(property)?;
            places.iter().for_each(|place| self.remove(place));
            return Ok(());
        };
        self.set(property, value)
    }

    /// Sets a property to a value, whose text needs no escapes.
    fn set(
        &mut self,
        property: &Property,
        value: impl std::fmt::Display,
    ) -> Result<(), SidecarError> {
        let value = value.to_string();
        let places = self.places(property)?;
        let Some((first, others)) = places.split_first() else {
            let (name, declaration) = self.name_of(property);
            let new = format!("<{name}{declaration}>{value}</{name}>");
            self.new.push(new);
            return Ok(());
        };
        match first {
            Place::Attribute(attribute) => self.splices.set(attribute, &value),
            Place::Element(element, Form::Text(_)) => self.splices.fill(*element, value),
            Place::Element(_, Form::Array(..) | Form::Foreign) => {
                return Err(SidecarError::Unsupported(property.label));
            }
        }
        for other in others {
            self.remove(other);
        }
        Ok(())
    }

    /// Sets the caption in the default language. Captions in other languages stay, unless the caption is removed. Copies
    /// of the caption follow it. `hides` is true if none must be stated too: the picture itself has another one.
    pub(super) fn caption(
        &mut self,
        before: Option<&str>,
        caption: Option<&str>,
        hides: bool,
    ) -> Result<(), SidecarError> {
        match caption {
            Some(caption) if self.places(&DESCRIPTION)?.is_empty() => self.add_caption(caption),
            _ => self.set_text(&DESCRIPTION, caption)?,
        }
        if caption.is_none() && hides {
            self.add_caption("");
        }
        for copy in &CAPTION_COPIES {
            let text = self.packet.places(copy).iter().find_map(text_at);
            if text.is_some() && text.as_deref() == before {
                self.set_text(copy, caption)?;
            }
        }
        Ok(())
    }

    /// Sets the text in the default language of an existing property, or removes the property.
    fn set_text(&mut self, property: &Property, text: Option<&str>) -> Result<(), SidecarError> {
        let places = self.places(property)?;
        let mut removed = places.as_slice();
        if let (Some(text), Some((first, others))) = (text, places.split_first()) {
            removed = others;
            match first {
                Place::Attribute(attribute) => self.splices.set(attribute, text),
                Place::Element(element, Form::Text(_)) => {
                    self.splices.fill(*element, escaped(text));
                }
                Place::Element(element, Form::Array(_, items)) => match main_item(items) {
                    Some(item) if item.node.first_element_child().is_none() => {
                        self.splices.fill(item.node, escaped(text));
                    }
                    Some(_) => return Err(SidecarError::Unsupported(property.label)),
                    None => {
                        let inner = self.alternatives(text);
                        self.splices.fill(*element, inner);
                    }
                },
                Place::Element(_, Form::Foreign) => {
                    return Err(SidecarError::Unsupported(property.label));
                }
            }
        }
        removed.iter().for_each(|place| self.remove(place));
        Ok(())
    }

    fn add_caption(&mut self, caption: &str) {
        let (name, declaration) = self.name_of(&DESCRIPTION);
        let inner = self.alternatives(caption);
        self.new
            .push(format!("<{name}{declaration}>{inner}</{name}>"));
    }

    /// Returns an array with one text in the default language.
    fn alternatives(&self, text: &str) -> String {
        let rdf = rdf_prefix(self.parent());
        let layout = self.layout();
        let (outer, inner, deep) = (layout.line(0), layout.line(1), layout.line(2));
        let text = escaped(text);
        format!(
            "{inner}<{rdf}Alt>{deep}<{rdf}li xml:lang=\"x-default\">{text}</{rdf}li>{inner}</{rdf}Alt>{outer}"
        )
    }

    /// Changes the tags from those in the sidecar. `hides` is true if none must be stated too: the picture itself has
    /// others.
    pub(super) fn tag(
        &mut self,
        before: &[Tag],
        tags: &[Tag],
        hides: bool,
    ) -> Result<(), SidecarError> {
        for paths in &PATHS {
            let wanted: Vec<ListItem> = tags
                .iter()
                .map(|tag| ListItem {
                    tag: tag.clone(),
                    text: tag.joined(paths.separator),
                })
                .collect();
            let places = self.places(&paths.property)?;
            if paths.always || !places.is_empty() {
                self.list(&paths.property, paths.array, &places, &wanted);
            }
        }
        let places = self.places(&SUBJECT)?;
        let wanted = keywords(&places, tags);
        self.list(&SUBJECT, "Bag", &places, &wanted);
        // Items of other programs stay, and with them the property.
        let stays = places.iter().flat_map(Place::texts).any(Tag::is_foreign);
        if tags.is_empty() && hides && !stays {
            let (name, declaration) = self.name_of(&SUBJECT);
            let rdf = rdf_prefix(self.parent());
            let new = format!("<{name}{declaration}><{rdf}Bag/></{name}>");
            self.new.push(new);
        }
        self.categorize(before, tags);
        Ok(())
    }

    /// Updates the copy of the tags that digiKam writes for ACDSee, and itself reads if it finds no others.
    fn categorize(&mut self, before: &[Tag], tags: &[Tag]) {
        for place in self.packet.places(&CATEGORIES) {
            let texts = place.texts();
            if texts.is_empty()
                || !texts
                    .iter()
                    .all(|text| categories::match_tags(text, before))
            {
                continue;
            }
            let new = categories::to_text(tags);
            match &place {
                Place::Attribute(attribute) if !tags.is_empty() => {
                    self.splices.set(attribute, &new);
                }
                Place::Element(element, Form::Text(_)) if !tags.is_empty() => {
                    self.splices.fill(*element, escaped(&new));
                }
                Place::Attribute(_) | Place::Element(..) => self.remove(&place),
            }
        }
    }

    /// Returns the places of a property that is to be changed.
    fn places(&self, property: &Property) -> Result<Vec<Place<'a, 'input>>, SidecarError> {
        let places = self.packet.places(property);
        let foreign = |place: &Place<'_, '_>| matches!(place, Place::Element(_, Form::Foreign));
        if places.iter().any(foreign) {
            Err(SidecarError::Unsupported(property.label))
        } else {
            Ok(places)
        }
    }

    /// Changes a property to a list of these items.
    fn list(
        &mut self,
        property: &Property,
        array: &str,
        places: &[Place<'a, 'input>],
        wanted: &[ListItem],
    ) {
        // An array is changed item by item; another form is converted to an array.
        let is_array = |place: &Place<'_, '_>| matches!(place, Place::Element(_, Form::Array(..)));
        let main = if wanted.is_empty() {
            None
        } else {
            let array = places.iter().position(is_array);
            array.or_else(|| {
                places
                    .iter()
                    .position(|place| matches!(place, Place::Element(..)))
            })
        };
        let is_new = main.is_none() && !wanted.is_empty();
        for (index, place) in places.iter().enumerate() {
            match place {
                Place::Element(_, Form::Array(array, items)) if Some(index) == main => {
                    self.arrange(*array, items, wanted);
                }
                Place::Element(element, Form::Text(text)) if Some(index) == main => {
                    let is_it =
                        wanted.len() == 1 && Tag::read(text).as_ref() == Some(&wanted[0].tag);
                    if !is_it {
                        let parent = element.parent_element().unwrap_or(*element);
                        let layout = Layout::in_element(self.text, parent);
                        let foreign = non_tag_texts(slice::from_ref(place));
                        let list = list_of(array, &rdf_prefix(*element), &foreign, wanted, &layout);
                        self.splices.fill(*element, list);
                    }
                }
                // Its content is in the new list.
                Place::Attribute(_) if is_new => self.remove(place),
                Place::Attribute(_) | Place::Element(..) => self.clear(place),
            }
        }
        if is_new {
            let parent = self.parent();
            let (name, declaration) = self.name_of(property);
            let foreign = non_tag_texts(places);
            let list = list_of(array, &rdf_prefix(parent), &foreign, wanted, &self.layout());
            self.new
                .push(format!("<{name}{declaration}>{list}</{name}>"));
        }
    }

    /// Changes the items of an array to the wanted ones, in their order. Existing items keep their form, and their
    /// place as far as the order allows.
    fn arrange(
        &mut self,
        array: Node<'a, 'input>,
        items: &[Item<'a, 'input>],
        wanted: &[ListItem],
    ) {
        let rdf = rdf_prefix(array);
        let Some(first) = items.first().map(|item| item.node.range().start) else {
            let new: Vec<String> = wanted
                .iter()
                .map(|wanted| item(&rdf, &wanted.text))
                .collect();
            return self.splices.append(array, &new);
        };
        let before_first = self.splices.space_before(first);
        let space = &self.text[before_first..first];
        let mut positions: HashMap<Tag, usize> = HashMap::new();
        for (index, item) in items.iter().enumerate() {
            if let Some(tag) = item.text.as_deref().and_then(Tag::read) {
                positions.entry(tag).or_insert(index);
            }
        }
        let mut stays = HashSet::new();
        let mut last: Option<usize> = None;
        for wanted in wanted {
            let index = positions.get(&wanted.tag).copied();
            match index {
                Some(index) if last.is_none_or(|last| index > last) => {
                    stays.insert(index);
                    last = Some(index);
                }
                _ => {
                    let new = match index {
                        Some(index) => self.text[items[index].node.range()].to_owned(),
                        None => item(&rdf, &wanted.text),
                    };
                    let at = last.map_or(before_first, |last| items[last].node.range().end);
                    self.splices.replace(at..at, format!("{space}{new}"));
                }
            }
        }
        for (index, item) in items.iter().enumerate() {
            if !is_foreign(item) && !stays.contains(&index) {
                self.splices.remove(item.node.range());
            }
        }
    }

    /// Removes the tags at a place, and the property too if nothing else is in it.
    fn clear(&mut self, place: &Place<'_, '_>) {
        match place {
            Place::Element(_, Form::Array(_, items)) if items.iter().any(is_foreign) => {
                for item in items.iter().filter(|item| !is_foreign(item)) {
                    self.splices.remove(item.node.range());
                }
            }
            Place::Attribute(_) | Place::Element(_, Form::Text(_))
                if place.texts().into_iter().any(Tag::is_foreign) => {}
            Place::Attribute(_) | Place::Element(..) => self.remove(place),
        }
    }

    /// Removes a property. An array with unknown items keeps these.
    fn remove(&mut self, place: &Place<'_, '_>) {
        match place {
            Place::Attribute(attribute) => self.splices.remove(attribute.range()),
            Place::Element(_, Form::Array(_, items))
                if items.iter().any(|item| item.text.is_none()) =>
            {
                for item in items.iter().filter(|item| item.text.is_some()) {
                    self.splices.remove(item.node.range());
                }
            }
            Place::Element(element, _) => self.splices.remove(element.range()),
        }
    }

    /// Returns the parent of new properties: the first description, or the one that is created for them.
    fn parent(&self) -> Node<'a, 'input> {
        let first = self.packet.descriptions.first();
        first.copied().unwrap_or(self.packet.rdf)
    }

    fn layout(&self) -> Layout {
        let layout = Layout::in_element(self.text, self.parent());
        if self.packet.descriptions.is_empty() {
            layout.child_layout()
        } else {
            layout
        }
    }

    /// Returns the name of a new property, and the declaration of its namespace if the file has no prefix for it
    /// there.
    fn name_of(&self, property: &Property) -> (String, String) {
        let parent = self.parent();
        let declared = parent
            .namespaces()
            .find(|namespace| {
                namespace.name().is_some() && property.namespaces.contains(&namespace.uri())
            })
            .and_then(roxmltree::Namespace::name);
        if let Some(prefix) = declared {
            return (format!("{prefix}:{}", property.name()), String::new());
        }
        let is_free = |prefix: &String| parent.lookup_namespace_uri(Some(prefix)).is_none();
        let prefix = std::iter::once(property.prefix().to_owned())
            .chain((2..).map(|number| format!("{}{number}", property.prefix())))
            .find(is_free)
            .expect("BUG: there are more numbers than prefixes");
        let declaration = format!(" xmlns:{prefix}=\"{}\"", property.namespaces[0]);
        (format!("{prefix}:{}", property.name()), declaration)
    }
}

/// Returns an item of a list.
fn item(rdf: &str, text: &str) -> String {
    format!("<{rdf}li>{}</{rdf}li>", escaped(text))
}

/// Returns the new content of `dc:subject`: all existing keywords that the tags account for, since Lightroom and
/// darktable repeat each level of a path there, and at least the last level of each tag.
fn keywords(places: &[Place<'_, '_>], tags: &[Tag]) -> Vec<ListItem> {
    let accounted = Keywords::of(tags);
    let mut seen: HashSet<Vec<String>> = HashSet::new();
    let mut wanted = Vec::new();
    let existing = places.iter().flat_map(Place::texts);
    for (text, keyword) in existing.filter_map(|text| Some((text, Tag::read(text)?))) {
        if accounted.covers(&keyword) && seen.insert(keyword.levels().to_vec()) {
            let text = text.to_owned();
            wanted.push(ListItem { tag: keyword, text });
        }
    }
    for tag in tags {
        let levels = tag.levels();
        let is_covered = (0..levels.len()).any(|start| seen.contains(&levels[start..]));
        if !is_covered && let Some(leaf) = Tag::read(tag.leaf()) {
            seen.insert(leaf.levels().to_vec());
            wanted.push(ListItem {
                text: tag.leaf().to_owned(),
                tag: leaf,
            });
        }
    }
    wanted
}

/// Returns true if the content of an item is unknown: then it stays.
fn is_foreign(item: &Item<'_, '_>) -> bool {
    item.text.as_deref().is_none_or(Tag::is_foreign)
}

/// Returns the texts that are not tags, at places that are not lists.
fn non_tag_texts<'a>(places: &'a [Place<'_, '_>]) -> Vec<&'a str> {
    let is_list = |place: &&Place<'_, '_>| matches!(place, Place::Element(_, Form::Array(..)));
    let places = places.iter().filter(|place| !is_list(place));
    let texts = places.flat_map(Place::texts);
    texts.filter(|text| Tag::is_foreign(text)).collect()
}

/// Returns the content of a property that is a list: the texts that are not tags, then the tags.
fn list_of(
    array: &str,
    rdf: &str,
    foreign: &[&str],
    wanted: &[ListItem],
    layout: &Layout,
) -> String {
    let texts = wanted.iter().map(|wanted| wanted.text.as_str());
    let items: String = foreign
        .iter()
        .copied()
        .chain(texts)
        .map(|text| layout.line(2) + &item(rdf, text))
        .collect();
    let (inner, outer) = (layout.line(1), layout.line(0));
    format!("{inner}<{rdf}{array}>{items}{inner}</{rdf}{array}>{outer}")
}

/// Returns the prefix of the RDF namespace at an element, with its colon; empty if it is the default namespace.
fn rdf_prefix(node: Node<'_, '_>) -> String {
    node.namespaces()
        .filter(|namespace| namespace.uri() == RDF)
        .find_map(roxmltree::Namespace::name)
        .map_or_else(String::new, |prefix| format!("{prefix}:"))
}
