//! A tree of elements, built from the tokens of html5ever. Its tree builder isn't used: for deeply nested input it takes
//! quadratic time. Here, nesting is bounded, and an end tag without a start is ignored.

use std::cell::RefCell;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::document::MAX_DEPTH;

const VOID: [&str; 15] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "en-todo",
];
/// Elements that end a paragraph.
const BLOCKS: [&str; 30] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "center",
    "details",
    "dir",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "main",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "table",
    "ul",
];

pub(crate) type NodeId = usize;

/// The tree. The first node is the root, which has no name.
#[derive(Debug)]
pub(crate) struct Dom {
    nodes: Vec<Node>,
}

#[derive(Debug)]
enum Node {
    Element(Element),
    Text(String),
}

#[derive(Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) children: Vec<NodeId>,
}

impl Element {
    /// Returns the value of an attribute; "" if it has none.
    pub(crate) fn attribute(&self, name: &str) -> &str {
        self.find_attribute(name).unwrap_or_default()
    }

    pub(crate) fn find_attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    pub(crate) fn has_class(&self, class: &str) -> bool {
        self.attribute("class")
            .split_whitespace()
            .any(|other| other == class)
    }

    /// Returns the value of a property of the style, without blanks and in lower case.
    pub(crate) fn style(&self, property: &str) -> String {
        let declarations = self.attribute("style").split(';');
        let found = declarations
            .filter_map(|declaration| declaration.split_once(':'))
            .find(|(name, _)| name.trim() == property);
        found.map_or(String::new(), |(_, value)| {
            value.trim().to_ascii_lowercase()
        })
    }
}

impl Dom {
    /// Parses HTML, or XHTML, in which any element can close itself.
    pub(crate) fn parse(html: &str, is_xml: bool) -> Self {
        let builder = Builder {
            state: RefCell::new(State {
                nodes: vec![Node::Element(Element::default())],
                open: vec![0],
                ignored: 0,
            }),
            is_xml,
        };
        let tokenizer = Tokenizer::new(builder, TokenizerOpts::default());
        let input = BufferQueue::default();
        input.push_back(StrTendril::from_slice(html));
        // The tokenizer stops at the end of a script, and is to continue.
        while !input.is_empty() {
            let _ = tokenizer.feed(&input);
        }
        tokenizer.end();
        Self {
            nodes: tokenizer.sink.state.into_inner().nodes,
        }
    }

    pub(crate) fn element(&self, id: NodeId) -> Option<&Element> {
        match &self.nodes[id] {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        }
    }

    pub(crate) fn text(&self, id: NodeId) -> Option<&str> {
        match &self.nodes[id] {
            Node::Text(text) => Some(text),
            Node::Element(_) => None,
        }
    }

    pub(crate) fn name(&self, id: NodeId) -> &str {
        self.element(id).map_or("", |element| &element.name)
    }

    pub(crate) fn children(&self, id: NodeId) -> &[NodeId] {
        self.element(id).map_or(&[], |element| &element.children)
    }

    /// Returns the text of an element and those below it.
    pub(crate) fn text_of(&self, id: NodeId) -> String {
        let mut text = String::new();
        self.each(id, &mut |id| {
            if let Some(part) = self.text(id) {
                text.push_str(part);
            } else if self.name(id) == "br" {
                text.push('\n');
            }
            true
        });
        text
    }

    /// Returns the first element below `id` for which the condition is true.
    pub(crate) fn find(&self, id: NodeId, condition: &dyn Fn(&Element) -> bool) -> Option<NodeId> {
        let mut found = None;
        self.each(id, &mut |id| {
            if found.is_none() && self.element(id).is_some_and(condition) {
                found = Some(id);
            }
            found.is_none()
        });
        found
    }

    /// Visits the nodes below `id` in their order, as long as the visitor returns true.
    pub(crate) fn each(&self, id: NodeId, visit: &mut dyn FnMut(NodeId) -> bool) {
        let mut left: Vec<NodeId> = self.children(id).iter().rev().copied().collect();
        while let Some(id) = left.pop() {
            if !visit(id) {
                return;
            }
            left.extend(self.children(id).iter().rev());
        }
    }
}

struct Builder {
    state: RefCell<State>,
    is_xml: bool,
}

struct State {
    nodes: Vec<Node>,
    /// The open elements, outermost first.
    open: Vec<NodeId>,
    /// The number of open elements that are too deep, and were left out.
    ignored: usize,
}

impl TokenSink for Builder {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        let mut state = self.state.borrow_mut();
        match token {
            Token::CharacterTokens(text) => state.append_text(&text),
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                return state.start(tag, self.is_xml);
            }
            Token::TagToken(tag) => state.end(&tag.name),
            Token::DoctypeToken(_)
            | Token::CommentToken(_)
            | Token::NullCharacterToken
            | Token::EOFToken
            | Token::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }
}

impl State {
    fn name_of(&self, id: NodeId) -> &str {
        match &self.nodes[id] {
            Node::Element(element) => &element.name,
            Node::Text(_) => "",
        }
    }

    fn children_of_last(&mut self) -> &mut Vec<NodeId> {
        let last = *self.open.last().expect("BUG: the root is never closed");
        match &mut self.nodes[last] {
            Node::Element(element) => &mut element.children,
            Node::Text(_) => unreachable!("BUG: a text is open"),
        }
    }

    fn append_text(&mut self, text: &str) {
        let last = self.children_of_last().last().copied();
        if let Some(last) = last
            && let Node::Text(before) = &mut self.nodes[last]
        {
            before.push_str(text);
            return;
        }
        let id = self.nodes.len();
        self.nodes.push(Node::Text(text.to_owned()));
        self.children_of_last().push(id);
    }

    fn start(&mut self, tag: Tag, is_xml: bool) -> TokenSinkResult<()> {
        let name = tag.name.to_string();
        self.close_implied(&name);
        let is_void =
            VOID.contains(&name.as_str()) || (tag.self_closing && (is_xml || name.contains('-')));
        let raw = raw_kind(&name);
        if self.open.len() < MAX_DEPTH || is_void {
            let id = self.nodes.len();
            let attributes = tag.attrs.into_iter().map(|attribute| {
                (
                    attribute.name.local.to_string(),
                    attribute.value.to_string(),
                )
            });
            self.nodes.push(Node::Element(Element {
                name,
                attributes: attributes.collect(),
                children: Vec::new(),
            }));
            self.children_of_last().push(id);
            if !is_void {
                self.open.push(id);
            }
        } else {
            self.ignored += 1;
        }
        match raw {
            Some(kind) if !is_void => TokenSinkResult::RawData(kind),
            _ => TokenSinkResult::Continue,
        }
    }

    /// Closes the elements that a start tag ends.
    fn close_implied(&mut self, name: &str) {
        let (closed, within): (&[&str], &[&str]) = match name {
            "li" => (&["li"], &["ul", "ol", "dir"]),
            "dt" | "dd" => (&["dt", "dd"], &["dl"]),
            "tr" => (&["tr"], &["table", "thead", "tbody", "tfoot"]),
            "td" | "th" => (&["td", "th"], &["tr", "table"]),
            "thead" | "tbody" | "tfoot" => (&["thead", "tbody", "tfoot"], &["table"]),
            "option" => (&["option"], &["select"]),
            name if BLOCKS.contains(&name) => (
                &["p"],
                &[
                    "div",
                    "li",
                    "td",
                    "th",
                    "blockquote",
                    "button",
                    "details",
                    "figure",
                    "section",
                ],
            ),
            _ => return,
        };
        for at in (1..self.open.len()).rev() {
            let open = self.name_of(self.open[at]);
            if closed.contains(&open) {
                self.open.truncate(at);
                return;
            }
            if within.contains(&open) {
                return;
            }
        }
    }

    fn end(&mut self, name: &str) {
        if VOID.contains(&name) {
            return;
        }
        if self.ignored > 0 {
            self.ignored -= 1;
            return;
        }
        let is_cell = |name: &str| matches!(name, "td" | "th" | "table");
        for at in (1..self.open.len()).rev() {
            let open = self.name_of(self.open[at]);
            if open == name {
                self.open.truncate(at);
                return;
            }
            // An end tag in a cell doesn't end what is around the table.
            if is_cell(open)
                && !matches!(
                    name,
                    "table" | "tr" | "td" | "th" | "tbody" | "thead" | "tfoot"
                )
            {
                return;
            }
        }
    }
}

/// Returns how the text of an element is read, if it contains no elements.
fn raw_kind(name: &str) -> Option<RawKind> {
    match name {
        "script" => Some(RawKind::ScriptData),
        "style" | "iframe" | "xmp" | "noembed" | "noframes" => Some(RawKind::Rawtext),
        "title" | "textarea" => Some(RawKind::Rcdata),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(dom: &Dom, id: NodeId, out: &mut String) {
        if let Some(text) = dom.text(id) {
            out.push_str(text);
            return;
        }
        out.push_str(&format!("<{}", dom.name(id)));
        for child in dom.children(id) {
            out.push(' ');
            show(dom, *child, out);
        }
        out.push('>');
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        let dom = Dom::parse(html, false);
        let mut out = String::new();
        show(&dom, 0, &mut out);
        assert_eq!(out, format!("< {expected}>"));
    }

    #[test]
    fn missing_end_tags_are_implied() {
        check(
            "<ul><li>a<li>b<ul><li>c</ul></ul>",
            "<ul <li a> <li b <ul <li c>>>>",
        );
        check("<p>a<p>b<div>c", "<p a> <p b> <div c>");
        check(
            "<table><tr><td>a<td>b<tr><td>c</table>",
            "<table <tr <td a> <td b>> <tr <td c>>>",
        );
        check("a</b></i>&amp;&eacute;", "a&é");
        check("<script>if (a<b) {}</script>c", "<script if (a<b) {}> c");
    }

    #[test]
    fn nesting_is_bounded() {
        let html = format!("{}x{}y", "<div>".repeat(30_000), "</div>".repeat(30_000));
        let dom = Dom::parse(&html, false);
        let mut depth = 0;
        let mut id = 0;
        while let Some(child) = dom.children(id).first() {
            id = *child;
            depth += 1;
        }
        assert!(depth <= MAX_DEPTH, "{depth}");
        assert_eq!(dom.text_of(0), "xy");
    }
}
