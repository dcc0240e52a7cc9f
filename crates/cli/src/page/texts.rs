//! The commands of `fumi page` that write and compare texts, and show what is in them.

use std::path::PathBuf;

use clap::Subcommand;

use super::edit::{self, Edit};
use super::{add, difference, read_source, relations};
use crate::client::{Client, Common};
use crate::output::List;
use crate::wiki;

#[derive(Subcommand)]
pub(super) enum TextCommand {
    /// Edit a page in the editor that $VISUAL or $EDITOR names; a page that does not exist is created
    Edit {
        /// Path of the page
        path: String,
        /// Take over your own edit lock, which the window or another command holds
        #[arg(long)]
        take_over: bool,
    },
    /// Append a text to a page
    Append {
        /// Path of the page
        path: String,
        /// File with the text; standard input if omitted or -
        file: Option<PathBuf>,
        /// The text itself
        #[arg(long, value_name = "TEXT", conflicts_with = "file")]
        text: Option<String>,
        /// Create the page if it does not exist
        #[arg(long)]
        create: bool,
    },
    /// Show the changes between two revisions of a page
    Diff {
        /// Path of the page
        path: String,
        /// Earlier revision; the one before TO if omitted
        from: Option<u64>,
        /// Later revision; the newest one if omitted
        to: Option<u64>,
    },
    /// List the revisions of a page with the paths that it had, the newest first
    History {
        /// Path of the page
        path: String,
        /// Maximum number of revisions
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
    },
    /// List the pages to which a page links
    Links {
        /// Path of the page
        path: String,
        /// The pages that link to it instead
        #[arg(long)]
        back: bool,
        /// Print paths alone, each ended by a NUL byte, for `xargs -0`
        #[arg(long, conflicts_with = "json")]
        null: bool,
    },
    /// List the tags of a page, or change those of its front matter
    Tag {
        /// Path of the page
        path: String,
        /// Tag to add; can be repeated
        #[arg(long, value_name = "TAG")]
        add: Vec<String>,
        /// Tag to remove; can be repeated
        #[arg(long, value_name = "TAG")]
        remove: Vec<String>,
    },
}

impl TextCommand {
    pub(super) fn run(self, common: &Common) -> anyhow::Result<()> {
        let json = common.json;
        let open = || Client::open(common);
        match self {
            Self::Edit { path, take_over } => Edit::begin(common, &path, take_over)?.run(),
            Self::Append {
                path,
                file,
                text,
                create,
            } => {
                // Standard input may take its time, so it is read before the data is opened.
                let source = match text {
                    Some(text) => text.into_bytes(),
                    None => read_source(file.as_deref())?,
                };
                let client = open()?;
                match edit::append(&client, json, &path, &source) {
                    Err(error) if create && edit::is_free(&error) => {
                        add(&client, json, &path, &source)
                    }
                    appended => appended,
                }
            }
            Self::Diff { path, from, to } => difference::diff(&open()?, json, &path, from, to),
            Self::History { path, limit } => wiki::history(&open()?, json, &path, limit),
            Self::Links { path, back, null } => {
                let form = List::new(json, null);
                match back {
                    true => relations::backlinks(&open()?, form, &path),
                    false => relations::links(&open()?, form, &path),
                }
            }
            Self::Tag { path, add, remove } => match add.is_empty() && remove.is_empty() {
                true => relations::tags(&open()?, json, &path),
                false => relations::change_tags(&open()?, json, &path, &add, &remove),
            },
        }
    }
}
