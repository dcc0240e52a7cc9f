//! Determines the program that made a source, by its contents, and reads it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::link::{self, Target};
use crate::source::{Source, Watch};
use crate::spool::Spool;
use crate::tree::Tree;
use crate::{ReadError, enex, joplin, markdown, notion, pages, tiddlywiki, zim};

/// The format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    Obsidian,
    /// A folder of Markdown files.
    Markdown,
    Joplin,
    Zim,
    TiddlyWiki,
    Evernote,
    Notion,
    Html,
}

/// Returns the format of a source.
///
/// # Errors
/// [`ReadError::Unknown`] if there is nothing to import in it, and faults of reading.
pub fn detect(tree: &Tree) -> Result<Format, ReadError> {
    let has_folder = |name: &str| tree.entries().iter().any(|e| e.path.starts_with(name));
    let is_note = |ending: &str| matches!(ending, "md" | "markdown" | "mdown");
    if has_folder(".obsidian/") {
        Ok(Format::Obsidian)
    } else if joplin::is_export(tree)? {
        Ok(Format::Joplin)
    } else if tree.entries().iter().any(enex::is_export) {
        Ok(Format::Evernote)
    } else if zim::is_notebook(tree)? {
        Ok(Format::Zim)
    } else if notion::is_export(tree) {
        Ok(Format::Notion)
    } else if tiddlywiki::is_folder(tree) {
        Ok(Format::TiddlyWiki)
    } else if tree.entries().iter().any(|entry| is_note(&entry.ending())) {
        Ok(Format::Markdown)
    } else if tiddlywiki::is_tree(tree)? {
        Ok(Format::TiddlyWiki)
    } else if tree.entries().iter().any(pages::is_page) {
        Ok(Format::Html)
    } else {
        Err(ReadError::Unknown)
    }
}

/// Reads a source.
///
/// # Errors
/// [`ReadError`].
pub fn read(
    tree: &Tree,
    format: Format,
    spool: &Spool,
    watch: &mut Watch<'_>,
) -> Result<Source, ReadError> {
    let mut source = match format {
        Format::Obsidian | Format::Markdown => markdown::read(tree, format, spool, watch),
        Format::Joplin => joplin::read(tree, spool, watch),
        Format::Evernote => enex::read(tree, spool, watch),
        Format::Notion => notion::read(tree, spool, watch),
        Format::Zim => zim::read(tree, spool, watch),
        Format::TiddlyWiki => tiddlywiki::read(tree, spool, watch),
        Format::Html => pages::read(tree, spool, watch),
    }?;
    own_files(&mut source, spool)?;
    Ok(source)
}

/// Gives files without an owner to the first note that links to them.
fn own_files(source: &mut Source, spool: &Spool) -> Result<(), ReadError> {
    let files = source.files.iter().enumerate();
    let mut free: HashMap<String, usize> = files
        .filter(|(_, file)| file.owner.is_none())
        .map(|(number, file)| (file.origin.clone(), number))
        .collect();
    for note in &source.notes {
        if free.is_empty() {
            break;
        }
        for target in link::targets(&spool.text(&note.text)?) {
            if let Target::To(origin) = target
                && let Some(number) = free.remove(origin.as_ref())
            {
                source.files[number].owner = Some(note.origin.clone());
            }
        }
    }
    Ok(())
}
