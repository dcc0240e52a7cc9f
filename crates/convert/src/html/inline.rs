//! Text within blocks.

use super::{Element, NodeId, Reader, is_block};
use crate::document::{Image, Inline, Mark, plain};
use crate::source::LossKind;

impl Reader<'_> {
    /// Reads an element as text within a block.
    pub(crate) fn run_of(&mut self, id: NodeId) -> Vec<Inline> {
        let mut run = Vec::new();
        let dom = self.dom;
        for child in dom.children(id) {
            self.inline(*child, &mut run);
        }
        trim(run)
    }

    pub(super) fn inline(&mut self, id: NodeId, run: &mut Vec<Inline>) {
        let dom = self.dom;
        if let Some(text) = dom.text(id) {
            push_text(run, text);
            return;
        }
        let Some(element) = dom.element(id) else {
            return;
        };
        if let Some(mark) = mark_of(element) {
            return self.marked(id, run, &[mark]);
        }
        match element.name.as_str() {
            "script" | "style" | "head" | "title" | "template" | "noscript" | "wbr" | "input"
            | "meta" | "link" => {}
            "br" => run.push(Inline::Break),
            "code" | "tt" | "samp" => {
                run.push(Inline::Code(dom.text_of(id).replace('\u{a0}', " ")))
            }
            "a" => {
                let content = self.run_in(id);
                let href = element.attribute("href").trim();
                if href.is_empty() {
                    run.extend(content);
                } else {
                    self.linked(href, element.attribute("title"), content, run);
                }
            }
            "img" | "en-media" | "video" | "audio" | "iframe" | "embed" | "object" => {
                self.media(id, element, run)
            }
            "ruby" => self.ruby(id, run),
            "math" => match self.formula(id) {
                Some(text) => run.push(Inline::Math(text)),
                None => push_text(run, &dom.text_of(id)),
            },
            "svg" | "canvas" => self.lose(LossKind::Markup, &element.name),
            "en-crypt" => {
                self.lose(LossKind::Encrypted, element.attribute("hint"));
                run.push(Inline::Code(dom.text_of(id).trim().to_owned()));
            }
            "en-todo" => push_text(
                run,
                if element.attribute("checked") == "true" {
                    "☑ "
                } else {
                    "☐ "
                },
            ),
            "font" | "span" => self.span(id, element, run),
            name if is_block(name) || matches!(name, "li" | "tr" | "dt" | "dd") => {
                self.block_in_text(id, name, run)
            }
            _ => self.marked(id, run, &[]),
        }
    }

    fn marked(&mut self, id: NodeId, run: &mut Vec<Inline>, marks: &[Mark]) {
        let dom = self.dom;
        if marks.is_empty() {
            for child in dom.children(id) {
                self.inline(*child, run);
            }
            return;
        }
        let mut content = Vec::new();
        for child in dom.children(id) {
            self.inline(*child, &mut content);
        }
        for mark in marks {
            content = vec![Inline::Marked(*mark, content)];
        }
        run.extend(content);
    }

    fn span(&mut self, id: NodeId, element: &Element, run: &mut Vec<Inline>) {
        if (element.has_class("katex") || element.has_class("notion-text-equation-token"))
            && let Some(text) = self.formula(id)
        {
            run.push(Inline::Math(text));
            return;
        }
        let marks = style_marks(element);
        let color = element
            .find_attribute("color")
            .map_or_else(|| element.style("color"), str::to_ascii_lowercase);
        if marks.is_empty() && !is_dark(&color) {
            self.lose(LossKind::Markup, "color");
        }
        self.marked(id, run, &marks);
    }

    /// Writes a block as lines, where only text can be.
    fn block_in_text(&mut self, id: NodeId, name: &str, run: &mut Vec<Inline>) {
        if !run.is_empty() && !matches!(run.last(), Some(Inline::Break)) {
            run.push(Inline::Break);
        }
        if name == "li" {
            push_text(run, "• ");
        }
        self.marked(id, run, &[]);
        if !matches!(run.last(), None | Some(Inline::Break)) {
            run.push(Inline::Break);
        }
    }

    fn run_in(&mut self, id: NodeId) -> Vec<Inline> {
        let mut run = Vec::new();
        let dom = self.dom;
        for child in dom.children(id) {
            self.inline(*child, &mut run);
        }
        while matches!(run.last(), Some(Inline::Break)) {
            run.pop();
        }
        run
    }

    pub(super) fn linked(
        &mut self,
        href: &str,
        title: &str,
        content: Vec<Inline>,
        run: &mut Vec<Inline>,
    ) {
        // An id that no address can name: that of a heading in the document.
        let heading = href.strip_prefix('#').and_then(|id| self.heading(id));
        if let Some(text) = heading {
            run.push(Inline::Link {
                target: format!("#{text}"),
                title: String::new(),
                content: if plain(&content).trim().is_empty() {
                    vec![Inline::text(text)]
                } else {
                    content
                },
            });
            return;
        }
        match self.addresses.link(href) {
            // A picture that leads to itself.
            Some(target) if matches!(content.as_slice(), [Inline::Image(image)] if image.target == target) =>
            {
                run.extend(content);
            }
            Some(target) => run.push(Inline::Link {
                target,
                title: title.trim().to_owned(),
                content,
            }),
            None => {
                self.lose(LossKind::UnresolvedLink, href);
                if plain(&content).trim().is_empty() {
                    push_text(run, href);
                } else {
                    run.extend(content);
                }
            }
        }
    }

    fn media(&mut self, id: NodeId, element: &Element, run: &mut Vec<Inline>) {
        let Some(media) = self.addresses.media(element) else {
            let source = ["src", "data", "hash", "href"]
                .iter()
                .find_map(|name| element.find_attribute(name));
            let source = source.unwrap_or_default();
            if source.is_empty() {
                // The sources of a film are below it.
                for child in self.dom.children(id) {
                    self.inline(*child, run);
                }
                return;
            }
            // A picture within the text is no reference to anything else.
            let kind = if source.starts_with("data:") {
                LossKind::Markup
            } else {
                LossKind::MissingFile
            };
            self.lose(kind, source);
            push_text(run, element.attribute("alt"));
            return;
        };
        let side = |name: &str| {
            let value = element
                .attribute(name)
                .trim()
                .trim_end_matches("px")
                .to_owned();
            let value = if value.is_empty() {
                element.style(name).trim_end_matches("px").to_owned()
            } else {
                value
            };
            value
                .split('.')
                .next()
                .and_then(|whole| whole.parse::<u16>().ok())
        };
        if media.is_embedded {
            let alt = element.attribute("alt").trim();
            run.push(Inline::Image(Image {
                target: media.target,
                alt: if alt.is_empty() {
                    media.name
                } else {
                    alt.to_owned()
                },
                title: element.attribute("title").trim().to_owned(),
                width: side("width"),
                height: side("width").and_then(|_| side("height")),
            }));
        } else {
            run.push(Inline::Link {
                target: media.target,
                title: String::new(),
                content: vec![Inline::Text(media.name)],
            });
        }
    }

    fn ruby(&mut self, id: NodeId, run: &mut Vec<Inline>) {
        let dom = self.dom;
        let mut base = String::new();
        for child in dom.children(id) {
            match dom.name(*child) {
                "rt" => {
                    let reading = dom.text_of(*child).trim().to_owned();
                    let base = std::mem::take(&mut base);
                    run.push(Inline::Ruby(base.trim().to_owned(), reading));
                }
                "rp" => {}
                _ => base.push_str(
                    &dom.text(*child)
                        .map_or_else(|| dom.text_of(*child), str::to_owned),
                ),
            }
        }
        push_text(run, &base);
    }

    /// Returns the text of the heading that has an id, or is in the element that has it.
    fn heading(&self, id: &str) -> Option<String> {
        let dom = self.dom;
        let found = dom.find(0, &|element| {
            !id.is_empty() && element.attribute("id") == id
        })?;
        let is_heading = |element: &Element| {
            matches!(
                element.name.as_str(),
                "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
            )
        };
        let heading = match dom.element(found) {
            Some(element) if is_heading(element) => found,
            // A heading that can be folded.
            Some(element)
                if matches!(element.name.as_str(), "details" | "summary" | "a" | "span") =>
            {
                dom.find(found, &is_heading)?
            }
            _ => return None,
        };
        let text = dom
            .text_of(heading)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        Some(text).filter(|text| !text.is_empty())
    }

    /// Returns the TeX of a formula, if it is kept beside what is displayed.
    pub(super) fn formula(&self, id: NodeId) -> Option<String> {
        let is_tex = |element: &Element| {
            element.name == "annotation" && element.attribute("encoding").contains("tex")
        };
        let found = self.dom.find(id, &is_tex)?;
        Some(self.dom.text_of(found).trim().to_owned()).filter(|text| !text.is_empty())
    }
}

/// Appends a text, with its white space as HTML displays it.
fn push_text(run: &mut Vec<Inline>, text: &str) {
    let ends_open = match run.last() {
        None | Some(Inline::Break) => true,
        Some(Inline::Text(before)) => before.ends_with(' '),
        Some(_) => false,
    };
    let mut collapsed = String::with_capacity(text.len());
    for char in text.chars() {
        let is_blank = char.is_ascii_whitespace() || char == '\u{a0}';
        match is_blank {
            true if collapsed.ends_with(' ') || (collapsed.is_empty() && ends_open) => {}
            true => collapsed.push(' '),
            // Invisible characters that editors insert.
            false if matches!(char, '\u{feff}' | '\u{200b}') => {}
            false => collapsed.push(char),
        }
    }
    if collapsed.is_empty() {
        return;
    }
    match run.last_mut() {
        Some(Inline::Text(before)) => before.push_str(&collapsed),
        _ => run.push(Inline::Text(collapsed)),
    }
}

/// Removes blanks and breaks at both ends of a run.
pub(super) fn trim(mut run: Vec<Inline>) -> Vec<Inline> {
    while let Some(last) = run.last_mut() {
        match last {
            Inline::Break => {}
            Inline::Text(text) => {
                text.truncate(text.trim_end().len());
                if !text.is_empty() {
                    break;
                }
            }
            Inline::Marked(_, content) if content.is_empty() => {}
            Inline::Code(_)
            | Inline::Math(_)
            | Inline::Marked(..)
            | Inline::Link { .. }
            | Inline::Image(_)
            | Inline::Embed(_)
            | Inline::Ruby(..) => break,
        }
        run.pop();
    }
    let mut start = 0;
    for inline in &mut run {
        match inline {
            Inline::Break => {}
            Inline::Text(text) => {
                *text = text.trim_start().to_owned();
                if !text.is_empty() {
                    break;
                }
            }
            Inline::Code(_)
            | Inline::Math(_)
            | Inline::Marked(..)
            | Inline::Link { .. }
            | Inline::Image(_)
            | Inline::Embed(_)
            | Inline::Ruby(..) => break,
        }
        start += 1;
    }
    run.drain(..start);
    run
}

/// Returns the mark that an element is.
fn mark_of(element: &Element) -> Option<Mark> {
    Some(match element.name.as_str() {
        // Programs wrap whole documents into one that says it isn't bold.
        "b" | "strong" if !matches!(element.style("font-weight").as_str(), "normal" | "400") => {
            Mark::Strong
        }
        "i" | "em" | "cite" | "dfn" | "var" => Mark::Emphasis,
        "u" | "ins" => Mark::Underline,
        "s" | "strike" | "del" => Mark::Strike,
        "mark" => Mark::Highlight,
        "sub" => Mark::Subscript,
        "sup" => Mark::Superscript,
        "kbd" => Mark::Key,
        _ => return None,
    })
}

/// Returns true if a run displays nothing.
pub(super) fn is_blank(run: &[Inline]) -> bool {
    run.iter().all(|inline| match inline {
        Inline::Break => true,
        Inline::Text(text) => text.trim().is_empty(),
        Inline::Marked(_, content) => is_blank(content),
        Inline::Code(_)
        | Inline::Math(_)
        | Inline::Link { .. }
        | Inline::Image(_)
        | Inline::Embed(_)
        | Inline::Ruby(..) => false,
    })
}

fn style_marks(element: &Element) -> Vec<Mark> {
    let mut marks = Vec::new();
    let weight = element.style("font-weight");
    if weight.starts_with("bold") || weight.parse().is_ok_and(|weight: u32| weight >= 600) {
        marks.push(Mark::Strong);
    }
    if element.style("font-style") == "italic" {
        marks.push(Mark::Emphasis);
    }
    let decoration = element.style("text-decoration") + &element.style("text-decoration-line");
    if decoration.contains("underline") {
        marks.push(Mark::Underline);
    }
    if decoration.contains("line-through") {
        marks.push(Mark::Strike);
    }
    let style = element.attribute("style");
    let background = element.style("background-color");
    let is_plain = matches!(
        background.as_str(),
        "" | "transparent" | "white" | "initial" | "inherit" | "unset"
    ) || background.replace(' ', "") == "rgb(255,255,255)"
        || background.starts_with("#fff");
    if style.contains("-evernote-highlight:true") || style.contains("--en-highlight") || !is_plain {
        marks.push(Mark::Highlight);
    }
    match element.style("vertical-align").as_str() {
        "sub" => marks.push(Mark::Subscript),
        "super" => marks.push(Mark::Superscript),
        _ => {}
    }
    marks
}

/// Returns true for the colors that programs give to plain text.
fn is_dark(color: &str) -> bool {
    let color = color.replace(' ', "");
    let channels: Vec<u32> = match color.as_str() {
        "" | "black" | "inherit" | "initial" | "unset" | "currentcolor" | "windowtext" => {
            return true;
        }
        color if color.starts_with("rgb") => color
            .trim_start_matches(|char: char| !char.is_ascii_digit())
            .split([',', ')'])
            .take(3)
            .filter_map(|channel| channel.parse().ok())
            .collect(),
        color if color.len() == 7 && color.starts_with('#') => (1..7)
            .step_by(2)
            .filter_map(|at| color.get(at..at + 2))
            .filter_map(|channel| u32::from_str_radix(channel, 16).ok())
            .collect(),
        color if color.len() == 4 && color.starts_with('#') => color[1..]
            .chars()
            .filter_map(|digit| digit.to_digit(16).map(|digit| digit * 17))
            .collect(),
        _ => return color.starts_with("var("),
    };
    channels.len() == 3 && channels.iter().all(|channel| *channel < 100)
}
