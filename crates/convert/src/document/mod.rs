//! A text as a tree, and its Markdown. Formats that aren't Markdown are read into this tree, so that one writer knows
//! the dialect: what must be escaped, and where a mark needs HTML instead.

mod escape;
mod front_matter;
mod write;

pub(crate) use front_matter::{FrontMatter, is_number};
pub(crate) use write::write;

/// The number of nested blocks or marks that readers build. The store parses 100 levels of Markdown.
pub(crate) const MAX_DEPTH: usize = 60;

/// Text within a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Inline {
    Text(String),
    Code(String),
    Math(String),
    Marked(Mark, Vec<Inline>),
    Link {
        target: String,
        title: String,
        content: Vec<Inline>,
    },
    Image(Image),
    /// A page that is displayed here.
    Embed(String),
    /// A ruby annotation: the base, and its reading.
    Ruby(String, String),
    Break,
}

/// A picture, or another item that is embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) target: String,
    pub(crate) alt: String,
    pub(crate) title: String,
    pub(crate) width: Option<u16>,
    pub(crate) height: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Strong,
    Emphasis,
    Strike,
    Highlight,
    Underline,
    Subscript,
    Superscript,
    Key,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    Paragraph(Vec<Inline>),
    Heading(u8, Vec<Inline>),
    Code {
        language: String,
        text: String,
    },
    Math(String),
    Quote(Vec<Block>),
    Callout {
        kind: String,
        title: Vec<Inline>,
        content: Vec<Block>,
    },
    Details {
        summary: Vec<Inline>,
        content: Vec<Block>,
    },
    List {
        /// The number of the first item, if items are numbered.
        start: Option<u32>,
        items: Vec<Item>,
    },
    /// Terms, each with its definitions.
    Definitions(Vec<(Vec<Inline>, Vec<Vec<Block>>)>),
    /// Rows of cells; the first row is the header.
    Table {
        align: Vec<Align>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Rule,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Item {
    /// For a task: true if it is done.
    pub(crate) task: Option<bool>,
    pub(crate) content: Vec<Block>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Align {
    #[default]
    None,
    Center,
    Right,
}

impl Block {
    /// Visits the runs of text of a block and those within it.
    pub(crate) fn each_run(&mut self, visit: &mut dyn FnMut(&mut Vec<Inline>)) {
        match self {
            Self::Paragraph(run) | Self::Heading(_, run) => visit(run),
            Self::Quote(content) => content.iter_mut().for_each(|block| block.each_run(visit)),
            Self::Callout {
                title: run,
                content,
                ..
            }
            | Self::Details {
                summary: run,
                content,
            } => {
                visit(run);
                content.iter_mut().for_each(|block| block.each_run(visit));
            }
            Self::List { items, .. } => {
                let blocks = items.iter_mut().flat_map(|item| &mut item.content);
                blocks.for_each(|block| block.each_run(visit));
            }
            Self::Definitions(entries) => {
                for (term, definitions) in entries {
                    visit(term);
                    definitions
                        .iter_mut()
                        .flatten()
                        .for_each(|block| block.each_run(visit));
                }
            }
            Self::Table { rows, .. } => rows.iter_mut().flatten().for_each(visit),
            Self::Code { .. } | Self::Math(_) | Self::Rule => {}
        }
    }
}

impl Inline {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// Returns the line of the title of a note.
pub(crate) fn heading(title: &str) -> String {
    write(&[Block::Heading(1, vec![Inline::text(title)])])
}

/// Returns the text of a run without its marks.
pub(crate) fn plain(content: &[Inline]) -> String {
    fn collect(content: &[Inline], text: &mut String) {
        for inline in content {
            match inline {
                Inline::Text(part) | Inline::Code(part) | Inline::Math(part) => text.push_str(part),
                Inline::Marked(_, content) | Inline::Link { content, .. } => collect(content, text),
                Inline::Image(image) => text.push_str(&image.alt),
                Inline::Embed(_) => {}
                Inline::Ruby(base, _) => text.push_str(base),
                Inline::Break => text.push(' '),
            }
        }
    }
    let mut text = String::new();
    collect(content, &mut text);
    text
}
