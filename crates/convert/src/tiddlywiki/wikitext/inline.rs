//! The marks, links and programs within a text.

use super::{Parser, Resolve, Syntax, picture};
use crate::document::{Inline, MAX_DEPTH, Mark};
use crate::html::{Dom, Options, Reader};
use crate::reading::external;
use crate::source::LossKind;

/// Returns the text between two marks at the start of a text, and the length of all. Marks that are not closed are
/// recorded in `missing`, and not searched again.
fn enclosed_by<'t>(
    text: &'t str,
    open: &'static str,
    close: &str,
    missing: &mut Vec<&'static str>,
) -> Option<(&'t str, usize)> {
    let inner = text.strip_prefix(open)?;
    if missing.contains(&open) {
        return None;
    }
    let Some(end) = inner.find(close) else {
        missing.push(open);
        return None;
    };
    (end > 0).then(|| (&inner[..end], open.len() + end + close.len()))
}

impl<R: Resolve> Parser<'_, '_, R> {
    /// Reads the marks of a text.
    pub(super) fn inline(&mut self, text: &str, depth: usize) -> Vec<Inline> {
        let mut run = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        let mut missing: Vec<&'static str> = Vec::new();
        while let Some(char) = rest.chars().next() {
            if let Some((found, length)) = self.construct(rest, &plain, depth, &mut missing) {
                match found {
                    Found::Text(text) => plain.push_str(&text),
                    Found::Run(found) => {
                        if !plain.is_empty() {
                            run.push(Inline::Text(std::mem::take(&mut plain)));
                        }
                        run.extend(found);
                    }
                }
                rest = &rest[length..];
            } else {
                // A line's end is a blank.
                plain.push(if char == '\n' { ' ' } else { char });
                rest = &rest[char.len_utf8()..];
            }
        }
        if !plain.is_empty() {
            run.push(Inline::Text(plain));
        }
        run
    }

    /// Reads a construct at the start of a text, and returns its length.
    fn construct(
        &mut self,
        text: &str,
        before: &str,
        depth: usize,
        missing: &mut Vec<&'static str>,
    ) -> Option<(Found, usize)> {
        match text.as_bytes()[0] {
            b'h' | b'f' | b'm' => return address(text, before),
            b'~' if !text.starts_with("~~") => {
                // Keeps a word of two capitals from becoming a link.
                let word = camel_case(&text[1..])?;
                return Some((Found::Text(word.to_owned()), 1 + word.len()));
            }
            b'-' if text.starts_with("--") && self.syntax == Syntax::Five => {
                let length = text.len() - text.trim_start_matches('-').len();
                return (length < 4).then(|| {
                    (
                        Found::Text(if length == 2 { "–" } else { "—" }.to_owned()),
                        length,
                    )
                });
            }
            b'&' => {
                let name = text.bytes().take(33).position(|byte| byte == b';')?;
                let dom = Dom::parse(&text[..=name], false);
                return Some((Found::Text(dom.text_of(0)), name + 1));
            }
            b'A'..=b'Z'
                if !before
                    .ends_with(|char: char| char.is_alphanumeric() || "/:@".contains(char)) =>
            {
                let word = camel_case(text)?;
                return self
                    .resolve
                    .exists(word)
                    .then(|| (Found::Run(self.page_link(word, word)), word.len()));
            }
            _ => {}
        }
        self.enclosed(text, depth, missing)
    }

    fn enclosed(
        &mut self,
        text: &str,
        depth: usize,
        missing: &mut Vec<&'static str>,
    ) -> Option<(Found, usize)> {
        if self.syntax == Syntax::Classic
            && let Some(found) = self.classic(text, depth, missing)
        {
            return Some(found);
        }
        let mut between = |open, close| enclosed_by(text, open, close, missing);
        for (open, close) in [("``", "``"), ("`", "`")] {
            if let Some((code, length)) = between(open, close) {
                return Some((Found::Run(vec![Inline::Code(code.to_owned())]), length));
            }
        }
        if let Some((_, length)) = between("<!--", "-->") {
            return Some((Found::Run(Vec::new()), length));
        }
        if let Some((inner, length)) = between("[[", "]]") {
            let (label, target) = inner.rsplit_once('|').unwrap_or((inner, inner));
            let link = self.link(label, target.trim());
            return Some((Found::Run(link), length));
        }
        if let Some((inner, length)) = between("[ext[", "]]") {
            let (label, target) = inner.rsplit_once('|').unwrap_or((inner, inner));
            let link = self.link(label, target.trim());
            return Some((Found::Run(link), length));
        }
        if let Some((inner, length)) = between("[img", "]]") {
            return Some((Found::Run(self.image(inner)?), length));
        }
        if let Some((inner, length)) = between("{{{", "}}}") {
            return Some((
                Found::Run(self.program(&format!("{{{{{{{inner}}}}}}}"))),
                length,
            ));
        }
        if let Some((inner, length)) = between("{{", "}}") {
            let run = self.transclusion(inner);
            return Some((Found::Run(run), length));
        }
        if let Some((inner, length)) = between("<<", ">>") {
            return Some((Found::Run(self.program(&format!("<<{inner}>>"))), length));
        }
        if depth < MAX_DEPTH {
            let (strike, subscript) = match self.syntax {
                Syntax::Five => ("~~", ",,"),
                Syntax::Classic => ("--", "~~"),
            };
            let marks = [
                ("''", Mark::Strong),
                ("//", Mark::Emphasis),
                ("__", Mark::Underline),
                (strike, Mark::Strike),
                ("^^", Mark::Superscript),
                (subscript, Mark::Subscript),
            ];
            for (open, mark) in marks {
                if let Some((inner, length)) = between(open, open) {
                    let content = self.inline(inner, depth + 1);
                    return Some((Found::Run(vec![Inline::Marked(mark, content)]), length));
                }
            }
            if let Some((inner, length)) = between("@@", "@@") {
                let run = self.styled(inner, depth);
                return Some((Found::Run(run), length));
            }
        }
        if text.starts_with('<') {
            return self.tag(text, depth);
        }
        None
    }

    /// Reads the constructs that only the classic syntax has.
    fn classic(
        &mut self,
        text: &str,
        depth: usize,
        missing: &mut Vec<&'static str>,
    ) -> Option<(Found, usize)> {
        let mut between = |open, close| enclosed_by(text, open, close, missing);
        if let Some((code, length)) = between("{{{", "}}}") {
            return Some((Found::Run(vec![Inline::Code(code.to_owned())]), length));
        }
        if let Some((_, length)) = between("/%", "%/") {
            return Some((Found::Run(Vec::new()), length));
        }
        let (inner, length) = between("{{", "}}}").filter(|_| depth < MAX_DEPTH)?;
        let (class, inner) = inner.split_once('{')?;
        self.resolve.lose(LossKind::Markup, class);
        Some((Found::Run(self.inline(inner, depth + 1)), length))
    }

    fn link(&mut self, label: &str, target: &str) -> Vec<Inline> {
        let label = if label.is_empty() { target } else { label };
        if target.contains("://") || target.starts_with("mailto:") {
            return match external(target) {
                Some(target) => vec![linked(target, label)],
                None => {
                    self.resolve.lose(LossKind::UnresolvedLink, target);
                    vec![Inline::text(label)]
                }
            };
        }
        self.page_link(label, target)
    }

    fn page_link(&mut self, label: &str, title: &str) -> Vec<Inline> {
        match self.resolve.page(title) {
            Some(target) => vec![linked(target, label)],
            None => {
                self.resolve.lose(LossKind::UnresolvedLink, title);
                vec![Inline::text(label)]
            }
        }
    }

    /// Reads ` width=32 [tooltip|source`.
    fn image(&mut self, inner: &str) -> Option<Vec<Inline>> {
        let (options, source) = inner.split_once('[')?;
        let (alt, source) = source.rsplit_once('|').unwrap_or(("", source));
        let side = |name: &str| {
            let found = options
                .split_whitespace()
                .filter_map(|option| option.split_once('='))
                .find(|(other, _)| *other == name);
            found.and_then(|(_, value)| value.trim_matches('"').trim_end_matches("px").parse().ok())
        };
        let (width, height) = (side("width"), side("height"));
        let found = picture(self.resolve, source.trim(), alt.trim(), width, height);
        Some(vec![found.unwrap_or_else(|| {
            self.resolve.lose(LossKind::MissingFile, source);
            Inline::text(if alt.is_empty() { source } else { alt })
        })])
    }

    fn transclusion(&mut self, inner: &str) -> Vec<Inline> {
        let is_plain = !inner.contains("||") && !inner.contains("!!") && !inner.contains("##");
        if is_plain && self.resolve.exists(inner) {
            let media = self.resolve.file(inner);
            let is_picture = media.is_some_and(|media| media.is_embedded);
            if is_picture {
                return picture(self.resolve, inner, "", None, None)
                    .into_iter()
                    .collect();
            }
            if let Some(target) = self.resolve.page(inner) {
                return vec![Inline::Embed(target)];
            }
        }
        self.program(&format!("{{{{{inner}}}}}"))
    }

    /// Keeps what only the program can show.
    fn program(&mut self, text: &str) -> Vec<Inline> {
        self.resolve.lose(LossKind::Query, text);
        vec![Inline::Code(text.to_owned())]
    }

    fn styled(&mut self, inner: &str, depth: usize) -> Vec<Inline> {
        let mut rest = inner;
        let mut has_style = false;
        while let Some((style, after)) = rest.split_once(';').filter(|(style, _)| {
            style.split_once(':').is_some_and(|(name, _)| {
                !name.is_empty()
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            })
        }) {
            self.resolve.lose(LossKind::Markup, style);
            has_style = true;
            rest = after;
        }
        if let Some((class, after)) = rest.strip_prefix('.').and_then(|rest| rest.split_once(' ')) {
            self.resolve.lose(LossKind::Markup, class);
            has_style = true;
            rest = after;
        }
        let content = self.inline(rest, depth + 1);
        if has_style {
            content
        } else {
            vec![Inline::Marked(Mark::Highlight, content)]
        }
    }

    /// Reads a tag of HTML or of a widget.
    fn tag(&mut self, text: &str, depth: usize) -> Option<(Found, usize)> {
        let name_start = if text.starts_with("</") { 2 } else { 1 };
        let name: String = text[name_start..]
            .chars()
            .take_while(|char| char.is_ascii_alphanumeric() || "$-.".contains(*char))
            .collect();
        if !name.starts_with(|char: char| char.is_ascii_alphabetic() || char == '$') {
            return None;
        }
        let length = tag_end(text)?;
        let tag = &text[..length];
        if name_start == 2 {
            return Some((Found::Run(Vec::new()), length));
        }
        if name == "br" {
            return Some((Found::Run(vec![Inline::Break]), length));
        }
        let close = format!("</{name}>");
        let inner = near(&text[length..])
            .find(&close)
            .map(|end| &text[length..length + end])
            .filter(|_| depth < MAX_DEPTH);
        let whole = inner.map_or(length, |inner| length + inner.len() + close.len());
        if name == "$link" {
            let title = attribute(tag, "to")
                .or(inner)
                .unwrap_or_default()
                .to_owned();
            let label = inner.filter(|inner| !inner.is_empty()).unwrap_or(&title);
            return Some((Found::Run(self.page_link(label, &title)), whole));
        }
        if name.starts_with('$') {
            return Some((Found::Run(self.program(tag)), length));
        }
        if matches!(name.as_str(), "img" | "a") {
            let dom = Dom::parse(&text[..whole], false);
            let mut reader = Reader {
                dom: &dom,
                addresses: &mut *self.resolve,
                losses: Vec::new(),
                options: Options::default(),
            };
            let run = reader.run_of(0);
            for loss in reader.losses {
                self.resolve.lose(loss.kind, &loss.detail);
            }
            return Some((Found::Run(run), if name == "img" { length } else { whole }));
        }
        let mark = match name.as_str() {
            "b" | "strong" => Mark::Strong,
            "i" | "em" => Mark::Emphasis,
            "u" => Mark::Underline,
            "s" | "del" | "strike" => Mark::Strike,
            "mark" => Mark::Highlight,
            "sub" => Mark::Subscript,
            "sup" => Mark::Superscript,
            "kbd" => Mark::Key,
            "code" => {
                let code = inner?.to_owned();
                return Some((Found::Run(vec![Inline::Code(code)]), whole));
            }
            _ => {
                if !matches!(name.as_str(), "span" | "div" | "p" | "center" | "section") {
                    self.resolve.lose(LossKind::Markup, &format!("<{name}>"));
                }
                return Some((Found::Run(Vec::new()), length));
            }
        };
        let content = self.inline(inner?, depth + 1);
        Some((Found::Run(vec![Inline::Marked(mark, content)]), whole))
    }
}

/// The outcome of a construct.
enum Found {
    Text(String),
    Run(Vec<Inline>),
}

fn linked(target: String, label: &str) -> Inline {
    Inline::Link {
        target,
        title: String::new(),
        content: vec![Inline::text(label)],
    }
}

fn address(text: &str, before: &str) -> Option<(Found, usize)> {
    let is_address = ["https://", "http://", "ftp://", "mailto:"]
        .iter()
        .any(|scheme| text.starts_with(scheme));
    if !is_address || before.ends_with(char::is_alphanumeric) {
        return None;
    }
    let end = text
        .find(|char: char| char.is_whitespace() || "<>{}[]`|\"\\^".contains(char))
        .unwrap_or(text.len());
    let end = text[..end]
        .trim_end_matches(['.', ',', ')', ';', ':', '\''])
        .len();
    Some((Found::Text(text[..end].to_owned()), end))
}

/// Returns a word such as `CamelCase` at the start of a text.
fn camel_case(text: &str) -> Option<&str> {
    let end = text
        .find(|char: char| !char.is_ascii_alphanumeric())
        .unwrap_or(text.len());
    let word = &text[..end];
    let bytes = word.as_bytes();
    if !bytes.first()?.is_ascii_uppercase() {
        return None;
    }
    let lower = bytes.iter().position(u8::is_ascii_lowercase)?;
    bytes[lower..]
        .iter()
        .any(u8::is_ascii_uppercase)
        .then_some(word)
}

/// Returns the part of a text in which an element ends. Looking further for each tag would take quadratic time.
fn near(text: &str) -> &str {
    let mut end = text.len().min(2_000);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Returns the length of a tag, whose attributes may contain `>`.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, char) in text.char_indices().take(1_000) {
        match (quote, char) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(char),
            (Some(open), char) if open == char => quote = None,
            _ => {}
        }
    }
    None
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let after = tag.split_once(&format!(" {name}="))?.1;
    let quote = after.chars().next().filter(|char| "\"'".contains(*char))?;
    after[1..].split_once(quote).map(|(value, _)| value)
}
