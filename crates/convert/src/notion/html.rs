//! Pages as HTML.

use super::index::Index;
use super::properties;
use crate::document::{Block, FrontMatter, Inline, write};
use crate::html::{Addresses, Dom, Element, Media, NodeId, Options, Reader};
use crate::reading::{Converted, external, is_embedded};
use crate::tree::{Dates, Entry};

struct Links<'i> {
    index: &'i Index,
    from: &'i str,
}

impl Links<'_> {
    fn target(&self, address: &str) -> Option<String> {
        let decoded = percent_encoding::percent_decode_str(address)
            .decode_utf8_lossy()
            .into_owned();
        self.index.target(self.from, &decoded, address)
    }
}

impl Addresses for Links<'_> {
    fn link(&mut self, href: &str) -> Option<String> {
        self.target(href).or_else(|| external(href))
    }

    fn media(&mut self, element: &Element) -> Option<Media> {
        let source = element
            .find_attribute("src")
            .or_else(|| element.find_attribute("data"))?;
        let name =
            percent_encoding::percent_decode_str(source.rsplit('/').next().unwrap_or(source))
                .decode_utf8_lossy()
                .into_owned();
        let ending = name
            .rsplit_once('.')
            .map_or(String::new(), |(_, ending)| ending.to_ascii_lowercase());
        // A picture of a web site may have any name.
        let is_embedded = is_embedded(&ending) || element.name == "img";
        let target = self
            .target(source)
            .or_else(|| external(source).filter(|address| address.starts_with("http")))?;
        Some(Media {
            target,
            name,
            is_embedded,
        })
    }
}

/// Converts a page.
pub(super) fn convert(index: &Index, entry: &Entry, text: &str) -> Converted {
    let dom = Dom::parse(text, false);
    let mut links = Links {
        index,
        from: &entry.path,
    };
    let mut reader = Reader {
        dom: &dom,
        addresses: &mut links,
        losses: Vec::new(),
        options: Options::default(),
    };
    let mut front_matter = FrontMatter::default();
    let mut dates = Dates::default();
    let has_class = |class: &'static str| dom.find(0, &move |element| element.has_class(class));
    if let Some(icon) = has_class("page-header-icon") {
        front_matter.text("icon", &dom.text_of(icon));
    }
    if let Some(table) = has_class("properties") {
        read_properties(&mut reader, table, &mut front_matter, &mut dates);
    }
    let mut blocks = vec![Block::Heading(
        1,
        vec![Inline::text(index.title_of(&entry.path))],
    )];
    if let Some(description) = has_class("page-description") {
        let content = reader.run_of(description);
        if !content.is_empty() {
            blocks.push(Block::Paragraph(content));
        }
    }
    let body = has_class("page-body");
    match body {
        Some(body) => blocks.extend(reader.blocks(body)),
        None => {
            // A page that Notion didn't write has no such parts.
            let is_body = |element: &Element| element.name == "body";
            blocks.extend(reader.blocks(dom.find(0, &is_body).unwrap_or(0)));
            if matches!(blocks.get(1), Some(Block::Heading(1, _))) {
                blocks.remove(0);
            }
        }
    }
    Converted {
        text: front_matter.write() + &write(&blocks),
        dates,
        losses: reader.losses,
    }
}

fn read_properties(
    reader: &mut Reader<'_>,
    table: NodeId,
    front_matter: &mut FrontMatter,
    dates: &mut Dates,
) {
    let dom = reader.dom;
    let mut rows = Vec::new();
    dom.each(table, &mut |id| {
        if dom.name(id) == "tr" {
            rows.push(id);
        }
        true
    });
    for row in rows {
        let part = |name: &str| {
            dom.children(row)
                .iter()
                .copied()
                .find(|child| dom.name(*child) == name)
        };
        let (Some(name), Some(value)) = (part("th"), part("td")) else {
            continue;
        };
        let name = dom.text_of(name).trim().to_owned();
        let is_of = |kind: &str| {
            dom.element(row)
                .is_some_and(|row| row.has_class(&format!("property-row-{kind}")))
        };
        let value_text = dom.text_of(value).trim().to_owned();
        if is_of("checkbox") {
            let is_on = dom
                .find(value, &|element| element.has_class("checkbox-on"))
                .is_some();
            front_matter.plain(&name, is_on);
        } else if is_of("multi_select") {
            let mut values = Vec::new();
            dom.each(value, &mut |id| {
                if dom
                    .element(id)
                    .is_some_and(|element| element.has_class("selected-value"))
                {
                    values.push(dom.text_of(id));
                }
                true
            });
            let is_tags = matches!(
                name.to_ascii_lowercase().as_str(),
                "tags" | "tag" | "keywords"
            );
            front_matter.list(if is_tags { "tags" } else { &name }, values);
        } else if is_of("relation") || is_of("url") || is_of("file") {
            let content = reader.run_of(value);
            let mut links = Vec::new();
            for inline in content {
                if let Inline::Link {
                    target, content, ..
                } = inline
                {
                    let label = crate::document::plain(&content)
                        .trim()
                        .replace(['[', ']', '|'], " ");
                    links.push(if target.contains("://") {
                        target
                    } else {
                        format!("[[{target}|{label}]]")
                    });
                }
            }
            match links.as_slice() {
                [] => front_matter.text(&name, &value_text),
                [only] => front_matter.text(&name, only),
                _ => front_matter.list(&name, links),
            }
        } else if is_of("text") || is_of("title") || is_of("phone_number") {
            front_matter.text(&name, &value_text);
        } else {
            properties::add(front_matter, dates, &name, &value_text);
        }
    }
}
