//! HTML as a document. What the exports of programs use is known by their classes and styles; everything else is
//! read by its elements.

mod dom;
mod inline;
mod table;

use crate::document::{Block, Inline, Item, plain};
use crate::source::{Loss, LossKind};

pub(crate) use dom::{Dom, Element, NodeId};
use inline::trim;

/// The largest number of losses of a note that are reported.
pub(crate) const MAX_LOSSES: usize = 1000;

/// The meaning of addresses in a document.
pub(crate) trait Addresses {
    /// Returns the target of a link; `None` to write its text alone.
    fn link(&mut self, href: &str) -> Option<String>;

    /// Returns a picture or another file.
    fn media(&mut self, element: &Element) -> Option<Media>;

    /// Returns the block that an element stands for, if the program keeps it elsewhere.
    fn placeholder(&mut self, _element: &Element) -> Option<Block> {
        None
    }
}

/// A file in a document.
#[derive(Debug, Clone)]
pub(crate) struct Media {
    pub(crate) target: String,
    pub(crate) name: String,
    /// Pictures, sound and films are embedded; other files are linked.
    pub(crate) is_embedded: bool,
}

/// Options of reading.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Options {
    /// Successive `div` are lines of a paragraph, and an empty one ends it.
    pub(crate) divs_are_lines: bool,
}

/// A document that is being read.
pub(crate) struct Reader<'d> {
    pub(crate) dom: &'d Dom,
    pub(crate) addresses: &'d mut dyn Addresses,
    pub(crate) losses: Vec<Loss>,
    pub(crate) options: Options,
}

/// The part of a block that was read.
#[derive(Default)]
struct Flow {
    blocks: Vec<Block>,
    run: Vec<Inline>,
    /// The state of the task that the run is, if it is one.
    task: Option<bool>,
    /// True if the run consists of lines, to which others can be added.
    is_line: bool,
}

impl Flow {
    fn end_paragraph(&mut self) {
        let run = trim(std::mem::take(&mut self.run));
        self.is_line = false;
        let task = self.task.take();
        if run.is_empty() && task.is_none() {
            return;
        }
        let paragraph = Block::Paragraph(run);
        let Some(task) = task else {
            self.blocks.push(paragraph);
            return;
        };
        let item = Item {
            task: Some(task),
            content: vec![paragraph],
        };
        match self.blocks.last_mut() {
            Some(Block::List { start: None, items })
                if items.iter().all(|item| item.task.is_some()) =>
            {
                items.push(item)
            }
            _ => self.blocks.push(Block::List {
                start: None,
                items: vec![item],
            }),
        }
    }

    fn push(&mut self, block: Block) {
        self.end_paragraph();
        self.blocks.push(block);
    }
}

impl Reader<'_> {
    /// Reads the children of an element.
    pub(crate) fn blocks(&mut self, id: NodeId) -> Vec<Block> {
        let mut flow = Flow::default();
        self.children(id, &mut flow);
        flow.end_paragraph();
        flow.blocks
    }

    fn children(&mut self, id: NodeId, flow: &mut Flow) {
        let dom = self.dom;
        for child in dom.children(id) {
            self.node(*child, flow);
        }
    }

    fn node(&mut self, id: NodeId, flow: &mut Flow) {
        let dom = self.dom;
        let Some(element) = dom.element(id) else {
            if flow.is_line && !dom.text(id).unwrap_or_default().trim().is_empty() {
                flow.end_paragraph();
            }
            self.inline(id, &mut flow.run);
            return;
        };
        match element.name.as_str() {
            "script" | "style" | "head" | "title" | "meta" | "link" | "template" | "noscript"
            | "base" => {}
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                let level = element.name.as_bytes()[1] - b'0';
                let content = self.run_of(id);
                flow.push(Block::Heading(level, content));
            }
            "hr" => flow.push(Block::Rule),
            "pre" | "xmp" | "listing" => flow.push(self.code(id)),
            "ul" | "ol" | "dir" | "menu" => {
                let list = self.list(id);
                flow.end_paragraph();
                push_list(&mut flow.blocks, element, list);
            }
            "dl" => {
                let list = self.definitions(id);
                flow.push(list);
            }
            "table" => {
                flow.end_paragraph();
                flow.blocks.extend(self.table(id));
            }
            "blockquote" => {
                let content = self.blocks(id);
                flow.push(Block::Quote(content));
            }
            "details" => {
                let block = self.details(id);
                flow.push(block);
            }
            "figure" => self.figure(id, flow),
            "en-todo" => {
                flow.end_paragraph();
                flow.task = Some(element.attribute("checked") == "true");
            }
            "p" | "div" | "section" | "article" | "header" | "footer" | "main" | "body"
            | "html" | "center" | "address" | "nav" | "aside" | "form" | "fieldset" | "en-note"
            | "figcaption" | "summary" | "li" | "dd" | "dt" | "caption" | "legend" | "tr"
            | "td" | "th" | "thead" | "tbody" => self.section(id, element, flow),
            _ if self.contains_block(id) => {
                // A mark around blocks can't be written.
                self.children(id, flow);
            }
            _ => {
                if flow.is_line {
                    flow.end_paragraph();
                }
                self.inline(id, &mut flow.run);
            }
        }
    }

    fn section(&mut self, id: NodeId, element: &Element, flow: &mut Flow) {
        if let Some(block) = self.addresses.placeholder(element) {
            flow.push(block);
            return;
        }
        if element.attribute("style").contains("-en-codeblock")
            || element.attribute("style").contains("--en-codeblock")
        {
            let text = self.lines(id);
            flow.push(Block::Code {
                language: code_language(element),
                text,
            });
            return;
        }
        if element.has_class("checkbox") {
            flow.end_paragraph();
            flow.task = Some(element.has_class("checkbox-on"));
            return;
        }
        if element.has_class("column-list") {
            self.lose(LossKind::Markup, "columns");
        }
        if !self.options.divs_are_lines || element.name != "div" || self.contains_block(id) {
            flow.end_paragraph();
            self.children(id, flow);
            // The text of a task follows its box in another element.
            if !(flow.task.is_some() && flow.run.is_empty()) {
                flow.end_paragraph();
            }
            return;
        }
        let is_task = self
            .dom
            .children(id)
            .iter()
            .any(|child| self.dom.name(*child) == "en-todo");
        let line = if is_task { Vec::new() } else { self.run_of(id) };
        if is_task || inline::is_blank(&line) {
            flow.end_paragraph();
            self.children(id, flow);
            flow.end_paragraph();
            return;
        }
        if flow.is_line {
            flow.run.push(Inline::Break);
        } else {
            flow.end_paragraph();
        }
        flow.run.extend(line);
        flow.is_line = true;
    }

    fn contains_block(&self, id: NodeId) -> bool {
        self.dom
            .find(id, &|element| is_block(&element.name))
            .is_some()
    }

    fn figure(&mut self, id: NodeId, flow: &mut Flow) {
        let dom = self.dom;
        let Some(element) = dom.element(id) else {
            return;
        };
        if element.has_class("equation") {
            flow.end_paragraph();
            match self.formula(id) {
                Some(text) => flow.push(Block::Math(text)),
                None => self.children(id, flow),
            }
            return;
        }
        if element.has_class("callout") {
            let icon = dom.find(id, &|element| element.has_class("icon"));
            let title = icon
                .map(|icon| dom.text_of(icon).trim().to_owned())
                .filter(|icon| icon.chars().count() < 9);
            let content = dom
                .children(id)
                .last()
                .copied()
                .filter(|last| dom.element(*last).is_some() && Some(*last) != icon);
            let content = self.blocks(content.unwrap_or(id));
            flow.push(Block::Callout {
                kind: "note".to_owned(),
                title: title.map(Inline::text).into_iter().collect(),
                content,
            });
            return;
        }
        if let Some(bookmark) = dom.find(id, &|element| {
            element.has_class("bookmark") && element.name == "a"
        }) {
            flow.end_paragraph();
            let title = dom.find(bookmark, &|element| element.has_class("bookmark-title"));
            let href = dom
                .element(bookmark)
                .map_or("", |link| link.attribute("href"));
            let title = title.map_or(String::new(), |title| dom.text_of(title));
            let content = vec![Inline::Text(if title.trim().is_empty() {
                href.to_owned()
            } else {
                title
            })];
            self.linked(href, "", content, &mut flow.run);
            flow.end_paragraph();
            return;
        }
        // A picture alone in its paragraph is displayed with its title.
        let caption = dom
            .children(id)
            .iter()
            .copied()
            .find(|child| dom.name(*child) == "figcaption");
        let mut inner = Flow::default();
        for child in dom
            .children(id)
            .iter()
            .filter(|child| Some(**child) != caption)
        {
            self.node(*child, &mut inner);
        }
        inner.end_paragraph();
        let caption = caption
            .map(|caption| self.run_of(caption))
            .unwrap_or_default();
        if let [Block::Paragraph(content)] = inner.blocks.as_mut_slice()
            && let [Inline::Image(image)] = content.as_mut_slice()
        {
            image.title = plain(&caption).trim().to_owned();
        } else if let [Block::Paragraph(content)] = inner.blocks.as_mut_slice()
            && let [Inline::Link { content, .. }] = content.as_mut_slice()
            && let [Inline::Image(image)] = content.as_mut_slice()
        {
            image.title = plain(&caption).trim().to_owned();
        } else if !caption.is_empty() {
            inner.blocks.push(Block::Paragraph(caption));
        }
        flow.end_paragraph();
        flow.blocks.append(&mut inner.blocks);
    }

    fn details(&mut self, id: NodeId) -> Block {
        let dom = self.dom;
        let summary = dom
            .children(id)
            .iter()
            .copied()
            .find(|child| dom.name(*child) == "summary");
        let mut flow = Flow::default();
        for child in dom
            .children(id)
            .iter()
            .filter(|child| Some(**child) != summary)
        {
            self.node(*child, &mut flow);
        }
        flow.end_paragraph();
        Block::Details {
            summary: summary
                .map(|summary| self.run_of(summary))
                .unwrap_or_default(),
            content: flow.blocks,
        }
    }

    fn list(&mut self, id: NodeId) -> Block {
        let dom = self.dom;
        let Some(element) = dom.element(id) else {
            return Block::Rule;
        };
        let mut items: Vec<Item> = Vec::new();
        for child in dom.children(id) {
            let Some(item) = dom.element(*child) else {
                let text = dom.text(*child).unwrap_or_default().trim();
                if !text.is_empty() {
                    items.push(Item {
                        task: None,
                        content: vec![Block::Paragraph(vec![Inline::text(text)])],
                    });
                }
                continue;
            };
            // Lists within lists are often beside the item to which they belong.
            if matches!(item.name.as_str(), "ul" | "ol") {
                let list = self.list(*child);
                match items.last_mut() {
                    Some(last) => last.content.push(list),
                    None => items.push(Item {
                        task: None,
                        content: vec![list],
                    }),
                }
                continue;
            }
            let item_element = item;
            let mut item = Item {
                task: self.task_of(*child),
                content: self.blocks(*child),
            };
            // Evernote marks the list as one of tasks, and the done ones.
            if element.attribute("style").contains("--en-todo:true") {
                item.task = Some(
                    item_element
                        .attribute("style")
                        .contains("--en-checked:true"),
                );
            }
            // A box within the item became a list of one task.
            if let [Block::List { items: inner, .. }, ..] = item.content.as_mut_slice()
                && let [only] = inner.as_mut_slice()
                && only.task.is_some()
                && dom
                    .find(*child, &|element| {
                        element.has_class("checkbox") || element.name == "en-todo"
                    })
                    .is_some()
            {
                let mut content = std::mem::take(&mut only.content);
                item.task = only.task;
                content.extend(item.content.drain(1..));
                item.content = content;
            }
            items.push(item);
        }
        let start = (element.name == "ol").then(|| element.attribute("start").parse().unwrap_or(1));
        let is_toggle = element.has_class("toggle");
        if is_toggle
            && let [Item { content, .. }] = items.as_mut_slice()
            && let [Block::Details { .. }] = content.as_slice()
        {
            return content.remove(0);
        }
        Block::List { start, items }
    }

    /// Returns the state of a task whose box is an `input`.
    fn task_of(&self, id: NodeId) -> Option<bool> {
        let is_box = |element: &Element| {
            element.name == "input" && element.attribute("type").eq_ignore_ascii_case("checkbox")
        };
        // Only a box of this item, and not one of an item below it.
        let mut at = id;
        for _ in 0..4 {
            let first = self.dom.children(at).iter().copied().find(|child| {
                self.dom
                    .text(*child)
                    .is_none_or(|text| !text.trim().is_empty())
            })?;
            let element = self.dom.element(first)?;
            if is_box(element) {
                return Some(element.find_attribute("checked").is_some());
            }
            if matches!(element.name.as_str(), "ul" | "ol") {
                return None;
            }
            at = first;
        }
        None
    }

    fn definitions(&mut self, id: NodeId) -> Block {
        let dom = self.dom;
        let mut entries: Vec<(Vec<Inline>, Vec<Vec<Block>>)> = Vec::new();
        let mut parts: Vec<NodeId> = Vec::new();
        for child in dom.children(id) {
            match dom.name(*child) {
                "div" => parts.extend(dom.children(*child)),
                _ => parts.push(*child),
            }
        }
        for part in parts {
            match dom.name(part) {
                "dt" => entries.push((self.run_of(part), Vec::new())),
                "dd" => {
                    let definition = self.blocks(part);
                    match entries.last_mut() {
                        Some((_, definitions)) => definitions.push(definition),
                        None => entries.push((Vec::new(), vec![definition])),
                    }
                }
                _ => {}
            }
        }
        Block::Definitions(entries)
    }

    fn code(&self, id: NodeId) -> Block {
        let dom = self.dom;
        let mut language = dom.element(id).map(code_language).unwrap_or_default();
        if language.is_empty()
            && let Some(inner) = dom.find(id, &|element| element.name == "code")
        {
            language = dom.element(inner).map(code_language).unwrap_or_default();
        }
        let text = dom.text_of(id);
        let text = text
            .strip_prefix('\n')
            .unwrap_or(&text)
            .replace('\u{a0}', " ");
        Block::Code { language, text }
    }

    /// Returns the text of an element whose blocks are lines.
    fn lines(&self, id: NodeId) -> String {
        let dom = self.dom;
        let mut lines = Vec::new();
        for child in dom.children(id) {
            match dom.element(*child) {
                Some(element) if matches!(element.name.as_str(), "div" | "p") => {
                    lines.push(dom.text_of(*child).trim_end_matches('\n').to_owned());
                }
                Some(element) if element.name == "br" => lines.push(String::new()),
                Some(_) => lines.push(dom.text_of(*child)),
                None => lines.extend(
                    dom.text(*child)
                        .map(str::trim_end)
                        .filter(|text| !text.is_empty())
                        .map(str::to_owned),
                ),
            }
        }
        lines.join("\n").replace('\u{a0}', " ")
    }

    pub(crate) fn lose(&mut self, kind: LossKind, detail: &str) {
        let loss = Loss::new(kind, detail.trim());
        if self.losses.len() < MAX_LOSSES && !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }
}

/// Returns true for the elements that are blocks of their own.
fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "ul"
            | "ol"
            | "dl"
            | "table"
            | "pre"
            | "blockquote"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "hr"
            | "section"
            | "article"
            | "figure"
            | "details"
    )
}

/// Appends a list. Notion writes each item as a list.
fn push_list(blocks: &mut Vec<Block>, element: &Element, list: Block) {
    let is_item = ["bulleted-list", "numbered-list", "to-do-list"]
        .iter()
        .any(|class| element.has_class(class));
    match (blocks.last_mut(), list) {
        (
            Some(Block::List {
                start: before,
                items,
            }),
            Block::List {
                start,
                items: added,
            },
        ) if is_item
            && before.is_some() == start.is_some()
            && before.is_none_or(|_| start != Some(1)) =>
        {
            items.extend(added);
        }
        (_, list) => blocks.push(list),
    }
}

/// Returns the language that the class of a code block names.
fn code_language(element: &Element) -> String {
    let names = element
        .attribute("class")
        .split_whitespace()
        .filter_map(|class| {
            ["language-", "lang-", "highlight-source-", "brush:"]
                .iter()
                .find_map(|prefix| class.strip_prefix(prefix))
        });
    let declared = element.style("--en-syntaxlanguage");
    let name = names.map(str::to_owned).next().unwrap_or(declared);
    let name = name.to_ascii_lowercase();
    if matches!(
        name.as_str(),
        "plain" | "plaintext" | "plain_text" | "none" | "text"
    ) {
        String::new()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::write;

    struct Plain;

    impl Addresses for Plain {
        fn link(&mut self, href: &str) -> Option<String> {
            (!href.starts_with("javascript:")).then(|| href.to_owned())
        }

        fn media(&mut self, element: &Element) -> Option<Media> {
            let target = element.find_attribute("src")?.to_owned();
            Some(Media {
                name: target.clone(),
                target,
                is_embedded: true,
            })
        }
    }

    fn markdown(html: &str, options: Options) -> (String, Vec<Loss>) {
        let dom = Dom::parse(html, false);
        let mut reader = Reader {
            dom: &dom,
            addresses: &mut Plain,
            losses: Vec::new(),
            options,
        };
        let blocks = reader.blocks(0);
        (write(&blocks), reader.losses)
    }

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(markdown(html, Options::default()).0.trim_end(), expected);
    }

    #[test]
    fn text_and_marks() {
        check(
            "<p>a <b>b</b>  <i>c</i>\n d&nbsp;e<br>f</p>",
            "a **b** *c* d e\\\nf",
        );
        check(
            "x<sup>2</sup>, H<sub>2</sub>O, <u>u</u> <s>s</s> <mark>m</mark> <kbd>k</kbd>",
            "x^2^, H~2~O, <u>u</u> ~~s~~ ==m== <kbd>k</kbd>",
        );
        check(
            "<span style='font-weight: 700; font-style:italic'>a</span>",
            "***a***",
        );
        check("<code>a`b</code>", "``a`b``");
        check(
            "<ruby>京都<rt>きょうと</rt></ruby>",
            "<ruby>京都<rt>きょうと</rt></ruby>",
        );
        check("<b> </b>a<b></b>", "a");
        check("<b><p>a</p><p>b</p></b>", "a\n\nb");
    }

    #[test]
    fn lists_and_tasks() {
        check(
            "<ul><li>a<ol start=2><li>b</ol><li><p>c</p></ul>",
            "- a\n\n  2. b\n- c",
        );
        check("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b");
        check(
            "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>",
            "- [x] a\n- [ ] b",
        );
        check(
            "<ul class='to-do-list'><li><div class='checkbox checkbox-on'></div> <span>a</span></li></ul>",
            "- [x] a",
        );
        check("<dl><dt>t<dd>d<dd>e</dl>", "t\n: d\n: e");
    }

    #[test]
    fn tables() {
        check(
            "<table><tr><th>a<th>b<tr><td>1|2<td><p>c</p><p>d</p></table>",
            "| a | b |\n| --- | --- |\n| 1\\|2 | c<br>d |",
        );
        check(
            "<table><tr><td><h2>a</h2><p>b</p></td></tr></table>",
            "## a\n\nb",
        );
        check(
            "<table><tr><td colspan=2>a<td>b<tr><td rowspan=2>c<td>d<td>e<tr><td>f<td>g</table>",
            "| a |  | b |\n| --- | --- | --- |\n| c | d | e |\n|  | f | g |",
        );
    }

    #[test]
    fn links_and_pictures() {
        check(
            "<a href='a b' title='t'>x <b>y</b></a>",
            "[x **y**](a%20b \"t\")",
        );
        check("<a href='javascript:x'>y</a>", "y");
        check(
            "<figure><img src=p.png width=300><figcaption>c</figcaption></figure>",
            "![p.png|300](p.png \"c\")",
        );
    }

    #[test]
    fn links_to_headings_name_their_text() {
        check(
            "<h2 id='x-1'>My <b>part</b></h2><a href='#x-1'>go</a> <a href='#y'>z</a>",
            "## My **part**\n\n[go](#My%20part) [z](#y)",
        );
    }

    #[test]
    fn code_and_quotations() {
        check(
            "<pre><code class='language-Rust'>\na\n  b\n</code></pre>",
            "```rust\na\n  b\n```",
        );
        check("<blockquote>a<p>b</blockquote>", "> a\n>\n> b");
        check(
            "<details><summary>s</summary><p>a</p></details>",
            "<details>\n<summary>s</summary>\n\na\n\n</details>",
        );
    }

    #[test]
    fn divs_are_lines_if_asked() {
        let options = Options {
            divs_are_lines: true,
        };
        let html = "<div>a</div><div>b</div><div><br/></div><div>c</div><div><en-todo/>t</div><div><en-todo checked='true'/>u</div>";
        assert_eq!(
            markdown(html, options).0,
            "a\\\nb\n\nc\n\n- [ ] t\n- [x] u\n"
        );
    }

    #[test]
    fn colors_are_reported() {
        let (text, losses) = markdown(
            "<span style='color: #ff0000'>a</span> <span style='color:rgb(0, 0, 0)'>b</span>",
            Options::default(),
        );
        assert_eq!(text, "a b\n");
        assert_eq!(losses, [Loss::new(LossKind::Markup, "color")]);
    }
}
